import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite("Traces that explain")
struct TracesTests {
  private let client: BackstageClient
  private let workbench: WorkbenchClient
  private let service: EmulatedService

  init() throws {
    client = try BackstageClient()
    workbench = try client.workbench()
    service = EmulatedService(
      client.emulator,
      worlds: client.worlds,
      address: "http://127.0.0.1:4010"
    )
  }

  /// A form of the sign-in page with a wrong password, and what the page made of the refusal.
  private func refusedSignIn(
    visit: String = "own visit",
    as identifier: String = "ada@example.com",
    told message: PageAnswer.Message? = PageAnswer.Message(
      code: "form_password_incorrect",
      field: "password",
      detail: [
        "kind": "api", "code": "form_password_incorrect", "meta": ["param_name": "password"],
      ]
    ),
    location: String? = nil
  ) async throws {
    let world = try await client.worlds.world(.main)
    let form: FormData = [
      "form_token": "token-of-the-form", "identifier": identifier, "password": "not-the-one-77",
    ]
    let page = Request(method: .post, target: "/sign-in?redirect_url=/x")
    _ = await PageRequest.tracing(page) {
      let answer = await call("/v1/client/sign_ins?_is_native=1", form.without("form_token"))
      world.traces.note([visit], at: world.clock.now) { duration in
        PageAnswer(
          query: page.queryParameters,
          form: form,
          status: location == nil ? 422 : 303,
          page: location == nil ? "sign-in" : nil,
          location: location,
          messages: [message].compactMap(\.self),
          notices: [],
          byteCount: 2048,
          duration: duration
        )
      }
      return answer
    }
  }

  private func call(_ target: String, _ form: FormData) async -> Response {
    await service.respond(
      to: Request(
        .post,
        target,
        form: form,
        headerFields: [.authorization: "token-of-the-client", .accept: "application/json"]
      )
    )
  }

  private func open(_ query: String = "") async -> String {
    let page = await workbench.open("traces\(query)")
    #expect(page.response.status == .ok)
    return page.html
  }

  @Test("a trace has the form, the call, the answer and the field that shows its error")
  func story() async throws {
    try await refusedSignIn()
    let trace = try #require(try await client.send(.get, "traces").json[0])
    #expect(trace["visit"] == "visit_1")
    let answer = try #require(trace["answer"])
    #expect(answer["status"] == 422 && answer["page"] == "sign-in")
    #expect(answer["query"] == [["name": "redirect_url", "value": "/x"]])
    #expect(answer["form"]?[1] == ["name": "identifier", "value": "ada@example.com"])
    #expect(answer["form"]?[2] == ["name": "password", "value": "<password>"])
    let call = try #require(trace["calls"]?[0])
    #expect(call["answer"]?["json"]?["errors"]?[0]?["code"] == "form_password_incorrect")
    let problem = try #require(call["problems"]?[0])
    #expect(problem["kind"] == "api")
    #expect(problem["long_message"]?.string?.isEmpty == false)
    #expect(problem["meta"]?["param_name"] == "password")
    #expect(problem["shown"] == ["trace": "trace_1", "page": "sign-in", "field": "password"])
  }

  @Test("a return address that is not followed is noted, also in a copy of the world")
  func droppedReturnAddress() async throws {
    let world = try await client.worlds.world(.main)
    _ = PageRequest.tracing(Request(method: .get, target: "/sign-in?redirect_url=x")) {
      world.traces.note(["own visit"], at: world.clock.now) { duration in
        PageAnswer(
          status: 200,
          page: "sign-in",
          location: nil,
          droppedReturnAddress: "malformed",
          byteCount: 1,
          duration: duration
        )
      }
      return Response(status: .ok)
    }
    let traces = try await client.send(.get, "traces").json
    #expect(traces[0]?["answer"]?["dropped_return_address"] == "malformed")
    #expect(await open().contains("Return address dropped: <code>malformed</code>"))
    let exported = String(
      decoding: try await client.send(.get, "export").json.encoded,
      as: UTF8.self
    )
    let copy = HTTPField(name: .vestibuleWorld, value: "copy")
    let imported = try await client.send(.post, "import", body: exported, fields: [copy])
    #expect(imported.status == 200, "\(imported.json)")
    let copied = try await client.send(.get, "traces", fields: [copy]).json
    #expect(copied[0]?["answer"]?["dropped_return_address"] == "malformed")
  }

