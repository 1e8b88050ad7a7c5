"""Backstage in the browser: each page in light, in dark and on a phone, and what is done there by clicks."""

import json
import re

import browser
import pytest
from people import has_focus
from playwright.sync_api import expect

from conftest import LOOKS, LOOKS_OF_MANY, wrong_with

PAGES = ["inbox", "users", "users?user=user_mia", "users?new", "users?q=ada", "faults", "errors", "errors?q=password_inc", "traces", "traces?visit=current&path=/sign-in", "settings", "brand", "atlas?page=locked", "atlas?page=locked&state=locked%2Funtil&width=1280&scheme=dark", "map", "clock", "world"]


def sign_in(tab, name):
    page = tab.open("/sign-in")
    page.locator("[name=identifier]").fill(f"{name}@example.com")
    page.locator("[name=password]").fill("walk-right-in-42")
    page.locator("form.form-primary button[type=submit]").click()
    page.wait_for_load_state()
    return page


@pytest.mark.parametrize("look", [look for look in LOOKS_OF_MANY if look != "arabic"])
def test_pages_of_backstage_can_be_read_by_everyone(visit, look):
    sign_in(visit(f"read-{look}"), "ezra")
    tab, wrong = visit(f"read-{look}", **LOOKS[look]), []
    for path in PAGES:
        page = tab.open(f"/backstage/{path}")
        assert page.locator("h1").count() == 1
        wrong += wrong_with(page, tab, also_dark=look == "light")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_clock_moves_on_the_page_where_one_is_and_says_so_once(visit, scripts):
    page = visit(f"clock-{scripts}".lower(), java_script_enabled=scripts).open("/backstage/users?user=user_ada")
    page.get_by_role("button", name="+10 min").click()
    page.locator(".notices", has_text="Clock moved 10 minutes to").wait_for()
    assert page.url.endswith("/backstage/users?user=user_ada")
    # It can be pressed again, and says what it has done.
    pressed = page.get_by_role("button", name="+10 min")
    expect(pressed).to_be_focused()
    expect(pressed).to_have_accessible_description(re.compile("^Clock moved 10 minutes to"))
    page.reload()
    assert page.locator(".notices").count() == 0
    expect(pressed).to_have_accessible_description("")


@pytest.mark.parametrize("scripts", [True, False])
def test_what_was_done_has_the_focus(visit, scripts):
    page = visit(f"done-{scripts}".lower(), java_script_enabled=scripts).open("/backstage/settings")
    tries = page.locator("[name=code_attempts]")
    tries.fill("4")
    page.locator("form", has=tries).get_by_role("button", name="Save").click()
    has_focus(page, ".notices:has-text('The settings are changed.')")


