"""The bar above the pages of an emulated API, for people who demonstrate them."""

import pytest
from people import has_focus

from conftest import BUILT_IN_LANGUAGES, LOOKS, wrong_with
from test_backstage import sign_in
from test_stories import begin, press


@pytest.mark.parametrize("user", ["mia", "ezra"])
def test_a_code_is_filled_in_by_one_press_and_taken(visit, user):
    page = sign_in(visit("fill"), user)
    page.locator(".demo-bar .fill").click()
    has_focus(page, "[name=code]")
    page.locator("[name=code]").press("Enter")
    page.wait_for_url("**/account")


def test_a_code_of_an_app_is_offered_as_long_as_it_is_taken(visit):
    page = sign_in(visit("offered"), "mia")
    page.clock.install()
    page.reload()
    assert page.locator(".demo-bar .fill").count() == 1
    # The app shows another code after half a minute at most, and accepts the last one for half a minute more.
    page.clock.run_for(61_000)
    assert page.locator(".demo-bar .fill").count() == 0
    page.reload()
    assert page.locator(".demo-bar .fill").count() == 1


def test_whoever_is_at_a_code_that_ends_stands_at_the_field_then(visit):
    page = sign_in(visit("ended"), "mia")
    page.clock.install()
    page.reload()
    page.locator(".demo-bar .fill").focus()
    page.clock.run_for(61_000)
    assert page.locator(".demo-bar .fill").count() == 0
    has_focus(page, "[name=code]")


def test_without_scripts_the_code_is_found_where_it_stands(visit):
    page = sign_in(visit("look", java_script_enabled=False), "ezra")
    words = page.locator(".demo-bar .fill").inner_text()
    page.locator(".demo-bar .fill").click()
    page.wait_for_url("**/backstage/inbox?message=*")
    assert words.removeprefix("Fill in ").replace("\N{NO-BREAK SPACE}", "") in page.locator(".message").inner_text()


def test_the_bar_leads_to_the_state_that_is_seen(visit):
    page = visit("state").open("/sign-in")
    page.locator("main form.form-primary button[type=submit]").click()
    page.locator("[aria-invalid]").first.wait_for()
    page.get_by_role("link", name="This state in the atlas").click()
    page.wait_for_url(lambda url: url.endswith("/backstage/atlas?state=sign-in%2Fempty"))
    assert page.get_by_role("link", name="All states").count(), "there is a way back"
    page.get_by_role("link", name="Alone", exact=True).click()
    page.wait_for_url("**/backstage/atlas/sign-in/empty")
    page.reload()
    assert page.url.endswith("/backstage/atlas/sign-in/empty"), "a page in the atlas keeps its address"


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("size", ["on", "off", "usual"])
def test_the_bar_of_every_size_can_be_read_by_everyone(visit, look, size):
    tab = visit("size", **LOOKS[look])
    tab.open(f"/sign-in?present={size}")
    page = sign_in(tab, "ezra")
    assert page.locator(".demo-bar").count() == (size != "off")
    assert not wrong_with(page, tab)


@pytest.mark.parametrize("language", BUILT_IN_LANGUAGES)
def test_what_stays_in_view_of_a_story_is_no_higher_than_what_is_kept_free_for_it(visit, language):
    tab = visit(viewport={"width": 320, "height": 568}, locale=language)
    press(begin(tab, "a-new-phone"), "next")
    # Somewhere outside the story, where it can be started again.
    page = tab.open("/sign-up")
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator(".story-bar [data-move=stand]").count() == 2
    height, kept = page.locator(".story-bar .walk").evaluate("""element => [
      element.getBoundingClientRect().height,
      parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockEnd),
    ]""")
    assert height <= kept
