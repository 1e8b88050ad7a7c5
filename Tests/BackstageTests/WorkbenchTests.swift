import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("The workbench in the browser")
struct WorkbenchTests {
  private let client: BackstageClient
  private let workbench: WorkbenchClient

  init() throws {
    client = try BackstageClient()
    workbench = try client.workbench()
  }

  /// Sends a form as its page has it: with the token that is there.
  private func send(
    _ tool: String,
    _ fields: FormData,
    token: String? = nil,
    _ extra: HTTPFields = [:]
  ) async -> WorkbenchClient.Page {
    let page = await workbench.open(tool).html
    let own = page.firstMatch(of: #/name="form_token" value="([^"]*)"/#)?.output.1
    return await workbench.send(tool, fields, token: token ?? String(own ?? "none"), extra)
  }

  @Test(
    "every tool is a complete page of its own that leads to all others",
    arguments: [
      "inbox", "users", "faults", "errors", "traces", "settings", "brand", "atlas", "map",
      "stories", "recordings", "clock", "world",
    ]
  )
  func pages(tool: String) async {
    await client.sendCode()
    let page = await workbench.open(tool)
    let html = page.html
    #expect(page.status == 200)
    #expect(html.contains("<title>\(tool.capitalized) – Vestibule</title>"))
    #expect(html.contains("data-page=\"backstage-\(tool)\""))
    #expect(html.ranges(of: "<h1>").count == 1 && html.ranges(of: "<main").count == 1)
    for other in ["inbox", "users", "clock", "faults", "traces", "settings", "map", "atlas"] {
      #expect(html.contains("href=\"/backstage/\(other)\""), "\(other)")
    }
    let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count)
  }

  @Test(
    "the title begins with what is open in a tool (R5)",
    arguments: [
      ("users?user=user_ada", "Ada – Users"), ("users?new", "Add a user – Users"),
      ("users?after=nobody", "Users"), ("atlas?state=locked%2Funtil", "locked/until – Atlas"),
      ("atlas?page=locked", "Atlas"),
    ]
  )
  func titles(path: String, title: String) async {
    let html = await workbench.open(path).html
    #expect(html.contains("<title>\(title) – Vestibule</title>"))
  }

  @Test("a search that finds no error says so in place of the table, and leads back to all of them")
  func noError() async {
    let found = await workbench.open("errors?q=zzzz").html
    #expect(found.contains("No error matches all of that.") && !found.contains("<table"))
    #expect(found.contains("<p><a href=\"/backstage/errors\">Show all</a></p>"))
    let all = await workbench.open("errors").html
    #expect(!all.contains("No error matches") && !all.contains("Show all"))
  }

  @Test("the title of the inbox begins with the message that was opened (R5)")
  func messageTitle() async throws {
    await client.sendCode()
    let message = try #require(try await client.send(.get, "messages").json.array?.first)
    let (id, subject) = (message["id"]?.string ?? "", message["subject"]?.string ?? "")
    let title = "<title>\(subject) – Inbox – Vestibule</title>"
    #expect(await workbench.open("inbox?message=\(id)").html.contains(title))
  }

  @Test("a title names the fault before what is open (R5)")
  func titleInError() async throws {
    let answer = await send("users", ["action": "add", "email_addresses": "nobody"])
    #expect(answer.html.contains("<title>Error: Add a user – Users – Vestibule</title>"))
  }

  @Test("the clock is moved, frozen and put back by forms, each answered with a redirect (R2)")
  func clock() async throws {
    let clock = try await client.worlds.world(.main).clock
    let moved = await send("clock", ["action": "advance", "advance_seconds": "600"])
    #expect(moved.status == 303)
    #expect(moved.location == "/backstage/clock")
    #expect((599...601).contains(clock.reading.offset))
    _ = await send("clock", ["action": "freeze"])
    #expect(clock.reading.isFrozen)
    _ = await send("clock", ["action": "run"])
    #expect(!clock.reading.isFrozen)
    _ = await send("clock", ["action": "set", "set": "2030-01-02T03:04:05Z"])
    #expect(await workbench.open("clock").html.contains("2030-01-02T03:04:0"))
    _ = await send("clock", ["action": "reset"])
    #expect(clock.reading.offset == 0)
  }

