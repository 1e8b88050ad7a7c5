import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("Stories in the browser", .inTurn)
struct StoryBarJourneys {
  private struct Row: Decodable {
    var name, title, summary: String
    var api: String?
    var steps: [String]
  }

  private static let apis = EmulatedAuthAPI.all

  private static func vestibule(_ api: EmulatedAuthAPI) throws -> TestVestibule {
    var configuration = Configuration()
    configuration.service = .pages(at: .init(port: 8080), over: .emulated(api))
    return try TestVestibule(configuration)
  }

  private static func rows(_ vestibule: TestVestibule) async throws -> [Row] {
    try JSONDecoder().decode(
      [Row].self,
      from: await vestibule.recordedBackstage(world: "main").call(.get, "stories")
    )
  }

  /// Begins a story over JSON, and follows to its page.
  private static func begin(
    _ name: String,
    _ document: String = "",
    in vestibule: TestVestibule
  ) async throws -> StoryClicks {
    let browser = FormSession(over: recorded(vestibule.transport), host: "localhost:8080")
    let answer = try await browser.sendJSON("/backstage/api/stories/\(name)", document)
    #expect(answer.status == .seeOther, "\(String(decoding: answer.body, as: UTF8.self))")
    return try await StoryClicks(vestibule.transport, following: answer)
  }

  /// Presses the bar's button until the end.
  ///
  /// - Returns: The place and the sentence of each page.
  private static func walk(_ clicks: StoryClicks, from path: String) async throws -> [String] {
    var page = try await clicks.open(path)
    var told: [String] = []
    for _ in 0..<20 {
      let bar = try #require(try StoryClicks.bar(of: page))
      told.append("\(bar.place): \(bar.sentence ?? "")")
      guard bar.moves["next"] != nil else { break }
      page = try await clicks.press("next", on: page)
    }
    return told
  }

