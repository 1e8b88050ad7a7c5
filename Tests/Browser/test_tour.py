"""The README's tour, "Shown in two minutes", by clicks."""

import re

from program import PASSWORD

from test_stories import begin


def send(page, **values):
    for name, value in values.items():
        page.locator(f"[name={name}]").fill(value)
    with page.expect_navigation():
        page.locator("main form.form-primary button[type=submit]").click()


def where(page):
    return page.locator("main").get_attribute("data-page")


def press(page, role, name):
    with page.expect_navigation():
        page.get_by_role(role, name=name, exact=isinstance(name, str)).first.click()


def test_what_is_shown_in_two_minutes(visit):
    tab = visit("tour")
    page = tab.open("/sign-in?present")
    send(page, identifier="ada@example.com", password="any other")
    assert page.locator(".field-in-error").count() == 1
    assert page.locator("[name=identifier]").input_value() == "ada@example.com"
    press(page, "link", re.compile("^Traces"))
    traces = page.locator("main").inner_text()
    assert "POST /sign-in" in traces and "form_password_incorrect" in page.content()
    assert "any other" not in page.content(), "what was typed as a password is shown nowhere"

    page = tab.open("/sign-in")
    send(page, identifier="mia@example.com", password=PASSWORD)
    page.locator(".demo-bar .fill").click()
    send(page)
    assert where(page) == "account"
    press(page, "button", "Sign out")

    tab.open("/backstage/faults")
    press(page, "button", "Let it happen")  # the first tile: Offline
    tab.open("/sign-in")
    send(page, identifier="ada@example.com", password=PASSWORD)
    assert page.locator("[role=alert], .banner").count() >= 1
    assert page.locator("[name=identifier]").input_value() == "ada@example.com"
    tab.open("/backstage/faults")
    press(page, "button", "Remove")
    tab.open("/sign-in")
    send(page, identifier="ada@example.com", password=PASSWORD)
    assert where(page) == "account"

    tab.open("/backstage/map")
    assert page.locator("svg .here").count() > 0 and page.locator("svg [data-walked]").count() > 0
    tab.open("/backstage/recordings")
    press(page, "button", "Record this browser")
    tab.told.clear()

    stories = visit("tour-story")
    told = begin(stories, "locked-out-on-a-friday")
    first = told.locator(".story-bar .place").inner_text()
    press(told, "button", "Next")
    assert told.locator(".story-bar .place").inner_text() != first

    bare = visit("tour").open("/sign-in?present=off")
    assert bare.locator(".demo-bar").count() == 0
