"""What screen readers say as time passes and as buttons are pressed."""

import pytest

# Records what changes in the page: when, in which words, and whether a live region would announce it.
WATCH = """() => {
  window.changes = [];
  const watch = new MutationObserver(records => changes.push(...records.map(({ target }) => {
    const element = target.closest ? target : target.parentElement;
    return {
      at: performance.now(), text: element.textContent,
      said: element.closest("[role=alert], [role=status], [aria-live]") !== null,
      described: element.closest(".hint") !== null && element.closest("[aria-hidden]") === null,
    };
  })));
  watch.observe(document.querySelector("main"), { childList: true, characterData: true, subtree: true });
}"""


def at_its_own_pace(visit, state):
    """A state of the atlas whose clock the test controls."""
    tab = visit()
    page = tab.open("/sign-in")
    tab.stop_clock()
    page.goto(f"{tab.origin}/backstage/atlas/{state}")
    page.evaluate(WATCH)
    return page


# Records each thing that is said politely.
LISTEN = """() => {
  window.said = [];
  const listen = new MutationObserver(records =>
    said.push(...records.flatMap(({ addedNodes }) => [...addedNodes].map(node => node.textContent))));
  listen.observe(document.getElementById("status"), { childList: true });
}"""
CODE_OVER = "That code has expired. Ask for a new one."
LINK_OVER = "That link no longer works. Ask for a new one."
PAGE_ENDS = "Less than 2 minutes are left on this page. After that, you have to start again."
PAGE_OVER = "Your attempt has ended. Start again."


def text_without(locator, selector):
    return locator.evaluate(
        """(element, selector) => {
          const copy = element.cloneNode(true);
          for (const part of copy.querySelectorAll(selector)) part.remove();
          return copy.textContent;
        }""",
        selector,
    )


@pytest.mark.parametrize("state", ["locked/until", "sign-in/too-many-requests", "sign-in-code/cooldown"])
def test_what_counts_down_is_said_as_the_page_comes_and_when_it_is_over(visit, state):
    page = at_its_own_pace(visit, state)
    assert page.locator("main [role=alert] .relative").count(), "it is announced as the page loads"
    page.clock.run_for(13 * 60_000)
    changes = page.evaluate("changes")
    assert len(changes) > 10, "it counts down each second in the end"
    assert [change for change in changes if change["said"]] == []
    said = page.locator("#status").inner_text()
    # If a button waits for the same moment, it is the button that is said to be ready.
    assert "now" in said if state != "sign-in-code/cooldown" else said


@pytest.mark.parametrize(
    "state, over",
    [
        ("sign-in-code/only-method", CODE_OVER), ("sign-in-code/just-sent", CODE_OVER),
        ("sign-up-verify/email", CODE_OVER), ("forgot-password-code/just-sent", CODE_OVER),
        ("sign-in-link/just-sent", LINK_OVER), ("sign-in-code/last-minutes", PAGE_OVER),
    ],
)
def test_the_end_of_a_code_of_a_link_and_of_the_page_is_said_once_with_what_to_do(visit, state, over):
    page = at_its_own_pace(visit, state)
    page.evaluate(LISTEN)
    page.clock.run_for(61 * 60_000)
    said = page.evaluate("said")
    assert said.count(over) == 1, said
    # Nobody is sent for a code by a page that has ended.
    assert PAGE_OVER not in said or said[-1] == PAGE_OVER, said


@pytest.mark.parametrize("state", ["sign-in-code/last-minutes", "sign-in-code/only-method"])
def test_a_page_that_ends_says_so_in_its_last_ten_minutes_and_warns_while_there_is_time(visit, state):
    page = at_its_own_pace(visit, state)
    page.evaluate(LISTEN)
    end = page.locator("#page-ends")
    left = page.evaluate("element => millisecondsTo(element.dataset.moment)", end.locator(".relative").element_handle())
    if left > 600_000:
        assert not end.is_visible()
        page.clock.run_for(left - 599_000)
        left = 599_000
    assert end.is_visible()
    page.clock.run_for(left - 122_000)
    assert PAGE_ENDS not in page.evaluate("said")
    page.clock.run_for(4_000)
    assert page.evaluate("said")[-1] == PAGE_ENDS
    page.clock.run_for(3 * 60_000)
    said = page.evaluate("said")
    assert said.count(PAGE_ENDS) == 1 and said[-1] == PAGE_OVER, said


