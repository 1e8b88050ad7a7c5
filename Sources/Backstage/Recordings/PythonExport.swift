internal import Headless
internal import HTTPExchange
internal import Pages

/// A walk as a pytest test that needs only the standard library, and also runs by itself.
enum PythonExport {
  /// The first line of a Python file.
  ///
  /// It makes a coding declaration in the title below it an ordinary comment (PEP 263).
  static let coding = "# -*- coding: utf-8 -*-"

  static func text(of story: Story, under options: [String]) -> String {
    var lines = [
      coding, "# \(story.titleLine)", story.apiLine(under: options), head, "",
      "def test_\(story.words.joined(separator: "_"))():",
    ]
    lines.append("    walk = Walk()")
    lines += PythonSteps.preparations(of: story)
    for step in story.steps {
      lines += ["", "    # \(step.line)"] + PythonSteps.lines(of: step)
    }
    lines += ["", "", "if __name__ == \"__main__\":"]
    lines.append("    test_\(story.words.joined(separator: "_"))()")
    return lines.joined(separator: "\n") + "\n"
  }

  private static let head = #"""
    # Recorded by Vestibule. Runs against VESTIBULE_URL (else http://localhost:8080, never a world's own host) in a
    # fresh world, by itself or, in a file that is named test_….py, by pytest; exit code 0 if every page is as it was,
    # else 1.

    import atexit
    import http.cookiejar
    import json
    import os
    import urllib.error
    import urllib.parse
    import urllib.request
    import uuid


    class Walk:
        """A browser without a screen in a world of its own, and backstage of that world."""

        def __init__(self):
            self.base = os.environ.get("VESTIBULE_URL", "http://localhost:8080").rstrip("/")
            self.world = f"recorded-{uuid.uuid4().hex[:16]}"
            jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
            self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
            self.page = None
            atexit.register(self.leave)

        def leave(self):
            """Drops the world; if nobody answers, there is none to drop."""
            try:
                self.send("DELETE", f"/backstage/api/worlds/{self.world}", X_Vestibule_Backstage="1")
            except OSError:
                pass

        def send(self, method, path, body=None, **fields):
            fields = {"X-Vestibule-World": self.world, **{name.replace("_", "-"): text for name, text in fields.items()}}
            request = urllib.request.Request(self.base + path, data=body, headers=fields, method=method)
            try:
                with self.opener.open(request, timeout=60) as answer:
                    return answer.status, answer.read()
            except urllib.error.HTTPError as refusal:
                return refusal.code, refusal.read()

        def backstage(self, method, path, body=None):
            data = None if body is None else body.encode()
            kind = {} if body is None else {"Content_Type": "application/json"}
            status, answer = self.send(method, f"/backstage/api/{path}", data, X_Vestibule_Backstage="1", **kind)
            if status >= 300:
                raise AssertionError(f"backstage refuses {method} {path}: {status} {answer.decode()}")
            return json.loads(answer) if answer else None

        def latest(self, **which):
            return self.backstage("GET", "messages/latest?" + urllib.parse.urlencode({"wait": 10, **which}))

        def latest_code(self, **which):
            return self.latest(**which)["code"]

        def latest_link(self, **which):
            return urllib.parse.urlsplit(self.latest(**which)["link"])._replace(scheme="", netloc="").geturl()

        def user(self, identifier):
            found = self.backstage("GET", "users?" + urllib.parse.urlencode({"identifier": identifier}))
            if not found:
                raise AssertionError(f"there is no account {identifier}")
            return urllib.parse.quote(found[0]["id"], safe="")

        def app_code(self, identifier):
            return self.backstage("GET", f"users/{self.user(identifier)}/totp")["code"]

        def open(self, path):
            status, body = self.send("GET", path, Accept="application/json")
            self.take(status, body)

        def stand(self, page, state=None):
            status, body = self.send(
                "POST", "/backstage/api/stand", json.dumps({"page": page, "state": state}).encode(),
                Accept="application/json", Content_Type="application/json", X_Vestibule_Backstage="1",
            )
            self.take(status, body)

