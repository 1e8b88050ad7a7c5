"""A running program and a real Chromium, and what every page of every test must keep.

    make test-browser                                                   all of it, and what it needs
    .build/browser/python/bin/python -m pytest Tests/Browser -k locked  what is named so

A picture of each page on which a check failed is kept in .build/browser/pictures.
"""

import os
import re
import shutil
import sys

import pytest
from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PICTURES = os.path.join(ROOT, ".build", "browser", "pictures")
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Benchmarks"))
from program import Program  # noqa: E402

# The looks that a page is checked in, by what a browser is told.
PHONE = {"width": 320, "height": 640}
LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE},
}


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("VESTIBULE", os.path.join(ROOT, ".build", "debug", "vestibule"))
    with Program(path, "--in-memory") as running:
        yield running


@pytest.fixture(scope="session")
def chromium():
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert path, "Chromium is missing: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


class Tab:
    """A tab of a visitor, and what its pages did that no page should."""

    def __init__(self, context, origin):
        self.page = context.new_page()
        self.origin = origin
        self.told = []
        self.page.on("console", lambda message: self.hear(message.text))
        self.page.on("pageerror", lambda error: self.told.append(f"script: {error}"))
        self.page.on("request", self.look_at)

    def hear(self, text):
        # Chromium says of each answer with a status of 400 and more that it "failed to load".
        if "Failed to load resource: the server responded with a status" not in text:
            self.told.append(f"console: {text}")

    def look_at(self, request):
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.told.append(f"request to elsewhere: {request.url}")

    def open(self, path):
        self.page.goto(self.origin + path)
        return self.page

    def must_be_quiet(self):
        told, self.told = self.told, []
        assert not told


@pytest.fixture
def visit(chromium, program, request):
    """Makes tabs of new visitors: `visit(world="mine", java_script_enabled=False)`."""
    contexts, tabs = [], []

    def make(world="main", **options):
        options.setdefault("viewport", {"width": 1024, "height": 800})
        context = chromium.new_context(**options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        tab = Tab(context, f"http://{'' if world == 'main' else world + '.'}localhost:{program.port}")
        tabs.append(tab)
        return tab

    yield make
    try:
        if getattr(request.node, "failed", False):
            keep_pictures(request.node.name, [tab.page for tab in tabs])
        for tab in tabs:
            tab.must_be_quiet()
    finally:
        for context in contexts:
            context.close()


def keep_pictures(name, pages):
    os.makedirs(PICTURES, exist_ok=True)
    for number, page in enumerate(pages):
        safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
        page.screenshot(path=os.path.join(PICTURES, f"{safe}-{number}.png"), full_page=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.failed:
        item.failed = True
    return report