def test_a_message_appears_by_itself_and_is_opened_copied_and_deleted(visit):
    tab = visit("mail", permissions=["clipboard-read", "clipboard-write"])
    page = tab.open("/backstage/inbox")
    sign_in(visit("mail"), "ezra")
    page.locator(".row", has_text="ezra@example.com").wait_for()
    page.locator(".row").first.click()
    code = page.locator("#message-code").inner_text()
    page.locator(".message .copy").first.click()
    page.locator(".copy", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == code
    page.locator(".message .question summary").click()
    page.get_by_role("button", name="Delete this message").click()
    page.locator(".notices", has_text="The message is deleted.").wait_for()
    assert page.locator(".row").count() == 0


# Moves the world's clock by some seconds, as another tab may.
MOVE = """seconds => fetch("/backstage/api/clock", {
  method: "POST",
  headers: { "X-Vestibule-Backstage": "1", "Content-Type": "application/json" },
  body: JSON.stringify({ advance_seconds: seconds }),
}).then(answer => answer.status)"""


def test_after_a_move_of_the_clock_no_message_comes_from_the_future(visit):
    sign_in(visit("moved"), "ezra")
    tab = visit("moved")
    page = tab.open("/backstage/inbox")
    tab.stop_clock()
    page.reload()
    # It stays open, and keeps its place.
    page.locator(".row").click()
    page.locator(".panes.is-chosen").wait_for()
    before = page.locator(".bar time").get_attribute("datetime")
    assert page.evaluate(MOVE, 3600) == 200
    sign_in(visit("moved"), "ezra")
    page.locator(".row").nth(1).wait_for()
    page.clock.run_for(2_000)
    told = page.locator(".pane-list .relative").all_inner_texts()
    assert not [words for words in told if words.startswith("in ")]
    assert told[1] == page.locator(".message .relative").inner_text() == "1 hour ago"
    assert page.locator(".bar time").get_attribute("datetime") > before


def test_the_code_of_an_authenticator_app_is_replaced_when_it_is_over(visit):
    page = visit("apps").open("/backstage/inbox")
    page.clock.install()
    page.reload()
    app = page.locator("[data-app]").first
    copy, before = app.locator(".copy"), app.locator(".code").inner_text()
    copy.focus()
    # The world's clock, by which codes change, is moved; the page's own runs on until its code is over.
    assert page.evaluate(MOVE, 60) == 200
    page.clock.run_for(31_000)
    page.wait_for_function("before => document.querySelector('[data-app] .code').textContent !== before", arg=before)
    assert "(over)" not in app.inner_text()
    expect(copy).to_be_focused()
    # And so on.
    before = app.locator(".code").inner_text()
    assert page.evaluate(MOVE, 60) == 200
    page.clock.run_for(31_000)
    page.wait_for_function("before => document.querySelector('[data-app] .code').textContent !== before", arg=before)


def test_the_codes_of_apps_stand_beside_the_messages_and_on_a_phone_behind_a_link_above_them(visit):
    page = visit("apps-beside").open("/backstage/inbox")
    app, messages = page.locator("[data-app]").first.bounding_box(), page.locator(".pane-list").bounding_box()
    assert app["x"] >= messages["x"] + messages["width"] and app["y"] < 800
    page = visit("apps-beside", viewport={"width": 360, "height": 740}).open("/backstage/inbox")
    page.get_by_role("link", name="Authenticator apps").click()
    expect(page.locator("[data-app]").first).to_be_in_viewport()


def test_the_banner_leads_to_the_field_at_fault_and_a_typed_password_is_gone(visit):
    page = visit("fault").open("/backstage/users?new")
    page.locator("[name=password]").fill("quite-a-secret")
    page.get_by_role("button", name="Add the user").click()
    page.locator(".banner a").click()
    has_focus(page, "[name=email_addresses]")
    assert page.locator("[name=password]").input_value() == ""


def test_what_is_opened_in_the_inbox_stays_when_a_message_comes(visit):
    tab = visit()
    tab.open("/forgot-password")
    tab.page.fill("[name=identifier]", "ada@example.com")
    tab.page.click(".button-primary")
    page = tab.open("/backstage/inbox")
    page.locator(".pane details summary").first.click()
    address = page.locator(".pane strong").first.inner_text()
    other = visit()
    other.open("/sign-in")
    other.page.fill("[name=identifier]", "cody@example.com")
    other.page.click(".button-primary")
    page.locator(".pane-list .things > li").nth(1).wait_for()
    assert page.locator(".pane details[open]").count() == 1
    assert page.locator(".pane strong").first.inner_text() == address


def invite(program, world, *names):
    """Sends a mail to each of them."""
    for name in names:
        body = json.dumps({"email_address": f"{name}@example.com"})
        assert program.backstage("POST", "invitations", body, world)[0] == 200


def delete_mail_to(program, world, name):
    _, messages = program.backstage("GET", "messages", world=world)
    found = next(message for message in json.loads(messages) if message["to"] == f"{name}@example.com")
    assert program.backstage("DELETE", f"messages/{found['id']}", world=world)[0] == 204


def test_rows_of_the_inbox_stay_what_they_are_as_messages_come_and_go(visit, program):
    invite(program, "stays", "one", "two", "three")
    page = visit("stays").open("/backstage/inbox")
    rows, addresses = page.locator(".pane-list .row"), page.locator(".pane-list .row .address")
    page.evaluate("window.kept = [...document.querySelectorAll('.rail a, .pane-list, .pane-list .row')]")
    page.evaluate("window.gone = () => kept.filter(node => !node.isConnected).map(node => node.innerText)")
    focused = page.locator(".row", has_text="two@example.com")
    focused.focus()
    delete_mail_to(program, "stays", "three")
    invite(program, "stays", "four")
    expect(addresses).to_have_text(["four@example.com", "two@example.com", "one@example.com"])
    expect(focused).to_be_focused()
    assert [text.split()[0] for text in page.evaluate("gone()")] == ["three@example.com"]
    expect(page.locator(".rail [data-tool=inbox] .count")).to_have_text("3")
    # The newest is the one that is shown, as long as nobody has chosen another.
    expect(page.locator(".row[aria-current]")).to_have_text(re.compile("four@"))
    expect(page.locator(".pane strong")).to_have_text("four@example.com")
    # Of what is marked nothing is taken away either.
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.pane strong'))")
    invite(program, "stays", "five")
    expect(rows).to_have_count(4)
    assert page.evaluate("String(getSelection())") == "four@example.com"
    expect(page.locator(".row[aria-current]")).to_have_text(re.compile("four@"))
    # Whoever was at a row that is gone is at the next one.
    page.evaluate("getSelection().empty()")
    focused.focus()
    delete_mail_to(program, "stays", "two")
    invite(program, "stays", "six")
    expect(page.locator(".row", has_text="one@example.com")).to_be_focused()


def test_a_list_that_grows_beyond_its_part_leads_on_from_its_last_row(visit, program):
    invite(program, "grows", *[f"name{number}" for number in range(25)])
    page = visit("grows").open("/backstage/inbox")
    rows, more = page.locator(".pane-list .row"), page.get_by_role("link", name="More messages")
    expect(rows).to_have_count(25)
    expect(more).to_have_count(0)
    for newest, last in [("next", "name1"), ("later", "name2")]:
        invite(program, "grows", newest)
        expect(rows.first).to_have_text(re.compile(f"{newest}@"))
        expect(rows).to_have_count(25)
        expect(rows.last).to_have_text(re.compile(f"{last}@"))
        identifier = re.search(r"message=([^&#]+)", rows.last.get_attribute("href"))[1]
        expect(more).to_have_attribute("href", f"/backstage/inbox?after={identifier}")
        more.focus()
    expect(more).to_be_focused()


def test_new_messages_wait_while_the_inbox_is_paused(visit, program):
    tab = visit("paused")
    page = tab.open("/backstage/inbox")
    pause = page.get_by_role("button", name="Pause new messages")
    expect(pause).to_have_attribute("aria-pressed", "false")
    # The other one shows that the message could have come.
    other = visit("paused").open("/backstage/inbox")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    assert not wrong_with(page, tab, also_dark=True)
    invite(program, "paused", "one")
    expect(other.locator(".row")).to_have_count(1)
    assert page.locator(".row").count() == 0
    page.reload()
    expect(pause).to_have_attribute("aria-pressed", "true")
    invite(program, "paused", "two")
    expect(other.locator(".row")).to_have_count(2)
    assert page.locator(".row").count() == 1
    pause.press("Enter")
    expect(page.locator(".row")).to_have_count(2)
    expect(pause).to_be_focused()
    page = visit("paused", java_script_enabled=False).open("/backstage/inbox")
    expect(page.locator("[data-pause]")).to_be_hidden()


def test_a_menu_of_the_bar_closes_by_escape_and_when_it_is_left(visit):
    page = visit(viewport={"width": 390, "height": 700}).open("/backstage/inbox")
    menu, summary = page.locator("details.menu"), page.locator("details.menu summary")
    summary.press("Enter")
    assert menu.get_attribute("open") is not None
    menu.locator("a").last.focus()
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    expect(summary).to_be_focused()
    summary.press("Enter")
    menu.locator("a").last.focus()
    page.keyboard.press("Tab")
    assert menu.get_attribute("open") is None


def test_what_was_filled_in_is_asked_for_before_the_page_goes(visit):
    page = visit("unsent").open("/backstage/settings")
    page.on("dialog", lambda dialog: dialog.dismiss())
    attempts = page.locator("[name=code_attempts]")
    attempts.fill("7")
    for button in [page.get_by_role("button", name="+1 min"), page.get_by_role("button", name="Save").last]:
        with page.expect_event("dialog") as asked:
            button.click(no_wait_after=True)
        assert asked.value.type == "beforeunload"
        assert attempts.input_value() == "7"
    page.locator("form", has=attempts).get_by_role("button", name="Save").click()
    page.locator(".notices", has_text="The settings are changed.").wait_for()
    assert attempts.input_value() == "7"
    page.get_by_role("button", name="+1 min").click()
    page.locator(".notices", has_text="Clock moved").wait_for()


def must_ask(page, link):
    """The browser asks before it follows the link, and the test lets it stay."""
    with page.expect_event("dialog") as asked:
        link.click(no_wait_after=True)
    assert asked.value.type == "beforeunload"


def test_what_was_refused_is_asked_for_until_it_is_sent_again(visit):
    page = visit("refused-work").open("/backstage/clock")
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.locator("[name=set]").fill("next week")
    page.get_by_role("button", name="Set the clock").click()
    page.locator(".banner").wait_for()
    assert page.locator("[name=set]").input_value() == "next week"
    must_ask(page, page.get_by_role("link", name="Users").first)
    page.locator("[name=set]").fill("2030-01-01T00:00:00Z")
    page.get_by_role("button", name="Set the clock").click()
    page.locator(".notices", has_text="Clock set to").wait_for()
    page.get_by_role("link", name="Users").first.click()
    page.wait_for_url("**/backstage/users")


def test_a_brand_that_was_tried_out_is_asked_for_until_it_is_kept_and_back_finds_its_page(visit):
    page = visit("tried-out").open("/backstage/brand")
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.locator("#preview-name").fill("Quay")
    page.get_by_role("button", name="Preview").click()
    page.wait_for_load_state()
    assert page.locator("#preview-name").input_value() == "Quay"
    users = page.get_by_role("link", name="Users").first
    must_ask(page, users)
    with page.expect_download():
        page.get_by_role("button", name="Download brand.json").click()
    users.click()
    page.wait_for_url("**/backstage/users")
    page.go_back()
    page.wait_for_url("**/backstage/brand")
    page.locator("#preview-name").wait_for()


def test_back_leads_to_the_page_of_a_form_that_was_refused(visit):
    page = visit("refused").open("/backstage/clock")
    page.locator("[name=set]").fill("next week")
    page.get_by_role("button", name="Set the clock").click()
    page.locator(".banner").wait_for()
    page.get_by_role("link", name="Users").first.click()
    page.wait_for_url("**/backstage/users")
    page.go_back()
    page.locator("[name=set]").wait_for()
    assert page.locator(".banner").count() == 0


def test_an_error_is_provoked_where_its_row_stands_and_a_link_leads_to_its_form(visit):
    page = visit("provoked").open("/backstage/errors")
    row = page.locator("tbody tr").nth(150)
    code = row.locator("code").inner_text()
    row.get_by_role("button", name="Provoke").click()
    link = page.locator(".notices", has_text=f"it is refused with {code}.").get_by_role("link")
    expect(link).to_be_in_viewport()
    expect(row).to_be_in_viewport()
    # The notice says what is next, and covers nothing that has the focus.
    expect(page.locator(".notices")).to_be_focused()
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    row.get_by_role("button", name="Provoke").focus()
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate("""() => {
          const { left, top, width, height } = document.activeElement.getBoundingClientRect();
          return document.activeElement.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }""")
    address = link.get_attribute("href")
    link.click()
    page.wait_for_url(f"**{address}")


def test_the_longest_name_of_a_world_leaves_the_bar_as_high_as_it_is(visit):
    size = {"width": 1280, "height": 800}
    for world in ["w", "w" * 40]:
        # One of the longest dates, however the months are named.
        page = visit(world, viewport=size).open("/backstage/clock")
        page.locator("[name=set]").fill("2030-09-28T22:22:00Z")
        page.get_by_role("button", name="Set the clock").click()
        page.locator(".notices", has_text="Clock set to").wait_for()
    heights = [visit(world, viewport=size).open("/backstage/users").locator(".bar").bounding_box()["height"] for world in ["w", "w" * 40]]
    assert heights[0] == heights[1]


# The controls of the bar that are tabbed to before what is seen before them.
AHEAD = """() => {
  const controls = [...document.querySelectorAll(".bar :is(a, button, summary)")].filter(one => !one.closest(".sheet"));
  const boxes = controls.map(one => one.getBoundingClientRect());
  return controls.slice(1).filter((_, index) => {
    const [one, next] = [boxes[index], boxes[index + 1]];
    const isBeside = next.top < one.bottom && one.top < next.bottom;
    return isBeside ? next.left < one.right : next.top < one.top;
  }).map(one => one.textContent);
}"""


@pytest.mark.parametrize("width", [320, 640, 900, 1280])
def test_the_bar_is_tabbed_through_in_the_order_in_which_it_is_seen(visit, width):
    page = visit(viewport={"width": width, "height": 800}).open("/backstage/users")
    assert page.evaluate(AHEAD) == []


def test_a_menu_of_the_bar_stays_on_a_small_phone(visit):
    page = visit("a-world-with-quite-a-long-name-of-it", viewport={"width": 320, "height": 640}).open("/backstage/users")
    page.locator(".bar .menu summary").first.click()
    sheet = page.locator(".bar .menu[open] .sheet").bounding_box()
    assert sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("path, columns", [("users", 2), ("errors?q=password_inc", 4)])
def test_the_cells_of_a_table_keep_their_headings_on_a_phone(visit, path, columns):
    page = visit(viewport={"width": 320, "height": 640}).open(f"/backstage/{path}")
    assert page.get_by_role("columnheader").count() == columns
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    roles = [node["role"]["value"] for node in tree if not node["ignored"]]
    assert roles.count("columnheader") == columns and roles.count("table") == 1


@pytest.mark.parametrize("path, told", [
    ("users", ["What happens at sign-in"]), ("errors?q=password_inc", ["What the page says", "Where"]),
])
def test_the_headings_of_a_table_are_seen_in_its_cells_on_a_phone(visit, path, told):
    page = visit(viewport={"width": 320, "height": 640}).open(f"/backstage/{path}")
    seen = """row => [...row.querySelectorAll("td[data-column]")]
      .filter(cell => getComputedStyle(cell, "::before").content !== "none")
      .map(cell => [cell.dataset.column, cell.closest("table").querySelectorAll("thead th")[cell.cellIndex].textContent])"""
    row = page.locator("tbody tr").first
    assert row.evaluate(seen) == [[heading, heading] for heading in told]
    # Each is said once, by the heading.
    assert told[0] not in row.locator("td").first.aria_snapshot()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert row.evaluate(seen) == []


def test_a_file_that_is_no_world_is_refused_at_its_field_until_another_is_chosen(visit):
    tab = visit("imported")
    page = tab.open("/backstage/world")
    field, error = page.get_by_label("File of a world"), page.locator("#import-file-error .sentence")
    button = page.get_by_role("button", name="Import, and lose what is here")
    for content in [b"nope", b'{"version": 1}']:
        field.set_input_files({"name": "world.json", "mimeType": "application/json", "buffer": content})
        button.click()
        expect(error).to_have_text(re.compile(r"^This is not an exported world: .+\. Choose a file that Export has written\.$"))
        expect(field).to_be_focused()
        assert field.get_attribute("aria-invalid") == "true"
        assert field.get_attribute("aria-describedby") == "import-file-error"
    assert not wrong_with(page, tab)
    with page.expect_download() as exported:
        page.get_by_role("link", name="Export this world").click()
    field.set_input_files(exported.value.path())
    button.click()
    page.wait_for_url("**/backstage/users")


def test_a_world_is_opened_from_another_without_scripts(visit):
    tab = visit("one", java_script_enabled=False)
    page = tab.open("/backstage/world")
    page.locator("[name=name]").fill("another-one")
    page.get_by_role("button", name="Open it").click()
    page.locator(".notices", has_text="This is the world another-one.").wait_for()
    assert "//another-one.localhost" in page.url
    assert all("//another-one.localhost" in told for told in tab.told)
    tab.told.clear()


def test_this_browser_is_signed_in_as_somebody_by_one_click(visit):
    page = visit("enter").open("/backstage/users?user=user_ada")
    page.get_by_role("button", name="Sign in as ada@example.com").click()
    page.wait_for_url("**/account")
    page.goto(page.url.replace("/account", "/backstage/users?user=user_bann"))
    page.get_by_role("button", name="Sign in as bann@example.com").click()
    page.wait_for_load_state()
    assert "/blocked" in page.url or page.locator("[role=alert]").count()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_visit_is_told_with_the_place_of_its_error_and_a_call_is_copied(visit, scripts):
    tab = visit(f"story-{scripts}".lower(), java_script_enabled=scripts, permissions=["clipboard-read", "clipboard-write"])
    page = tab.open("/sign-in")
    page.locator("[name=identifier]").fill("ada@example.com")
    page.locator("[name=password]").fill("not the right one")
    page.locator("form.form-primary button[type=submit]").click()
    page.wait_for_load_state()
    page = tab.open("/backstage/traces?visit=current&path=/sign-in#page")
    request = page.locator(".steps > [aria-current]")
    assert request.locator("h3").inner_text() == "POST /sign-in"
    request.get_by_text("Shown at the field password of sign-in").wait_for()
    assert "not the right one" not in page.content()
    request.locator(".call > summary").last.click()
    request.locator(".snippet > summary", has_text="ClerkKit").last.click()
    text = request.locator(".snippet[open] pre").inner_text()
    assert text.startswith("var signIn = try await clerk.auth.signInWithPassword(")
    copy = request.locator(".snippet[open] button")
    assert copy.is_visible() == scripts
    if scripts:
        copy.click()
        page.locator(".snippet[open] button", has_text="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == text
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as HAR").click()
    assert saved.value.suggested_filename.startswith("visit_")


# Chromium's own reader of archives, as the Network panel of its developer tools calls it.
REQUESTS_OF_ARCHIVE = """async text => {
  const { HARFormat, Importer } = await import("./models/har/har.js");
  const { log } = new HARFormat.HARRoot(JSON.parse(text));
  return Importer.Importer.requestsFromHARLog(log).map(
    request => [request.requestMethod, new URL(request.url()).pathname, request.statusCode, request.mimeType]);
}"""


def test_chromiums_own_viewer_opens_a_visit_that_was_saved(visit, driver):
    tab = visit("archive")
    sign_in(tab, "ada")
    page = tab.open("/backstage/traces?visit=current")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as HAR").click()
    with open(saved.value.path(), encoding="utf-8") as file:
        text = file.read()
    viewer = driver.launch(executable_path=browser.with_developer_tools())
    try:
        tools = viewer.new_page()
        tools.goto("devtools://devtools/bundled/devtools_app.html", wait_until="commit")
        requests = tools.evaluate(REQUESTS_OF_ARCHIVE, text)
    finally:
        viewer.close()
    assert requests[0] == ["GET", "/sign-in", 200, "text/html"]
    assert ["POST", "/sign-in", 303, "text/plain"] in requests
    assert ["POST", "/v1/client/sign_ins", 200, "application/json"] in requests


OVERLAPS = """() => [...document.querySelectorAll(".chart svg")].flatMap(svg => {
  const rooms = [...svg.querySelectorAll("rect, .reason")].map(element => ({
    name: element.textContent || element.nextElementSibling.textContent, box: element.getBBox(),
  }));
  const told = rooms.flatMap(({ name, box }, index) => rooms.slice(index + 1)
    .filter(({ box: other }) => box.x < other.x + other.width && other.x < box.x + box.width
      && box.y < other.y + other.height && other.y < box.y + box.height)
    .map(other => `${name} on ${other.name}`));
  for (const rect of svg.querySelectorAll("rect")) {
    const words = rect.nextElementSibling;
    if (words.getBBox().width > rect.getBBox().width - 8) told.push(`${words.textContent} is too long`);
  }
  return told;
})"""


def test_the_charts_of_the_map_can_be_read(visit):
    page = visit().open("/backstage/map")
    assert page.locator(".chart svg").count() == 4
    assert page.evaluate(OVERLAPS) == []


def test_what_a_chart_shows_is_heard_in_a_list(visit):
    page = visit().open("/backstage/map")
    chart = page.get_by_role("region", name="Sign in, as a chart", exact=True)
    assert "code_sent" in chart.inner_text() and "code_sent" not in chart.aria_snapshot()
    page.get_by_role("link", name="Sign in, as a list", exact=True).click()
    heading = page.get_by_role("heading", name="Sign in", exact=True)
    expect(heading).to_be_in_viewport()
    assert "code_sent" in heading.locator("xpath=following-sibling::ul[1]").inner_text()