  @Test("a password that is left blank after a refusal is sent blank")
  func blankPassword() async throws {
    let story = #"""
      {"name": "w", "title": "W", "summary": "S", "steps": [
        {"say": "opens", "open": "/sign-in"},
        {"say": "types", "form": "sign-in", "submit": {"identifier": "a@@b", "password": "wrong"},
          "expect": {"page": "sign-in", "status": 422}},
        {"say": "leaves it blank", "form": "sign-in", "submit": {"identifier": ""},
          "expect": {"errors": {"identifier": ["required"], "password": ["required"]}}},
        {"say": "goes elsewhere", "open": "/sign-up"}]}
      """#
    let clicks = try await Self.begin("w", story, in: Self.vestibule(.clerk))
    let told = try await Self.walk(clicks, from: "/sign-in")
    #expect(Set(told).count == told.count, "\(told)")
  }

  @Test("the list has the sentences of each story for this API", arguments: apis)
  func list(api: EmulatedAuthAPI) async throws {
    let rows = try await Self.rows(Self.vestibule(api))
    let expected = try Story.builtIn().filter { $0.api ?? api.option == api.option }
    #expect(rows.map(\.name) == expected.map(\.name))
    #expect(rows.map(\.steps) == expected.map { $0.steps.map(\.say) })
    #expect(rows.allSatisfy { !$0.title.isEmpty && !$0.summary.isEmpty })
  }

  @Test("each is walked to its end by the bar's button alone, without scripts", arguments: apis)
  func everyStory(api: EmulatedAuthAPI) async throws {
    let vestibule = try Self.vestibule(api)
    for row in try await Self.rows(vestibule) {
      let clicks = try await Self.begin(row.name, in: vestibule)
      let told = try await Self.walk(clicks, from: "/")
      let sentences = row.steps.enumerated().map { "\($0 + 1) of \(row.steps.count): \($1)" }
      #expect(told == sentences + ["The end: "], "\(row.name)")
    }
  }

  @Test("a step that is taken by hand counts; a different one does not")
  func byHand() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let clicks = try await Self.begin("locked-out-on-a-friday", in: vestibule)
    var page = try await clicks.open("/sign-in")
    func place() throws -> String? { try StoryClicks.bar(of: page)?.place }
    #expect(try place() == "1 of 7")
    page = try await clicks.open("/sign-in")
    #expect(try place() == "2 of 7", "the page has been opened")
    page = try await clicks.type(["identifier": "nobody@example.com", "password": "no"], on: page)
    #expect(try place() == "2 of 7", "that is another refusal")
    page = try await clicks.type(["identifier": "freya@example.com", "password": "no"], on: page)
    #expect(try place() == "3 of 7")
    page = try await clicks.press("next", on: page)
    #expect(try place() == "4 of 7", "her address is kept")
    page = try await clicks.open("/sign-up")
    #expect(try StoryClicks.bar(of: page)?.moves["next"] == nil, "this page has no such form")
    page = try await clicks.press("stand", on: page)
    #expect(try place() == "4 of 7")
    page = try await clicks.press("next", on: page)
    #expect(try place() == "5 of 7")
    #expect(page.contains(#"data-page="locked""#))
  }

  @Test("a step of another browser is pressed, said which it is, and taken again after 'back'")
  func otherBrowser() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let clicks = try await Self.begin("the-phone-she-lost", in: vestibule)
    func bar(_ page: String) throws -> StoryClicks.Bar {
      try #require(try StoryClicks.bar(of: page))
    }
    _ = try await clicks.open("/sign-in")
    // The same page again is this browser's, not the phone's.
    var page = try await clicks.open("/sign-in")
    for place in ["1 of 7", "2 of 7"] {
      #expect(try bar(page).place == place && bar(page).browser == "phone")
      page = try await clicks.press("next", on: page)
    }
    #expect(page.contains(#"data-page="sign-in""#), "the phone is signed in, and not this browser")
    #expect(try bar(page).place == "3 of 7" && bar(page).browser == nil)
    for _ in 0..<3 { page = try await clicks.press("next", on: page) }
    #expect(try bar(page).place == "6 of 7" && bar(page).browser == "phone")
    page = try await clicks.press("next", on: page)
    #expect(page.contains(#"data-page="account""#) && page.contains("The end") == false)
    page = try await clicks.press("back", on: page)
    #expect(try bar(page).place == "6 of 7")
    page = try await clicks.press("next", on: page)
    #expect(try bar(page).place == "7 of 7")
  }

  @Test("a step of another browser that goes otherwise says so, and the story stays where it is")
  func otherBrowserAstray() async throws {
    let story = #"""
      {"name": "w", "title": "W", "summary": "S", "steps": [
        {"say": "looks", "browser": "phone", "open": "/account", "expect": {"page": "account"}},
        {"say": "opens", "open": "/sign-in"}]}
      """#
    let clicks = try await Self.begin("w", story, in: Self.vestibule(.clerk))
    let page = try await clicks.open("/sign-in")
    let refused = try await clicks.press("next", on: page)
    #expect(refused.contains("Step 1 went differently: phone: page is sign-in, not account"))
    let bar = try #require(try StoryClicks.bar(of: try await clicks.open("/sign-in")))
    #expect(bar.place == "1 of 2" && bar.moves["next"] != nil && bar.moves["stand"] != nil)
  }

  @Test("an imported world has no other browsers: the bar says so, and brings them along again")
  func otherBrowserLeftBehind() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let begun = try await Self.begin("the-phone-she-lost", in: vestibule)
    _ = try await begun.press("next", on: try await begun.open("/sign-in"))
    let world = String(begun.origin.dropFirst("http://".count).prefix { $0 != "." })
    let document = try await vestibule.recordedBackstage(world: world).call(.get, "export")
    _ = try await vestibule.recordedBackstage(world: "carried").call(
      .post,
      "import",
      json: String(decoding: document, as: UTF8.self)
    )
    let answer = Response(
      status: .seeOther,
      headerFields: [.location: "http://carried.localhost:8080/sign-in"]
    )
    let clicks = try await StoryClicks(vestibule.transport, following: answer)
    var page = try await clicks.open("/sign-in")
    #expect(try StoryClicks.bar(of: page)?.place == "2 of 7")
    page = try await clicks.press("next", on: page)
    #expect(page.contains("The browser phone has not taken its earlier steps"))
    page = try await clicks.press("stand", on: try await clicks.open("/sign-in"))
    #expect(try StoryClicks.bar(of: page)?.place == "2 of 7")
    page = try await clicks.press("next", on: page)
    #expect(try StoryClicks.bar(of: page)?.place == "3 of 7")
  }

  @Test("a recorded walk with a step of another browser is not exported, and says why")
  func otherBrowserRecorded() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let clicks = try await Self.begin("the-phone-she-lost", in: vestibule)
    let id = try await clicks.browser.beginRecording()
    let page = try await clicks.open("/sign-in")
    _ = try await clicks.press("next", on: page)
    let world = String(clicks.origin.dropFirst("http://".count).prefix { $0 != "." })
    let backstage = vestibule.recordedBackstage(world: world)
    let refusal = await #expect(throws: TestBackstage.Failure.self) {
      _ = try await backstage.call(.get, "recordings/\(id).story.json")
    }
    #expect(refusal.map { "\($0)".contains("not_repeatable") } == true)
    #expect(refusal.map { "\($0)".contains("taken in another browser, phone") } == true)
  }

  @Test("a page that is opened by the bar and leads elsewhere is said, and 'next' stays")
  func openedAstray() async throws {
    let story = #"""
      {"name": "w", "title": "W", "summary": "S", "steps": [
        {"say": "opens", "open": "/sign-in"},
        {"say": "types", "expect": {"page": "account"},
          "submit": {"identifier": "ada@example.com", "password": "walk-right-in-42"}},
        {"say": "opens again", "open": "/sign-in", "expect": {"page": "sign-in"}}]}
      """#
    let clicks = try await Self.begin("w", story, in: Self.vestibule(.clerk))
    var page = try await clicks.open("/sign-in")
    for _ in 0..<2 { page = try await clicks.press("next", on: page) }
    #expect(try StoryClicks.bar(of: page)?.moves["stand"] == nil)
    page = try await clicks.press("next", on: page)
    let bar = try #require(try StoryClicks.bar(of: page))
    #expect(bar.place == "3 of 3" && bar.moves["next"] != nil && bar.moves["stand"] != nil)
    #expect(page.contains("That went otherwise than the story tells."))
  }

  @Test("the bar types what the story tells, whatever was typed before")
  func overtyped() async throws {
    let clicks = try await Self.begin("locked-out-on-a-friday", in: Self.vestibule(.clerk))
    _ = try await clicks.open("/sign-in")
    var page = try await clicks.open("/sign-in")
    for _ in 0..<2 { page = try await clicks.press("next", on: page) }
    page = try await clicks.type(["identifier": "nobody@example.com", "password": "x"], on: page)
    let bar = try #require(try StoryClicks.bar(of: page))
    #expect(bar.place == "4 of 7" && bar.moves["stand"] == nil)
    page = try await clicks.press("next", on: page)
    #expect(try StoryClicks.bar(of: page)?.place == "5 of 7")
    #expect(page.contains(#"data-page="locked""#))
  }

  @Test("if a step goes otherwise, the bar says so and offers to begin anew")
  func astray() async throws {
    let words = "That went otherwise than the story tells."
    let story = #"""
      {"name": "w", "title": "W", "summary": "S", "steps": [
        {"say": "opens", "open": "/sign-in"},
        {"say": "types", "submit": {"identifier": "ada@example.com", "password": "not-hers-77"},
          "expect": {"page": "account"}}]}
      """#
    let clicks = try await Self.begin("w", story, in: Self.vestibule(.clerk))
    _ = try await clicks.open("/sign-in")
    var page = try await clicks.open("/sign-in")
    #expect(!page.contains(words))
    for _ in 0..<2 {
      page = try await clicks.press("next", on: page)
      #expect(try StoryClicks.bar(of: page)?.place == "2 of 2")
      #expect(page.contains(words))
    }
    page = try await clicks.press("stand", on: page)
    #expect(try StoryClicks.bar(of: page)?.place == "2 of 2")
    #expect(!page.contains(words))
  }

  @Test("an imported world goes on with the story; a button pressed twice at once acts once")
  func pressedTwice() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let other = vestibule.recordedBackstage(world: "put-in")
    let world = String(decoding: try await other.call(.get, "export"), as: UTF8.self)
    let story = """
      {"name": "w", "title": "W", "summary": "S", "steps": [
        {"say": "opens", "open": "/sign-in"}, {"say": "puts in", "world": \(world)},
        {"say": "waits", "clock": {"advance_seconds": 86400}}, {"say": "goes", "open": "/sign-up"}]}
      """
    let clicks = try await Self.begin("w", story, in: vestibule)
    _ = try await clicks.open("/sign-in")
    let opened = try await clicks.open("/sign-in")
    let page = try await clicks.press("next", on: opened)
    #expect(try StoryClicks.bar(of: page)?.place == "3 of 4")
    let name = String(clicks.origin.dropFirst("http://".count).prefix { $0 != "." })
    let backstage = vestibule.recordedBackstage(world: name)
    func pressTwice(on page: String, _ action: String) async throws -> [Int] {
      var form = try #require(try StoryClicks.bar(of: page)?.moves["next"]).body
      form.fields = form.fields.map {
        $0.name == "action" ? .init(name: "action", value: action) : $0
      }
      let body = form
      async let one = clicks.browser.send(.post, "/backstage/stories", body: body)
      async let two = clicks.browser.send(.post, "/backstage/stories", body: body)
      return try await [one, two].map(\.status.code)
    }
    let before = try await backstage.now()
    #expect(try await pressTwice(on: page, "next") == [303, 303])
    let after = try await backstage.now()
    let passed = after.timeIntervalSince(before)
    #expect((86_400..<2 * 86_400).contains(passed), "\(passed)")
    let last = try await clicks.open("/sign-in")
    #expect(try StoryClicks.bar(of: last)?.place == "4 of 4")
    #expect(try await pressTwice(on: last, "stand") == [303, 303])
    #expect(try StoryClicks.bar(of: try await clicks.open("/sign-in"))?.place == "4 of 4")
  }

  @Test("moving the clock by hand counts as the step that moves it")
  func clockByHand() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let clicks = try await Self.begin("the-code-of-yesterday", in: vestibule)
    let steps = try #require(
      try Story.builtIn().first { $0.name == "the-code-of-yesterday" }
    ).steps
    let move = try #require(
      steps.firstIndex { if case .deed(.clock)? = $0.action { true } else { false } }
    )
    var page = try await clicks.open("/")
    for _ in 0..<move { page = try await clicks.press("next", on: page) }
    let there = "\(move + 1) of \(steps.count)"
    #expect(try StoryClicks.bar(of: page)?.place == there)
    let world = String(clicks.origin.dropFirst("http://".count).prefix { $0 != "." })
    let browser = vestibule.recordedSession(world: world)
    let tool = try await browser.send(.get, "/backstage/clock", fields: [.accept: "text/html"])
    let html = String(decoding: tool.body, as: UTF8.self)
    let token = try #require(html.firstMatch(of: #/name="form_token" value="([^"]+)"/#)?.output.1)
    for (seconds, place) in [("60", there), ("86400", "\(move + 2) of \(steps.count)")] {
      let moved = try await browser.send(
        .post,
        "/backstage/clock",
        body: ["form_token": String(token), "action": "advance", "advance_seconds": seconds]
      )
      #expect(moved.status == .seeOther)
      let page = try await clicks.open("/sign-in/code")
      #expect(try StoryClicks.bar(of: page)?.place == place)
    }
  }

  @Test("back replays the story up to the step before, and it goes on from there")
  func back() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let clicks = try await Self.begin("mia", in: vestibule)
    _ = try await Self.walk(clicks, from: "/")
    var page = try await clicks.open("/account")
    #expect(try StoryClicks.bar(of: page)?.place == "The end")
    page = try await clicks.press("back", on: page)
    #expect(try StoryClicks.bar(of: page)?.place == "4 of 4")
    #expect(page.contains(#"data-page="sign-in-second-factor"#))
    page = try await clicks.press("back", on: page)
    page = try await clicks.press("back", on: page)
    page = try await clicks.press("back", on: page)
    #expect(try StoryClicks.bar(of: page)?.place == "1 of 4")
    #expect(try await Self.walk(clicks, from: "/").count == 5)
  }

  @Test("a custom story begins with its file; one that cannot be told is refused with the reason")
  func own() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let clicks = try await Self.begin("fern", Self.fern, in: vestibule)
    let told = try await Self.walk(clicks, from: "/")
    #expect(told == ["1 of 2: In.", "2 of 2: Home.", "The end: "])
    let browser = FormSession(over: recorded(vestibule.transport), host: "localhost:8080")
    for (name, document, status, words) in [
      ("nobody", "", 404, "not_found"),
      ("fern", #"{"name": "fern"}"#, 422, "title"),
      ("other", Self.fern, 422, "is called fern"),
      ("fern", Self.fern.replacing("\"fern@", with: "\"ada@"), 422, "cannot begin"),
      ("fern", Self.fernOverEntra, 422, "another API"),
    ] {
      let answer = try await browser.sendJSON("/backstage/api/stories/\(name)", document)
      #expect(answer.status.code == status)
      #expect(String(decoding: answer.body, as: UTF8.self).contains(words))
    }
    let worlds = try await vestibule.recordedBackstage(world: "main").call(.get, "worlds")
    #expect(String(decoding: worlds, as: UTF8.self).matches(of: #/fern-/#).count == 1)
  }

  @Test("one that is pasted as broken JSON is refused with the line, and what was pasted stays")
  func pasted() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let browser = FormSession(over: recorded(vestibule.transport), host: "localhost:8080")
    let fields: HTTPFields = [.accept: "text/html"]
    let tool = try await browser.send(.get, "/backstage/stories", fields: fields)
    let html = String(decoding: tool.body, as: UTF8.self)
    #expect(html.contains(#"<textarea id="own-document" name="document""#))
    let token = try #require(html.firstMatch(of: #/name="form_token" value="([^"]+)"/#)?.output.1)
    func begin(_ document: String) async throws -> Response {
      try await browser.send(
        .post,
        "/backstage/stories",
        body: ["form_token": String(token), "action": "begin", "document": document],
        fields: fields
      )
    }
    let broken = "{\r\n  one-of-a-kind\r\n}"
    let refused = try await begin(broken)
    #expect(refused.status.code == 422)
    let page = String(decoding: refused.body, as: UTF8.self)
    #expect(page.contains("It is not JSON: line 2, column 3"))
    #expect(page.contains("aria-invalid"))
    #expect(page.contains("  one-of-a-kind"))
    let begun = try await begin(Self.fern)
    #expect(begun.status == .seeOther)
    #expect(begun.headerFields[.location]?.contains("://fern-") == true)
  }

  private static let fernOverEntra = fern.replacing("{\"name\"", with: #"{"api":"entra","name""#)

  private static let fern = """
    {"name": "fern", "title": "Fern", "summary": "At home.",
     "users": [{"email_addresses": ["fern@example.com"], "password": "walk-right-in-42"}],
     "steps": [
       {"say": "In.", "open": "/sign-in", "expect": {"page": "sign-in"}},
       {"say": "Home.", "expect": {"page": "account"},
        "submit": {"identifier": "fern@example.com", "password": "walk-right-in-42"}}]}
    """

  @Test("a world with a story that was begun in one process goes on in another")
  func carried() async throws {
    let (document, _) = try await Self.inProgram { transport, host in
      let browser = FormSession(over: recorded(transport), host: host)
      let begun = try await browser.sendJSON("/backstage/api/stories/fern", Self.fern)
      let clicks = try await StoryClicks(transport, following: begun)
      let page = try await clicks.open("/sign-in")
      _ = try await clicks.press("next", on: page)
      let world = String(clicks.origin.dropFirst("http://".count).prefix { $0 != "." })
      let backstage = TestBackstage(over: recorded(transport), host: host, world: world)
      return (try await backstage.call(.get, "export"), world)
    }
    try await Self.inProgram { transport, host in
      let backstage = TestBackstage(over: recorded(transport), host: host, world: "carried")
      _ = try await backstage.call(
        .post,
        "import",
        json: String(decoding: document, as: UTF8.self)
      )
      let port = host.split(separator: ":").last ?? ""
      let answer = Response(
        status: .seeOther,
        headerFields: [.location: "http://carried.localhost:\(port)/sign-in"]
      )
      let clicks = try await StoryClicks(transport, following: answer)
      var page = try await clicks.open("/sign-in")
      let bar = try #require(try StoryClicks.bar(of: page))
      #expect(bar.title == "Fern" && bar.place == "2 of 2")
      page = try await clicks.press("stand", on: page)
      page = try await clicks.press("next", on: page)
      #expect(try StoryClicks.bar(of: page)?.place == "The end")
      #expect(page.contains(#"data-page="account""#))
    }
  }

  /// Runs the built program, and ends it afterwards.
  @discardableResult
  private static func inProgram<Result>(
    _ body: (any HTTPTransport, _ host: String) async throws -> Result
  ) async throws -> Result {
    let program = try Program(["--in-memory", "--port", "0"])
    defer { program.end() }
    let address = try await program.addresses(1)[0]
    let transport = try HTTPClientTransport(to: BaseURL(address))
    let host = "localhost:\(try #require(URL(string: address)?.port))"
    let result = await Swift.Result { try await body(transport, host) }
    await transport.shutdown()
    return try result.get()
  }

  @Test("200 worlds at once each tell their own story and no other")
  func atOnce() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let rows = try await Self.rows(vestibule)
    try await withThrowingTaskGroup(of: String.self) { group in
      var origins: Set<String> = []
      for number in 0..<200 {
        // A few are walked at a time, so that no other journey waits too long; all worlds stay.
        if number >= 8, let origin = try await group.next() { origins.insert(origin) }
        let row = rows[number % rows.count]
        group.addTask {
          let clicks = try await Self.begin(row.name, in: vestibule)
          var page = try await clicks.open("/")
          for index in 0..<min(3, row.steps.count) {
            let bar = try #require(try StoryClicks.bar(of: page))
            #expect(bar.title == row.title && bar.place == "\(index + 1) of \(row.steps.count)")
            #expect(bar.sentence == row.steps[index])
            page = try await clicks.press("next", on: page)
          }
          return clicks.origin
        }
      }
      for try await origin in group { origins.insert(origin) }
      #expect(origins.count == 200)
    }
    let page = try await FormSession(over: recorded(vestibule.transport), host: "localhost:8080")
      .send(.get, "/sign-in", fields: [.accept: "text/html"])
    #expect(!String(decoding: page.body, as: UTF8.self).contains("story-bar"))
  }
}
