import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("What surrounds every page of backstage")
struct FrameTests {
  private let client: BackstageClient
  private let workbench: WorkbenchClient

  init() throws {
    client = try BackstageClient()
    workbench = try client.workbench(timeZone: TimeZone(identifier: "Asia/Kathmandu"))
  }

  @Test("an action's effect is named once, on the page it came from, in the reader's time zone")
  func notice() async throws {
    let clock = try await client.worlds.world(.main).clock
    clock.freeze(true)
    clock.set(try Date("2026-11-21T17:38:00Z", strategy: .iso8601))
    let sent = await workbench.send(
      "clock",
      ["action": "advance", "advance_seconds": "600", "back": "/backstage/users?after=x"]
    )
    #expect(sent.status == 303)
    #expect(sent.location == "/backstage/users?after=x")
    let cookie = try #require(sent.cookie)
    let shown = await workbench.open("users", cookie: cookie)
    #expect(shown.html.contains("Clock moved 10 minutes to 23:33"))
    #expect(shown.html.contains("23:33 on 21 November 2026"))
    let again = await workbench.open("users", cookie: cookie)
    #expect(!again.html.contains("Clock moved"))
  }

  /// Whether the notice of the page to which a form leads has the focus, and the button that has it.
  private func focus(
    after form: FormData,
    on page: String
  ) async throws -> (notice: Bool, button: String?) {
    let cookie = try #require(await workbench.send(page, form).cookie)
    let html = await workbench.open(page, cookie: cookie).html
    let button = html.firstMatch(
      of: #/<button [^>]*autofocus aria-describedby="notice">([^<]*)<\/button>/#
    )
    let notice = #"<div id="notice" class="notices" tabindex="-1""#
    #expect(html.contains(notice))
    return (html.contains("\(notice) autofocus>"), button.map { String($0.output.1) })
  }

  @Test("what a form has done has the focus of the page to which it leads")
  func focusOfNotice() async throws {
    let forms: [(String, FormData)] = [
      ("settings", ["action": "change", "code_attempts": "4"]),
      ("clock", ["action": "advance", "advance_seconds": "600"]),
      ("clock", ["action": "freeze"]),
    ]
    for (page, form) in forms {
      let shown = try await focus(after: form, on: page)
      #expect(shown.notice && shown.button == nil, "\(page)")
    }
  }

  @Test(
    "a button of the bar's clock keeps the focus, and is described by what it has done",
    arguments: [
      (["action": "advance", "advance_seconds": "60"], "+1 min"),
      (["action": "advance", "advance_seconds": "86400"], "+1 day"),
      (["action": "freeze"], "Run"), (["action": "run"], "Freeze"),
    ] as [(FormData, String)]
  )
  func focusOfButton(form: FormData, label: String) async throws {
    var form = form
    form.append("back", "/backstage/clock")
    let shown = try await focus(after: form, on: "clock")
    #expect(!shown.notice && shown.button == label)
  }

  @Test("behind https every cookie has the prefix __Host-, without which none is read (S11)")
  func prefix() async throws {
    let recordings = Recordings(isSecure: true) { Array(repeating: 7, count: $0) }
    let workbench = WorkbenchClient(
      try BackstagePages(
        worlds: client.worlds,
        renderer: .project(),
        secret: WorkbenchClient.secret,
        at: OwnOrigins("https://localhost:8080"),
        recorder: Recorder(recordings, endOfVisit: { _ in [:] })
      )
    )
    let moved = await workbench.send("clock", ["action": "advance", "advance_seconds": "600"])
    let begun = await workbench.send("recordings", ["action": "begin"])
    for answer in [await workbench.open("users?present=on"), moved, begun] {
      let cookies = answer.fields[values: .setCookie]
      #expect(!cookies.isEmpty)
      #expect(cookies.allSatisfy { $0.hasPrefix("__Host-vestibule") && $0.hasSuffix("; Secure") })
    }
    for (answer, page, words) in [
      (moved, "users", "Clock moved"), (begun, "recordings", "End the recording"),
    ] {
      let cookie = try #require(answer.cookie)
      let bare = cookie.replacing("__Host-", with: "")
      #expect(await !workbench.open(page, cookie: bare).html.contains(words), "\(bare)")
      #expect(await workbench.open(page, cookie: cookie).html.contains(words), "\(cookie)")
    }
  }

