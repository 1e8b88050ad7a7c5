import Foundation
import HTTPTypes
import Testing
import Vestibule
import VestibuleTesting

@Suite("What the steps of a story make the pages call and send", .inTurn)
struct StoryTrafficJourneys {
  private static func vestibule(_ api: EmulatedAuthAPI) throws -> TestVestibule {
    var configuration = Configuration()
    configuration.service = .pages(at: .init(port: 8080), over: .emulated(api))
    return try TestVestibule(configuration)
  }

  private static func player(of vestibule: TestVestibule, in world: String) -> StoryPlayer {
    StoryPlayer(over: recorded(vestibule.transport), host: "localhost:8080", world: world)
  }

  /// A password that is forgotten, at addresses that nobody and that somebody has.
  private static func forgotten(over api: EmulatedAuthAPI) -> String {
    let isClerk = api.option == "clerk"
    let first = isClerk ? "/v1/client/sign_ins" : "/*/resetpassword/v1.0/start"
    let second =
      isClerk ? "/v1/client/sign_ins/*/prepare_first_factor" : "/*/resetpassword/v1.0/challenge"
    let name = isClerk ? "identifier" : "username"
    return """
      {"name": "forgotten", "title": "F", "summary": "S.", "steps": [
        {"say": "In.", "open": "/forgot-password", "expect": {"messages": []}},
        {"say": "Nothing.", "submit": {"identifier": ""},
         "expect": {"status": 422, "calls": [], "messages": []}},
        {"say": "Nobody.", "submit": {"identifier": "nobody@example.com"},
         "expect": {"status": 422, "messages": [], "calls": [
           {"method": "POST", "path": "\(first)", "form": {"\(name)": "nobody@example.com"}}]}},
        {"say": "Ada.", "submit": {"identifier": "ada@example.com"},
         "expect": {"page": "forgot-password-code",
           "calls": [
             {"method": "POST", "path": "\(first)"}, {"method": "POST", "path": "\(second)"}],
           "messages": [
             {"to": "ada@example.com", "purpose": "reset_password", "channel": "email"}]}}]}
      """
  }

  @Test(
    "an unknown address is sent nothing, and what is left blank is asked of nobody",
    arguments: EmulatedAuthAPI.all
  )
  func forgotten(api: EmulatedAuthAPI) async throws {
    let story = try Story(document: Array(Self.forgotten(over: api).utf8))
    try await Self.player(of: Self.vestibule(api), in: "forgotten").playThrough(story)
  }

  @Test("a call that is not expected is told with its path, and a password is not told")
  func otherwise() async throws {
    let text = #"""
      {"name": "wrong", "title": "W", "summary": "S.", "api": "clerk", "steps": [
        {"say": "In.", "open": "/sign-in"},
        {"say": "No call.", "submit": {"identifier": "ada@example.com", "password": "not-hers-77"},
         "expect": {"calls": [], "messages": [{"to": "ada@example.com"}]}},
        {"say": "In words.", "submit": {"identifier": "ada@example.com", "password": "not-hers-77"},
         "expect": {"calls": [{"method": "POST", "path": "/v1/client/sign_ins",
           "form": {"strategy": "email_code", "password": "not-hers-77"}}]}}]}
      """#
    let steps = try Story(document: Array(text.utf8)).steps
    let player = Self.player(of: try Self.vestibule(.clerk), in: "wrong")
    #expect(await player.perform(steps[0]) == .asTold)
    #expect(
      await player.perform(steps[1])
        == .otherwise([
          "calls are 1, not 0: POST /v1/client/sign_ins is not expected",
          "messages are 0, not 1: a message to ada@example.com is missing",
        ])
    )
    #expect(
      await player.perform(steps[2])
        == .otherwise([
          #"calls[0].form.password has a secret: expect "<password>""#,
          #"calls[0].form.strategy is "password", not "email_code""#,
        ])
    )
  }

  @Test("a test is told the calls and messages of what it does")
  func during() async throws {
    let vestibule = try Self.vestibule(.clerk)
    let browser = vestibule.recordedSession(world: "during")
    let backstage = vestibule.recordedBackstage(world: "during")
    try await browser.open("/sign-in")
    let none = try await backstage.calls {
      try await browser.submit(["identifier": "", "password": ""])
    }
    #expect(none == [])
    let calls = try await backstage.calls {
      try await browser.submit(["identifier": "ada@example.com", "password": "not-hers-77"])
    }
    #expect(calls.map(\.path) == ["/v1/client/sign_ins"])
    #expect(calls.first?.method == "POST" && calls.first?.status == 422)
    #expect(calls.first?.form["password"] == "<password>")
    let messages = try await backstage.messages {
      try await browser.submit(["identifier": "cody@example.com", "password": ""])
    }
    #expect(messages.map(\.to) == ["cody@example.com"])
  }

  @Test("a story whose clock is set and stopped begins at that very time")
  func stopped() async throws {
    struct Clock: Decodable {
      var now: String
      var frozen: Bool
    }
    let text = #"""
      {"name": "still", "title": "S", "summary": "S.",
       "clock": {"set": "2030-01-01T00:00:00Z", "freeze": true},
       "steps": [{"say": "In.", "open": "/sign-in"}]}
      """#
    let vestibule = try Self.vestibule(.clerk)
    let story = try Story(document: Array(text.utf8))
    try await Self.player(of: vestibule, in: "still").prepare(story)
    let answer = try await vestibule.recordedBackstage(world: "still").call(.get, "clock")
    let clock = try JSONDecoder().decode(Clock.self, from: answer)
    #expect(clock.now == "2030-01-01T00:00:00Z" && clock.frozen)
  }
}
