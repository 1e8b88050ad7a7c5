"""Takes the README's pictures of the program that was built: twelve pages from the atlas, and four tools of backstage.

    make pictures
"""

import base64
import os
import sys
import urllib.parse

from browser import executable
from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Benchmarks"))
from program import Program  # noqa: E402

# By their names in the atlas, one of them with a brand, one in dark, two in other languages.
PAGES = [
    ("sign-in/fresh", {}),
    ("sign-in/wrong-password", {}),
    ("sign-in-methods/fresh", {"brand": "on"}),
    ("sign-in-code/just-sent", {}),
    ("sign-up/every-field", {}),
    ("locked/until", {}),
    ("forgot-password-new/weak", {}),
    ("tasks-setup-mfa/authenticator", {}),
    ("account/sessions", {}),
    ("sign-in-link/just-sent", {"scheme": "dark"}),
    ("sign-in/wrong-password", {"language": "ar"}),
    ("sign-in-second-factor/wrong-code", {"language": "ja"}),
]
COLUMNS, WIDTH, HEIGHT = 4, 400, 660
# The tools, and the part of each that is shown, after a walk that gives them something to show.
TOOLS = [
    ("backstage/atlas?width=320", None),
    ("backstage/traces", None),
    ("backstage/stories", None),
    ("backstage/map", "h2:text('Password reset: chart')"),
]
TOOL_WIDTH, TOOL_HEIGHT = 1300, 820
SHEET = """<!DOCTYPE html><style>
body {{ margin: 0; padding: 24px; width: max-content; display: grid; gap: 24px; background: #c9d1d8;
  grid-template-columns: repeat({columns}, auto); }}
img {{ display: block; border-radius: 12px; box-shadow: 0 4px 18px #0003; }}
</style>{images}"""


def tile(page, width, height, seen=None):
    if seen:
        page.locator(seen).evaluate("heading => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 120)")
    else:
        page.evaluate("scrollTo(0, 0)")
    picture = base64.b64encode(page.screenshot()).decode()
    return f'<img src="data:image/png;base64,{picture}" alt="" style="width: {width}px; height: {height}px">'


def page_tiles(running, origin):
    for name, asked in PAGES:
        context = running.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        page = context.new_page()
        page.goto(f"{origin}backstage/atlas/{name}?{urllib.parse.urlencode({'brand': 'off'} | asked)}")
        yield tile(page, WIDTH, HEIGHT)
        context.close()


def tool_tiles(running, origin):
    context = running.new_context(viewport={"width": TOOL_WIDTH, "height": TOOL_HEIGHT}, timezone_id="Europe/Berlin")
    page = context.new_page()
    page.goto(f"{origin}forgot-password")
    for field, typed in [("identifier", "ada@example.com"), ("code", "000000")]:
        page.locator(f"[name={field}]").fill(typed)
        with page.expect_navigation():
            page.locator("main form.form-primary button[type=submit]").click()
    for tool, seen in TOOLS:
        page.goto(origin + tool, wait_until="networkidle")
        yield tile(page, TOOL_WIDTH, TOOL_HEIGHT, seen)
    context.close()


def lay_out(running, tiles, columns, path):
    sheet = running.new_page()
    sheet.set_content(SHEET.format(columns=columns, images="".join(tiles)))
    sheet.locator("body").screenshot(path=path)
    sheet.close()


def main(folder):
    program = os.environ.get("VESTIBULE_PROGRAM") or os.path.join(ROOT, ".build", "debug", "vestibule")
    brand = os.path.join(ROOT, "templates", "brands", "zap", "brand.json")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable())
        for name, tiles, columns, options in [
            ("pages.png", page_tiles, COLUMNS, ["--brand", brand]),
            ("backstage.png", tool_tiles, 2, []),
        ]:
            with Program(program, "--in-memory", *options) as serving:
                origin = f"http://localhost:{serving.port}/"
                lay_out(running, tiles(running, origin), columns, os.path.join(folder, name))
        running.close()


if __name__ == "__main__":
    main(os.path.join(ROOT, ".github"))
