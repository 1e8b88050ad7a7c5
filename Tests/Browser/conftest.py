"""A running program and a real Chromium, and the rules that every page of every test must keep.

    make test-browser                                                   all of it, and what it needs
    .build/browser/python/bin/python -m pytest Tests/Browser -k locked  only the tests with this in their names

A picture of each page on which a check failed is kept in .build/browser/pictures.
"""

import contextlib
import datetime
import os
import re
import sys

import browser
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PICTURES = os.path.join(ROOT, ".build", "browser", "pictures")
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Benchmarks"))
from program import Program  # noqa: E402

# The languages that are built in, by their tags.
BUILT_IN_LANGUAGES = sorted(name.removesuffix(".json") for name in os.listdir(os.path.join(ROOT, "templates", "messages")))

# The looks that pages are checked in, as options of the browser.
PHONE = {"width": 320, "height": 640}
LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE},
    "arabic": {"locale": "ar"},
}
# For many pages in a row: each is shown in light, and then in dark.
LOOKS_OF_MANY = [look for look in LOOKS if look != "dark"]


BUILT = os.path.abspath(os.environ.get("VESTIBULE_PROGRAM") or os.path.join(ROOT, ".build", "debug", "vestibule"))


@pytest.fixture(scope="session")
def program():
    with Program(BUILT, "--in-memory") as running:
        yield running


@pytest.fixture(scope="session")
def entra_program():
    with Program(BUILT, "--in-memory", "--api", "entra") as running:
        yield running


@pytest.fixture(scope="session")
def driver():
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def chromium(driver):
    # The other processors run other tests: threads beside a page's script would cost more than they gain.
    running = driver.launch(executable_path=browser.executable(), args=["--js-flags=--single-threaded"])
    yield running
    running.close()


# Records what a page moves after it has shown it (Layout Instability): nothing may move (E12).
WATCH_FOR_SHIFTS = """
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries())
      if (value > 0) window.shifts.push(sources.map(({ node, previousRect: from, currentRect: to }) =>
        `${node?.outerHTML?.slice(0, 80) ?? node?.data ?? "?"} from ${from.x},${from.y} to ${to.x},${to.y}`));
  }).observe({type: "layout-shift", buffered: true});
"""


# All of axe-core's rules apply, even those that are off by default, except this one: a contrast of 7:1 (level AAA) is
# for people who ask for more contrast, and is checked for them (test_states.py).
LEFT_OUT = ["color-contrast-enhanced"]

# If a page has been examined in light, only its colours are new in dark.
COLOURS = ["color-contrast", "link-in-text-block"]

# Everything that is asked of a page, at once, since each question is a round trip to another process.
EXAMINE = """async ({ leftOut, only }) => {
  if (!window.axe) return null;
  const drawn = () => new Promise(requestAnimationFrame);
  await drawn();
  await drawn();
  const root = document.documentElement;
  // Before axe-core, which scrolls about.
  const wrong = (window.shifts ?? []).map(shift => `moves while it loads: ${shift}`);
  // A button that changes its colour is examined once it has changed.
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const rules = Object.fromEntries(axe.getRules().map(
    ({ ruleId }) => [ruleId, { enabled: only ? only.includes(ruleId) : !leftOut.includes(ruleId) }]));
  // What keeps the rules need not be reported.
  const { violations } = await axe.run({ rules, resultTypes: ["violations"] });
  for (const { id, nodes } of violations)
    wrong.push(...nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
  if (root.scrollWidth > root.clientWidth) wrong.push("scrolls sideways");
  return { wrong, direction: root.dir };
}"""


def examine(page, only=None):
    """What axe-core and the window find wrong with a page, and its direction: by all rules, or only by these."""
    asked = {"leftOut": LEFT_OUT, "only": only}
    found = page.evaluate(EXAMINE, asked)
    if found is None:
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(EXAMINE, asked)
    return found["wrong"], found["direction"]


@contextlib.contextmanager
def dark(page):
    """The page in dark: it only takes other colours, which costs less than loading it again."""
    page.emulate_media(color_scheme="dark")
    yield
    page.emulate_media(color_scheme="null")


def examined_context(chromium, look):
    """A context for many pages in a look: each has axe-core, and records what it moves."""
    context = chromium.new_context(**{"viewport": {"width": 1024, "height": 800}, **LOOKS[look]})
    context.add_init_script(AXE_SCRIPT + WATCH_FOR_SHIFTS)
    return context


def wrong_with(page, tab, also_dark=False):
    """What axe-core, the window and the console find wrong with a page."""
    found, _ = examine(page)
    if also_dark:
        with dark(page):
            found += [f"dark: {fault}" for fault in examine(page, only=COLOURS)[0]]
    found += tab.told
    tab.told.clear()
    return [f"{page.url}: {text}" for text in found]


class Tab:
    """A tab of a visitor, and what its pages did that no page should."""

    def __init__(self, context, origin, java_script_enabled=True):
        self.page = context.new_page()
        self.origin = origin
        self.java_script_enabled = java_script_enabled
        self.told = []
        self.page.on("console", lambda message: self.hear(message.text))
        self.page.on("pageerror", lambda error: self.told.append(f"script: {error}"))
        self.page.on("request", self.look_at)

    # What Chromium says about pages that are as they should be: about each answer with a status of 400 or more, and
    # about a field that was clicked before the page gave the focus.
    HARMLESS = (
        "Failed to load resource: the server responded with a status",
        "Autofocus processing was blocked because a document already has a focused element",
    )

    def hear(self, text):
        if not text.startswith(self.HARMLESS):
            self.told.append(f"console: {text}")

    def look_at(self, request):
        if not request.url.startswith((self.origin, "data:", "blob:")):
            self.told.append(f"request to elsewhere: {request.url}")

    def open(self, path):
        # These walk the flows when they are first opened, which takes time on a busy machine; the program allows two
        # minutes.
        walked = path in ("/backstage/map", "/backstage/errors")
        self.page.goto(self.origin + path, **({"timeout": 60_000} if walked else {}))
        if self.java_script_enabled:
            self.wait_until_drawn()
        return self.page

    def wait_until_drawn(self):
        """Waits until the page has given the focus: Chromium complains about a field that was filled in before."""
        self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def stop_clock(self):
        """Stops the page's time except for `clock.run_for`: on a busy machine seconds pass between two looks."""
        self.page.clock.install()
        self.page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(seconds=1))

    def shifts(self):
        """What the page has moved so far (WATCH_FOR_SHIFTS): the elements of each time, from where to where."""
        return self.page.evaluate("new Promise(done => requestAnimationFrame(() => done(window.shifts)))")

    def must_be_quiet(self):
        told, self.told = self.told, []
        assert not told


@pytest.fixture
def visit(chromium, program, request):
    """Makes tabs of new visitors: `visit(world="mine", java_script_enabled=False)`."""
    contexts, tabs = [], []

    def make(world="main", program=program, **options):
        options.setdefault("viewport", {"width": 1024, "height": 800})
        context = chromium.new_context(**options)
        # A page takes milliseconds, but seconds on a machine with twenty times its load.
        context.set_default_timeout(30_000)
        contexts.append(context)
        origin = f"http://{'' if world == 'main' else world + '.'}localhost:{program.port}"
        tab = Tab(context, origin, options.get("java_script_enabled", True))
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
