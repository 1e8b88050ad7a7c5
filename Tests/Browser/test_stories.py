"""Stories: begun by one click, walked by the bar below the pages, at the sizes of a desk and of a phone."""

import json
import os

import pytest

from conftest import LOOKS, ROOT, wrong_with

FOLDER = os.path.join(ROOT, "templates", "stories")
STORIES = sorted(name.removesuffix(".json") for name in os.listdir(FOLDER))
SIZES = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 375, "height": 667}}


def story(name):
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def begin(tab, name):
    """Begins a story in a world of its own; its page is at another host."""
    page = tab.open(f"/backstage/stories?story={name}")
    port = tab.origin.rsplit(":", 1)[1]
    with page.expect_navigation(url=lambda url: "/backstage" not in url):
        page.get_by_role("button", name="Begin", exact=True).click()
    assert page.url.startswith(f"http://{name}-") and f".localhost:{port}/" in page.url
    tab.origin = page.url[: page.url.index("/", 8)]
    tab.told.clear()
    return page


def test_a_story_that_is_opened_alone_is_named_in_the_title(visit):
    # The program emulates Clerk, and some stories can only be played over Entra.
    page = visit().open("/backstage/stories?story=ada")
    assert page.title() == f"{story('ada')['title']} – Stories – Vestibule"


def test_what_begins_a_story_anew_stands_in_one_row_without_frames_of_its_own(visit):
    tab = visit()
    begin(tab, "ada")
    page = tab.open("/backstage/stories")
    forms = page.locator("#told form")
    assert forms.evaluate_all("forms => forms.map(form => getComputedStyle(form).borderTopWidth)") == ["0px", "0px"]
    boxes = [button.bounding_box() for button in forms.locator("button").all()]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["height"] == boxes[1]["height"]


def place(page):
    return page.locator(".story-bar .place").inner_text()


def press(page, move):
    with page.expect_navigation():
        page.locator(f".story-bar [data-move={move}]:is(button), .story-bar [data-move={move}] button").last.click()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", STORIES)
def test_every_story_is_walked_by_clicks_alone(visit, program, entra_program, name, size):
    told = story(name)
    running = {"clerk": program, "entra": entra_program}
    for api in [told["api"]] if "api" in told else running:
        page = begin(visit(program=running[api], viewport=SIZES[size]), name)
        count = len(told["steps"])
        for number, step in enumerate(told["steps"], start=1):
            assert place(page) == f"{number} of {count}", step["say"]
            assert page.locator(".story-bar .sentence").inner_text() == step["say"]
            press(page, "next")
        assert place(page) == "The end"
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def sign_in_by_hand(tab, password):
    tab.wait_until_drawn()
    tab.page.locator("[name=identifier]").fill("freya@example.com")
    tab.page.locator("[name=password]").fill(password)
    with tab.page.expect_navigation():
        tab.page.locator("[name=password]").press("Enter")


# Where there is little room: on a small phone, in a window at 200 %, and with letters that the reader has made twice as large.
ROOMS = {
    "phone": ({"width": 320, "height": 568}, 16),
    "200 %": ({"width": 640, "height": 400}, 16),
    "large letters": ({"width": 320, "height": 568}, 32),
}


@pytest.mark.parametrize("room", ROOMS)
def test_the_bar_is_at_hand_and_hides_nothing_that_has_the_focus_where_there_is_little_room(visit, room):
    viewport, letters = ROOMS[room]
    tab = visit(viewport=viewport)
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
    page = begin(tab, "a-new-phone")
    press(page, "next")
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight"), "the page is longer than the window"
    # However far the page is scrolled, the button that leads on can be seen.
    for place_of_page in [0, 120, 1_000_000]:
        page.evaluate("top => scrollTo(0, top)", place_of_page)
        assert page.locator(".story-bar [data-move=next]").evaluate("""element => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""), place_of_page
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    for field in page.locator("main :is(input:not([type=hidden]), button:not([hidden]), a):visible").all():
        field.focus()
        assert field.evaluate("""element => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, top + height / 2);
          return there && !there.closest(".story-bar");
        }"""), field.evaluate("element => element.outerHTML")


def test_for_a_projector_the_bar_of_a_story_is_as_large_as_the_one_above(visit):
    tab = visit()
    begin(tab, "mia")
    page = tab.open("/sign-in?present=on")
    size = "element => getComputedStyle(element).fontSize"
    above = page.locator(".demo-bar").evaluate(size)
    for part in [".place", "[data-move=next]:is(button), [data-move=next] button"]:
        assert page.locator(".story-bar").locator(part).first.evaluate(size) == above, part


def test_a_story_is_walked_by_hand(visit):
    tab = visit()
    page = begin(tab, "locked-out-on-a-friday")
    for password in ["summer", "Summer", "SUMMER"]:
        sign_in_by_hand(tab, password)
    assert page.locator("main").get_attribute("data-page") == "locked"
    assert place(page) == "5 of 7"
    press(page, "next")
    page.reload()
    assert place(page) == "6 of 7"
    page.goto(page.url.rsplit("/", 1)[0] + "/sign-in")
    assert place(page) == "7 of 7"
    sign_in_by_hand(tab, "autumn-lanterns-31")
    assert place(page) == "The end"
    page.get_by_role("link", name="All stories").click()
    page.wait_for_url("**/backstage/stories")
    assert page.get_by_role("heading", name="This world tells: Locked out on a Friday").is_visible()


def test_without_scripts_a_story_goes_on_and_back(visit):
    page = begin(visit(java_script_enabled=False), "ezra")
    press(page, "next")
    press(page, "next")
    assert place(page) == "3 of 3"
    page.get_by_role("button", name="Back", exact=True).click()
    assert place(page) == "2 of 3"
    press(page, "next")
    press(page, "next")
    assert place(page) == "The end"


def test_what_is_shown_large_is_shown_large_in_the_world_of_a_story(visit):
    tab = visit()
    tab.open("/sign-in?present")
    page = begin(tab, "ada")
    assert page.locator(".demo-bar").get_attribute("data-size") == "large"
    assert "present" not in page.url


def test_a_story_has_its_bar_where_the_one_above_was_hidden_in_the_world_before(visit):
    tab = visit()
    tab.open("/sign-in?present=off")
    page = begin(tab, "ada")
    press(page, "next")
    assert page.locator(".demo-bar").count() == 1


@pytest.mark.parametrize("look", LOOKS)
def test_the_cards_and_the_bar_can_be_read_by_everyone(visit, look):
    tab = visit("cards", **LOOKS[look])
    page = tab.open("/backstage/stories")
    assert not wrong_with(page, tab)
    page = begin(tab, "mia")
    press(page, "next")
    assert not wrong_with(page, tab)
    page.goto(tab.origin + "/backstage/stories")
    assert not wrong_with(page, tab)
