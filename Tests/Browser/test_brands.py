"""The example brands, the page of an emulated provider, and pages on paper."""

import json
import os
import re
import string

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from conftest import BUILT, LOOKS, LOOKS_OF_MANY, ROOT, Program, Tab, examined_context, wrong_with

BRANDS = sorted(os.listdir(os.path.join(ROOT, "templates", "brands")))
ATLAS = "/backstage/atlas/"
PAGES = ["/sign-in", ATLAS + "sign-in/wrong-password", ATLAS + "sign-in-code/wrong-code", "/locked", "/sign-up"]


@pytest.fixture(scope="module", params=BRANDS)
def branded(request):
    brand = os.path.join(ROOT, "templates", "brands", request.param, "brand.json")
    with Program(BUILT, "--in-memory", "--brand", brand) as running:
        yield running


@pytest.mark.parametrize("look", LOOKS_OF_MANY)
def test_a_brand_can_be_read_and_moves_nothing(chromium, branded, look):
    context = examined_context(chromium, look)
    tab, wrong = Tab(context, f"http://localhost:{branded.port}"), []
    for path in PAGES:
        page = tab.open(path)
        assert page.locator(".application img").count() == 1
        assert page.locator(".application img").evaluate("image => image.complete && image.naturalWidth > 0")
        wrong += wrong_with(page, tab, also_dark=look == "light")
    context.close()
    assert not wrong, "\n" + "\n".join(wrong)


def font_of_boxes(path):
    """A woff2 font in which every character is a box as wide as the type is high: it cannot be mistaken for another."""
    pen = TTGlyphPen(None)
    pen.moveTo((50, 0))
    for corner in [(50, 700), (950, 700), (950, 0)]:
        pen.lineTo(corner)
    pen.closePath()
    box = pen.glyph()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "box"])
    font.setupCharacterMap({ord(sign): "box" for sign in string.ascii_letters + string.digits + " .,'"})
    font.setupGlyf({".notdef": box, "box": box})
    font.setupHorizontalMetrics({".notdef": (1000, 50), "box": (1000, 50)})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    font.setupOS2()
    font.setupPost()
    font.font.flavor = "woff2"
    font.save(path)


def test_the_font_of_a_brand_is_drawn(visit, tmp_path):
    font_of_boxes(tmp_path / "boxes.woff2")
    brand = tmp_path / "brand.json"
    brand.write_text(json.dumps({"name": "Boxes", "font": "boxes.woff2"}))
    with Program(BUILT, "--in-memory", "--brand", str(brand)) as running:
        page = visit(program=running).open("/sign-in")
        # The font is optional: if a busy browser gets it late, it is shown from the next page on.
        for _ in range(10):
            page.reload()
            page.evaluate("document.fonts.ready.then(() => true)")
            assert page.evaluate("[...document.fonts].map(font => [font.family, font.status])") == [["Brand", "loaded"]]
            width, count, size, family = page.evaluate(
                """() => {
                  const heading = document.querySelector("h1"), range = document.createRange();
                  range.selectNodeContents(heading);
                  const style = getComputedStyle(heading);
                  return [range.getBoundingClientRect().width, heading.textContent.trim().length,
                          parseFloat(style.fontSize), style.fontFamily];
                }"""
            )
            assert family.startswith("Brand")
            if width > 0.9 * count * size:
                break
        assert width > 0.9 * count * size, "as wide as boxes are, and no other font"


# The ring of what has the focus: its colour, and whether it lies within the element.
RING = """element => {
  const { outlineColor, outlineOffset, outlineWidth } = getComputedStyle(element);
  return [outlineColor, parseFloat(outlineOffset) <= -parseFloat(outlineWidth)];
}"""


def focused_by_key(page, selector):
    for _ in range(20):
        page.keyboard.press("Tab")
        found = page.locator(f"{selector}:focus-visible")
        if found.count():
            return found
    raise AssertionError(f"no Tab leads to {selector}")


def test_the_ring_of_the_focus_lies_on_grounds_whose_colours_are_known(visit, tmp_path):
    (tmp_path / "sea.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#1d5578"/></svg>'
    )
    brand = tmp_path / "brand.json"
    brand.write_text(json.dumps({"name": "Sea", "background": "sea.svg", "colors": {"accent": "#1d5578"}}))
    with Program(BUILT, "--in-memory", "--brand", str(brand)) as running:
        page = visit(program=running).open("/sign-in")
        # From here the keys go through the beginning of the page.
        page.locator(".skip-link").focus()
        page.keyboard.press("Shift+Tab")
        for selector in [".skip-link", ".application a"]:
            assert focused_by_key(page, selector).evaluate(RING)[1], selector


