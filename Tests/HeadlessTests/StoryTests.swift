import AuthFlow
import Foundation
import HTTPExchange
import Testing
import TestSupport

@testable import Headless

/// Files of stories.
private enum StoryFile {
  static let whole = """
    {"name": "locked-out", "title": "Locked out", "summary": "A lock with an end.", "api": "clerk",
     "settings": {"lockout_attempts": 3}, "users": [{"email_addresses": ["freya@example.com"]}],
     "clock": "2026-11-20T17:55:00Z", "faults": [{"fault": "reset"}],
     "steps": [
       {"say": "She is in a hurry.", "open": "/sign-in"},
       {"say": "Her old password.", "submit": {"identifier": "freya@example.com", "password": "x"},
        "expect": {"page": "sign-in", "status": 422,
                   "errors": {"password": ["form_password_incorrect"]}}},
       {"say": "An hour later.", "clock": {"advance_seconds": 3600}},
       {"say": "The code comes.", "form": "code",
        "submit": {"code": {"latest": {"to": "freya@example.com", "purpose": "sign_in"}}}},
       {"say": "Her app.", "submit": {"code": {"totp": "freya@example.com"}}},
       {"say": "She follows the link.", "open": {"latest": {"to": "freya@example.com"}}},
       {"say": "Support helps.",
        "user": {"identifier": "freya@example.com", "change": {"locked": null}}},
       {"say": "That is all.",
        "expect": {"errors": ["user_locked"], "notices": [], "facts": {"until": null}}}
     ]}
    """

  /// A story of one step.
  static func step(_ members: String) -> String {
    #"{"name":"a","title":"T","summary":"S","steps":[{MEMBERS}]}"#
      .replacing("MEMBERS", with: members)
  }

  /// A story that begins at that value of `clock`.
  static func beginning(at clock: String) -> String {
    step(#""say":"x""#).replacing(#""steps""#, with: #""clock":\#(clock),"steps""#)
  }
}

@Suite("The file of a story")
struct StoryTests {
  private func story(_ text: String) throws(StoryFault) -> Story {
    try Story(document: Array(text.utf8))
  }

  @Test("everything that a file may say is read")
  func whole() throws {
    let story = try story(StoryFile.whole)
    #expect(story.name == "locked-out" && story.title == "Locked out" && story.api == "clerk")
    #expect(story.users.count == 1 && story.faults.count == 1)
    #expect(story.clock == "2026-11-20T17:55:00Z")
    #expect(story.steps.map(\.say).first == "She is in a hurry.")
    let filter = Story.MessageFilter(to: "freya@example.com", purpose: nil)
    guard case .open(.path("/sign-in")) = story.steps[0].action,
      case .submit(let typed, form: nil) = story.steps[1].action,
      case .deed(.clock) = story.steps[2].action,
      case .submit(let code, form: "code") = story.steps[3].action,
      case .submit(let app, form: nil) = story.steps[4].action,
      case .open(.link(filter)) = story.steps[5].action,
      case .deed(.user("freya@example.com", _)) = story.steps[6].action,
      story.steps[7].action == nil
    else {
      Issue.record("\(story.steps)")
      return
    }
    #expect(typed["password"] == .text("x"))
    #expect(code["code"] == .latest(.init(to: "freya@example.com", purpose: "sign_in")))
    #expect(app["code"] == .totp("freya@example.com"))
    #expect(story.steps[1].expectation.fieldErrors == ["password": ["form_password_incorrect"]])
    #expect(story.steps[7].expectation.errors == ["user_locked"])
  }

