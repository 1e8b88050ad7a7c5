import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Recordings in the browser, and whom they follow", .inTurn)
struct RecordingPageJourneys {
  private static let tool = "/backstage/recordings"
  private static let typed = "typed-in-vain-9"

  private func html(_ browser: FormSession, _ path: String = tool) async throws -> String {
    let answer = try await browser.send(.get, path, fields: [.accept: "text/html"])
    return String(decoding: answer.body, as: UTF8.self)
  }

  /// Sends a form of the tool.
  private func press(
    _ action: String,
    _ browser: FormSession,
    title: String = ""
  ) async throws -> Response {
    let token = try #require(
      try await html(browser).firstMatch(of: #/name="form_token" value="([^"]+)"/#)?.output.1
    )
    return try await browser.send(
      .post,
      Self.tool,
      body: ["form_token": String(token), "action": action, "title": title]
    )
  }

  private func steps(_ browser: FormSession) async throws -> [String]? {
    struct Page: Decodable {
      struct Facts: Decodable { var recording: Recording? }
      struct Recording: Decodable { var steps: [String] }
      var facts: Facts
    }
    let answer = try await browser.send(.get, Self.tool)
    return try JSONDecoder().decode(Page.self, from: Data(answer.body)).facts.recording?.steps
  }

  @Test(
    "one press begins, steps are told in words, each form of test is a download, one press ends"
  )
  func byForms() async throws {
    let vestibule = try TestVestibule()
    let ada = vestibule.recordedSession(world: "shown")
    #expect(try await steps(ada) == nil)
    let begun = try await press("begin", ada, title: "Ada's morning")
    #expect(begun.status == .seeOther && begun.headerFields[.location] == Self.tool)
    #expect(try await steps(ada) == [])
    let nothing = "Nothing has been walked yet."
    #expect(try await html(ada).contains(nothing))
    try await ada.open("/sign-in")
    try await ada.submit(["identifier": "ada@example.com", "password": Self.typed])
    let told = ["Opens /sign-in.", "Fills in identifier and password."]
    #expect(try await steps(ada) == told)
    let page = try await html(ada)
    #expect(!page.contains(nothing))
    for words in told + ["sign-in, status 422", "Ada&#39;s morning"] {
      #expect(page.contains(words), "\(words)")
    }
    for (ending, file) in [
      ("sh", "ada-s-morning.sh"), ("swift", "ada-s-morning.swift"),
      ("py", "test_ada_s_morning.py"), ("playwright.py", "test_ada_s_morning_playwright.py"),
      ("story.json", "ada-s-morning.story.json"),
    ] {
      let link = try #require(
        page.firstMatch(of: try Regex<(Substring, Substring)>("href=\"([^\"]+\\.\(ending))\""))
      )
      let answer = try await ada.send(.get, String(link.output.1))
      #expect(String(decoding: answer.body, as: UTF8.self).contains(Self.typed))
      #expect(answer.headerFields[.contentDisposition] == "attachment; filename=\"\(file)\"")
    }
    #expect(try await press("end", ada).status == .seeOther)
    #expect(try await steps(ada) == nil)
  }

  @Test("while a browser is recorded its pages and the rail say so; another's do not")
  func seen() async throws {
    let vestibule = try TestVestibule()
    let ada = vestibule.recordedSession(world: "seen")
    func marks(_ browser: FormSession) async throws -> [String] {
      let bar = try await html(browser, "/sign-up")
        .firstMatch(of: #/<a href="\/backstage\/recordings">([^<]*)</#)?.output.1
      let rail = try await html(browser, "/backstage/inbox")
        .firstMatch(of: #/<span class="count recorded">.*?<\/span>([^<]*)</#)?.output.1
      return [bar, rail].compactMap { $0.map(String.init) }
    }
    #expect(try await marks(ada) == [])
    _ = try await press("begin", ada)
    #expect(try await marks(ada) == ["Recording", "1"])
    try await ada.open("/sign-in")
    #expect(try await marks(ada) == ["Recording", "3"])
    #expect(try await marks(vestibule.recordedSession(world: "seen")) == [])
    _ = try await press("end", ada)
    #expect(try await marks(ada) == [])
  }

  @Test("a recording that follows the first browser to come says so there, and in no other one")
  func followed() async throws {
    let vestibule = try TestVestibule()
    var fields: HTTPFields = [.vestibuleBackstage: "1"]
    fields[.contentType] = "application/json"
    let program = vestibule.recordedSession(world: "followed")
    _ = try await program.send(.post, "/backstage/api/recordings", bytes: [], fields: fields)
    await program.replaceCookies([:])
    func isTold(_ browser: FormSession) async throws -> Bool {
      try await html(browser, "/sign-up").contains(#/<a href="\/backstage\/recordings">/#)
    }
    let (first, second) = (
      vestibule.recordedSession(world: "followed"), vestibule.recordedSession(world: "followed")
    )
    #expect(try await isTold(first))
    #expect(try await !isTold(second))
    #expect(try await isTold(first))
  }

  @Test("what was typed is in exports and nowhere else")
  func secrets() async throws {
    let vestibule = try TestVestibule()
    let ada = vestibule.recordedSession(world: "secret")
    let backstage = vestibule.recordedBackstage(world: "secret")
    _ = try await ada.beginRecording()
    try await ada.open("/sign-in")
    try await ada.submit(["identifier": "ada@example.com", "password": Self.typed])
    var leaving = [try await html(ada), try await html(ada, "/backstage/traces")]
    for path in ["traces", "export"] {
      leaving.append(String(decoding: try await backstage.call(.get, path), as: UTF8.self))
    }
    leaving.append(
      String(decoding: try await ada.send(.get, Self.tool).body, as: UTF8.self)
    )
    for text in leaving { #expect(!text.contains(Self.typed)) }
  }

  @Test(
    "a form that redirects is shown and exported once, before and after the redirect is followed",
    arguments: ["sh", "swift", "py", "playwright.py", "story.json"]
  )
  func notFollowed(ending: String) async throws {
    let vestibule = try TestVestibule()
    let ada = vestibule.recordedSession(world: "unfollowed")
    let backstage = vestibule.recordedBackstage(world: "unfollowed")
    let id = try await ada.beginRecording()
    func export() async throws -> String {
      let file = try await backstage.call(.get, "recordings/\(id).\(ending)")
      return String(decoding: file, as: UTF8.self)
    }
    try await ada.open("/sign-in")
    let (form, body) = try await ada.filled([
      "identifier": "ada@example.com", "password": password,
    ])
    #expect(try await ada.send(.post, form.action, body: body).status == .seeOther)
    let told = ["Opens /sign-in.", "Fills in identifier and password."]
    #expect(try await steps(ada) == told)
    let early = try await export()
    #expect(early.ranges(of: password).count == 1)
    try await ada.open("/account")
    #expect(try await steps(ada) == told)
    let late = try await export()
    #expect(late.ranges(of: password).count == 1 && late.count > early.count)
  }

  @Test("another browser is not recorded, nor is a walk in another world")
  func others() async throws {
    let vestibule = try TestVestibule()
    let ada = vestibule.recordedSession(world: "watched")
    // It gets a cookie of its own, by which it is recognised.
    try await ada.open("/sign-in")
    let id = try await ada.beginRecording()
    try await vestibule.recordedSession(world: "watched").open("/sign-up")
    try await ada.open("/forgot-password")
    let backstage = vestibule.recordedBackstage(world: "watched")
    let story = try await backstage.call(.get, "recordings/\(id).story.json")
    let text = String(decoding: story, as: UTF8.self)
    #expect(text.contains("/forgot-password") && !text.contains("/sign-up"))
    await #expect(throws: TestBackstage.Failure.self) {
      try await vestibule.recordedBackstage(world: "elsewhere").call(.get, "recordings/\(id).sh")
    }
    _ = try await backstage.call(.delete, "recordings/\(id)")
    await #expect(throws: TestBackstage.Failure.self) {
      try await backstage.call(.get, "recordings/\(id).sh")
    }
  }

  @Test("a client that only calls backstage records the first browser that comes")
  func first() async throws {
    struct Begun: Decodable { var id: String }
    let vestibule = try TestVestibule()
    let backstage = vestibule.recordedBackstage(world: "first")
    let id = try JSONDecoder().decode(
      Begun.self,
      from: try await backstage.call(.post, "recordings")
    ).id
    let ada = vestibule.recordedSession(world: "first")
    try await ada.open("/sign-in")
    try await vestibule.recordedSession(world: "first").open("/sign-up")
    try await ada.submit(["identifier": "ada@example.com", "password": password])
    let story = try await backstage.call(.get, "recordings/\(id).story.json")
    let text = String(decoding: story, as: UTF8.self)
    #expect(text.contains(#""page": "account""#) && !text.contains("/sign-up"))
  }

  @Test("an export that could not be walked again is refused, with the reason")
  func refused() async throws {
    let vestibule = try TestVestibule()
    let backstage = vestibule.recordedBackstage(world: "refused")
    let ada = vestibule.recordedSession(world: "refused")
    let id = try await ada.beginRecording()
    func refusal() async -> String {
      do {
        _ = try await backstage.call(.get, "recordings/\(id).py")
        return ""
      } catch { return "\(error)" }
    }
    #expect(await refusal().contains("nothing_recorded"))
    try await ada.open("/sign-in")
    #expect(await refusal() == "")
    let world = String(decoding: try await backstage.call(.get, "export"), as: UTF8.self)
    #expect(await refusal() == "")
    _ = try await backstage.call(.post, "import", json: world)
    #expect(await refusal().contains("not_repeatable"), "its sign-in is that of the other browser")
    _ = try await backstage.call(.post, "reset")
    #expect(await refusal().contains("nothing_recorded"))
  }

  @Test("a step that concerns another world is a comment in the export, and is not repeated")
  func comments() async throws {
    let vestibule = try TestVestibule()
    let backstage = vestibule.recordedBackstage(world: "told")
    let ada = vestibule.recordedSession(world: "told")
    let id = try await ada.beginRecording()
    try await ada.open("/sign-in")
    _ = try await vestibule.recordedBackstage(world: "gone").call(.get, "clock")
    _ = try await backstage.call(.delete, "worlds/gone")
    for (ending, line) in [("sh", "step '2. "), ("py", "    # "), ("swift", "    // ")] {
      let text = try await backstage.call(.get, "recordings/\(id).\(ending)")
      let export = String(decoding: text, as: UTF8.self)
      #expect(export.contains(line + "Another world is dropped; it does not exist here."))
      #expect(!export.contains("worlds/gone"))
    }
  }
}