  @Test("an error that appears on the next page is traced to that page")
  func redirected() async throws {
    let world = try await client.worlds.world(.main)
    try await refusedSignIn(told: nil, location: "/sign-in/methods?from=x")
    for visit in ["somebody else's", "own visit"] {
      _ = PageRequest.tracing(Request(method: .get, target: "/sign-in/methods")) {
        world.traces.note([visit], at: world.clock.now) { duration in
          PageAnswer(
            status: 200,
            page: "sign-in-methods",
            location: nil,
            messages: [.init(code: "form_password_incorrect", field: nil, detail: .null)],
            byteCount: 1,
            duration: duration
          )
        }
        return Response(status: .ok)
      }
    }
    let traces = try await client.send(.get, "traces").json
    #expect(traces.array?.count == 3)
    #expect(traces[2]?["answer"]?["location"] == "/sign-in/methods")
    #expect(
      traces[2]?["calls"]?[0]?["problems"]?[0]?["shown"]
        == ["trace": "trace_3", "page": "sign-in-methods", "field": .null]
    )
    let html = await open("?visit=visit_1")
    #expect(html.contains("<a href=\"#trace_3\">as the banner of sign-in-methods</a>"))
  }

  @Test("the page shows a visit from top to bottom, and marks the request that is asked for")
  func page() async throws {
    try await refusedSignIn()
    try await refusedSignIn(visit: "another", as: "mia@example.com")
    let newest = await open()
    #expect(newest.contains("Visit 2: mia@example.com"))
    #expect(newest.contains("<dt>password</dt><dd>&lt;password&gt;</dd>"))
    #expect(newest.contains("Shown at the field password of sign-in"))
    #expect(newest.contains("/backstage/state?page=sign-in&amp;code=form_password_incorrect\""))
    #expect(newest.contains("signInWithPassword(identifier: &quot;mia@example.com&quot;"))
    let own = await open("?visit=current&path=/sign-in")
    #expect(own.contains("<h2 id=\"story-name\">Visit 1: ada@example.com</h2>"))
    #expect(own.contains("<h3 id=\"page\">POST /sign-in</h3>"))
    #expect(own.contains("is-chosen"))
    let list = try await client.send(.get, "traces?visit=visit_2").json
    #expect(list.array?.count == 1 && list[0]?["visit"] == "visit_2")
    #expect(try await client.send(.get, "traces?visit=visit_9").json == [])
    #expect(try await client.send(.get, "traces?visit=visit_9&x=1").status == 422)
  }

  @Test("the title begins with the visit that was opened (R5)")
  func title() async throws {
    try await refusedSignIn()
    let title = "<title>Visit 1: ada@example.com – Traces – Vestibule</title>"
    #expect(await open("?visit=visit_1").contains(title))
    #expect(await open("?visit=current&path=/sign-in").contains(title))
    #expect(await open().contains("<title>Traces – Vestibule</title>"))
  }

  @Test("a visit that is gone is reported above the others, and none is opened in its place")
  func gone() async throws {
    try await refusedSignIn()
    for name in ["visit_99", "nothing"] {
      let page = await workbench.open("traces?visit=\(name)")
      #expect(page.status == 404)
      #expect(page.html.contains("There is no visit &#39;\(name)&#39; in this world."))
      #expect(page.html.contains("Visit 1: ada@example.com"))
      #expect(!page.html.contains("id=\"story\"") && !page.html.contains("is-chosen"))
    }
  }

  @Test(
    "what is no visit is refused, since it would look like a visit without calls",
    arguments: ["banana", "visit_", "visit_0", "visit_01", "visit_+1", "Visit_1", "others"]
  )
  func noVisit(text: String) async throws {
    try await refusedSignIn()
    let answer = try await client.send(.get, "traces?visit=\(text)")
    #expect(answer.status == 422 && answer.code == "invalid_value")
  }

  @Test("a browser's own visit is current, if it has one")
  func currentVisit() async throws {
    try await refusedSignIn()
    try await refusedSignIn(visit: "another", as: "mia@example.com")
    func answer(_ visit: String?) async -> Response {
      let api = BackstageAPI(worlds: client.worlds, visit: { _ in visit })
      return await api.respond(
        to: Request(
          method: .get,
          target: "/backstage/api/traces?visit=current",
          headerFields: [.host: "localhost:8080", .mark: "1"]
        )
      )
    }
    for (visit, ids) in [("own visit", ["visit_1"]), ("another", ["visit_2"]), ("new", [])] {
      let traces = JSON(decoding: await answer(visit).body)?.array
      #expect(traces?.compactMap { $0["visit"]?.string } == ids, "\(visit)")
    }
    #expect(await answer(nil).status.code == 422)
  }

  @Test("a page that made no call is traced, too, whether or not its visit is known")
  func withoutCalls() async throws {
    let world = try await client.worlds.world(.main)
    for visit in [["v"], []] {
      _ = PageRequest.tracing(Request(method: .get, target: "/sign-in")) {
        world.traces.note(visit, at: world.clock.now) { duration in
          PageAnswer(status: 200, page: "sign-in", location: nil, byteCount: 1, duration: duration)
        }
        return Response(status: .ok)
      }
    }
    let traces = try await client.send(.get, "traces").json
    #expect(traces.array?.map { $0["visit"] } == [JSON.null, "visit_1"])
    #expect(traces[1]?["calls"] == [])
  }

  private func page(of visit: [String], in world: World) {
    _ = PageRequest.tracing(Request(method: .get, target: "/sign-in")) {
      world.traces.note(visit, at: world.clock.now) { duration in
        PageAnswer(status: 200, page: "sign-in", location: nil, byteCount: 1, duration: duration)
      }
      return Response(status: .ok)
    }
  }

  @Test("a visit has one number, however often it was renamed before somebody looked")
  func renamed() async throws {
    let world = try await client.worlds.world(.main)
    page(of: ["c", "b", "a"], in: world)
    page(of: ["other"], in: world)
    // Another tab's request, which began before the visit was renamed and took longer.
    page(of: ["a"], in: world)
    page(of: ["b", "a"], in: world)
    #expect(world.traces.all.map(\.visit) == [1, 1, 2, 1])
    page(of: ["b"], in: world)
    page(of: ["new"], in: world)
    #expect(world.traces.all.map(\.visit) == [3, 1, 1, 1, 2, 1])
    #expect(world.traces.visit(named: "a") == 1)
  }

  @Test("a long list of visits is shown in parts, which go on and lead back")
  func parts() async throws {
    let world = try await client.worlds.world(.main)
    for number in 0..<27 { page(of: ["\(number)"], in: world) }
    let newest = await open()
    #expect(newest.ranges(of: "class=\"row\"").count == 25)
    #expect(newest.contains("href=\"/backstage/traces?after=visit_3\">More visits</a>"))
    let later = await open("?after=visit_3")
    #expect(later.ranges(of: "class=\"row\"").count == 2)
    #expect(later.contains("<h2 id=\"story-name\">Visit 2</h2>"))
    #expect(later.contains("href=\"/backstage/traces\">Newest visits</a>"))
    let address = "/backstage/traces?visit=visit_1&amp;after=visit_3#story"
    #expect(later.contains(address) && !later.contains("More visits"))
  }

  @Test("a visit keeps the number that was given as long as anything of it is kept")
  func numbersStay() async throws {
    let world = try await client.worlds.world(.main)
    page(of: ["gone"], in: world)
    page(of: ["own"], in: world)
    #expect(world.traces.visit(named: "own") == 2)
    for _ in 0..<3 {
      for number in 0..<150 { page(of: ["\(number)"], in: world) }
      page(of: ["own"], in: world)
    }
    #expect(world.traces.visit(named: "own") == 2)
    #expect(world.traces.visit(named: "gone") == nil)
    #expect(world.traces.all.first?.visit == 2)
  }

  @Test("an imported world has the traces of the one that it was exported from")
  func imported() async throws {
    try await refusedSignIn()
    let document = try await client.send(.get, "export").json
    let copy = HTTPField(name: .vestibuleWorld, value: "copy")
    let body = String(decoding: document.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: body, fields: [copy]).status == 200)
    let there = try await client.send(.get, "traces", fields: [copy]).json
    #expect(try await client.send(.get, "traces").json == there)
    // The next visit there is a new one.
    let world = try await client.worlds.world(try #require(WorldName("copy")))
    #expect(world.traces.visit(named: "own visit") == nil)
  }

  @Test("a visit can be downloaded as an HTTP archive 1.2, also from the browser")
  func archive() async throws {
    try await refusedSignIn()
    let answer = try await client.send(.get, "traces/visit_1.har")
    let file = await workbench.open("traces/visit_1.har").response
    #expect(file.headerFields[.contentDisposition] == "attachment; filename=\"visit_1.har\"")
    #expect(file.body == (try await archive("visit_1.har")).body)
    let log = try #require(answer.json["log"])
    #expect(log["version"] == "1.2")
    #expect(log["creator"]?["name"]?.string != nil && log["creator"]?["version"]?.string != nil)
    let pages = try #require(log["pages"]?.array)
    #expect(pages.map { $0["id"] } == ["trace_1"])
    let entries = try #require(log["entries"]?.array)
    #expect(entries.count == 2)
    for entry in entries { try expectWhole(entry, of: ["trace_1"]) }
    #expect(entries[0]["request"]?["url"] == "http://localhost:8080/sign-in?redirect_url=%2Fx")
    let secure = BackstageAPI(worlds: client.worlds, at: OwnOrigins("https://localhost"))
    let archived = await secure.respond(
      to: Request(
        method: .get,
        target: "/backstage/api/traces/visit_1.har",
        headerFields: [.host: "front.example", .mark: "1"]
      )
    )
    #expect(
      JSON(decoding: archived.body)?["log"]?["entries"]?[0]?["request"]?["url"]
        == "https://front.example/sign-in?redirect_url=%2Fx"
    )
    #expect(entries[0]["request"]?["postData"]?["params"]?.array?.count == 3)
    #expect(entries[1]["response"]?["status"] == 422)
    let type = entries[1]["response"]?["content"]?["mimeType"]?.string
    #expect(type?.hasPrefix("application/json") == true)
    for name in ["visit_2.har", "visit_1", "x.har", ".har"] {
      #expect(try await client.send(.get, "traces/\(name)").status == 404, "\(name)")
    }
    let all = try await client.send(.get, "traces/all.har").json
    #expect(all["log"]?["entries"]?.array?.count == 2)
  }

  /// As programs get it.
  private func archive(_ name: String) async throws -> Response {
    await client.backstage.respond(
      to: Request(
        method: .get,
        target: "/backstage/api/traces/\(name)",
        headerFields: [.host: "localhost:8080", .mark: "1"]
      )
    )
  }

  /// What every entry has, by the specification: names, types, and sizes that may be unknown.
  private func expectWhole(_ entry: JSON, of pages: [String]) throws {
    #expect(pages.contains(entry["pageref"]?.string ?? ""))
    let begin = try #require(entry["startedDateTime"]?.string)
    #expect(begin.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)
    let timings = try #require(entry["timings"])
    let parts = try ["send", "wait", "receive"].map { try #require(timings[$0]?.double) }
    #expect(entry["time"]?.double == parts.reduce(0, +))
    #expect(entry["cache"] == .object([]))
    for side in ["request", "response"] {
      let message = try #require(entry[side])
      #expect(message["httpVersion"]?.string != nil)
      for list in ["cookies", "headers"] { #expect(message[list]?.array != nil) }
      for size in ["headersSize", "bodySize"] { #expect(message[size]?.integer != nil) }
    }
    let request = try #require(entry["request"])
    #expect(request["method"]?.string != nil && request["queryString"]?.array != nil)
    #expect(URL(string: try #require(request["url"]?.string))?.scheme == "http")
    #expect(request["postData"]?["mimeType"]?.string != nil)
    let response = try #require(entry["response"])
    #expect(response["statusText"]?.string != nil && response["redirectURL"]?.string != nil)
    #expect(response["content"]?["size"]?.integer != nil)
    #expect(response["content"]?["mimeType"]?.string != nil)
  }

  @Test("a refusal that repeats a secret that was sent is kept without it")
  func echoed() async throws {
    let fault = """
      {"times":1,"answer":{"status":422,"json":{"errors":[{"code":"odd","message":"no",\
      "long_message":"not-the-one-77 is wrong"}]}}}
      """
    _ = try await client.send(.post, "faults", body: fault)
    try await refusedSignIn()
    let trace = try await client.send(.get, "traces").json[0]
    let text = String(decoding: try #require(trace).encoded, as: UTF8.self)
    #expect(!text.contains("not-the-one-77"))
    #expect(!text.contains("token-of-the"))
    #expect(trace?["calls"]?[0]?["fault_effect"] == "answered 422")
    #expect(trace?["calls"]?[0]?["problems"]?[0]?["shown"] == .null)
    #expect(await open().contains("Shown on no page"))
  }
}

extension FormData {
  fileprivate func without(_ name: String) -> FormData {
    FormData(fields.filter { $0.name != name })
  }
}
