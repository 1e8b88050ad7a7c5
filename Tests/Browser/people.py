"""People at the pages, and their hands: the mouse in a browser without scripts, or the keyboard alone."""

import base64
import hmac
import json
import re
import struct
import time
import urllib.parse

from playwright.sync_api import expect

PASSWORD = "walk-right-in-42"
SUBMIT = "form.form-primary button[type=submit]"


def code_of(setup_key):
    """What an authenticator app shows now (RFC 6238)."""
    key = base64.b32decode(re.sub(r"\s", "", setup_key))
    mac = hmac.digest(key, struct.pack(">Q", int(time.time()) // 30), "sha1")
    number = int.from_bytes(mac[(start := mac[19] & 15) : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def has_focus(page, selector, why=None):
    """Waits until it has the focus, which the browser gives when it draws the page, not when it has read it."""
    expect(page.locator(selector), why).to_be_focused()


class Mouse:
    """Points and clicks, in a browser without scripts, which is enough for every journey (R1)."""

    java_script_enabled = False

    def __init__(self, page):
        self.page = page

    def write(self, name, value):
        # Clicked first, as people do: by then it does not move any more, and the page has given the focus.
        field = self.page.locator(f"[name={name}]:visible")
        field.click()
        field.fill(value)

    def tick(self, name):
        self.page.locator(f"[name={name}]:visible").first.check()

    def press(self, selector):
        self.page.locator(selector).first.click()


class Keyboard:
    """Only Tab, Enter, the space bar and typing."""

    java_script_enabled = True

    def __init__(self, page):
        self.page = page

    def reach(self, selector):
        # Nobody types before the page is drawn and has given the focus.
        self.page.evaluate("() => new Promise(requestAnimationFrame)")
        for _ in range(60):
            if self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                ring = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert ring != "none", f"{selector} shows that it has the focus"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def write(self, name, value):
        self.reach(f"[name={name}]")
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(value)

    def tick(self, name):
        self.reach(f"[name={name}]")
        self.page.keyboard.press("Space")

    def press(self, selector):
        self.reach(selector)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")


class Person:
    """Somebody in a world of their own, who reads their messages there."""

    def __init__(self, tab, hand, program, world):
        self.page, self.program, self.world = tab.page, program, world
        self.origin = tab.origin
        self.hand = hand(tab.page)
        self.posts = 0
        self.page.on("request", self.count)

    def count(self, request):
        self.posts += request.method == "POST"

    def open(self, path):
        self.page.goto(urllib.parse.urljoin(self.origin, path))
        return self

    def fill(self, **values):
        for name, value in values.items():
            self.hand.write(name, value)
        return self

    def tick(self, name):
        self.hand.tick(name)
        return self

    def send(self, form=None):
        self.hand.press(f"#{form} button[type=submit]" if form else SUBMIT)
        return self

    def follow(self, link):
        self.hand.press(f"a[data-link={link}]")
        return self

    def in_an_instance(self, **settings):
        """Changes settings of the instance."""
        status, body = self.program.backstage("PATCH", "instance", json.dumps(settings), self.world)
        assert status == 200, body
        return self

    def fails_next(self, path, fault="refused"):
        """Makes the next call to this path fail, in front of the emulated API."""
        body = {"match": {"method": "POST", "path": path}, "times": 1, "fault": fault}
        status, told = self.program.backstage("POST", "faults", json.dumps(body), self.world)
        assert status == 200, told
        return self

    def sign_in(self, name, password=PASSWORD):
        self.open("/sign-in").fill(identifier=f"{name}@example.com")
        if password:
            self.fill(password=password)
        return self.send()

    def is_at(self, page):
        main = self.page.locator("main")
        assert main.get_attribute("data-page") == page, self.page.url
        return self

    def is_told(self, code):
        selector = f"[data-error-code='{code}'], [data-notice='{code}']"
        assert self.page.locator(selector).count(), f"{code} is not on {self.page.url}"
        return self

    def is_refused(self, code):
        """The refusal is shown; and by keyboard, neither a reload nor going back sends the form again."""
        self.is_told(code)
        page, posts = self.page.locator("main").get_attribute("data-page"), self.posts
        if self.hand.java_script_enabled:
            self.page.reload()
            self.is_at(page)
            assert self.posts == posts, "a reload sent the form again"
            self.page.locator(".skip-link").evaluate("link => { link.href = '/public/favicon.svg' }")
            self.page.locator(".skip-link").press("Enter")
            self.page.wait_for_url("**/favicon.svg")
            self.page.go_back()
            self.is_at(page)
            assert self.posts == posts, "the way back sent the form again"
        return self

    def message(self, address, purpose=None):
        query = urllib.parse.urlencode({"to": address, "wait": 5} | ({"purpose": purpose} if purpose else {}))
        status, body = self.program.backstage("GET", f"messages/latest?{query}", world=self.world)
        assert status == 200, body
        return json.loads(body)

    def code_from(self, address, purpose=None):
        return self.fill(code=self.message(address, purpose)["code"])

    def code_of_app(self, name):
        status, body = self.program.backstage("GET", f"users?identifier={name}@example.com", world=self.world)
        user = json.loads(body)[0]["id"]
        status, body = self.program.backstage("GET", f"users/{user}/totp", world=self.world)
        assert status == 200, body
        return self.fill(code=json.loads(body)["code"])

    def text(self, selector):
        return self.page.locator(selector).inner_text()
