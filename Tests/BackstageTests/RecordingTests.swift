import AuthFlow
import Dispatch
import Foundation
import Headless
import HTTPExchange
import HTTPTypes
import Pages
import Testing

@testable import Backstage
@testable import Emulators

@Suite("How a walk is recorded")
struct RecordingTests {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let signIn = Form(
    "sign-in",
    action: .signIn,
    fields: [
      FormField(Field(named: "identifier"), kind: .text, label: nil),
      FormField(Field(named: "password"), kind: .password, label: nil),
    ],
    button: .verbatim("Continue")
  )

  private func recording(
    _ following: Recording.Following = .cookie,
    of title: String = "A walk",
    from beginning: RecordedBeginning = RecordedBeginning()
  ) throws -> Recording {
    Recording(
      id: "id",
      title: title,
      world: try #require(WorldName("main")),
      api: .clerk,
      beginning: beginning,
      following: following,
      number: 1
    )
  }

  private func opened(
    _ path: String,
    _ page: String?,
    forms: [Form] = [signIn],
    to location: String? = nil
  ) -> SeenRequest {
    SeenRequest(
      step: SeenStep(.opened(path: path, hasQuery: false), page: page, step: "identifier"),
      path: path,
      forms: forms,
      location: location
    )
  }

  private func posted(
    _ form: [SeenRequest.Pair],
    _ page: String?,
    status: Int = 422,
    to location: String? = nil
  ) -> SeenRequest {
    SeenRequest(
      step: SeenStep(.posted, page: page, step: "identifier", status: status),
      path: "/sign-in",
      form: form + [("form_token", "t")],
      forms: page == nil ? [] : [Self.signIn],
      location: location
    )
  }

  private let typed: [SeenRequest.Pair] = [("identifier", "ada"), ("password", "s3cret-word")]

  @Test(
    "a title with characters that would hide or change text in an export is refused",
    arguments: [
      "a\0", "a\u{1B}]0;x\u{7}", "a\u{85}b", "a\u{202E}b", "a\u{2067}b", "a\nb", "\u{9F}",
    ]
  )
  func unseenTitle(_ title: String) {
    #expect(throws: BackstageRefusal.self) { try BackstageContext.title(title) }
  }

  @Test("a title may be in any script, with the joiners that people use")
  func title() throws {
    for title in ["Ada’s walk", "עברית", "👩‍👩‍👧", "می‌خواهم"] {
      #expect(try BackstageContext.title(" \(title)\n") == title)
    }
  }

  @Test("a form and the page it leads to are one step, which names fields, not what was typed")
  func formAndPage() throws {
    var recording = try recording()
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    recording.see(posted(typed, nil, to: "/account"), RecordedSource(), at: Self.start)
    recording.see(opened("/account", "account", forms: []), RecordedSource(), at: Self.start)
    #expect(recording.people.passwords == ["ada": "s3cret-word"])
    let (story, document) = try recording.story()
    #expect(story.steps.map(\.say) == ["Opens /sign-in.", "Fills in identifier and password."])
    guard case .submit(let inputs, "sign-in") = story.steps[1].action else {
      Issue.record("no form was sent")
      return
    }
    #expect(inputs == ["identifier": .text("ada"), "password": .text("s3cret-word")])
    #expect(story.steps[1].expectation.page == "account")
    #expect(story.steps[0].expectation.forms == ["sign-in": ["identifier", "password"]])
    #expect(!document.indented().contains("form_token"))
  }

  @Test("a form is one step, before the page that it leads to is opened and after")
  func notFollowed() throws {
    var recording = try recording()
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    recording.see(posted(typed, nil, to: "/account"), RecordedSource(), at: Self.start)
    let early = try recording.untilNow.story().story
    #expect(early.steps.map(\.say) == ["Opens /sign-in.", "Fills in identifier and password."])
    #expect(early.steps[1].expectation.page == nil && early.steps[1].expectation.status == nil)
    recording.see(opened("/account", "account", forms: []), RecordedSource(), at: Self.start)
    let late = try recording.untilNow.story().story
    #expect(late.steps.map(\.say) == early.steps.map(\.say))
    #expect(late.steps[1].expectation.page == "account")
  }

  @Test(
    "an opened address is described with its parameters' names, never with their values",
    arguments: [
      (nil, "/sign-in"), ("", "/sign-in"), ("create", "/sign-in?create"),
      ("identifier=ada&ticket=s3cret=x&=y", "/sign-in?identifier&ticket&"),
      ("ticket=\u{301}s3cret", "/sign-in?ticket"),
    ] as [(String?, String)]
  )
  func query(query: String?, told: String) throws {
    var recording = try recording()
    var request = opened("/sign-in", "sign-in")
    request.query = query
    recording.see(request, RecordedSource(), at: Self.start)
    #expect(recording.steps.first?["say"]?.string == "Opens \(told).")
    #expect(recording.steps.first?["open"]?.string == request.target)
  }

