@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import Testing
import TestSupport

@Suite("The state of a sign-in after an answer")
struct SignInOutcomeTests {
  static func begin(_ resource: String) async throws -> Outcome<SignInState> {
    var memory = memory()
    return await provider(ScriptedTransport(.enveloped(resource))).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
  }

  @Test(
    "second factors are a choice, with a preferred one",
    arguments: [
      (["totp", "backup_code", "phone_code"], "totp"),
      (["backup_code", "phone_code"], "phone_code"),
      (["backup_code", "email_code"], "email_code"), (["backup_code"], "backup_code"),
      (["passkey", "totp", "never_heard_of"], "totp"),
    ]
  )
  func secondFactor(offered: [String], preferred: String) async throws {
    let factors = offered.map { #"{"strategy": "\#($0)"}"# }
    let outcome = try await Self.begin(Fixture.signIn("needs_second_factor", second: factors))
    guard case .factorRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.stage == .secondFactor)
    #expect(prompt.preferred?.kind.rawValue == preferred)
    #expect(
      prompt.factors.map(\.kind.rawValue)
        == offered.filter { !["passkey", "never_heard_of"].contains($0) }
    )
  }

  @Test("among several numbers, the default one is preferred, then the primary, then the first")
  func defaultNumber() async throws {
    func number(_ id: String, _ flags: String) -> String {
      #"{"strategy": "phone_code", "safe_identifier": "+1", "phone_number_id": "\#(id)"\#(flags)}"#
    }
    let (isDefault, isPrimary) = (#", "default": true"#, #", "primary": true"#)
    for (first, second, preferred) in [
      ("", isDefault, "idn_2"), ("", isPrimary, "idn_2"), (isPrimary, isDefault, "idn_2"),
      (isDefault, isPrimary, "idn_1"), ("", "", "idn_1"),
    ] {
      let outcome = try await Self.begin(
        Fixture.signIn(
          "needs_second_factor",
          second: [number("idn_1", first), number("idn_2", second)]
        )
      )
      guard case .factorRequired(let prompt) = outcome.moved else {
        Issue.record("\(outcome)")
        return
      }
      #expect(prompt.preferred?.reference == preferred)
    }
  }

  @Test("a new device is asked for a code at a stage of its own")
  func deviceTrust() async throws {
    let outcome = try await Self.begin(
      Fixture.signIn("needs_client_trust", second: [Fixture.emailCode])
    )
    guard case .factorRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.stage == .deviceTrust)
    #expect(
      prompt.preferred
        == Factor(
          kind: .emailCode,
          destination: "mara@example.com",
          reference: "idn_39aKlGgX1aKqT4lFzV9aRi7jYwO"
        )
    )
  }

  @Test("an account without a password has a choice of the other factors")
  func withoutPassword() async throws {
    let passkey = #"{"strategy": "passkey"}"#
    let link = Fixture.contact("email_link", "mara@example.com", Fixture.email)
    let outcome = try await Self.begin(
      Fixture.signIn(first: [passkey, link, Fixture.emailCode, Fixture.phoneCode])
    )
    guard case .factorRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.factors.map(\.kind) == [.emailLink, .emailCode, .phoneCode])
    #expect(prompt.stage == .firstFactor && prompt.preferred == nil && prompt.concern == nil)
  }

  @Test("a link is offered even if there is nothing else")
  func onlyLink() async throws {
    let link = Fixture.contact("email_link", "mara@example.com", Fixture.email)
    let outcome = try await Self.begin(Fixture.signIn(first: [link]))
    guard case .factorRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.factors.map(\.kind) == [.emailLink])
  }

  @Test(
    "a factor that only a browser can do is left to the browser",
    arguments: [["enterprise_sso"], ["saml"], ["oauth_google"], ["passkey", "oauth_google"]]
  )
  func browser(strategies: [String]) async throws {
    let factors = strategies.map { #"{"strategy": "\#($0)"}"# }
    let outcome = try await Self.begin(Fixture.signIn(first: factors))
    guard case .browserRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.identifier == (try .typed()))
    #expect(prompt.attempt?.continuation == Continuation(Fixture.signInID))
  }

  @Test(
    "an account without a usable method is refused",
    arguments: [
      ("needs_first_factor", [], nil), ("needs_first_factor", ["passkey", "ticket"], nil),
      ("needs_second_factor", ["password"], nil), ("needs_second_factor", ["password"], []),
    ] as [(String, [String], [String]?)]
  )
  func noMethod(status: String, first: [String], second: [String]?) async throws {
    let outcome = try await Self.begin(
      Fixture.signIn(
        status,
        first: first.map { #"{"strategy": "\#($0)"}"# },
        second: second?.map { #"{"strategy": "\#($0)"}"# }
      )
    )
    #expect(outcome.error?.reasons == [.noUsableMethod])
  }

  @Test(
    "a second factor that these pages do not support is reported as such, not as none at all",
    arguments: [
      ("needs_client_trust", ["email_link"]), ("needs_second_factor", ["email_link"]),
      ("needs_second_factor", ["passkey", "email_link"]), ("needs_second_factor", ["password"]),
      ("needs_client_trust", ["reset_password_email_code", "reset_password_phone_code"]),
      ("needs_second_factor", ["enterprise_sso", "saml"]),
    ]
  )
  func unsupportedStep(status: String, second: [String]) async throws {
    let factors = second.map { #"{"strategy": "\#($0)"}"# }
    let outcome = try await Self.begin(Fixture.signIn(status, second: factors))
    #expect(outcome.plain == .refused(AuthError(Problem(.stepUnsupported, code: status)), at: nil))
    #expect(
      outcome.error?.problems.first?.detail?.facts
        == [.init("supported_second_factors", .array(second.map(JSONValue.string)))]
    )
  }

  @Test(
    "statuses that lead nowhere are refused by name",
    arguments: [
      ("needs_protect_check", .stepUnsupported, "needs_protect_check"),
      ("never_heard_of", .unrecognised, "never_heard_of"),
      ("abandoned", .attemptEnded, "attempt_ended"),
      ("needs_identifier", .attemptEnded, "attempt_ended"),
    ] as [(String, Reason, String)]
  )
  func deadEnd(status: String, reason: Reason, code: String) async throws {
    let outcome = try await Self.begin(Fixture.signIn(status))
    #expect(outcome.plain == .refused(AuthError(Problem(reason, code: code)), at: nil))
  }

  @Test("a sign-in that waits for a new password is a reset")
  func newPassword() async throws {
    let outcome = try await Self.begin(Fixture.signIn("needs_new_password"))
    guard case .resettingPassword(.newPasswordRequired) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("the session's tasks, names and organization come along")
  func session() async throws {
    let user = #"""
      "user": {"id": "user_1", "organization_memberships": [{"organization":
        {"id": "org_1", "name": "Harbour Works", "slug": "harbour-works"}}]},
      """#
    let session = Fixture.session(
      status: "pending",
      tasks: #"[{"key":"reset-password"},{"key":"choose-organization"},{"key":"setup-mfa"}]"#,
      organization: #""org_1""#,
      extra: user
    )
    var memory = memory()
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [session])
      )
    )
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    var expected = Fixture.mara(tasks: [.resetPassword, .chooseOrganization, .setUpSecondFactor])
    expected.organization = Session.Organization(
      id: "org_1",
      name: "Harbour Works",
      slug: "harbour-works"
    )
    #expect(outcome.moved == .complete(expected))
  }

  @Test("a session that is nowhere to be found is nonsense")
  func lostSession() async throws {
    let client = Fixture.client(sessions: [Fixture.session(id: "sess_other")])
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn("complete", session: Fixture.sessionID), client: client),
      .enveloped(client, client: client)
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    #expect(outcome.error?.reasons == [.serviceAnsweredNonsense])
  }

  @Test(
    "an attempt that is gone is reported as ended",
    arguments: [
      ("client_not_found", 400), ("resource_not_found", 404), ("resource_forbidden", 403),
      ("sign_in_identification_or_user_deleted", 400),
    ]
  )
  func gone(code: String, status: Int) async throws {
    var memory = memory()
    let attempt = SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation("sia_1"),
      firstFactors: [Factor(kind: .password)]
    )
    let outcome = await provider(ScriptedTransport(.error(code, status: status))).submit(
      try .typed("p"),
      for: PasswordPrompt(attempt: attempt),
      memory: &memory
    )
    #expect(outcome.error?.reasons == [.attemptEnded])
    #expect(outcome.error?.problems.map(\.code) == [code])
  }

  @Test(
    "a step that is already done goes on from the attempt's state, or ends if that is unchanged",
    arguments: ["client_state_invalid", "verification_already_verified"]
  )
  func doneAlready(code: String) async throws {
    let read = "GET /v1/client/sign_ins/\(Fixture.signInID)?_is_native=1"
    let complete = Fixture.signIn("complete", session: Fixture.sessionID)
    let client = Fixture.client(sessions: [Fixture.session()])
    let attempt = SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation(Fixture.signInID),
      firstFactors: []
    )
    let totp = Factor(kind: .authenticatorCode)
    let prompt = CodePrompt(attempt: attempt, stage: .secondFactor, factor: totp)
    let still = Fixture.signIn("needs_second_factor", second: [Fixture.totp])
    for (attempt, isDone) in [(complete, true), (still, false)] {
      let transport = ScriptedTransport(
        .error(code, status: 400),
        .enveloped(attempt, client: client)
      )
      var memory = memory()
      let outcome = await provider(transport).submit(try .typed(), for: prompt, memory: &memory)
      #expect(outcome.moved == (isDone ? .complete(Fixture.mara()) : nil))
      #expect(outcome.error?.problems.map(\.code) == (isDone ? nil : [code]))
      #expect(transport.calls.last == read)
    }
  }

  @Test("a success whose first factor has failed is refused with its reason, not asked again")
  func failedFactor() async throws {
    let failed =
      #"{"status":"failed","strategy":"password","error":{"code":"identifier_already_signed_in","#
      + #""message":"m","meta":{"session_id":"sess_1"}}}"#
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(first: [Fixture.password], firstVerification: failed))
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed("p"),
      memory: &memory
    )
    #expect(outcome.error?.reasons == [.alreadySignedIn])
    #expect(outcome.error?.sessionInTheWay == .named("sess_1"))
  }
}
