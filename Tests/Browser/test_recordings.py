"""Recordings: begun by a press, walked in Chromium, played again there by the export for Playwright."""

import json
import os
import socket
import subprocess
import sys

import pytest

from conftest import BUILT, ROOT, wrong_with
from program import PASSWORD, Program

NEW_PASSWORD = "quiet-harbour-77-lamps"


@pytest.fixture(scope="module")
def changed_program(tmp_path_factory):
    """Pages on which a field has another name."""
    folder = tmp_path_factory.mktemp("templates")
    with open(os.path.join(ROOT, "templates", "partials", "field.mustache"), encoding="utf-8") as file:
        field = file.read()
    (folder / "partials").mkdir()
    changed = field.replace('data-field="{{.name}}"', 'data-field="my-{{.name}}"')
    assert changed != field
    (folder / "partials" / "field.mustache").write_text(changed, encoding="utf-8")
    with Program(BUILT, "--in-memory", "--templates", str(folder)) as running:
        yield running


def send(page, form=None, **values):
    """Fills in a form as a person does, and sends it."""
    found = page.locator(f"form[id='{form}']" if form else "main form[method=post]:has([data-field])").first
    for name, value in values.items():
        found.locator(f"[name={name}]").fill(value)
    with page.expect_navigation():
        found.locator("button[type=submit]").click()


def latest_code(program, tab, to):
    world = tab.origin.split("//")[1].split(".")[0]
    _, answer = program.backstage("GET", f"messages/latest?wait=5&to={to}", world=world)
    return json.loads(answer)["code"]


def wrong_password(program, tab):
    page = tab.open("/sign-in")
    send(page, identifier="ada@example.com", password="not it")
    send(page, password=PASSWORD)


def code_by_mail(program, tab):
    page = tab.open("/sign-in")
    send(page, identifier="cody@example.com")
    send(page, code="000000")
    send(page, code=latest_code(program, tab, "cody@example.com"))


def authenticator(program, tab):
    page = tab.open("/sign-in")
    send(page, identifier="mia@example.com", password=PASSWORD)
    # The bar above the page has what the app shows.
    page.locator("[data-fill]").click()
    send(page)


def password_reset(program, tab):
    page = tab.open("/sign-in")
    page.goto(f"{tab.origin}/forgot-password")
    send(page, identifier="ada@example.com")
    send(page, code=latest_code(program, tab, "ada@example.com"))
    send(page, password=NEW_PASSWORD)


def sign_up(program, tab):
    page = tab.open("/sign-up")
    send(page, email_address="una@example.com", password=NEW_PASSWORD)
    send(page, code=latest_code(program, tab, "una@example.com"))
    send(page, "sign-out")


def by_presses(program, tab):
    """What can be done in backstage on the way, by one press each."""
    page = tab.open("/sign-in")
    send(page, identifier="cody@example.com")
    for path, name in [("inbox", "Delete all"), ("traces", "Delete all")]:
        page.goto(f"{tab.origin}/backstage/{path}")
        opening = page.locator("summary", has_text=name).first
        opening.click()
        with page.expect_navigation():
            page.locator("details[open] button[type=submit]").first.click()
    page.goto(f"{tab.origin}/backstage/atlas?page=sign-in-code&state=sign-in-code%2Fresent")
    with page.expect_navigation():
        page.get_by_role("button", name="Stand here").click()
    send(page, code=latest_code(program, tab, "cody@example.com"))


def beside_forms(program, tab):
    """Buttons outside their forms: another name on a code page, the way out of a task."""
    page = tab.open("/sign-in")
    send(page, identifier="cody@example.com")
    press(page, "restart")
    send(page, identifier="otto@example.com", password=PASSWORD)
    press(page, "sign-out")


def press(page, form):
    with page.expect_navigation():
        page.locator(f"main button[type=submit][form='{form}']").click()


def run(file, port, *by):
    address = f"http://localhost:{port}"
    done = subprocess.run(
        [sys.executable, "-B", *by, file], env={**os.environ, "VESTIBULE_URL": address}, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


def recorded(visit, program, folder, walk):
    """The export for Playwright, under the name that it is downloaded with."""
    tab = visit(world=f"rec-{walk.__name__.replace('_', '-')}")
    page = tab.open("/backstage/recordings")
    page.get_by_label("What the walk is called").fill("Once more: " + walk.__name__)
    page.get_by_role("button", name="Record this browser").click()
    page.get_by_text("This browser's walk is recorded.").wait_for()
    tab.told.clear()
    walk(program, tab)
    tab.told.clear()
    page.goto(f"{tab.origin}/backstage/recordings")
    assert page.get_by_role("heading", name="What was walked so far").is_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Playwright").click()
    assert download.value.suggested_filename == f"test_once_more_{walk.__name__}_playwright.py"
    file = str(folder / download.value.suggested_filename)
    download.value.save_as(file)
    return file


@pytest.mark.parametrize("walk", [wrong_password, code_by_mail, authenticator, password_reset, sign_up, by_presses, beside_forms])
def test_a_walk_is_recorded_and_played_again(visit, program, changed_program, tmp_path, walk):
    file = recorded(visit, program, tmp_path, walk)
    status, told = run(file, program.port)
    assert status == 0, told
    status, told = run(file, changed_program.port, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path))
    assert status == 1 and "AssertionError" in told, told


def test_an_export_says_that_nobody_answers(visit, program, tmp_path):
    file = recorded(visit, program, tmp_path, wrong_password)
    with socket.socket() as closed:
        # Bound, but nobody listens: no other program gets the port meanwhile.
        closed.bind(("127.0.0.1", 0))
        status, told = run(file, closed.getsockname()[1])
    assert status == 1 and "ERR_CONNECTION_REFUSED" in told and "another exception" not in told, told


def test_the_tool_keeps_the_rules_of_pages(visit):
    tab = visit(world="rec-rules")
    found = wrong_with(tab.open("/backstage/recordings"), tab)
    tab.page.get_by_role("button", name="Record this browser").click()
    tab.page.get_by_text("This browser's walk is recorded.").wait_for()
    tab.open("/sign-in")
    tab.open("/backstage/recordings")
    assert found + wrong_with(tab.page, tab) == []
