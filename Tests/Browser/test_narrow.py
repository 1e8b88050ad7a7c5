"""Every page where room is scarce: small phones, letters twice as large, languages with long words or no spaces."""

import json
import os
import re

import pytest
from playwright.sync_api import expect

from conftest import BUILT_IN_LANGUAGES, ROOT, Tab
from test_states import states

# So that the last of the tests is a short one, wherever it runs.
PARTS = 2

LANGUAGES = ["de", "es", "ja", "ar", "en-XA"]

# The width and height of a page, and how large its letters are.
ROOMS = {
    "320 px": [320, 640, "100%"],
    "375 px": [375, 700, "100%"],
    "200 %": [640, 900, "200%"],
}

# Lays a page out in a frame, which takes the size of one room after another, and reports text that is squeezed into a
# column of letters, or takes two lines that should be one. A frame costs a tenth of what a page costs.
FAULTS = """async ([path, rooms]) => {
  const html = await (await fetch(path)).text();
  const faults = document => {
    const found = [], root = document.documentElement;
    const em = parseFloat(getComputedStyle(root).fontSize);
    if (!document.querySelector("main h1")) found.push("shows no page");
    if (root.scrollWidth > root.clientWidth) found.push("scrolls sideways");
    for (const element of document.querySelectorAll("main :is(p, strong, .way, h1, h2, dd, dt, button, a, label, .line)")) {
      if (!element.offsetParent || element.closest(".visually-hidden")) continue;
      const { width, height } = element.getBoundingClientRect();
      const lines = Math.round(height / (parseFloat(getComputedStyle(element).lineHeight) || 1.5 * em));
      if (lines >= 4 && width < 5 * em && element.innerText.trim())
        found.push(`${lines} lines in ${Math.round(width)} px: ${element.innerText.slice(0, 40)}`);
    }
    const high = (selector, limit) => {
      const height = document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
      if (height > limit * em / 16) found.push(`${selector} is ${Math.round(height)} px high`);
    };
    high(".identity", 60);
    // A name is broken before its @ and nowhere else, as long as each half has room in a line.
    for (const part of document.querySelector(".identity strong")?.childNodes ?? []) {
      const range = document.createRange();
      range.selectNodeContents(part);
      if (range.getClientRects().length > 1 && part.data.length < 20) found.push(`breaks ${part.data}`);
    }
    // Three lines for one error, and four in en-XA, whose words are half as long again as in English.
    if (!document.querySelector(".error-summary ul")) high(".error-summary", path.includes("language=en-XA") ? 135 : 100);
    return found;
  };
  const frame = document.createElement("iframe");
  frame.srcdoc = html;
  await new Promise(loaded => { frame.onload = loaded; document.body.append(frame) });
  const told = Object.entries(rooms).map(([room, [width, height, size]]) => {
    frame.width = width;
    frame.height = height;
    frame.contentDocument.documentElement.style.fontSize = size;
    return faults(frame.contentDocument).map(fault => `${path} at ${room}: ${fault}`);
  });
  frame.remove();
  return told.flat();
}"""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_words_keep_their_lines_where_room_is_scarce(chromium, program, language, part):
    # The pages do not allow themselves to be framed.
    context = chromium.new_context(bypass_csp=True)
    page, wrong = Tab(context, f"http://localhost:{program.port}").open("/sign-in"), []
    for path in states(program, part, PARTS):
        wrong += page.evaluate(FAULTS, [f"{path}?language={language}", ROOMS])
    context.close()
    assert not wrong, "\n" + "\n".join(wrong)


def test_a_summary_names_its_field_in_full_where_there_is_room(visit):
    page = visit(viewport={"width": 1280, "height": 800}).open("/sign-in")
    page.fill("[name=identifier]", "nobody@nowhere.example")
    page.fill("[name=password]", "walk-right-in-42")
    page.click(".button-primary")
    link = page.wait_for_selector(".error-summary a")
    assert link.inner_text() == "Email address, phone number or username"
    assert link.evaluate("link => link.scrollWidth <= link.clientWidth || link.clientWidth == 0")
    assert link.evaluate("link => getComputedStyle(link).textOverflow") == "clip"


@pytest.mark.parametrize("width, size", [(320, "100%"), (375, "100%"), (420, "100%"), (390, "200%")])
def test_a_summary_says_that_there_is_a_problem_however_narrow_it_is(visit, width, size):
    page = visit(world="scarce", viewport={"width": width, "height": 700}).open("/sign-in")
    page.evaluate("size => document.documentElement.style.fontSize = size", size)
    page.fill("[name=identifier]", "ada@example.com")
    page.fill("[name=password]", "not-this-one-42")
    page.click(".button-primary")
    page.wait_for_selector(".error-summary a")
    page.evaluate("size => document.documentElement.style.fontSize = size", size)
    words, link = page.locator(".error-summary .intro"), page.locator(".error-summary a")
    assert words.inner_text() == "There is a problem:" and link.inner_text() == "Password"
    em = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    box, beside = words.bounding_box(), link.bounding_box()
    assert box["width"] > 4 * em and words.evaluate("words => getComputedStyle(words).clipPath") == "none"
    assert box["x"] + box["width"] <= beside["x"] or box["y"] + box["height"] <= beside["y"] + 1, "one lies over the other"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("path", ["users", "users?user=user_mia", "users?new", "settings", "errors", "world"])