        def submit(self, values, form=None):
            found = [known for known in self.page["forms"] if form in (None, known["name"])]
            if not found:
                raise AssertionError(f"the page {self.page['page']} has no form {form}")
            fields = {field["name"]: field for field in found[0]["fields"]}
            missing = set(values) - set(fields)
            if missing:
                raise AssertionError(f"the page {self.page['page']} has no field {', '.join(sorted(missing))}")
            sent = {"form_token": found[0]["token"]}
            for name, field in fields.items():
                kind = field["type"]
                value = values.get(name, field["value"] if field.get("checked", True) else None)
                # As browsers do: a box is sent where it is ticked, a line also where it is empty.
                if kind == "checkbox" and not value or kind in ("hidden", "radio") and value is None:
                    continue
                sent[name] = value or ""
            body = urllib.parse.urlencode(sent).encode()
            status, body = self.send(
                "POST", found[0]["action"], body,
                Accept="application/json", Content_Type="application/x-www-form-urlencoded",
            )
            self.take(status, body)

        def take(self, status, body):
            try:
                self.page = json.loads(body)
            except ValueError:
                raise AssertionError(f"status {status} is not a page: {body[:400]!r}") from None
            if "page" not in self.page:
                raise AssertionError(f"status {status} is not a page: {body[:400]!r}")
            self.page["status"] = status

        def outline(self):
            """What the page is, without a word of it."""
            page = self.page
            lines = [f"{name} {page[name]}" for name in ("status", "page", "step")]
            for form in page["forms"]:
                seen = [field["name"] for field in form["fields"] if field["type"] != "hidden"]
                if not form["name"].startswith("\#(Form.endingPrefix)"):
                    lines.append(" ".join(["form", form["name"], *seen]))
                for field in form["fields"]:
                    lines += [f"at {field['name']} {error['code']}" for error in field["errors"]]
            lines += [f"error {error['code']}" for error in page["errors"]]
            lines += [f"notice {notice['code']}" for notice in page["notices"]]
            return sorted(lines)

        def expect(self, *lines):
            found = self.outline()
            if found != list(lines):
                told = ["the page differs; recorded:", *lines, "now:", *found]
                raise AssertionError("\n".join(told))

    """#
}

/// The steps of a walk as calls of `walk` in Python.
enum PythonSteps {
  static func preparations(of story: Story) -> [String] {
    story.preparations.map(self.line)
  }

  static func lines(of step: Story.Step) -> [String] {
    var lines = step.action.map(self.lines) ?? []
    if let outline = step.expectation.lines {
      lines += ["    walk.expect("] + outline.map { "        \($0.quotedForPython)," } + ["    )"]
    }
    return lines
  }

  private static func lines(of action: Story.Action) -> [String] {
    switch action {
    case .open(.path(let path)): return ["    walk.open(\(path.quotedForPython))"]
    case .open(.link(let filter)):
      return ["    walk.open(walk.latest_link(\(arguments(filter))))"]
    case .submit(let inputs, let form):
      let values = inputs.sorted { $0.key < $1.key }
        .map { "\($0.key.quotedForPython): \(value(of: $0.value))" }.joined(separator: ", ")
      let name = form.map { ", form=\($0.quotedForPython)" } ?? ""
      return ["    walk.submit({\(values)}\(name))"]
    case .stand(let page, let state):
      let names = [page, state].compactMap { $0?.quotedForPython }.joined(separator: ", ")
      return ["    walk.stand(\(names))"]
    case .deed(let deed): return deed.calls.map(self.line)
    }
  }

  private static func line(of call: Story.Call) -> String {
    let path =
      switch call.place {
      case .path(let path): path.quotedForPython
      case .user(let identifier): "\"users/\" + walk.user(\(identifier.quotedForPython))"
      case .message(let filter): "\"messages/\" + walk.latest(\(arguments(filter)))[\"id\"]"
      }
    let body = call.body.map { ", \($0.text.quotedForPython)" } ?? ""
    return "    walk.backstage(\(call.method.quotedForPython), \(path)\(body))"
  }

  private static func value(of input: Story.Input) -> String {
    switch input {
    case .text(let text): text.quotedForPython
    case .latest(let filter): "walk.latest_code(\(arguments(filter)))"
    case .totp(let identifier): "walk.app_code(\(identifier.quotedForPython))"
    }
  }

  private static func arguments(_ filter: Story.MessageFilter) -> String {
    "to=\(filter.to.quotedForPython)"
      + (filter.purpose.map { ", purpose=\($0.quotedForPython)" } ?? "")
  }
}
