@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import Testing
import TestSupport

@Suite("The task of setting a new password")
struct ChangePasswordTests {
  static let change =
    "POST /v1/me/change_password?_is_native=1"
    + "&_clerk_session_id=\(Fixture.sessionID) new_password=n&sign_out_of_other_sessions=true"
  static let touch =
    "POST /v1/client/sessions/\(Fixture.sessionID)/touch?_is_native=1 "
    + "intent=select_session"

  static let user = #"{"object": "user", "id": "user_39aKkEeV9zIoR2jDxT7yPg5hWuM"}"#

  @Test("after the last task, the session is touched and active")
  func lastTask() async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Self.user,
        client: Fixture.client(sessions: [Fixture.session(status: "pending", tasks: "[]")])
      ),
      .enveloped(Fixture.session())
    )
    #expect(try await change(transport) == .moved(to: Fixture.mara()))
    #expect(transport.calls == [Self.change, Self.touch])
  }

  @Test("the touch repeats the active organization")
  func organization() async throws {
    let session = Fixture.session(organization: #""org_1""#)
    let transport = ScriptedTransport(
      .enveloped(Self.user, client: Fixture.client(sessions: [session])),
      .enveloped(session)
    )
    _ = try await change(transport)
    #expect(transport.calls.last == Self.touch + "&active_organization_id=org_1")
  }

  @Test("tasks that are left come next, in the API's order")
  func moreTasks() async throws {
    let session = Fixture.session(status: "pending", tasks: #"[{"key": "choose-organization"}]"#)
    let transport = ScriptedTransport(
      .enveloped(Self.user, client: Fixture.client(sessions: [session]))
    )
    #expect(try await change(transport) == .moved(to: Fixture.mara(tasks: [.chooseOrganization])))
  }

  @Test("the client is asked for if it did not come along")
  func asksForClient() async throws {
    let client = Fixture.client(sessions: [Fixture.session()])
    let transport = ScriptedTransport(
      .enveloped(Self.user),
      .enveloped(client, client: client),
      .enveloped(Fixture.session())
    )
    #expect(try await change(transport) == .moved(to: Fixture.mara()))
    #expect(transport.calls == [Self.change, "GET /v1/client?_is_native=1", Self.touch])
  }

  @Test("a touch that fails undoes nothing")
  func touchFails() async throws {
    let transport = ScriptedTransport([
      .success(.enveloped(Self.user, client: Fixture.client(sessions: [Fixture.session()]))),
      .failure(.timedOut),
    ])
    #expect(try await change(transport) == .moved(to: Fixture.mara()))
  }

  @Test(
    "a refused password is reported with its reason at the password",
    arguments: [
      ("form_password_length_too_short", .passwordTooShort(minimum: nil)),
      ("form_password_pwned", .passwordBreached),
    ] as [(String, Reason)]
  )
  func refused(code: String, reason: Reason) async throws {
    let outcome = try await change(ScriptedTransport(.error(code, "new_password")))
    #expect(outcome.error?.problems.map(\.reason) == [reason])
    #expect(outcome.error?.problems.map(\.field) == [.password])
  }

  @Test(
    "the present password is refused, unless it was just set and that answer was lost",
    arguments: [true, false]
  )
  func present(isDue: Bool) async throws {
    let session =
      isDue
      ? Fixture.session(status: "pending", tasks: #"[{"key": "reset-password"}]"#)
      : Fixture.session()
    let client = Fixture.client(sessions: [session])
    let transport = ScriptedTransport(
      .error("form_new_password_matches_current", "new_password"),
      .enveloped(client, client: client),
      .enveloped(Fixture.session())
    )
    let outcome = try await change(transport)
    #expect(outcome.error?.reasons == (isDue ? [.passwordReused] : nil))
    if !isDue { #expect(outcome == .moved(to: Fixture.mara())) }
    #expect(transport.calls.prefix(2) == [Self.change, "GET /v1/client?_is_native=1"])
  }

  @Test(
    "a session that is over, or too old for this, has to sign in again",
    arguments: [
      ("authentication_invalid", 401), ("signed_out", 401),
      ("session_reverification_required", 403),
    ]
  )
  func over(code: String, status: Int) async throws {
    let outcome = try await change(ScriptedTransport(.error(code, status: status)))
    #expect(outcome.error?.reasons == [.signInAgain])
  }

  private func change(_ transport: ScriptedTransport) async throws -> Outcome<Session> {
    var memory = memory()
    return await provider(transport).changePassword(
      of: Fixture.mara(tasks: [.resetPassword]),
      to: try .typed("n"),
      signOutOfOtherSessions: true,
      memory: &memory
    )
  }
}