  @Test("faults are added, met and deleted; settings changed; accounts unlocked and deleted")
  func changes() async throws {
    let world = try await client.worlds.world(.main)
    let fault: FormData = [
      "action": "add", "match.method": "POST", "match.path": "/v1/client/sign_ins", "times": "2",
      "fault": "not_json",
    ]
    #expect(await send("faults", fault).status == 303)
    #expect(world.faults.all.map(\.timesLeft) == [2])
    let faults = await workbench.open("faults").html
    #expect(faults.contains("POST, /v1/client/sign_ins · 2 more calls"))
    #expect(await send("faults", ["action": "clear"]).status == 303)
    #expect(world.faults.all.isEmpty)

    let change: FormData = ["action": "change", "sign_up_mode": "waitlist"]
    #expect(await send("settings", change).status == 303)
    #expect(world.settings.signUpMode == .waitlist)

    #expect(await send("users", ["action": "unlock", "id": "user_lou"]).status == 303)
    #expect(try await world.account("user_lou")?.locked == nil)
    #expect(await send("users", ["action": "delete", "id": "user_ada"]).status == 303)
    #expect(await !workbench.open("users").html.contains("user=user_ada\""))

    #expect(await send("world", ["action": "reset"]).status == 303)
    #expect(world.settings.signUpMode == .public)
    #expect(await workbench.open("users").html.contains("user=user_ada\""))
  }

  @Test("a refused call is reported on the page, with its status")
  func refusals() async throws {
    for (tool, form, status, words) in [
      (
        "clock", ["action": "advance", "advance_seconds": "soon"] as FormData, 422,
        "a number is expected"
      ),
      ("settings", ["action": "change", "username": "odd"], 422, "is not one of"),
      ("users", ["action": "delete", "id": "nobody"], 404, "There is no account"),
      ("faults", ["action": "dance"], 400, "no such form"),
      ("errors", ["action": "dance"], 400, "no such form"),
      ("atlas", ["action": "dance"], 400, "no such form"),
      ("world", ["action": "dance"], 400, "no such form"),
    ] {
      let answer = await send(tool, form)
      #expect(answer.status == status, "\(tool)")
      #expect(answer.html.contains("role=\"alert\""))
      #expect(answer.html.contains("<title>Error: "))
      #expect(answer.html.contains(words))
    }
  }

  @Test("a refused form is marked as unsent if something was typed into it")
  func unsent() async throws {
    let typed = await send("clock", ["action": "set", "set": "next week"])
    #expect(typed.status == 422)
    #expect(typed.html.contains(#"data-refused-at="/backstage/clock" data-unsent="set""#))
    let pressed = await send("users", ["action": "delete", "id": "nobody"])
    #expect(pressed.html.contains("data-refused-at=") && !pressed.html.contains("data-unsent="))
    #expect(await !workbench.open("clock").html.contains("data-unsent="))
  }

  @Test("forms of other pages change nothing (S14, S23)")
  func forgeries() async throws {
    let form: FormData = ["action": "advance", "advance_seconds": "600"]
    let clock = try await client.worlds.world(.main).clock
    for (token, extra) in [
      ("forged", [:]), ("", [:]), (nil, [.origin: "http://evil.example"]),
      (nil, [.site: "cross-site"]), (nil, [.origin: "null"]),
    ] as [(String?, HTTPFields)] {
      #expect(await send("clock", form, token: token, extra).status == 403)
    }
    let plain = await send("clock", form, [.contentType: "text/plain"])
    #expect(plain.status == 415)
    #expect(clock.reading.offset == 0)
    let own = await send("clock", form, [.origin: "http://localhost:8080"])
    #expect(own.status == 303)
  }