  @Test("an exported script names the API that it was walked over")
  func api() throws {
    var recording = try recording()
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    let (story, document) = try recording.story()
    for form in [ExportForm.sh, .py, .playwright] {
      let lines = form.text(of: story, document).split(separator: "\n")
      #expect(lines.prefix(3).contains { $0.hasPrefix("# Walked with --api clerk:") }, "\(form)")
    }
  }

  @Test("an export names the options that shaped its fresh worlds", arguments: ExportForm.allCases)
  func options(form: ExportForm) throws {
    var recording = try recording()
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    let (story, document) = try recording.story()
    let text = form.text(of: story, document, under: ["--users", "--instance"])
    #expect(text.contains("--users and --instance"))
    #expect(!form.text(of: story, document).contains("--users"))
  }

  @Test(
    "a title does not change the encoding of a Python file",
    arguments: [ExportForm.py, .playwright]
  )
  func coding(form: ExportForm) throws {
    var recording = try recording(of: "Of coding: x")
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    let (story, document) = try recording.story()
    let text = form.text(of: story, document)
    #expect(text.hasPrefix("# -*- coding: utf-8 -*-\n# Of coding: x\n"))
  }

  @Test(
    "a file is named after its walk, and pytest finds those for it, which have a single dot",
    arguments: [
      ("Mia's evening", "mia-s-evening", "mia_s_evening"),
      ("Zoë – ünï", "zoe-uni", "zoe_uni"), ("夜", "recorded-walk", "recorded_walk"),
      (Recorder.title, "walk", "walk"),
    ]
  )
  func fileNames(title: String, name: String, pythonName: String) throws {
    var recording = try recording(of: title)
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    let story = try recording.story().story
    let (python, playwright) = ("test_\(pythonName).py", "test_\(pythonName)_playwright.py")
    let names = ["\(name).sh", "\(name).swift", python, playwright, "\(name).story.json"]
    #expect(ExportForm.allCases.map { $0.fileName(of: story) } == names)
  }

