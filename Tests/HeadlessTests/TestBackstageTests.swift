import Headless
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Backstage of a test")
struct TestBackstageTests {
  private static let absent = Response.json("{}", status: .notFound)

  private static func message(to address: String, _ purpose: String) -> String {
    #"{"id": "m", "to": "\#(address)", "channel": "email", "sent": true, "purpose": "\#(purpose)", "#
      + #""code": "424242", "text": "T", "created_at": "2026-11-21T14:35:00Z"}"#
  }

  @Test("waiting for a message that does not come ends with what backstage says, once")
  func noMessage() async throws {
    let words = "There is no message to adda (sign_in): the inbox is empty."
    let refusal = #"{"errors": [{"code": "no_message", "message": "\#(words)"}]}"#
    let transport = ScriptedTransport(.json(refusal, status: .notFound))
    let failure = await #expect(throws: TestBackstage.Failure.self) {
      try await TestBackstage(over: transport).latestCode(to: "adda", purpose: "sign_in")
    }
    #expect(failure?.description == words)
    #expect(failure?.isRefusal == true)
  }

  @Test(
    "a message is waited for at most as long as backstage waits",
    arguments: [(Duration.seconds(-1), "0.0"), (.seconds(2), "2.0"), (.seconds(31), "30.0")]
  )
  func patience(patience: Duration, seconds: String) async throws {
    let transport = ScriptedTransport(.json(Self.message(to: "a", "sign_in")))
    _ = try await TestBackstage(over: transport, patience: patience).latestMessage(to: "a")
    let target = "/backstage/api/messages/latest?wait=\(seconds)&to=a"
    #expect(transport.requests.map(\.target) == [target])
  }

  @Test("an authenticator's account is named by its id, or by what it signs in with")
  func authenticator() async throws {
    let transport = ScriptedTransport(
      .json(#"{"code": "1"}"#),
      Self.absent,
      .json(#"[{"id": "user_mia"}]"#),
      .json(#"{"code": "2"}"#)
    )
    let backstage = TestBackstage(over: transport)
    #expect(try await backstage.authenticatorCode(of: "user_mia") == "1")
    #expect(try await backstage.authenticatorCode(of: "mia") == "2")
    let asked = [
      "users/user_mia/totp", "users/mia/totp", "users?identifier=mia", "users/user_mia/totp",
    ]
    #expect(transport.requests.map(\.target) == asked.map { "/backstage/api/\($0)" })
  }
}