  @Test(
    "a form leads back only to pages of backstage",
    arguments: [
      "http://evil.example", "//evil.example", "/sign-out", "/backstage.evil.example",
      "/backstage/\\evil", "/backstage/\r\nSet-Cookie: a=b", "",
    ]
  )
  func back(path: String) async throws {
    let sent = await workbench.send("clock", ["action": "freeze", "back": path])
    #expect(sent.location == "/backstage/clock")
  }

  @Test("the rail counts what there is, and the bar leads back to the step of this browser")
  func rail() async throws {
    await client.sendCode()
    _ = try await client.send(.post, "faults", body: #"{"fault":"empty"}"#)
    let html = await workbench.open("settings").html
    let users = try await client.worlds.world(.main).accountCount()
    for (tool, count) in [("inbox", 1), ("faults", 1), ("users", users)] {
      let link = try #require(html.firstRange(of: "data-tool=\"\(tool)\""))
      let words = html[link.upperBound...].prefix { $0 != "/" }
      #expect(words.hasSuffix("<span class=\"count\">\(count)<"), "\(tool)")
    }
    #expect(html.contains("<a href=\"/sign-in/code\">Back to the page</a>"))
  }

  @Test("a world is opened by name, at its own host, and forms may lead there")
  func worlds() async throws {
    let sent = await workbench.send("world", ["action": "open", "name": " Team-A "])
    let location = try #require(sent.location)
    #expect(location.hasPrefix("http://team-a.localhost:8080/backstage/inbox?notice="))
    let inbox = String(location.dropFirst("http://team-a.localhost:8080/backstage/".count))
    let page = await workbench.open(inbox, host: "team-a.localhost:8080")
    #expect(page.html.contains("This is the world team-a."))
    #expect(page.html.contains("href=\"http://localhost:8080/backstage\""))
    let policy = try #require(page.fields[.contentSecurityPolicy])
    #expect(
      policy.contains(
        "form-action 'self' http://*.localhost:8080 http://localhost:8080;"
      )
    )
    let refused = await workbench.send("world", ["action": "open", "name": "Team A"])
    #expect(refused.status == 422)
    #expect(refused.html.contains("value=\"Team A\""))
    #expect(refused.html.contains(#/aria-describedby="open-name-hint open-name-error"/#))
    let dropped = await workbench.send(
      "world",
      ["action": "drop"],
      host: "team-a.localhost:8080"
    )
    #expect(dropped.location?.hasPrefix("http://localhost:8080/backstage/") == true)
    #expect(client.worlds.names == [.main])
  }

  @Test("a destructive action asks first")
  func questions() async throws {
    _ = try await client.send(.post, "faults", body: #"{"fault":"empty"}"#)
    for (tool, action) in [
      ("users?user=user_ada", "delete"), ("faults", "clear"), ("world", "reset"),
    ] {
      let html = await workbench.open(tool).html
      let outside = html.replacing(#/<details class="question">(?s:.*?)<\/details>/#, with: "")
      let field = "name=\"action\" value=\"\(action)\""
      #expect(html.contains(field) && !outside.contains(field), "\(tool)")
    }
  }

  @Test("what was typed survives a refusal, which is shown at its field and uses its label")
  func refusals() async throws {
    let sent = await workbench.send("clock", ["action": "set", "set": "next <week>"])
    #expect(sent.status == 422)
    #expect(sent.html.contains("value=\"next &lt;week&gt;\""))
    #expect(sent.html.contains(#/aria-describedby="set-set-hint set-set-error"[^>]*aria-invalid/#))
    #expect(sent.html.contains("Time to set it to: a time like"))
  }

  @Test("a world can be downloaded as a file, which another world imports")
  func export() async throws {
    let file = try await InProcessTransport(to: workbench.pages).send(
      Request(
        method: .get,
        target: "/backstage/export",
        headerFields: [.host: "localhost:8080"]
      )
    )
    #expect(file.status == .ok)
    #expect(file.headerFields[.contentDisposition] == #"attachment; filename="main.json""#)
    let bar = await workbench.open("settings").html
    #expect(bar.contains(#/<a href="\/backstage\/export" download aria-describedby="exporting">/#))
    #expect(bar.contains(#/<p id="exporting" [^>]*>The file is as secret as the database/#))
    let there = HTTPField(name: .vestibuleWorld, value: "there")
    let document = String(decoding: file.body, as: UTF8.self)
    let imported = try await client.send(.post, "import", body: document, fields: [there])
    #expect(imported.status == 200)
  }
}