  @Test("the map marks the step that the browser is at")
  func map() async {
    let html = await workbench.open("map").html
    let marked = html.matches(of: #/data-step="([^"]*)" aria-current="step"/#)
    #expect(marked.map { String($0.output.1) } == ["/sign-in/code"])
  }

  @Test("map and atlas say that they do not follow settings that differ from the default")
  func otherSettings() async throws {
    let words = [
      "map": "Walked with the default settings, not with those of this world.",
      "atlas": "They are examples, and do not follow the settings of this world.",
    ]
    let world = try await client.worlds.world(.main)
    for (tool, words) in words {
      world.settings = InstanceSettings()
      #expect(!(await workbench.open(tool).html).contains(words))
      world.settings.identifierFirst = true
      #expect(await workbench.open(tool).html.contains(words))
    }
  }

  @Test("other people's text never becomes markup (S17)")
  func escaping() async throws {
    let hostile =
      #"{"id": "\"><img src=x>", "first_name": "<script>", "email_addresses": ["z@example.com"]}"#
    try #require(try await client.send(.post, "users", body: hostile).status == 200)
    let html = await workbench.open("users").html
    #expect(!html.contains("<img") && !html.contains("<script>"))
  }

  @Test("the map comes as a diagram's text, too")
  func mermaid() async {
    let page = await workbench.open("map?format=mermaid")
    #expect(page.status == 200)
    #expect(page.fields[.contentType] == "text/plain; charset=utf-8")
    #expect(page.html.hasPrefix("stateDiagram-v2\n"))
    let other = await workbench.open("users?format=mermaid")
    #expect(other.fields[.contentType]?.hasPrefix("text/html") == true)
  }

  @Test(
    "what is only read takes the methods GET and HEAD",
    arguments: ["export", "state?page=sign-in&step=identifier"]
  )
  func methods(path: String) async {
    let read = await workbench.open(path)
    #expect(read.status < 400)
    #expect(await workbench.open(path, method: .head).status == read.status)
    for method in [HTTPRequest.Method.post, .delete] {
      let refused = await workbench.open(path, method: method)
      #expect(refused.status == 405)
      #expect(refused.fields[.contentDisposition] == nil)
    }
  }

  @Test(
    "an address that resembles a tool's, or an archive's, is not found",
    arguments: ["traces/visit_1", "traces/visit_1.zip", "Users", "users/", "usersx"]
  )
  func noTool(path: String) async {
    #expect(await workbench.open(path).status == 404)
  }

  @Test("a form may lead back to backstage itself")
  func backToBackstage() async {
    let sent = await send("clock", ["action": "freeze", "back": "/backstage"])
    #expect(sent.location == "/backstage")
  }

  @Test(
    "what is wrong with a fault is said at its field, in the form's own words",
    arguments: [
      ("times", "abc", "Number of calls: a whole number from 1 to 1000000 is expected"),
      ("seconds", "soon", "For how many seconds: a whole number from 1 to 86400 is expected"),
      ("match.method", "PUSH", "Method: one of GET, "),
      ("match.path", "client/sign_ins", "Path on the wire: a path that begins with / is expected"),
      ("match.path", "/v1/client?a=b", "Path on the wire: a path without a query is expected"),
      ("match.path", "/v1/cli*", "Path on the wire: * is expected only as a whole segment"),
      ("match.path", "/v1/nonsense", "Path on the wire: no call of this API has it; one has "),
      ("match.method", "GET", "Method: POST is expected for such calls, or nothing for any"),
    ]
  )
  func faultyFault(name: String, typed: String, words: String) async throws {
    var form: FormData = ["action": "add", "fault": "reset"]
    if name == "match.method" { form.append("match.path", "/v1/client/sign_ins") }
    form.append(name, typed)
    let answer = await send("faults", form)
    #expect(answer.status == 422)
    #expect(answer.html.contains("<a href=\"#add-\(name)\">\(words)"))
    #expect(answer.html.contains("id=\"add-\(name)-error\""))
    #expect(answer.html.contains("value=\"\(typed)\""))
    #expect(try await client.send(.get, "faults").json == [])
  }

  @Test("a fault's empty numbers count as left out")
  func emptyNumbers() async throws {
    let sent = await send(
      "faults",
      [
        "action": "add", "fault": "reset", "match.method": "", "match.path": "", "times": "",
        "seconds": "",
      ]
    )
    #expect(sent.status == 303)
    let fault = try await client.send(.get, "faults").json[0]
    #expect(fault?["fault"] == "reset")
    #expect(fault?["times"] == .null || fault?["times"] == nil)
  }
}
