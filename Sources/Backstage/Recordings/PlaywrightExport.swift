internal import Headless
internal import HTTPExchange
internal import Pages

/// A walk as a test of a browser: Playwright for Python, by pytest or by itself.
///
/// The others read the twin; this one fills in and reads the page that people see.
enum PlaywrightExport {
  static func text(of story: Story, under options: [String]) -> String {
    let name = "test_" + story.words.joined(separator: "_")
    var lines = [PythonExport.coding, "# \(story.titleLine)", story.apiLine(under: options), head]
    lines += ["", "def \(name)():"]
    lines.append("    with sync_playwright() as playwright:")
    lines.append("        with Walk(playwright) as walk:")
    var steps = PythonSteps.preparations(of: story)
    for (index, step) in story.steps.enumerated() {
      if index > 0 || !steps.isEmpty { steps.append("") }
      steps += ["    # \(step.line)"] + PythonSteps.lines(of: step)
    }
    lines += steps.map { $0.isEmpty ? "" : "        " + $0 }
    lines += ["", "", "if __name__ == \"__main__\":", "    \(name)()"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static let head = #"""
    # Recorded by Vestibule. Runs against VESTIBULE_URL (else http://localhost:8080, never a world's own host) in a
    # fresh world, by itself or, in a file that is named test_….py, by pytest; exit code 0 if every page is as it was,
    # else 1. Needs playwright, and its Chromium or the system's.

    import json
    import os
    import shutil
    import uuid
    from urllib.parse import quote, urlencode, urlsplit

    from playwright.sync_api import Error, sync_playwright

    # What the page is, without a word of it: what people are shown, by the hooks that are there for tests.
    OUTLINE = """() => {
      const main = document.querySelector("main[data-page]");
      if (!main) return ["no page"];
      const all = (selector, within = main) => [...within.querySelectorAll(selector)];
      const lines = [`page ${main.dataset.page}`, `step ${main.dataset.step}`];
      for (const form of all("form[method=post]")) {
        if (!form.id.startsWith("\#(Form.endingPrefix)"))
          lines.push(["form", form.id, ...all("[data-field]", form).map(field => field.dataset.field)].join(" "));
        for (const field of all("[data-field]", form))
          for (const error of all("[data-error-code]", field))
            lines.push(`at ${field.dataset.field} ${error.dataset.errorCode}`);
      }
      for (const error of all("[data-error-scope=general]")) lines.push(`error ${error.dataset.errorCode}`);
      for (const notice of all("[data-notice]")) lines.push(`notice ${notice.dataset.notice}`);
      return lines;
    }"""


    class Walk:
        """A browser in a world of its own, and backstage of that world."""

        def __init__(self, playwright):
            names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
            system = next(filter(None, map(shutil.which, names)), None)
            self.base = os.environ.get("VESTIBULE_URL", "http://localhost:8080").rstrip("/")
            self.browser = playwright.chromium.launch(executable_path=system)
            self.world = f"recorded-{uuid.uuid4().hex[:16]}"
            world = {"X-Vestibule-World": self.world}
            self.context = self.browser.new_context(extra_http_headers=world)
            self.context.set_default_timeout(15_000)
            self.calls = playwright.request.new_context(extra_http_headers={**world, "X-Vestibule-Backstage": "1"})
            self.page = self.context.new_page()
            self.status = None

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.browser.close()
            try:
                self.calls.delete(f"{self.base}/backstage/api/worlds/{self.world}")
            except Error:
                # Where nobody answers, nothing is left to give up; what went wrong before is told.
                pass
            self.calls.dispose()

        def backstage(self, method, path, body=None):
            kind = {} if body is None else {"Content-Type": "application/json"}
            answer = self.calls.fetch(
                f"{self.base}/backstage/api/{path}", method=method, data=body, headers=kind
            )
            if not answer.ok:
                raise AssertionError(f"backstage refuses {method} {path}: {answer.status} {answer.text()}")
            return json.loads(answer.text() or "null")

        def latest(self, **which):
            return self.backstage("GET", "messages/latest?" + urlencode({"wait": 10, **which}))

        def latest_code(self, **which):
            return self.latest(**which)["code"]

        def latest_link(self, **which):
            return urlsplit(self.latest(**which)["link"])._replace(scheme="", netloc="").geturl()

        def user(self, identifier):
            found = self.backstage("GET", "users?" + urlencode({"identifier": identifier}))
            if not found:
                raise AssertionError(f"there is no account {identifier}")
            return quote(found[0]["id"], safe="")

        def app_code(self, identifier):
            return self.backstage("GET", f"users/{self.user(identifier)}/totp")["code"]

        def open(self, path):
            self.status = self.page.goto(self.base + path).status

        def stand(self, page, state=None):
            answer = self.context.request.post(
                f"{self.base}/backstage/api/stand", data={"page": page, "state": state}, max_redirects=0,
                headers={"X-Vestibule-Backstage": "1"},
            )
            if answer.status != 303:
                raise AssertionError(f"no way leads to {page}: {answer.status} {answer.text()}")
            self.open(answer.headers["location"])

        def submit(self, values, form=None):
            found = self.page.locator(f"main form[id='{form}']" if form else "main form[method=post]").first
            for name, value in values.items():
                field = found.locator(f"[name='{name}']").first
                kind = field.get_attribute("type") or field.evaluate("field => field.localName")
                if kind == "checkbox":
                    field.set_checked(value != "")
                elif kind == "radio":
                    found.locator(f"[name='{name}'][value={json.dumps(value)}]").check()
                elif kind == "select":
                    field.select_option(value)
                else:
                    field.fill(value)
            # Some buttons stand outside of their forms, which they name.
            name = found.get_attribute("id")
            inside, outside = f"form[id='{name}'] button[type=submit]", f"button[type=submit][form='{name}']"
            button = self.page.locator(f"main {inside}, main {outside}").first
            with self.page.expect_navigation() as navigation:
                if button.get_attribute("aria-disabled") == "true":
                    # The page waits by the clock that it was shown with: backstage may have moved the world's.
                    found.evaluate("form => form.submit()")
                else:
                    button.click()
            self.status = navigation.value.status

        def expect(self, *lines):
            found = sorted(self.page.evaluate(OUTLINE) + [f"status {self.status}"])
            if found != list(lines):
                told = ["the page differs; recorded:", *lines, "now:", *found]
                raise AssertionError("\n".join(told))

    """#
}