  @Test(
    "a fault is reported with its place",
    arguments: [
      (#"{"name""#, "it is not JSON: line 1, column 8"),
      (
        "{\"name\": \"a\",\n  \"title\": \"T\"\n  \"summary\": \"S\"}",
        "it is not JSON: line 3, column 3"
      ),
      (
        #"{"name":"a","steps":[{"say":"x","say":"y"}]}"#,
        "key 'say' appears twice: line 1, column 33"
      ),
      (#"[]"#, "it is not an object"),
      (#"{"title":"T"}"#, "'name': it is missing"),
      (StoryFile.whole.replacing("locked-out", with: "A b"), "'name': it is not 1 to 32"),
      (
        StoryFile.whole.replacing("locked-out", with: String(repeating: "a", count: 33)),
        "'name': it is not 1 to 32"
      ),
      (StoryFile.whole.replacing("Locked out", with: " "), "'title': it is empty"),
      (StoryFile.whole.replacing("\"users\"", with: "\"usres\""), "unknown key 'usres'"),
      (#"{"name":"a","title":"T","summary":"S"}"#, "'steps': there are none"),
      (StoryFile.whole.replacing("\"clerk\"", with: "\"okta\""), "'api': it is neither"),
      (StoryFile.step(#""say":"x","opne":"/""#), "'steps[0]': unknown key 'opne'"),
      (StoryFile.step(#""open":"/""#), "'steps[0].say': it is missing"),
      (StoryFile.step(#""say":"x\n    run()""#), "'steps[0].say': it has a line break"),
      (StoryFile.step(#""say":"x","open":"//evil""#), "'steps[0].open': it is not a path"),
      (StoryFile.step(#""say":"x","open":"sign-in""#), "'steps[0].open': it is not a path"),
      (StoryFile.step(#""say":"x","open":"/\\evil""#), "'steps[0].open': it is not a path"),
      (StoryFile.step(#""say":"x","open":"/a\r\nb""#), "'steps[0].open': it is not a path"),
      (
        StoryFile.step(#""say":"x","open":"/backstage/inbox""#),
        "'steps[0].open': it is not one of the pages"
      ),
      (StoryFile.step(#""say":"x","open":"/public?a""#), "'steps[0].open': it is not one of the"),
      (StoryFile.step(#""say":"x","form":"f""#), "'steps[0].form': there is nothing"),
      (
        StoryFile.step(#""say":"x","browser":"phone","submit":{}"#),
        "'steps[0].browser': no step before has opened a page in 'phone'"
      ),
      (
        StoryFile.step(
          #""say":"x","browser":"phone","open":"/"},{"say":"y","browser":"phome","submit":{}"#
        ),
        "'steps[1].browser': no step before has opened a page in 'phome': did you mean 'phone'?"
      ),
      (
        StoryFile.step(#""say":"x","browser":"My phone","open":"/""#),
        "'steps[0].browser': it is not 1 to 32 of a-z, 0-9 and -"
      ),
      (
        StoryFile.step(#""say":"x","browser":"phone","clock":{}"#),
        "'steps[0].browser': what the step does happens beside all browsers"
      ),
      (StoryFile.step(#""say":"x","open":"/","clock":{}"#), "'steps[0]': two things happen"),
      (
        StoryFile.step(#""say":"x","delete":"worlds""#),
        "'steps[0].delete': it is neither messages nor traces, nor an object with 'user' or 'latest'"
      ),
      (StoryFile.step(#""say":"x","stand":{}"#), "'steps[0].stand.page': it is missing"),
      (
        StoryFile.step(#""say":"x","stand":{"page":"locked","state":1}"#),
        "'steps[0].stand.state': it is not text"
      ),
      (StoryFile.step(#""say":"x","user":{"identifier":"a"}"#), "'steps[0].user.change': it is"),
      (
        StoryFile.step(#""say":"x","submit":{"code":5}"#),
        "'steps[0].submit.code': it is neither a text nor an object with 'latest' or 'totp'"
      ),
      (
        StoryFile.step(#""say":"x","submit":{"code":{"latest":{}}}"#),
        "'steps[0].submit.code.latest.to': it is missing"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"status":"422"}"#),
        "'steps[0].expect.status': it is not a whole number"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"titel":"T"}"#),
        "'steps[0].expect': unknown key 'titel': known keys are status, page, step, flow, title, "
          + "errors, notices, forms, links, facts, calls and messages"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"links":[1]}"#),
        "'steps[0].expect.links': it is not a list of names"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"errors":{"code":"x"}}"#),
        "'steps[0].expect.errors.code': it is not a list of codes"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"calls":{}}"#),
        "'steps[0].expect.calls': it is not a list"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"calls":[{"method":"GET"}]}"#),
        "'steps[0].expect.calls[0].path': it is missing"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"calls":[{"method":"GET","path":"/v1/a?b=c"}]}"#),
        "'steps[0].expect.calls[0].path': it is not a path that begins with '/' and has no query"
      ),
      (
        StoryFile.step(
          #""say":"x","expect":{"calls":[{"method":"GET","path":"/","form":{"a":1}}]}"#
        ),
        "'steps[0].expect.calls[0].form.a': it is not text"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"messages":[{"purpose":"sign_in"}]}"#),
        "'steps[0].expect.messages[0].to': it is missing"
      ),
      (
        StoryFile.step(#""say":"x","expect":{"messages":[{"to":"a","code":"1"}]}"#),
        "'steps[0].expect.messages[0]': unknown key 'code': known keys are to, purpose and channel"
      ),
    ]
  )
  func refused(text: String, complaint: String) throws {
    let fault = #expect(throws: StoryFault.self) { try story(text) }
    #expect(fault.map { "\($0)".contains(complaint) } == true, "\(String(describing: fault))")
  }

  @Test(
    "a misspelt page, step, flow, notice, purpose, channel or method makes the story invalid",
    arguments: [
      (
        #""expect":{"page":"acount"}"#,
        "expect.page': there is no page 'acount': did you mean 'account'?"
      ),
      (
        #""expect":{"step":"identifer"}"#,
        "expect.step': there is no step 'identifer': did you mean 'identifier'?"
      ),
      (
        #""expect":{"flow":"sign_in"}"#,
        "expect.flow': there is no flow 'sign_in': did you mean 'sign-in'?"
      ),
      (
        #""expect":{"notices":["cancelled","signed_outt"]}"#,
        "expect.notices[1]': there is no notice 'signed_outt': did you mean 'signed_out'?"
      ),
      (
        #""expect":{"notices":[{"code":"signed_outt"}]}"#,
        "expect.notices[0]': there is no notice 'signed_outt': did you mean 'signed_out'?"
      ),
      (
        #""stand":{"page":"loked"}"#,
        "stand.page': there is no page 'loked': did you mean 'locked'?"
      ),
      (
        #""open":{"latest":{"to":"a","purpose":"signin"}}"#,
        "open.latest.purpose': there is no purpose 'signin': did you mean 'sign_in'?"
      ),
      (
        #""expect":{"messages":[{"to":"a","purpose":"signup"}]}"#,
        "expect.messages[0].purpose': there is no purpose 'signup': did you mean 'sign_up'?"
      ),
      (
        #""expect":{"messages":[{"to":"a","channel":"letter"}]}"#,
        "expect.messages[0].channel': there is no channel 'letter': there are email and sms"
      ),
      (
        #""expect":{"calls":[{"method":"post","path":"/v1/client"}]}"#,
        "expect.calls[0].method': there is no method 'post': did you mean 'POST'?"
      ),
    ]
  )
  func misspelt(members: String, complaint: String) throws {
    let fault = #expect(throws: StoryFault.self) {
      try story(StoryFile.step(#""say":"x",\#(members)"#))
    }
    #expect(fault.map { "\($0)" } == "'steps[0].\(complaint)")
  }

  @Test("the step of an error is its status, and a page elsewhere may be expected")
  func openNames() throws {
    let members = [#""page":"error","step":"410""#, #""page":"elsewhere","step":"redirect""#]
    for members in members {
      let step = try story(StoryFile.step(#""say":"x","expect":{\#(members)}"#)).steps[0]
      #expect(step.expectation.step != nil)
    }
  }

  @Test(
    "the clock is a time, or is set, stopped or both as in a step",
    arguments: [
      (#""2026-11-20T17:55:00Z""#, [#"{"clock":{"set":"2026-11-20T17:55:00Z"}}"#]),
      (#""2026-11-20T17:55:00.5+0100""#, [#"{"clock":{"set":"2026-11-20T17:55:00.5+0100"}}"#]),
      (#"{"set":"2026-11-20T17:55:00Z"}"#, [#"{"clock":{"set":"2026-11-20T17:55:00Z"}}"#]),
      (#"{"freeze":true}"#, [#"{"clock":{"freeze":true}}"#]), (#"{"freeze":false}"#, []),
      (
        #"{"set":"2026-11-20T17:55:00Z","freeze":true}"#,
        [#"{"clock":{"freeze":true,"set":"2026-11-20T17:55:00Z"}}"#]
      ),
    ] as [(String, [String])]
  )
  func clock(written: String, bodies: [String]) throws {
    let calls = try story(StoryFile.beginning(at: written)).preparations
    #expect(calls.allSatisfy { $0.place == .path("reset") })
    #expect(calls.compactMap { $0.body?.text } == bodies)
  }

  @Test(
    "a clock that is no time is refused with a time as an example",
    arguments: [
      (#""tomorrow""#, "'clock': it is not a time like 2026-11-21T14:35:00Z"),
      (#""2026-02-30T10:00:00Z""#, "'clock': it is not a time like 2026-11-21T14:35:00Z"),
      (#"{"set":"noon"}"#, "'clock.set': it is not a time like 2026-11-21T14:35:00Z"),
      (#"{"freeze":"yes"}"#, "'clock.freeze': it is neither true nor false"),
      (
        #"{"advance_seconds":60}"#,
        "'clock': unknown key 'advance_seconds': known keys are set and freeze"
      ),
      ("{}", "'clock': it has neither 'set' nor 'freeze'"),
      (
        "5",
        "'clock': it is neither a time like 2026-11-21T14:35:00Z "
          + "nor an object with 'set', 'freeze' or both"
      ),
    ] as [(String, String)]
  )
  func noTime(written: String, complaint: String) throws {
    let fault = #expect(throws: StoryFault.self) {
      try story(StoryFile.beginning(at: written))
    }
    #expect(fault?.description == complaint)
  }

  @Test("a story's name has up to 32 characters")
  func longName() throws {
    let name = String(repeating: "a", count: 32)
    #expect(try story(StoryFile.whole.replacing("locked-out", with: name)).name == name)
  }

  @Test(
    "a stand may leave out the state, or give it as null",
    arguments: ["", #","state":null"#]
  )
  func standing(state: String) throws {
    let members = #""say":"x","stand":{"page":"locked"\#(state)}"#
    let step = try story(StoryFile.step(members)).steps[0]
    guard case .stand("locked", nil) = step.action else {
      Issue.record("\(step)")
      return
    }
  }

  @Test(
    "what backstage can do is expressed as the calls that do it",
    arguments: [
      (#""clock": {"freeze": true}"#, ["POST clock"]),
      (#""settings": {"names": "off"}"#, ["PATCH instance"]),
      (#""fault": {"fault": "reset"}"#, ["POST faults"]),
      (
        #""faults": [{"fault": "reset"}, {"delay_ms": 5}]"#,
        ["DELETE faults", "POST faults", "POST faults"]
      ),
      (#""faults": []"#, ["DELETE faults"]),
      (#""new_user": {"username": "una"}"#, ["POST users"]),
      (#""user": {"identifier": "ada", "change": {}}"#, ["PATCH user ada"]),
      (#""delete": {"user": "ada"}"#, ["DELETE user ada"]),
      (#""delete": "messages""#, ["DELETE messages"]),
      (#""delete": "traces""#, ["DELETE traces"]),
      (#""delete": {"latest": {"to": "ada"}}"#, ["DELETE message to ada"]),
      (#""invitation": {"email_address": "una@example.com"}"#, ["POST invitations"]),
      (#""world": {"vestibule_world": 1}"#, ["POST import"]),
    ]
  )
  func deeds(members: String, calls: [String]) throws {
    let step = try story(StoryFile.step(#""say":"x",\#(members)"#)).steps[0]
    guard case .deed(let deed) = step.action else {
      Issue.record("\(step)")
      return
    }
    let told = deed.calls.map { call in
      let place =
        switch call.place {
        case .path(let path): path
        case .user(let identifier): "user \(identifier)"
        case .message(let filter): "message to \(filter.to)"
        }
      #expect((call.body == nil) == (call.method == "DELETE"))
      return "\(call.method) \(place)"
    }
    #expect(told == calls)
  }

  @Test("a story that begins at a time resets its world to it, before all else")
  func beginning() async throws {
    let transport = ScriptedTransport(.json("{}"), .json("{}"), .json("{}"), .json("{}"))
    try await StoryPlayer(over: transport).prepare(try story(StoryFile.whole))
    let calls = ["reset", "instance", "users", "faults"].map { "/backstage/api/\($0)" }
    #expect(transport.requests.map(\.target) == calls)
    let body = #"{"clock":{"set":"2026-11-20T17:55:00Z"}}"#
    #expect(transport.requests.first?.body == Array(body.utf8))
  }

  @Test("a browser may be brought to a page, with a state or without one")
  func stands() throws {
    let steps = try [#"{"page": "locked"}"#, #"{"page": "locked", "state": "until"}"#].map {
      try story(StoryFile.step(#""say":"x","stand":\#($0)"#)).steps[0].action
    }
    guard case .stand("locked", nil) = steps[0], case .stand("locked", "until") = steps[1] else {
      Issue.record("\(steps)")
      return
    }
  }

  @Test("the built-in stories can be read, each has its file's name, and no two share a title")
  func builtIn() throws {
    let stories = try Story.builtIn()
    #expect(stories.count >= 30)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: "\(ProjectFolder.templates)/stories"
    )
    #expect(stories.map { "\($0.name).json" }.sorted() == files.sorted())
    #expect(Set(stories.map(\.title)).count == stories.count)
    // A world is named after it, with room for what distinguishes it from others.
    #expect(stories.allSatisfy { $0.name.utf8.count <= Story.nameLimit })
  }
}

@Suite("A story that is played")
struct PlayedStoryTests {
  @Test("a step that goes differently is thrown with its place, its sentence and the differences")
  func strayed() async throws {
    let text = """
      {"name": "a", "title": "T", "summary": "S", "steps": [
        {"say": "In.", "open": "/sign-in"},
        {"say": "She is asked.", "expect": {"page": "account", "status": 422}},
        {"say": "Never told."}]}
      """
    let page = #"""
      {"page": "sign-in", "step": "s", "title": "T", "errors": [], "notices": [], "links": [], "forms": []}
      """#
    let story = try Story(document: Array(text.utf8))
    func player() -> StoryPlayer {
      StoryPlayer(over: ScriptedTransport(.json("{}"), .json(page)))
    }
    let strayed = await #expect(throws: StoryPlayer.Strayed.self) {
      try await player().playThrough(story)
    }
    #expect(
      strayed?.description
        == #"Step 2, "She is asked.": page is sign-in, not account; status is 200, not 422"#
        + "\n/sign-in 200: page sign-in, step s"
    )
    // Asking whether the story goes as told throws nothing.
    let isAsTold = try await player().play(story)
    #expect(!isAsTold)
  }

  private static let page = #"""
    {"page": "sign-in", "step": "s", "title": "T", "flow": "sign-in", "notices": [],
     "links": [{"name": "help", "href": "/h"}, {"name": "sign-up", "href": "/s"}],
     "errors": [{"code": "user_locked", "message": "M"}], "facts": {"until": null, "count": 2},
     "forms": [{"name": "f", "action": "/f", "method": "post", "token": "t", "fields": [
       {"name": "plain", "type": "select", "value": null, "options": []},
       {"name": "choice", "type": "radio", "value": null, "options": [
         {"value": "org_1", "label": "Harbour Works"}, {"value": "org_2", "label": "Harbour"},
         {"value": "org_3", "label": "Hill"}]}]}]}
    """#

  @Test(
    "flow, general errors and facts are compared with what is told, as far as it is told",
    arguments: [
      (#""flow": "sign-in""#, []), (#""flow": null"#, ["flow is sign-in, not null"]),
      (#""flow": "sign-up""#, ["flow is sign-in, not sign-up"]),
      (#""errors": {"general": ["user_locked"]}"#, []),
      (#""errors": {"general": ["b"]}"#, [#"errors is ["user_locked"], not ["b"]"#]),
      (#""errors": {"general": [], "code": []}"#, [#"errors is ["user_locked"], not []"#]),
      (#""facts": {"until": null}"#, []), (#""facts": {"count": 2}"#, []),
      (#""facts": {"until": 1}"#, ["facts.until is null, not 1"]),
      (#""facts": {"count": 3}"#, ["facts.count is 2, not 3"]), (#""page": "sign-in""#, []),
      (#""links": ["help", "sign-up"]"#, []),
      (#""links": ["help"]"#, ["links are 2, not 1: sign-up is not expected"]),
      (
        #""links": ["forgot-password", "sign-up", "privacy"]"#,
        ["links are 2, not 3: forgot-password and privacy are missing, help is not expected"]
      ),
      (#""links": []"#, ["links are 2, not 0: help and sign-up are not expected"]),
      (#""forms": ["f", "resend"]"#, ["forms are 1, not 2: resend is missing"]),
      (
        #""errors": [{"code": "user_locked"}, {"code": "b"}]"#,
        [
          #"errors is ["user_locked"], not ["user_locked", "b"]"#,
          "errors are 1, not 2: b is missing",
        ]
      ),
    ] as [(String, [String])]
  )
  func expectations(members: String, differences: [String]) async throws {
    let text = StoryFile.step(#""say":"x","open":"/","expect":{\#(members)}"#)
    let story = try Story(document: Array(text.utf8))
    let player = StoryPlayer(over: ScriptedTransport(.json(Self.page)))
    let outcome = await player.perform(story.steps[0])
    #expect(outcome == (differences.isEmpty ? .asTold : .otherwise(differences)))
  }

  @Test("a browser that has opened a page, or been brought to a state, may send a form")
  func namedForms() throws {
    for first in [#""open":"/""#, #""stand":{"page":"locked"}"#] {
      let text = StoryFile.step(
        #""say":"x","browser":"phone",\#(first)},{"say":"y","browser":"phone","submit":{}"#
      )
      #expect(try Story(document: Array(text.utf8)).steps.count == 2)
    }
  }

  @Test("what goes otherwise is told with its browser's name, and without a body that is no page")
  func namedBrowser() async throws {
    let members = #""say":"x","browser":"phone","open":"/","expect":{"page":"account"}"#
    let story = try Story(document: Array(StoryFile.step(members).utf8))
    for (body, difference) in [
      (Self.page, "phone: page is sign-in, not account"),
      (#"{"code": "633918"}"#, "phone: Status 200, but not the JSON twin of a page"),
    ] {
      let player = StoryPlayer(over: ScriptedTransport(.json(body)))
      #expect(await player.perform(story.steps[0]) == .otherwise([difference]))
    }
  }

  @Test("a page that belongs to no flow is told apart from one that does")
  func noFlow() async throws {
    let text = StoryFile.step(#""say":"x","open":"/","expect":{"flow":null}"#)
    let story = try Story(document: Array(text.utf8))
    let page = Self.page.replacing(#""flow": "sign-in""#, with: #""flow": null"#)
    let player = StoryPlayer(over: ScriptedTransport(.json(page)))
    #expect(await player.perform(story.steps[0]) == .asTold)
  }

  @Test(
    "a choice is made by its value, its label or the label's beginning, if only one begins so",
    arguments: [
      ("choice", "org_3", "org_3"), ("choice", "Harbour Works", "org_1"),
      ("choice", "Harbour", "org_2"), ("choice", "Hi", "org_3"), ("choice", "", ""),
      ("plain", "anything", "anything"),
    ]
  )
  func choices(field: String, typed: String, sent: String) async throws {
    let player = StoryPlayer(over: ScriptedTransport(.json(Self.page)))
    try await player.browser.open("/")
    #expect(try await player.values(of: [field: .text(typed)], form: nil) == [field: sent])
  }

  @Test(
    "a text that begins several choices, or none, makes no choice",
    arguments: [
      ("Ha", "Several choices of the field choice begin with Ha: Harbour Works, Harbour"),
      ("Hut", "The field choice has no choice Hut"),
    ]
  )
  func noChoice(typed: String, words: String) async throws {
    let player = StoryPlayer(over: ScriptedTransport(.json(Self.page)))
    try await player.browser.open("/")
    let told = await complaint {
      _ = try await player.values(of: ["choice": .text(typed)], form: nil)
    }
    #expect(told == words)
  }
}

@Suite("The calls and messages of a step")
struct StepTrafficTests {
  private static let page = #"""
    {"page": "sign-in", "step": "s", "title": "T", "notices": [], "links": [], "errors": [],
     "forms": []}
    """#

  private static func trace(
    _ number: Int,
    page: String? = "/sign-in",
    _ calls: String...
  ) -> String {
    let page = page.map { #"{"method": "POST", "path": "\#($0)"}"# } ?? "null"
    let list = calls.joined(separator: ",")
    return #"{"id": "trace_\#(number)", "page": \#(page), "calls": [\#(list)]}"#
  }

  private static let signIn = #"""
    {"method": "POST", "path": "/v1/client/sign_ins?_is_native=1", "status": 200, "form": [
      {"name": "identifier", "value": "ada@example.com"},
      {"name": "password", "value": "<password>"}, {"name": "code", "value": ""}]}
    """#
  private static let prepare = #"""
    {"method": "POST", "path": "/v1/client/sign_ins/sia_1/prepare", "status": null, "form": []}
    """#

  /// The outcome of a step that opens a page.
  private func outcome(
    of expectation: String,
    before: String,
    after: String
  ) async throws -> StoryPlayer.Outcome {
    let text = StoryFile.step(#""say":"x","open":"/","expect":{\#(expectation)}"#)
    let story = try Story(document: Array(text.utf8))
    let player = StoryPlayer(
      over: ScriptedTransport(.json("[\(before)]"), .json(Self.page), .json("[\(after)]"))
    )
    return await player.perform(story.steps[0])
  }

  @Test(
    "calls are those of the step's pages alone, in order, compared without queries",
    arguments: [
      (
        """
        {"method": "POST", "path": "/v1/client/sign_ins",
         "form": {"identifier": "ada@example.com"}},
        {"method": "POST", "path": "/v1/client/sign_ins/*/prepare"}
        """,
        []
      ),
      (
        """
        {"method": "POST", "path": "/v1/client/sign_ins", "form": {"password": "<password>"}},
        {"method": "POST", "path": "/v1/client/sign_ins/sia_1/prepare"}
        """,
        []
      ),
      (
        """
        {"method": "GET", "path": "/v1/client/sign_ins"},
        {"method": "POST", "path": "/v1/*/prepare"}
        """,
        [
          #"calls[0].method is "POST", not "GET""#,
          #"calls[1].path is "/v1/client/sign_ins/sia_1/prepare", not "/v1/*/prepare""#,
        ]
      ),
      (
        #"{"method": "POST", "path": "/v1/client/sign_ins/*/prepare"}"#,
        ["calls are 2, not 1: POST /v1/client/sign_ins is not expected"]
      ),
      (
        "",
        [
          "calls are 2, not 0: POST /v1/client/sign_ins and POST /v1/client/sign_ins/sia_1/prepare "
            + "are not expected"
        ]
      ),
    ] as [(String, [String])]
  )
  func calls(expected: String, differences: [String]) async throws {
    let older = Self.trace(7, Self.signIn)
    let newer = [
      Self.trace(10, Self.prepare), Self.trace(9, page: nil, Self.signIn),
      Self.trace(8, Self.signIn), older,
    ]
    let outcome = try await outcome(
      of: #""calls": [\#(expected)]"#,
      before: older,
      after: newer.joined(separator: ",")
    )
    #expect(outcome == (differences.isEmpty ? .asTold : .otherwise(differences)))
  }

  @Test(
    "a form is compared by the parameters that are named, and no secret is told",
    arguments: [
      ("identifier", "ben", #"calls[0].form.identifier is "ada@example.com", not "ben""#),
      ("password", "walk-right", #"calls[0].form.password has a secret: expect "<password>""#),
      ("passwort", "walk-right", "calls[0].form.passwort is missing"),
      ("code", "424242", "calls[0].form.code is empty"),
    ]
  )
  func forms(name: String, value: String, difference: String) async throws {
    let form = #"{"\#(name)": "\#(value)"}"#
    let call = #"{"method": "POST", "path": "/v1/client/sign_ins", "form": \#(form)}"#
    let outcome = try await outcome(
      of: #""calls": [\#(call)]"#,
      before: "",
      after: Self.trace(1, Self.signIn)
    )
    #expect(outcome == .otherwise([difference]))
  }

  private static func message(_ id: Int, to address: String) -> String {
    #"{"id": "m\#(id)", "to": "\#(address)", "channel": "email", "sent": true, "#
      + #""purpose": "sign_in", "code": "424242", "text": "T", "#
      + #""created_at": "2026-11-21T14:35:00Z"}"#
  }

  @Test(
    "messages are those of the step alone, in order",
    arguments: [
      (
        """
        {"to": "a@b.example"}, {"to": "c@b.example", "purpose": "sign_in", "channel": "email"}
        """,
        []
      ),
      (
        #"{"to": "a@b.example", "channel": "sms"}, {"to": "d@b.example"}"#,
        [
          #"messages[0].channel is "email", not "sms""#,
          #"messages[1].to is "c@b.example", not "d@b.example""#,
        ]
      ),
      (
        #"{"to": "c@b.example"}"#,
        ["messages are 2, not 1: a message to a@b.example (sign_in) is not expected"]
      ),
      (
        "",
        [
          "messages are 2, not 0: a message to a@b.example (sign_in) and "
            + "a message to c@b.example (sign_in) are not expected"
        ]
      ),
    ] as [(String, [String])]
  )
  func messages(expected: String, differences: [String]) async throws {
    let older = Self.message(1, to: "old@b.example")
    let newer = [Self.message(3, to: "c@b.example"), Self.message(2, to: "a@b.example"), older]
    let outcome = try await outcome(
      of: #""messages": [\#(expected)]"#,
      before: older,
      after: newer.joined(separator: ",")
    )
    #expect(outcome == (differences.isEmpty ? .asTold : .otherwise(differences)))
  }

  @Test("a step that expects no calls and messages may come before any page")
  func beforeAnyPage() async throws {
    let members = #""say":"x","clock":{"freeze":true},"expect":{"calls":[],"messages":[]}"#
    let story = try Story(document: Array(StoryFile.step(members).utf8))
    let transport = ScriptedTransport(
      .json("[]"),
      .json("[]"),
      .json("{}"),
      .json("[]"),
      .json("[]")
    )
    #expect(await StoryPlayer(over: transport).perform(story.steps[0]) == .asTold)
    #expect(transport.isDone)
  }

  @Test("the traces and messages of a world that is put in its place are not the step's own")
  func imported() async throws {
    let members = #""say":"x","world":{},"expect":{"calls":[],"messages":[]}"#
    let story = try Story(document: Array(StoryFile.step(members).utf8))
    let transport = ScriptedTransport(.json("[]"), .json("[]"), .json("{}"))
    #expect(await StoryPlayer(over: transport).perform(story.steps[0]) == .asTold)
    #expect(transport.isDone)
  }

  @Test("a test is given the calls and messages of what it does")
  func during() async throws {
    let transport = ScriptedTransport(
      .json("[]"),
      .json("[\(Self.trace(1, Self.signIn, Self.prepare))]"),
      .json("[\(Self.message(1, to: "a@b.example"))]"),
      .json("[\(Self.message(2, to: "c@b.example")),\(Self.message(1, to: "a@b.example"))]")
    )
    let backstage = TestBackstage(over: transport)
    let calls = try await backstage.calls {}
    #expect(calls.map(\.path) == ["/v1/client/sign_ins", "/v1/client/sign_ins/sia_1/prepare"])
    #expect(calls.map(\.status) == [200, nil])
    let form = ["identifier": "ada@example.com", "password": "<password>", "code": ""]
    #expect(calls.first?.form == form)
    let messages = try await backstage.messages {}
    #expect(messages.map(\.id) == ["m2"])
  }
}