def test_what_a_field_is_described_by_changes_rarely_while_what_is_seen_counts(visit):
    page = at_its_own_pace(visit, "sign-in-code/only-method")
    page.locator("[autocomplete=one-time-code]").focus()
    moment = page.locator(".hint .relative")
    left = page.evaluate("element => millisecondsTo(element.dataset.moment)", moment.element_handle())
    # To some seconds before its end, which is not a whole number of minutes after the page loaded.
    page.clock.run_for(left - 25_500)
    seen, read = (text_without(page.locator(".hint"), hidden) for hidden in (".visually-hidden", "[aria-hidden]"))
    assert "(25 seconds left)" in seen or "(26 seconds left)" in seen, seen
    assert "(30 seconds left)" in read or "(31 seconds left)" in read or "(1 minute left)" in read, read
    page.clock.run_for(5 * 60_000)
    assert "over" in page.locator(".hint").inner_text()
    changes = [change for change in page.evaluate("changes") if change["described"] and change["text"].endswith("left")]
    times = [change["at"] for change in changes]
    assert len(times) > 5
    assert all(after - before >= 29_000 for before, after in zip(times, times[1:])), times


def move_the_clock_on_the_wall(page, minutes):
    """The clock that the page counts by stands still meanwhile."""
    page.clock.set_system_time(page.evaluate("Date.now()") / 1000 + 60 * minutes)


def sleep(page, minutes):
    """Like a laptop that is closed and opened again."""
    move_the_clock_on_the_wall(page, minutes)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_wait_that_is_slept_through_is_over(visit):
    page = at_its_own_pace(visit, "locked/until")
    moment = page.locator("main .relative").first
    assert moment.inner_text() == "in 12 minutes"
    sleep(page, 5)
    assert moment.inner_text() == "in 7 minutes"
    assert page.locator("#status").inner_text() == ""
    sleep(page, 20)
    assert moment.inner_text().endswith("ago")
    assert moment.inner_text() in page.locator("#status").inner_text()
    # Also if the browser does not say so: what should run each second is late.
    page = at_its_own_pace(visit, "locked/until")
    page.clock.run_for(1_000)
    move_the_clock_on_the_wall(page, 5)
    page.clock.fast_forward(2_500)
    assert page.locator("main .relative").first.inner_text() == "in 7 minutes"


def test_a_button_whose_wait_is_slept_through_is_ready(visit):
    page = at_its_own_pace(visit, "sign-in-code/cooldown")
    assert page.locator("button[data-available-at]").count() == 1
    sleep(page, 5)
    page.clock.run_for(1)
    assert page.locator("button[data-available-at]").count() == 0
    assert "now" in page.locator("#status").inner_text()


@pytest.mark.parametrize("minutes", [5, -60])
def test_a_clock_that_is_put_right_ends_no_wait_and_hides_no_sleep(visit, minutes):
    page = at_its_own_pace(visit, "sign-in-code/cooldown")
    button = page.locator("button[data-available-at]")
    left = page.evaluate("element => millisecondsTo(element.dataset.availableAt)", button.element_handle())
    assert 10_000 < left < 5 * 60_000
    page.clock.run_for(1_500)
    move_the_clock_on_the_wall(page, minutes)
    page.clock.run_for(1_500)
    # Nor after somebody has looked elsewhere for a moment.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.run_for(left - 4_000)
    assert button.count() == 1
    page.clock.run_for(1_500)
    assert button.count() == 0
    page = at_its_own_pace(visit, "locked/until")
    move_the_clock_on_the_wall(page, minutes)
    page.clock.run_for(1_500)
    sleep(page, 5)
    assert page.locator("main .relative").first.inner_text() == "in 7 minutes"


def test_the_page_of_an_authenticator_app_begins_at_its_picture(visit):
    page = visit(viewport={"width": 390, "height": 500}).open("/backstage/atlas/tasks-setup-mfa/authenticator")
    page.wait_for_function("document.readyState == 'complete'")
    assert page.evaluate("[scrollY, document.activeElement.tagName]") == [0, "BODY"]


@pytest.mark.parametrize(
    "state, news",
    [
        ("forgot-password-waiting/still-waiting", "#notices"), ("account/few-backup-codes", "#notices"),
        ("sign-in-link/just-sent", "#lead"), ("sign-up/joined", "#lead"),
    ],
)
@pytest.mark.parametrize("scripts", [True, False])
def test_news_has_the_focus_where_nothing_is_to_be_filled_in(visit, scripts, state, news):
    page = visit(java_script_enabled=scripts).open(f"/backstage/atlas/{state}")
    page.locator(f"{news}:focus").wait_for(state="attached")


def test_a_button_that_has_copied_is_called_what_is_seen_on_it(visit):
    tab = visit(permissions=["clipboard-read", "clipboard-write"])
    page = tab.open("/sign-in")
    page.clock.install()
    page.goto(f"{tab.origin}/backstage/atlas/tasks-setup-mfa/authenticator")
    page.get_by_role("button", name="Copy the setup key", exact=True).click()
    page.get_by_role("button", name="Copied", exact=True).wait_for()
    page.clock.run_for(5_000)
    assert page.get_by_role("button", name="Copy the setup key", exact=True).inner_text() == "Copy"
