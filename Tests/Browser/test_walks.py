"""What a person does: by keyboard alone, without scripts, with Back and reload, in large type, in forced colours."""

import json
import re

import pytest

PASSWORD = "walk-right-in-42"


def newest_code(program, address, world="main"):
    """The code of the last message to that address, as the inbox tells it."""
    status, body = program.backstage("GET", f"messages/latest?to={address}&wait=5", world=world)
    assert status == 200
    return json.loads(body)["code"]


def type_into(page, **values):
    for name, value in values.items():
        page.locator(f"[name={name}]").fill(value)


def press_main(page):
    page.locator("main form.form-primary button[type=submit]").click()


def where(page):
    return page.locator("main").get_attribute("data-page")


class Keyboard:
    """Goes through a page with Tab, Enter and typing alone."""

    def __init__(self, page):
        self.page = page

    def reach(self, selector):
        for _ in range(40):
            if self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                ring = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert ring != "none", f"{selector} shows that it has the focus"
                return self
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not to be reached by Tab")

    def enter(self):
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        return self

    def write(self, text):
        self.page.keyboard.type(text)
        return self


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
class TestWithAndWithoutScripts:
    def test_sign_in_after_a_wrong_password(self, visit, scripts):
        page = visit(java_script_enabled=scripts).open("/sign-in")
        type_into(page, identifier="ada@example.com", password="not this one")
        press_main(page)
        assert where(page) == "sign-in" and page.title().startswith("Error: ")
        assert page.locator("[name=identifier]").input_value() == "ada@example.com"
        assert page.locator("[name=password]").input_value() == ""
        type_into(page, password=PASSWORD)
        press_main(page)
        assert where(page) == "account"

    def test_a_second_factor(self, visit, program, scripts):
        world = f"second-factor-{scripts}".lower()
        page = visit(world, java_script_enabled=scripts).open("/sign-in")
        type_into(page, identifier="ezra@example.com", password=PASSWORD)
        press_main(page)
        assert where(page) == "sign-in-second-factor"
        type_into(page, code="000 000")
        press_main(page)
        assert page.locator("#second-factor-code-error").is_visible()
        type_into(page, code=newest_code(program, "ezra@example.com", world))
        press_main(page)
        assert where(page) == "account"

    def test_sign_up(self, visit, program, scripts):
        world = f"sign-up-{scripts}".lower()
        page = visit(world, java_script_enabled=scripts).open("/sign-up")
        type_into(page, email_address="new@example.com", password=PASSWORD)
        press_main(page)
        assert where(page) == "sign-up-verify"
        type_into(page, code=newest_code(program, "new@example.com", world))
        press_main(page)
        assert where(page) == "account"

    def test_a_password_reset(self, visit, program, scripts):
        world = f"reset-{scripts}".lower()
        page = visit(world, java_script_enabled=scripts).open("/forgot-password")
        type_into(page, identifier="ada@example.com")
        press_main(page)
        type_into(page, code=newest_code(program, "ada@example.com", world))
        press_main(page)
        assert where(page) == "forgot-password-new"
        type_into(page, password="another-way-in-42")
        press_main(page)
        assert where(page) == "account"

    def test_another_method_and_changing_who_one_is(self, visit, scripts):
        page = visit(f"methods-{scripts}".lower(), java_script_enabled=scripts).open("/sign-in")
        type_into(page, identifier="ada@example.com")
        press_main(page)
        page.get_by_role("link", name="Use another method").click()
        page.locator("#email_code button").click()
        assert where(page) == "sign-in-code"
        page.locator(".identity button").click()
        assert where(page) == "sign-in" and page.url.endswith("/sign-in")

    def test_a_locked_account(self, visit, scripts):
        page = visit(f"locked-{scripts}".lower(), java_script_enabled=scripts).open("/sign-in")
        type_into(page, identifier="lou@example.com", password=PASSWORD)
        press_main(page)
        assert where(page) == "locked"
        assert page.locator("h1").count() == 1 and page.locator("h2").count() == 0

    def test_an_organization_and_signing_out(self, visit, scripts):
        page = visit(f"organization-{scripts}".lower(), java_script_enabled=scripts).open("/sign-in")
        type_into(page, identifier="otto@example.com", password=PASSWORD)
        press_main(page)
        assert where(page) == "tasks-choose-organization"
        page.locator("input[type=radio]").first.check()
        press_main(page)
        assert where(page) == "account"
        page.locator("#sign-out button").click()
        assert where(page) == "sign-in"
        assert page.locator("[data-notice=signed_out]").is_visible()