  @Test("a shell script ends if what it asks for is missing, or by a signal")
  func shellEnds() throws {
    var recording = try recording()
    let code: JSON = ["latest": ["to": "ada@example.com", "purpose": "sign_in"]]
    for source in [code, ["totp": "mia@example.com"]] {
      var typed = RecordedSource()
      typed.codes = ["identifier": source]
      recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
      recording.see(posted([("identifier", "424242")], "sign-in"), typed, at: Self.start)
    }
    var link = RecordedSource()
    link.link = code
    recording.see(opened("/sign-in/link", "sign-in"), link, at: Self.start)
    let (story, document) = try recording.story()
    let lines = ExportForm.sh.text(of: story, document).split(separator: "\n")
    let taken = lines.filter { $0.contains(#/^(link|id|code\d)=/#) }
    #expect(taken.count == 4 && taken.allSatisfy { $0.hasSuffix(") || exit 1") }, "\(taken)")
    for trap in ["129' HUP", "130' INT", "143' TERM"] {
      #expect(lines.contains("trap 'exit \(trap)"))
    }
  }

  @Test("an account that every fresh world has is not made again, however many there are")
  func manyAccounts() async throws {
    let users = (0..<130).map { number in
      var user = AccountDescription()
      user.emailAddresses = ["person\(number)@example.com"]
      return user
    }
    let worlds = try Worlds(storage: .memory, users: users)
    let main = try await worlds.world(.main)
    let other = try await main.account(identifiedBy: "person120@example.com")
    _ = try await main.change(try #require(other?.id), ["banned": true])
    let beginning = try await RecordedBeginning(of: main, among: worlds, id: "walk")
    let people = beginning.people(named: ["person110@example.com", "person120@example.com"], [:])
    #expect(people.users.isEmpty)
    #expect(people.changes.count == 1)
  }

  @Test("failed attempts from before a recording count in a fresh world as well")
  func failuresOfBefore() async throws {
    let client = try BackstageClient()
    for _ in 0..<2 { _ = try await client.signIn("ada@example.com", "not hers") }
    let world = try await client.worlds.world(.main)
    let beginning = try await RecordedBeginning(of: world, among: client.worlds, id: "0123")
    let changes = beginning.people(named: ["ada@example.com"], [:]).changes
    #expect(changes.count == 1)
    #expect(changes.first?["user"]?["change"] == ["failed_attempts": 2])
  }

  @Test("a renamed account is changed under the name that a fresh world knows")
  func otherNames() async throws {
    let client = try BackstageClient()
    let names = #"{"email_addresses": ["ada.new@example.com"]}"#
    #expect(try await client.send(.patch, "users/user_ada", body: names).status == 200)
    let world = try await client.worlds.world(.main)
    let beginning = try await RecordedBeginning(of: world, among: client.worlds, id: "0123")
    for name in ["ada.new@example.com", "Ada@example.com"] {
      let people = beginning.people(named: [name], [:])
      #expect(people.users.isEmpty && people.changes.count == 1, "\(name)")
      let user = people.changes.first?["user"]
      #expect(user?["identifier"] == "ada@example.com")
      #expect(user?["change"] == ["email_addresses": ["ada.new@example.com"]])
    }
    #expect(beginning.people(named: ["mia@example.com"], [:]).changes.isEmpty)
  }

  @Test("a former name that someone else has now means them, and a removed password is recorded")
  func takenNames() async throws {
    let client = try BackstageClient()
    let names = #"{"email_addresses": ["ada.new@example.com"], "password": null}"#
    #expect(try await client.send(.patch, "users/user_ada", body: names).status == 200)
    let world = try await client.worlds.world(.main)
    func people(_ name: String) async throws -> [JSON] {
      let beginning = try await RecordedBeginning(of: world, among: client.worlds, id: "0123")
      return beginning.people(named: [name], [:]).changes.compactMap { $0["user"]?["change"] }
    }
    let renamed: JSON = ["email_addresses": ["ada.new@example.com"], "password": .null]
    #expect(try await people("ada@example.com") == [renamed])
    let other = #"{"email_addresses": ["ada@example.com"], "password": "her-own-pass-7"}"#
    #expect(try await client.send(.post, "users", body: other).status == 200)
    #expect(try await !people("ada@example.com").contains(renamed))
    #expect(try await people("ada.new@example.com") == [renamed])
  }

  @Test("an account that refused the demo password gets another one, or the one that was typed")
  func otherPassword() async throws {
    func walk(_ password: String, _ code: String) throws -> Recording {
      var recording = try recording()
      var refused = posted([("identifier", "ada@example.com"), ("password", password)], "sign-in")
      refused.step.fieldErrors = ["password": [code]]
      recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
      recording.see(refused, RecordedSource(), at: Self.start)
      return recording
    }
    let demo = AccountDescription.demoPassword
    var refused = try walk(demo, "form_password_incorrect")
    #expect(refused.people.refusedDemoPassword == ["ada@example.com"])
    let another = try walk("not-it-at-all", "form_password_incorrect")
    #expect(another.people.refusedDemoPassword.isEmpty)
    let leaked = try walk(demo, "form_password_pwned")
    #expect(leaked.people.refusedDemoPassword.isEmpty, "it is right, and not good enough")
    refused.see(
      posted([("identifier", "ada@example.com"), ("password", "her-own-7")], nil, to: "/account"),
      RecordedSource(),
      at: Self.start
    )
    let worlds = try Worlds(storage: .memory)
    let main = try await worlds.world(.main)
    let beginning = try await RecordedBeginning(of: main, among: worlds, id: "walk")
    func password(_ accepted: [String: String]) -> String? {
      beginning.people(
        named: ["ada@example.com"],
        accepted,
        refusedDemoPassword: refused.people.refusedDemoPassword
      ).changes.first?["user"]?["change"]?["password"]?.string
    }
    #expect(password(refused.people.passwords) == "her-own-7")
    #expect(password([:]).map { $0 != demo } == true)
  }

  @Test("a person who was invited before the walk, and follows the link, is invited again")
  func oldInvitation() async throws {
    let recording = try await walk(afterInviting: #""una@example.com""#)
    let (story, _) = try recording.story()
    guard case .deed(.invitation) = story.steps[0].action, case .open(.link) = story.steps[1].action
    else {
      Issue.record("nobody was invited, or no link opened: \(recording.steps)")
      return
    }
    #expect(story.steps.count == 2)
  }

  @Test(
    "any other link from before the walk is not exported, and the reason is given",
    arguments: [
      #""ada@example.com""#,
      #""una@example.com", "redirect_url": "http://localhost:8080/sign-in""#,
    ]
  )
  func oldLink(invited: String) async throws {
    let recording = try await walk(afterInviting: invited)
    #expect(
      recording.obstacle == "A link was opened from a message that was there before the walk began."
    )
  }

  /// A walk that opens the link of an invitation that was sent before it began.
  private func walk(afterInviting address: String) async throws -> Recording {
    let client = try BackstageClient()
    let body = #"{"email_address": \#(address)}"#
    let sent = try await client.send(.post, "invitations", body: body)
    let link = try #require(sent.json["link"]?.string.flatMap(URLComponents.init(string:)))
    let world = try await client.worlds.world(.main)
    let beginning = try await RecordedBeginning(of: world, among: client.worlds, id: "0123")
    var recording = try recording(from: beginning)
    var request = opened(link.path, "sign-up")
    request.query = link.query
    let source = await RecordedSource(of: request, in: world, known: [])
    recording.see(request, source, at: Self.start)
    return recording
  }

  @Test(
    "ending one other session is exported only if the walk made it; ending all always is",
    arguments: [
      ("end-session-2", 1, false), ("end-session-2", 2, true), ("end-others", 1, true),
      ("end-all", 1, true),
    ]
  )
  func endedSessions(name: String, entryCount: Int, isExported: Bool) throws {
    var recording = try recording()
    for _ in 0..<entryCount {
      recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
      recording.see(posted(typed, nil, to: "/account"), RecordedSource(), at: Self.start)
      recording.see(opened("/account", "account"), RecordedSource(), at: Self.start)
    }
    let form = Form(name, action: .accountSessions, button: .verbatim("End"))
    recording.see(opened("/account", "account", forms: [form]), RecordedSource(), at: Self.start)
    var ended = posted([], nil, to: "/account")
    ended.path = "/account/sessions"
    recording.see(ended, RecordedSource(), at: Self.start)
    #expect(
      recording.obstacle == (isExported ? nil : "Another browser's session was ended."),
      "\(recording.steps)"
    )
  }

  @Test(
    "a step confirmed in another browser is not exported; looking whether it was, is",
    arguments: [
      ("/account", false), ("/tasks/choose-organization", false), ("/continue", true),
      ("/sign-in", true),
    ]
  )
  func finishedElsewhere(location: String, isExported: Bool) throws {
    var recording = try recording()
    let form = Form("finished", action: .browser, button: .verbatim("I have finished"))
    recording.see(opened("/continue", "continue", forms: [form]), RecordedSource(), at: Self.start)
    var finished = posted([], nil, to: location)
    finished.path = "/continue"
    recording.see(finished, RecordedSource(), at: Self.start)
    let words = "The walk comes back from an organisation's own page."
    #expect(recording.obstacle == (isExported ? nil : words))
  }

  @Test("an empty password is not recorded")
  func noPassword() throws {
    var recording = try recording()
    let empty: [SeenRequest.Pair] = [("identifier", "cody"), ("password", "")]
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    recording.see(posted(empty, nil, to: "/sign-in/code"), RecordedSource(), at: Self.start)
    #expect(recording.people.passwords == [:] && recording.people.identifiers == ["cody"])
  }

  @Test("a password that leads to a dead end was not accepted", arguments: ["/locked", "/blocked"])
  func deadEnd(path: String) throws {
    var recording = try recording()
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    recording.see(posted(typed, nil, to: path), RecordedSource(), at: Self.start)
    #expect(recording.people.passwords == [:] && recording.people.identifiers == ["ada"])
  }

  @Test("reloading a page is not a step; half a minute is a step of the clock")
  func pauses() throws {
    var recording = try recording()
    for seconds in [0, 5, 40] {
      let now = Self.start.addingTimeInterval(Double(seconds))
      recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: now)
    }
    let (story, _) = try recording.story()
    #expect(story.steps.map(\.say) == ["Opens /sign-in.", "35 seconds pass.", "Opens /sign-in."])
  }

  @Test("a form that had to wait is sent after the clock has moved by that wait")
  func waiting() throws {
    var recording = try recording()
    var form = Self.signIn
    form.availableAt = Self.start.addingTimeInterval(20)
    recording.see(opened("/sign-in", "sign-in", forms: [form]), RecordedSource(), at: Self.start)
    let later = Self.start.addingTimeInterval(20.5)
    recording.see(posted(typed, "sign-in"), RecordedSource(), at: later)
    #expect(try recording.story().story.steps[1].say == "21 seconds pass.")
  }

  @Test("a walk that cannot be repeated is not exported, and says why")
  func obstacles() throws {
    var recording = try recording()
    #expect(throws: BackstageRefusal.self) { try recording.story() }
    recording.see(posted(typed, "sign-in"), RecordedSource(), at: Self.start)
    #expect(
      recording.obstacle == "A form was sent to /sign-in, which the page before does not have."
    )
    recording.note(.reset(RecordedBeginning()), since: Self.start, at: Self.start, numberingAs: 2)
    #expect(recording.obstacle == nil && recording.steps.isEmpty && recording.number == 2)
    recording.see(
      opened("/sign-in", nil, to: "https://elsewhere.example/"),
      .init(),
      at: Self.start
    )
    #expect(recording.obstacle == "The walk leads away from these pages.")
    let refusal = #expect(throws: BackstageRefusal.self) { try recording.story() }
    #expect(refusal?.status == 422 && refusal?.code == .notRepeatable)
  }

