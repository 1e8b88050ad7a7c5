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
    page = visit().open(f"/backstage/stories?story={STORIES[0]}")
    assert page.title() == f"{story(STORIES[0])['title']} – Stories – Vestibule"


def place(page):
    return page.locator(".story-bar .place").inner_text()


def press(page, move):
    with page.expect_navigation():
        page.locator(f".story-bar [data-move={move}]:is(button), .story-bar [data-move={move}] button").last.click()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", STORIES)
def test_every_story_is_walked_by_clicks_alone(visit, program, entra_program, name, size):
    told = story(name)
    running = entra_program if told.get("api") == "entra" else program
    tab = visit(program=running, viewport=SIZES[size])
    page = begin(tab, name)
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


def test_the_bar_hides_nothing_that_has_the_focus_where_there_is_little_room(visit):
    tab = visit(viewport={"width": 320, "height": 568})
    page = begin(tab, "a-new-phone")
    press(page, "next")
    for field in page.locator("main :is(input:not([type=hidden]), button:not([hidden]), a):visible").all():
        field.focus()
        assert field.evaluate("""element => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, top + height / 2);
          return !there?.closest(".story-bar");
        }"""), field.evaluate("element => element.outerHTML")


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