def test_a_sign_in_by_keyboard_alone(visit):
    page = visit().open("/sign-in")
    keys = Keyboard(page)
    keys.reach("[name=identifier]").write("ada@example.com")
    keys.reach("[name=password]").write("not this one").enter()
    assert page.evaluate("document.activeElement.className") == "error-summary"
    keys.reach(".error-summary a")
    page.keyboard.press("Enter")
    keys.reach("[name=password]").write(PASSWORD).enter()
    assert where(page) == "account"
    keys.reach("#sign-out button").enter()
    assert where(page) == "sign-in"


def test_a_code_by_keyboard_alone(visit, program):
    page = visit("keyboard").open("/sign-in")
    keys = Keyboard(page)
    keys.reach("[name=identifier]").write("cody@example.com")
    keys.reach("form.form-primary button[type=submit]").enter()
    assert where(page) == "sign-in-code"
    # The code's field has the focus at once, and what was sent is read with it.
    assert page.evaluate("document.activeElement.name") == "code"
    described = page.evaluate("document.activeElement.getAttribute('aria-describedby')").split()
    assert "We sent a code" in page.locator(f"#{described[0]}").inner_text()
    keys.write(newest_code(program, "cody@example.com", "keyboard")).enter()
    assert where(page) == "account"


def test_back_and_reload_after_a_refusal_send_nothing_again(visit):
    page = visit().open("/sign-in")
    posts = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    type_into(page, identifier="ada@example.com", password="not this one")
    press_main(page)
    assert len(posts) == 1
    page.reload()
    assert where(page) == "sign-in" and not page.title().startswith("Error: ")
    page.get_by_role("link", name="Create one").click()
    page.go_back()
    assert where(page) == "sign-in"
    assert len(posts) == 1


def test_a_code_that_is_asked_for_too_early_says_when(visit):
    page = visit("early").open("/sign-in")
    type_into(page, identifier="cody@example.com")
    press_main(page)
    button = page.locator("#resend button")
    assert re.fullmatch(r"Resend code, available at \d\d:\d\d:\d\d( UTC)?", button.text_content())
    assert re.fullmatch(r"0:[0-5]\d", page.locator("#resend .countdown").inner_text())
    button.press("Enter")  # it waits, but is not disabled (N4)
    assert page.locator("[data-error-code=verification_code_too_many_requests]").is_visible()
    assert page.url.endswith("/sign-in/code"), "the address is the page's own"


@pytest.mark.parametrize("path", ["/sign-in", "/sign-up", "/forgot-password"])
def test_text_at_200_percent_fits(visit, path):
    page = visit(viewport={"width": 640, "height": 900}).open(path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_forced_colours_keep_borders_and_signs(visit):
    page = visit(forced_colors="active").open("/sign-in")
    press_main(page)
    for selector in ("form.form-primary button[type=submit]", "[name=identifier]", ".error-summary"):
        width = page.locator(selector).first.evaluate("e => getComputedStyle(e).borderTopWidth")
        assert float(width.removesuffix("px")) >= 1, selector


def test_password_managers_learn_whose_password_it_is(visit):
    page = visit().open("/sign-in")
    assert page.locator("[name=identifier]").get_attribute("autocomplete") == "username"
    assert page.locator("[name=password]").get_attribute("autocomplete") == "current-password"
    page = visit("managers").open("/sign-up")
    assert page.locator("[name=email_address]").get_attribute("autocomplete") == "username"
    assert page.locator("[name=password]").get_attribute("autocomplete") == "new-password"


def test_a_password_can_be_shown_and_is_hidden_again(visit):
    page = visit().open("/sign-in")
    field, button = page.locator("[name=password]"), page.locator(".show-password")
    assert button.get_attribute("aria-label") == "Show password"
    field.fill("secret")
    button.click()
    assert field.get_attribute("type") == "text"
    button.click()
    assert field.get_attribute("type") == "password"
