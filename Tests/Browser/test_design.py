"""Files in a designer's hands: what is edited shows in the open browser by itself."""

import re
import subprocess

import pytest
from conftest import BUILT
from program import ENVIRONMENT, Program


def edit(path, old, new):
    """Saves as editors do: a reader sees the old text or the new one, never half of it."""
    text = path.read_text()
    assert old in text
    draft = path.with_name(".draft")
    draft.write_text(text.replace(old, new, 1))
    draft.replace(path)


def colour_of(page, selector, awaited):
    """The colour of an element as soon as it is the awaited one, or else after half a minute."""
    return page.evaluate(
        """([selector, awaited]) => new Promise((done) => {
          const end = performance.now() + 30000;
          (function look() {
            const { color } = getComputedStyle(document.querySelector(selector));
            if (color === awaited || performance.now() > end) done(color);
            else setTimeout(look, 50);
          })();
        })""",
        [selector, awaited],
    )


@pytest.fixture
def look(tmp_path):
    """A folder with the sign-in page and the style sheet, and the program that serves it."""
    eject = [BUILT, "eject", "sign-in", "vestibule.css", "--out", tmp_path]
    subprocess.run(eject, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    options = ["--templates", tmp_path / "templates", "--public", tmp_path / "public", "--reload-templates"]
    with Program(BUILT, "--in-memory", *map(str, options)) as running:
        yield tmp_path, running


def test_what_is_edited_shows_without_a_reload_by_hand(visit, look):
    folder, program = look
    page = visit(program=program).open("/sign-in")
    template = folder / "templates" / "sign-in.mustache"
    edit(template, "{{$content}}", '{{$content}}<p id="ours">Ours</p>')
    page.locator("#ours").wait_for()
    edit(folder / "public" / "vestibule.css", ":root", "#ours { color: rgb(1, 2, 3) }\n:root")
    assert colour_of(page, "#ours", "rgb(1, 2, 3)") == "rgb(1, 2, 3)"


def test_a_changed_style_sheet_shows_on_the_page_as_it_is_with_all_that_was_typed_and_refused(visit, look):
    folder, program = look
    page = visit(program=program).open("/sign-in")
    page.locator("[name=identifier]").fill("ada@example.com")
    page.locator("[name=password]").fill("not this one")
    page.locator("main form.form-primary button[type=submit]").click()
    page.locator("[aria-invalid]").first.wait_for()
    page.locator("[name=password]").fill("half of it")
    refused = page.locator("main").inner_text()
    opened = []
    page.on("framenavigated", lambda frame: opened.append(frame.url))
    for colour in ["rgb(1, 2, 3)", "rgb(3, 2, 1)"]:
        edit(folder / "public" / "vestibule.css", ":root", f"#main h1 {{ color: {colour} !important }}\n:root")
        assert colour_of(page, "main h1", colour) == colour
    assert page.locator("main").inner_text() == refused
    assert page.locator("[aria-invalid]").count() > 0
    assert page.locator("[name=identifier]").input_value() == "ada@example.com"
    assert page.locator("[name=password]").input_value() == "half of it"
    assert opened == []


def test_a_changed_style_sheet_shows_in_the_frames_of_the_atlas_too(visit, look):
    folder, program = look
    page = visit(program=program).open("/backstage/atlas?state=sign-in%2Ffresh")
    page.frame_locator("iframe").locator("h1").wait_for()
    shown = page.locator("iframe").element_handle().content_frame()
    edit(folder / "public" / "vestibule.css", ":root", "#main h1 { color: rgb(1, 2, 3) !important }\n:root")
    for document in [page, shown]:
        assert colour_of(document, "h1", "rgb(1, 2, 3)") == "rgb(1, 2, 3)"


def test_what_was_typed_comes_back_to_a_page_that_is_opened_anew_and_secrets_are_not_kept(visit, look):
    folder, program = look
    page = visit(program=program).open("/sign-up")
    page.locator("[name=email_address]").fill("d@example.com")
    page.locator("[name=password]").fill("walk-right-in-43")
    # A password that is shown is in a field of text.
    page.locator(".show-password").click()
    # The name of a tab outlives its pages.
    page.evaluate(
        """() => {
          const set = Storage.prototype.setItem;
          Storage.prototype.setItem = function (key, text) {
            window.name += text;
            set.call(this, key, text);
          };
        }"""
    )
    with page.expect_navigation():
        edit(folder / "templates" / "sign-in.mustache", "{{$content}}", "{{$content}}<p>Ours</p>")
    assert page.locator("[name=email_address]").input_value() == "d@example.com"
    assert page.locator("[name=password]").input_value() == ""
    kept = page.evaluate("window.name")
    assert "d@example.com" in kept
    assert "walk-right-in-43" not in kept
    assert page.evaluate("sessionStorage.length") == 0


def test_a_broken_template_is_shown_with_its_place_and_mends_by_itself(visit, look):
    folder, program = look
    page = visit(program=program).open("/sign-in")
    template = folder / "templates" / "sign-in.mustache"
    edit(template, "{{$content}}", "{{$content}}{{nmae}}")
    page.locator("main[data-page=template-fault]").wait_for()
    assert re.search(r"sign-in\.mustache:\d+:\d+: there is no name nmae", page.locator("main").inner_text())
    assert page.locator("pre").inner_text().rstrip().endswith("^")
    # Wherever the fault is in its line, the caret can be seen at once, also on a phone.
    edit(template, "{{nmae}}", '<p class="of-the-house">Good evening, and welcome back to the harbour, {{nmae}}, dear guest of ours, and so on</p>')
    page.locator("pre", has_text="…").wait_for()
    for width in [320, 1000]:
        page.set_viewport_size({"width": width, "height": 640})
        caret = page.locator("pre").evaluate(
            """pre => {
              const range = document.createRange(), text = pre.firstChild;
              range.setStart(text, text.data.indexOf("^"));
              range.setEnd(text, text.data.indexOf("^") + 1);
              const [caret, box] = [range.getBoundingClientRect(), pre.getBoundingClientRect()];
              return [caret.left - box.left, box.right - caret.right];
            }"""
        )
        assert min(caret) >= 0, width
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
    edit(template, ", {{nmae}}", "")
    page.locator("main[data-page=sign-in]").wait_for()


def test_an_edited_brand_shows_by_itself_also_after_it_was_broken(visit, tmp_path):
    brand = tmp_path / "brand.json"
    brand.write_text('{"name": "Harbour"}')
    with Program(BUILT, "--in-memory", "--brand", str(brand), "--reload-templates") as running:
        page = visit(program=running).open("/sign-in")
        for old, new in [('"Harbour"', '"Alder"'), ('"Alder"', "1"), ("1", '"Harbour"')]:
            with page.expect_navigation():
                edit(brand, old, new)
            if new == "1":
                assert "'name' is 1" in page.locator("main[data-page=template-fault]").inner_text()
            else:
                assert page.title().endswith(new.strip('"'))


def change_files(page, folder):
    """Changes a template, and waits until the page has been told so and asks again."""

    def told(answer):
        return "/reload?" in answer.url and answer.status == 200

    with page.expect_response(told):
        edit(folder / "templates" / "sign-in.mustache", "{{$content}}", "{{$content}}<p>Changed</p>")
    with page.expect_response(told):
        pass


def test_what_is_typed_into_a_tool_of_backstage_stays_while_files_change(visit, look):
    folder, program = look
    page = visit(program=program).open("/backstage/stories")
    document = page.locator("[name=document]").first
    document.fill("{}")

    change_files(page, folder)
    assert document.input_value() == "{}"
    with page.expect_navigation():
        document.fill("")


def test_what_is_chosen_in_a_tool_of_backstage_stays_while_files_change(visit, look):
    folder, program = look
    page = visit(program=program).open("/backstage/atlas")
    chosen = page.locator("select[name=page]")
    chosen.select_option("sign-in")

    change_files(page, folder)
    assert chosen.input_value() == "sign-in"
    with page.expect_navigation():
        chosen.select_option("")


def test_the_place_that_is_looked_at_stays_also_after_a_fault(visit, look):
    folder, program = look
    template = folder / "templates" / "sign-in.mustache"
    page = visit(program=program, viewport={"width": 900, "height": 240}).open("/sign-in")
    page.evaluate("scrollTo(0, 150)")
    with page.expect_navigation():
        edit(template, "{{/content}}", "<p>Changed</p>{{/content}}")
    page.wait_for_function("scrollY === 150")
    edit(template, "{{$content}}", "{{$content}}{{nmae}}")
    page.locator("main[data-page=template-fault]").wait_for()
    edit(template, "{{nmae}}", "")
    page.locator("main[data-page=sign-in]").wait_for()
    page.wait_for_function("scrollY === 150")
    assert page.evaluate("sessionStorage.length") == 0, "the place was kept only for that page and that reload"


def test_the_answer_to_a_refused_form_is_opened_by_its_own_path(visit, look):
    folder, program = look
    page = visit(program=program).open("/sign-in")
    page.locator("[name=identifier]").fill("ada@example.com")
    page.locator("[name=password]").fill("not this one")
    page.locator("main form.form-primary button[type=submit]").click()
    page.locator("[aria-invalid]").wait_for()
    posts = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    edit(folder / "templates" / "sign-in.mustache", "{{$content}}", '{{$content}}<p id="ours">Ours</p>')
    page.locator("#ours").wait_for()
    assert page.locator("[aria-invalid]").count() == 0
    assert posts == []