  @Test("a walk cannot begin with a browser that a reset caught in the middle of a flow")
  func amidSomething() throws {
    var recording = try recording()
    recording.note(.reset(RecordedBeginning()), since: Self.start, at: Self.start, numberingAs: 2)
    recording.see(opened("/account", "account", forms: []), RecordedSource(), at: Self.start)
    #expect(
      recording.obstacle == "The browser was in the middle of a flow when the world was reset."
    )
    recording.note(.reset(RecordedBeginning()), since: Self.start, at: Self.start, numberingAs: 3)
    var out = opened("/sign-in", "sign-in")
    out.step.notices = ["signed_out"]
    recording.see(out, RecordedSource(), at: Self.start)
    let (story, _) = try recording.story()
    #expect(story.steps.count == 1)
    #expect(story.steps[0].expectation.notices == [])
  }

  @Test("a code of unknown origin is not exported as it was")
  func lostCodes() throws {
    var lost = RecordedSource()
    lost.isGone = true
    let code = [("code", "123456")]
    func sent(_ path: String, to location: String?) -> SeenRequest {
      var request = posted(code, location == nil ? "sign-in" : nil, to: location)
      request.path = path
      return request
    }
    func walk(_ path: String, _ step: String? = nil) throws -> Recording {
      var recording = try recording()
      if let step {
        var shown = opened("/tasks/second-factor", "second-factor-setup", forms: [])
        shown.step.step = step
        recording.see(shown, RecordedSource(), at: Self.start)
      }
      let address = try #require(Address(path: path))
      let form = Form(
        "code",
        action: address,
        fields: [FormField(Field(named: "code"), kind: .text, label: nil)],
        button: .verbatim("Continue")
      )
      recording.see(opened(path, "code", forms: [form]), RecordedSource(), at: Self.start)
      return recording
    }
    var taken = try walk("/sign-in/code")
    taken.see(sent("/sign-in/code", to: "/account"), lost, at: Self.start)
    #expect(taken.obstacle?.hasPrefix("A code was typed that cannot") == true)
    var refused = try walk("/sign-in/code")
    refused.see(sent("/sign-in/code", to: nil), lost, at: Self.start)
    #expect(refused.obstacle == nil, "a wrong one is as wrong in any world")
    let backup = "/sign-in/second-factor/backup-code"
    var known = try walk(backup)
    known.see(sent(backup, to: "/account"), lost, at: Self.start)
    #expect(known.obstacle == nil, "the account begins with it")
    var fresh = try walk(backup, "backup-codes")
    fresh.see(sent(backup, to: "/account"), lost, at: Self.start)
    #expect(fresh.obstacle == "A backup code was typed that this world made during the walk.")
  }

  @Test("each person is listed once, the last named last")
  func identifiers() throws {
    var recording = try recording()
    for name in ["a", "b", "a"] {
      recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
      recording.see(
        posted([("identifier", name), ("password", "x")], "sign-in"),
        RecordedSource(),
        at: Self.start
      )
    }
    #expect(recording.people.identifiers == ["b", "a"])
  }

  @Test("a form that no browser would send is not exported, and the reason is given")
  func oddForms() throws {
    var unseen = try recording()
    unseen.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    unseen.see(posted(typed + [("utm", "x")], "sign-in"), RecordedSource(), at: Self.start)
    #expect(unseen.obstacle == "utm was sent, which the form does not have.")
    var twice = try recording()
    twice.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    for _ in 1...2 {
      twice.see(posted(typed, nil, to: "/account"), RecordedSource(), at: Self.start)
    }
    #expect(
      twice.obstacle == "A form was sent before the page that the last one led to was opened."
    )
    var forged = try recording()
    forged.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    var refused = posted(typed, "error", status: 403)
    refused.step.errors = ["form_token_invalid"]
    forged.see(refused, RecordedSource(), at: Self.start)
    #expect(forged.obstacle == "A form was sent in a way that no browser sends it from its page.")
  }

  @Test("a browser without cookies is followed by its visit, through every new name")
  func following() throws {
    var recording = try recording(.first)
    #expect(recording.follows(["a"]))
    recording.follow(["a"])
    #expect(recording.follows(["b", "a"]) && !recording.follows(["c"]))
    recording.follow(["b", "a"])
    #expect(recording.follows(["b"]))
    #expect(try !self.recording().follows(["a"]))
  }

  @Test("if an app's code changes during a walk, the clock is moved, however little time passed")
  func nextAppCode() throws {
    var recording = try recording()
    var source = RecordedSource()
    source.codes = ["code": ["totp": "mia@example.com"]]
    let form = Form(
      "sign-in",
      action: .signIn,
      fields: [FormField(Field(named: "code"), kind: .text, label: nil)],
      button: .verbatim("Continue")
    )
    // Two seconds before a period ends, two seconds into the next, and once more within that one.
    for seconds in [28.0, 32, 36] {
      let now = Self.start.addingTimeInterval(seconds)
      recording.see(opened("/sign-in", "sign-in", forms: [form]), RecordedSource(), at: now)
      recording.see(posted([("code", "123456")], "account", status: 200), source, at: now)
    }
    let told = recording.steps.compactMap { $0["clock"]?["advance_seconds"]?.integer }
    #expect(told == [30], "\(recording.steps)")
    let places = recording.steps.indices.filter { recording.steps[$0]["submit"] != nil }
    #expect(recording.steps[places[1] - 1]["clock"] != nil)
  }

  @Test("once a cookie is followed, calls to backstage stay recorded, but not another's steps")
  func cookieAfterAll() throws {
    var recording = try recording(.first)
    let account = RecordedEvent.deed(
      "Makes an account.",
      key: .newUser,
      ["id": "user_u1"],
      accounts: ["u1@example.com"]
    )
    recording.note(account, since: Self.start, at: Self.start, numberingAs: 2)
    recording.follow(["stranger"])
    recording.see(opened("/sign-in", "sign-in"), RecordedSource(), at: Self.start)
    recording.see(opened("/sign-up", "sign-up"), RecordedSource(), at: Self.start)
    #expect(recording.steps.count >= 2)
    recording.followCookie(of: ["own"])
    #expect(recording.steps.map { $0["say"] } == ["Makes an account."])
    #expect(recording.people.accounts == ["u1@example.com"])
  }

  @Test("every kind of deed in a story's step is recorded")
  func deedsOfStories() throws {
    for key in Story.Deed.Key.allCases {
      let step: JSON = .object([.init("say", "Done."), .init(key.rawValue, ["user": "ada"])])
      guard case .deed(let say, let told, let value, _) = RecordedEvent(step: step) else {
        Issue.record("\(key) is not recorded")
        continue
      }
      #expect(say == "Done." && told == key && value == ["user": "ada"])
    }
    if RecordedEvent(step: ["say": "Opens it.", "open": "/sign-in"]) != nil {
      Issue.record("opening a page is not a deed")
    }
  }

  @Test("every call that changes something is recorded, except those that record themselves")
  func calls() {
    let untold = BackstageRouter.routes.filter { route in
      guard case .nothing = route.recorded else { return false }
      return route.method != .get
    }
    #expect(
      untold.map { "\($0.method.rawValue) \($0.path.joined(separator: "/"))" } == [
        "POST stand", "POST stories/{name}", "POST recordings", "DELETE recordings/{recording}",
      ]
    )
  }

  @Test("calls to backstage become steps of the walks being recorded, by what they do")
  func callsOnTheWay() async throws {
    let worlds = try Worlds(storage: .memory)
    let world = try await worlds.world(.main)
    let recordings = Recordings(isSecure: false) { Array(repeating: 7, count: $0) }
    let recorder = Recorder(recordings, endOfVisit: { _ in [:] })
    let id = try await recordings.begin("A walk", in: world, of: worlds, following: .first)
    let context = BackstageContext(worlds: worlds, world: world, recorder: recorder)
    let calls: [BackstageCall] = [
      .init(method: .post, path: ["clock"], body: ["advance_seconds": 5]),
      .init(method: .patch, path: ["instance"], body: ["code_attempts": 3]),
      .init(method: .get, path: ["instance"], body: nil),
      .init(method: .post, path: ["invitations"], body: ["email_address": "new@example.com"]),
      .init(method: .delete, path: ["messages"], body: nil),
      .init(method: .delete, path: ["worlds", "elsewhere"], body: nil),
    ]
    let elsewhere = try #require(WorldName("elsewhere"))
    _ = try await worlds.world(elsewhere)
    for call in calls { _ = try await BackstageRouter.answer(call, in: context) }
    let told: [JSON] = [
      ["say": "The clock is moved.", "clock": ["advance_seconds": 5]],
      ["say": "The settings change.", "settings": ["code_attempts": 3]],
      ["say": "Somebody is invited.", "invitation": ["email_address": "new@example.com"]],
      ["say": "The inbox is emptied.", "delete": "messages"],
      ["say": "Another world is dropped; it does not exist here."],
    ]
    let recording = try #require(recordings.recording(id, in: .main))
    #expect(recording.steps == told)
  }

  @Test("a walk in a world that was reset to a time begins at that time")
  func resetToATime() async throws {
    let worlds = try Worlds(storage: .memory)
    let world = try await worlds.world(.main)
    let recordings = Recordings(isSecure: false) { Array(repeating: 7, count: $0) }
    let recorder = Recorder(recordings, endOfVisit: { _ in [:] })
    let id = try await recordings.begin("A walk", in: world, of: worlds, following: .first)
    let context = BackstageContext(worlds: worlds, world: world, recorder: recorder)
    let clock: JSON = ["clock": ["set": "2030-01-01T00:00:00Z", "freeze": true]]
    for body in [clock, nil] as [JSON?] {
      let call = BackstageCall(method: .post, path: ["reset"], body: body)
      _ = try await BackstageRouter.answer(call, in: context)
      let beginning = try #require(recordings.recording(id, in: .main)).beginning
      #expect(beginning.clock == body?["clock"]?["set"]?.string)
      #expect(beginning.isFrozen == (body != nil))
    }
  }

  @Test("accounts named in calls are listed once, and only if their step is kept")
  func accounts() throws {
    var recording = try recording()
    for number in 0..<500 {
      let name = number % 2 == 0 ? "ada@example.com" : "u\(number)@example.com"
      recording.note(
        .deed("Changes it.", key: .user, ["identifier": .string(name)], accounts: [name]),
        since: Self.start,
        at: Self.start,
        numberingAs: 2
      )
    }
    #expect(recording.steps.count == Recording.stepLimit)
    #expect(recording.people.accounts.count == Recording.stepLimit / 2 + 1)
    #expect(Set(recording.people.accounts).count == recording.people.accounts.count)
    #expect(recording.obstacle == "The walk has more than 200 steps.")
    #expect(recording.known == [], "nobody's codes are looked for any more")
  }

  @Test(
    "a fault's end is recorded in seconds within a call's limits, however far off it is",
    arguments: [(-5.0, 1), (0.2, 1), (59.5, 60), (86_400.0, 86_400), (1e9, 86_400)]
  )
  func faultEnds(after seconds: Double, recorded: Int) {
    let end = Self.start.addingTimeInterval(seconds)
    var fault = Fault(
      match: FaultMatch(),
      timesLeft: nil,
      endsAt: end,
      delayMilliseconds: 0,
      effect: .failure(.empty)
    )
    fault.applied = 3
    let told = fault.repeated(at: Self.start)
    #expect(told["applied"] == nil, "it begins anew")
    #expect(told["seconds"]?.integer == Int64(recorded) && told["ends_at"] == nil)
    let sent: JSON = ["fault": "empty", "ends_at": "2099-01-01T00:00:00Z"]
    #expect(
      sent.ending(at: end, countedFrom: Self.start)
        == ["fault": "empty", "seconds": .integer(Int64(recorded))]
    )
  }

  @Test("typed text is quoted for each language")
  func quoting() {
    let text = "it's \"$a\" `b` \\ \n ä 🦊 \\(c)"
    #expect(text.quotedForShell == "'it'\\''s \"$a\" `b` \\ \n ä 🦊 \\(c)'")
    // A combining mark changes how a quote looks, but must not let the rest run (S17).
    #expect("x'\u{301};id;'\u{200D}".quotedForShell == "'x'\\''\u{301};id;'\\''\u{200D}'")
    #expect(
      text.quotedForPython
        == #""it's \"$a\" `b` \\ \u000a \u00e4 \U0001f98a \\(c)""#
    )
    #expect(text.quotedForSwift == #""it's \"$a\" `b` \\ \n ä 🦊 \\(c)""#)
    #expect("e\u{301}\u{202e}\r\n…".quotedForSwift == #""e\u{301}\u{202e}\u{d}\n…""#)
  }

  @Test("an export includes what a fresh world lacks: settings, clock, faults and named accounts")
  func beginning() async throws {
    let client = try BackstageClient()
    for (method, path, body) in [
      (HTTPRequest.Method.patch, "instance", #"{"names": "optional"}"#),
      (.post, "clock", #"{"freeze": true}"#),
      (.post, "clock", #"{"set": "2030-01-01T00:00:00Z"}"#),
      (.post, "faults", #"{"fault": "empty", "times": 1, "seconds": 60}"#),
      (.post, "users", #"{"email_addresses": ["quinn@example.com"], "password": "one-of-hers-7"}"#),
      (.post, "users", #"{"email_addresses": ["other@example.com"]}"#),
      (.patch, "users/user_ada", #"{"banned": true}"#),
    ] {
      #expect(try await client.send(method, path, body: body).status == 200)
    }
    let world = try await client.worlds.world(.main)
    let beginning = try await RecordedBeginning(of: world, among: client.worlds, id: "0123")
    #expect(beginning.settings == [.init("names", "optional")])
    #expect(beginning.clock == "2030-01-01T00:00:00Z" && beginning.isFrozen)
    #expect(beginning.faults.map { $0["fault"] } == ["empty"])
    #expect(beginning.faults.map { $0["id"] } == [nil])
    let people = beginning.people(
      named: ["Quinn@example.com", "ada@example.com"],
      ["Quinn@example.com": "one-of-hers-7"]
    )
    #expect(
      people.users == [
        ["email_addresses": ["quinn@example.com"], "password": "one-of-hers-7"]
      ]
    )
    #expect(people.changes.map { $0["user"]?["change"] } == [["banned": true]])
    #expect(client.worlds.names.map(\.text) == ["main"], "the fresh one is gone again")
  }

  @Test("a walk in a world whose clock has been stopped begins at the time that it shows")
  func stoppedClock() async throws {
    let worlds = try Worlds(storage: .memory, users: [], machineClock: { Self.start })
    let world = try await worlds.world(.main)
    world.clock.freeze(true)
    let beginning = try await RecordedBeginning(of: world, among: worlds, id: "0123")
    #expect(beginning.clock == "2027-01-15T08:00:00Z" && beginning.isFrozen)
  }

  @Test("a title has at most 100 letters, in one line", arguments: [(100, true), (101, false)])
  func titleLength(count: Int, isTaken: Bool) throws {
    let title = String(repeating: "é", count: count)
    if isTaken {
      #expect(try BackstageContext.title(title) == title)
    } else {
      #expect(throws: BackstageRefusal.self) { try BackstageContext.title(title) }
    }
  }

  @Test(
    "a box counts as typed only if it was ticked, unticked or given another value",
    arguments: [
      (false, "true", ["terms=true"]), (true, "true", []), (true, nil, ["terms="]),
      (true, "other", ["terms=other"]), (false, nil, []),
    ] as [(Bool, String?, [String])]
  )
  func boxes(isChecked: Bool, sent: String?, typed: [String]) {
    let form = Form(
      "sign-up",
      action: .signUp,
      fields: [
        FormField(
          Field(named: "terms"),
          kind: .checkbox,
          label: nil,
          value: "true",
          isChecked: isChecked
        )
      ],
      button: .verbatim("Continue")
    )
    var pairs: [SeenRequest.Pair] = []
    if let sent { pairs.append((name: "terms", value: sent)) }
    #expect(form.typed(in: pairs).map { "\($0.name)=\($0.value)" } == typed)
  }

  @Test("a page's errors are expected at their fields and, if there are any, above them")
  func errors() {
    func expected(_ errors: [String], _ fieldErrors: [String: [String]]) -> JSON? {
      let step = SeenStep(
        .posted,
        page: "sign-in",
        status: 422,
        errors: errors,
        fieldErrors: fieldErrors
      )
      return SeenRequest(step: step, path: "/sign-in").expectation["errors"]
    }
    #expect(expected(["a"], [:]) == ["a"])
    #expect(expected([], ["password": ["b"]]) == ["password": ["b"]])
    #expect(expected(["a"], ["password": ["b"]]) == ["password": ["b"], "general": ["a"]])
  }

  @Test("a password that is chosen on the walk is not one that an account has from the beginning")
  func chosenPassword() throws {
    let signUp = Form(
      "sign-up",
      action: .signUp,
      fields: [
        FormField(Field(named: "email_address"), kind: .email, label: nil),
        FormField(Field(named: "password"), kind: .password, label: nil),
      ],
      button: .verbatim("Continue")
    )
    var recording = try recording()
    func see(_ request: SeenRequest) {
      recording.see(request, RecordedSource(), at: Self.start)
    }
    see(opened("/sign-up", "sign-up", forms: [signUp]))
    see(
      SeenRequest(
        step: SeenStep(.posted, page: nil, status: 303),
        path: "/sign-up",
        form: [("email_address", "new@example.com"), ("password", "chosen-word")],
        location: "/account"
      )
    )
    see(opened("/account", "account", forms: []))
    see(opened("/sign-in", "sign-in"))
    see(
      posted(
        [("identifier", "new@example.com"), ("password", "chosen-word")],
        nil,
        to: "/account"
      )
    )
    see(opened("/account", "account", forms: []))
    #expect(recording.people.passwords.isEmpty)
    #expect(recording.obstacle == nil)
  }

  @Test("a step that is still being traced when the world is reset is not part of the new walk")
  func resetMeanwhile() async throws {
    let worlds = try Worlds(storage: .memory, users: [])
    let world = try await worlds.world(.main)
    let recordings = Recordings(isSecure: false) { Array(repeating: 7, count: $0) }
    let id = try await recordings.begin("A walk", in: world, of: worlds, following: .first)
    guard let record = recordings.recorder(of: world) else {
      Issue.record("nothing is recorded")
      return
    }
    // No message can be read until this ends.
    let end = DispatchSemaphore(value: 0)
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let holding = Task {
      try await world.database.write { _ in
        begin.finish()
        end.wait()
      }
    }
    for await _ in begun {}
    let seeing = Task {
      var request = opened("/sign-up", "sign-up")
      request.query = "ticket=t"
      request.visit = ["own"]
      await record(request)
    }
    // Until the recording follows that visit, it would follow any other.
    let other = Request(method: .get, target: "/sign-in")
    while recordings.isRecording(other, visit: ["other"], in: .main) { await Task.yield() }
    recordings.note(.reset(RecordedBeginning()), since: world.clock.now, in: world)
    end.signal()
    _ = try await holding.value
    await seeing.value
    #expect(recordings.recording(id, in: .main)?.steps == [])
  }
}