def test_the_ring_of_the_focus_is_seen_in_the_bar_above_a_page_that_is_dark_in_light(visit, tmp_path):
    colors = {
        "page": "#101418", "card": "#181d22", "text": "#f2f4f6", "accent": "#8cc8ec", "accent_text": "#0c1a23",
    }
    brand = tmp_path / "brand.json"
    brand.write_text(json.dumps({"name": "Night", "colors": colors}))
    with Program(BUILT, "--in-memory", "--brand", str(brand)) as running:
        page = visit(program=running).open("/sign-in")
        link = page.locator(".demo-bar a").first
        link.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        assert link.evaluate("link => link.matches(':focus-visible')")
        words = link.evaluate("link => getComputedStyle(link).color")
        assert link.evaluate(RING)[0] == words, "as legible as the bar's words"


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_of_an_emulated_provider_is_a_page(visit, look):
    tab = visit("provider", **LOOKS[look])
    page = tab.open("/sign-in")
    page.locator("[name=identifier]").fill("sven@example.com")
    page.locator("main form.form-primary button[type=submit]").click()
    page.wait_for_url("**/continue")
    page.goto(page.locator("[data-link=open]").get_attribute("href"))
    words = "تسجيل الدخول باسم \u2068sven@example.com\u2069" if look == "arabic" else "Sign in as sven@example.com"
    assert page.locator("button").first.inner_text() == words
    assert page.evaluate("document.documentElement.dir") == ("rtl" if look == "arabic" else "ltr")
    assert "dashed" not in page.locator("main").evaluate("main => getComputedStyle(main).borderStyle")
    assert not wrong_with(page, tab)


def test_backup_codes_and_setup_key_print_without_anything_to_press(visit):
    for state in ["backup-codes", "authenticator"]:
        page = visit().open("/backstage/atlas")
        path = page.locator("a[href*='tasks-setup-mfa/']", has_text=re.compile(state)).first.get_attribute("href")
        page.goto(page.url.split("/backstage")[0] + path)
        page.emulate_media(media="print", color_scheme="dark")
        assert page.locator(".backup-codes code, .setup-key code").first.is_visible()
        for chrome in ["button", "nav", ".footer", ".emulation", "main form"]:
            assert all(not found.is_visible() for found in page.locator(chrome).all()), chrome
        ground = page.locator("main").evaluate("main => getComputedStyle(main).backgroundColor")
        assert ground == "rgb(255, 255, 255)"