def test_backstage_does_not_scroll_sideways_with_letters_twice_as_large(visit, path):
    page = visit(viewport={"width": 320, "height": 640}).open(f"/backstage/{path}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("tool", ["inbox", "recordings", "world"])
def test_on_a_phone_a_tool_of_backstage_begins_in_the_upper_third(visit, tool):
    page = visit(viewport={"width": 360, "height": 740}).open(f"/backstage/{tool}")
    assert page.locator("h1").bounding_box()["y"] < 260
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    if tool != "world":
        current = page.locator(".rail [aria-current]")
        expect(current).to_be_in_viewport(ratio=1)
        # The last tool keeps its distance from the edge, too, so that its ring is seen.
        assert 6 <= 360 - (current.bounding_box()["x"] + current.bounding_box()["width"])
    # What is beyond the edge is reached by the keyboard.
    last = page.locator(".bar .time button").last
    last.focus()
    expect(last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width, size", [(360, "150%"), (390, "200%")])
def test_a_password_has_room_with_large_letters(visit, width, size):
    page = visit(viewport={"width": width, "height": 800}).open("/sign-in?language=de")
    page.evaluate("size => document.documentElement.style.fontSize = size", size)
    em = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert page.query_selector("[name=password]").bounding_box()["width"] >= 5 * em
    assert page.query_selector("label[for=sign-in-password]").bounding_box()["height"] < 2 * em


@pytest.mark.parametrize("state", ["sign-in-code/only-method", "tasks-setup-mfa/authenticator"])
def test_very_large_letters_break_no_name_into_letters_and_cut_no_code(visit, state):
    page = visit(viewport={"width": 390, "height": 800}).open(f"/backstage/atlas/{state}?language=de&still=1")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    em = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert page.query_selector(".identity strong").bounding_box()["width"] >= 6 * em
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.eval_on_selector("[autocomplete=one-time-code]", "code => (code.value = '424242', code.scrollWidth <= code.clientWidth)")


@pytest.mark.parametrize(
    "state, language, links",
    [("tasks-setup-mfa/backup-codes", "de", ".backup-actions a"), ("sign-in/languages", "pt", ".languages a")],
)
def test_a_small_phone_breaks_no_word_of_a_link(visit, state, language, links):
    page = visit(viewport={"width": 320, "height": 640}).open(f"/backstage/atlas/{state}?language={language}&still=1")
    lines = page.eval_on_selector_all(links, """links => links.map(link => {
      const range = document.createRange();
      range.selectNodeContents(link);
      return [link.textContent, range.getClientRects().length];
    })""")
    assert lines
    assert [word for word, count in lines if count > 1] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_all_is_dark_on_white(visit, scheme):
    page = visit(color_scheme=scheme).open("/backstage/atlas/locked/until?still=1")
    page.emulate_media(media="print")
    grounds = page.evaluate("""() => [...document.querySelectorAll("main, main *")].filter(element => element.checkVisibility())
      .map(element => getComputedStyle(element).backgroundColor)""")
    assert set(grounds) <= {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"}
    assert not page.locator("a.button:visible").count()


@pytest.mark.parametrize("state", ["blocked/banned", "locked/unknown", "sign-in/too-many-requests", "error/internal"])
def test_what_a_message_points_to_is_on_paper(visit, state):
    page = visit().open(f"/backstage/atlas/{state}?still=1")
    page.emulate_media(media="print")
    assert page.locator("main").get_by_text("Reference", exact=True).is_visible()
    assert page.locator("footer [data-link=help]").is_visible()
    assert not page.locator(".languages:visible, .documents:visible").count()


def test_the_address_of_help_is_on_paper(visit):
    page = visit().open("/backstage/atlas/blocked/banned?still=1")
    link = page.locator("footer [data-link=help]")
    added = "link => getComputedStyle(link, '::after').content"
    page.emulate_media(media="print")
    assert "@" in link.inner_text() and link.evaluate(added) == "none"
    link.evaluate("link => { link.href = 'https://help.example'; link.textContent = 'Get help' }")
    assert "https://help.example" in link.evaluate(added)
    page.emulate_media(media="screen")
    assert link.evaluate(added) == "none"


@pytest.mark.parametrize("state, is_told", [("account/sessions", True), ("account/sessions-folded", False)])
def test_on_paper_no_heading_stands_over_nothing(visit, state, is_told):
    page = visit().open(f"/backstage/atlas/{state}?still=1")
    assert page.locator("#sessions-heading").is_visible()
    page.emulate_media(media="print")
    assert page.locator("#sessions-heading").is_visible() == is_told


def test_a_badge_stays_whole_on_a_small_phone(visit):
    page = visit(viewport={"width": 320, "height": 640}).open("/backstage/atlas/account/sessions?still=1")
    assert page.eval_on_selector_all(".badge", "badges => badges.map(badge => badge.getClientRects().length)") == [1]


@pytest.mark.parametrize("width", [320, 340, 360, 390])
def test_a_code_of_eight_digits_in_two_groups_is_seen_whole(visit, width):
    page = visit(viewport={"width": width, "height": 640}).open("/backstage/atlas/sign-in-code/just-sent?still=1")
    code = page.locator("[autocomplete=one-time-code]")
    code.fill("2636 6345")
    assert code.evaluate("code => code.scrollWidth <= code.clientWidth")


@pytest.mark.parametrize("state, message", [("sign-in/unknown-account", ".error-message .sentence"), ("sign-in/offline", ".banner li")])
def test_a_link_behind_a_message_is_on_a_line_of_its_own(visit, state, message):
    page = visit().open(f"/backstage/atlas/{state}?still=1")
    assert page.locator(message).evaluate("""message => {
      const link = message.querySelector("a"), words = document.createRange();
      words.selectNodeContents(message.firstChild);
      return link.getBoundingClientRect().top >= words.getBoundingClientRect().bottom - 4;
    }""")


def test_a_wait_of_hours_to_which_nobody_is_kept_is_not_told(visit):
    page = visit().open("/backstage/atlas/sign-in-code/field-and-general")
    assert page.query_selector("form[data-action=resend] button, button[form=resend]")
    assert not page.query_selector(".countdown")


def test_a_long_address_leaves_no_full_stop_alone(visit):
    page = visit(viewport={"width": 390, "height": 800}).open("/sign-up")
    page.fill("[name=email_address]", "annemarie.schneider+clerk_test@verwaltung.example.com")
    page.fill("[name=password]", "quiet-harbour-77-lamps")
    page.click(".button-primary")
    page.wait_for_selector(".lead strong")
    # The full stop is on the line on which the address ends.
    assert page.evaluate("""() => {
      const strong = document.querySelector(".lead strong"), range = document.createRange();
      range.setStart(strong.nextSibling, 0);
      range.setEnd(strong.nextSibling, 1);
      const end = [...strong.getClientRects()].at(-1);
      return strong.nextSibling.data[0] == "." && Math.abs(range.getBoundingClientRect().bottom - end.bottom) < 4;
    }""")


# What is to come, what is over, and how much is left, from seconds to days.
TIMES = ["locked/until", "locked/until-tomorrow", "sign-in-code/only-method", "sign-in-code/cooldown", "account/sessions"]


@pytest.mark.parametrize("language", BUILT_IN_LANGUAGES)
def test_a_time_is_worded_by_the_script_as_the_server_worded_it(visit, language):
    tab = visit()
    for state in TIMES:
        page = tab.open(f"/backstage/atlas/{state}?language={language}")
        # As it was sent, since the script counts down what is on the page.
        told = page.evaluate("""text => {
          const sent = new DOMParser().parseFromString(text, "text/html");
          const now = Date.parse(sent.querySelector("main").dataset.now);
          return [...sent.querySelectorAll(".relative[data-moment]")].map(element => {
            const seconds = (Date.parse(element.dataset.moment) - now) / 1000;
            const words = element.dataset.form === "left" ? remainingIn(seconds) : distanceOf(seconds);
            return [element.textContent, words];
          });
        }""", page.request.get(page.url).text())
        assert told, state
        for server, script in told:
            assert server == script, state


@pytest.mark.parametrize("language", BUILT_IN_LANGUAGES)
def test_each_length_of_time_is_worded_by_the_script_as_the_catalogue_words_it(visit, language):
    with open(os.path.join(ROOT, "templates", "messages", f"{language}.json"), encoding="utf-8") as catalogue:
        messages = {key: text for key, text in json.load(catalogue).items() if re.match(r"time\.(in|ago|length)\.", key)}
    assert len(messages) == 12
    page = visit().open(f"/backstage/atlas/locked/until?language={language}")
    differing = page.evaluate(r"""messages => {
      const plurals = new Intl.PluralRules(document.documentElement.lang);
      const counts = { seconds: [1, 59], minutes: [60, 59], hours: [3600, 47], days: [86400, 120] };
      return Object.entries(messages).flatMap(([key, message]) => {
        const [, form, unit] = key.split(".");
        const [length, most] = counts[unit];
        const branches = Object.fromEntries([...message.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, name, text]) => [name, text]));
        return [...Array(most + 1).keys()].slice(unit === "days" ? 2 : 1).flatMap(count => {
          const branch = branches[plurals.select(count)] ?? branches.other;
          const text = message.replace(/\{count, plural, .*\}\}/, branch.replace("#", count));
          const expected = form === "length" ? words.left.replace("{length}", text) : text;
          const seconds = count * length;
          const written = form === "length" ? remainingIn(seconds) : distanceOf(form === "in" ? seconds : -seconds);
          return written === expected ? [] : [[key, written, expected]];
        });
      });
    }""", messages)
    assert not differing