def test_backup_codes_stay_on_a_narrow_page_in_double_size(visit):
    page = visit(viewport={"width": 320, "height": 640}).open("/backstage/atlas")
    path = page.locator("a[href*='tasks-setup-mfa/backup-codes']").first.get_attribute("href")
    page.goto(page.url.split("/backstage")[0] + path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    box, codes = page.locator(".backup-codes").bounding_box(), page.locator(".backup-codes code").all()
    assert all(code.bounding_box()["x"] + code.bounding_box()["width"] <= box["x"] + box["width"] for code in codes)


def test_a_button_that_copied_can_be_pressed_again(visit):
    tab = visit(permissions=["clipboard-read", "clipboard-write"])
    page = tab.open("/backstage/atlas")
    path = page.locator("a[href*='tasks-setup-mfa/backup-codes']").first.get_attribute("href")
    page.clock.install()
    page.goto(page.url.split("/backstage")[0] + path)
    page.locator(".copy").click()
    page.locator(".copy", has_text="Copied").wait_for()
    page.clock.run_for(5000)
    assert page.locator(".copy").inner_text() == "Copy"


@pytest.mark.parametrize("look", LOOKS)
def test_a_brand_is_seen_while_it_is_edited_and_told_where_it_cannot_be_read(visit, look):
    tab = visit(**LOOKS[look])
    page = tab.open("/backstage/brand")
    page.locator("[name=name]").fill("Quay")
    page.locator("[name='colors.accent']").fill("#8b1e9b")
    for index in range(4):
        frame = page.locator("iframe").nth(index).content_frame
        frame.locator(".application", has_text="Quay").wait_for()
    assert not wrong_with(page, tab)
    with page.expect_download() as kept:
        page.locator("#download button").click()
    assert json.loads(open(kept.value.path()).read()) == {"name": "Quay", "colors": {"accent": "#8b1e9b"}}
    page.locator("[name='colors.accent_text']").fill("#aa77aa")
    with page.expect_navigation():
        page.locator("#preview button").click()
    assert "contrast of" in page.locator("[id='preview-colors.accent_text-error']").inner_text()
    assert page.locator("[name=name]").input_value() == "Quay"
    assert page.locator("#download").count() == 0
    assert not wrong_with(page, tab)


def test_what_is_typed_of_a_brand_is_seen_beside_it_with_what_is_wrong(visit):
    tab = visit(viewport={"width": 1300, "height": 900})
    page = tab.open("/backstage/brand")
    accent, swatch = page.locator("#preview [name='colors.accent']"), page.get_by_label("Buttons and links: pick", exact=True)
    accent.fill("#ffcc00")
    told = page.locator("[id='preview-colors.accent-error']")
    told.filter(has_text="contrast of").wait_for()
    assert swatch.input_value() == "#ffcc00"
    assert accent.get_attribute("aria-describedby").split() == ["preview-colors.accent-error", "preview-colors.accent-hint"]
    assert not wrong_with(page, tab)
    typed, shown = accent.bounding_box(), page.locator("iframe").first.bounding_box()
    assert shown["x"] >= typed["x"] + typed["width"] and 0 <= shown["y"] < typed["y"] + typed["height"]
    # Also from the end of the form, the preview is in view.
    page.locator("#preview [name=privacy_policy_url]").scroll_into_view_if_needed()
    assert 0 <= page.locator("iframe").first.bounding_box()["y"] < 900
    swatch.fill("#0b6e4f")
    told.wait_for(state="detached")
    assert accent.input_value() == "#0b6e4f"
    assert accent.get_attribute("aria-invalid") is None
    page.locator("#preview-logo").fill("gone.svg")
    page.locator("#preview-logo-error", has_text="'logo' is a file, and no folder was given").wait_for()


def test_what_was_refused_of_a_brand_goes_once_it_is_right_and_says_how_to_go_on(visit):
    tab = visit()
    page = tab.open("/backstage/brand")
    page.locator("[id='preview-colors.accent']").fill("#ffcc00")
    page.locator("[id='preview-colors.accent_text']").fill("#ffffff")
    with page.expect_navigation():
        page.locator("#preview button").click()
    banner, told = page.locator(".banner"), page.locator("[id='preview-colors.accent-error']")
    card = "document.querySelector('[aria-label=\"Ground of the card: pick\"]').value"
    page.wait_for_function(f"{card} === '#ffffff'")
    assert banner.count() == 1 and told.count() == 1
    assert page.locator("#status").inner_text() == "", "the alert has said it"
    page.locator("[id='preview-colors.accent']").fill("#0b6e4f")
    told.wait_for(state="detached")
    way_on = page.locator(".notices", has_text="Press Preview once more")
    way_on.wait_for()
    assert banner.count() == 0 and page.locator("#download").count() == 0
    assert page.locator("#status").inner_text() == way_on.inner_text()
    assert not wrong_with(page, tab)
    page.locator("[id='preview-colors.accent']").fill("#ffcc00")
    way_on.wait_for(state="hidden")
    page.locator("[id='preview-colors.accent']").fill("#0b6e4f")
    way_on.wait_for()
    with page.expect_navigation():
        page.locator("#preview button").click()
    assert page.locator("#download button").is_visible() and way_on.count() == 0


def test_what_a_press_brings_to_light_does_not_take_the_button_away_from_under_it(visit):
    page = visit().open("/backstage/brand")
    button = page.locator("#preview button")
    # Requests made while somebody types get no answer here; only the one that the press makes does.
    page.route("**/preview.json?*", lambda route: route.fulfill(status=204))
    with page.expect_response("**/preview.json?*"):
        page.locator("[id='preview-colors.accent_text']").fill("nonsense")
    page.unroute("**/preview.json?*")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with page.expect_response("**/preview.json?*"):
        page.mouse.down()
    page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert button.bounding_box() == box
    with page.expect_navigation():
        page.mouse.up()
    assert page.locator("[id='preview-colors.accent_text-error']").count() == 1


def test_colours_that_nobody_named_are_seen_too_and_are_not_filled_in(visit):
    page = visit().open("/backstage/brand")
    swatch = page.get_by_label("Ground of the card: pick", exact=True)
    page.locator("[id='preview-colors_dark.page']").fill("#101010")
    page.wait_for_function("document.querySelector('[aria-label=\"Ground of the card: pick\"]').value === '#ffffff'")
    assert swatch.evaluate("swatch => swatch.value === swatch.defaultValue")
    assert page.locator("[id='preview-colors.card']").input_value() == ""
