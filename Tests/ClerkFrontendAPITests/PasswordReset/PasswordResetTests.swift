@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Password reset")
struct PasswordResetTests {
  static let path = "POST /v1/client/sign_ins/\(Fixture.signInID)/"
  static let byEmail =
    "strategy=reset_password_email_code"
    + "&email_address_id=idn_39aKlGgX1aKqT4lFzV9aRi7jYwO"
  static let byPhone =
    "strategy=reset_password_phone_code"
    + "&phone_number_id=idn_39aKmHhY2bLrU5mGaW0bSj8kZxP"

  @Test(
    "the code goes to the contact that was typed, if it can reset",
    arguments: [
      ("mara@example.com", [Fixture.resetByPhone, Fixture.resetByEmail], byEmail),
      ("MARA@example.com", [Fixture.resetByPhone, Fixture.resetByEmail], byEmail),
      ("+12015550123", [Fixture.resetByEmail, Fixture.resetByPhone], byPhone),
      ("mara", [Fixture.resetByPhone, Fixture.resetByEmail], byPhone),
      ("mara@example.com", [Fixture.resetByPhone], byPhone),
      (
        "second@example.com",
        [
          Fixture.resetByEmail,
          Fixture.contact(
            "reset_password_email_code",
            "second@example.com",
            #""email_address_id": "idn_2""#
          ),
        ],
        "strategy=reset_password_email_code&email_address_id=idn_2"
      ),
    ]
  )
  func begin(identifier: String, factors: [String], sent: String) async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(first: [Fixture.password] + factors, identifier: identifier)),
      .enveloped(Fixture.signIn(firstVerification: Fixture.otp("reset_password_email_code")))
    )
    var memory = memory()
    let outcome = await provider(transport).beginPasswordReset(
      identifier: try .typed(identifier),
      memory: &memory
    )
    guard case .step(.codeRequired(let prompt)) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.stage == .passwordReset)
    #expect(prompt.code.expiresAt == Date(timeIntervalSince1970: 1_767_226_200))
    #expect(prompt.code.resendAvailableAt == now.addingTimeInterval(30))
    #expect(transport.calls.last == Self.path + "prepare_first_factor?_is_native=1 " + sent)
  }

  @Test(
    "an account that cannot reset is refused, with another reason if it has no password",
    arguments: [
      ([Fixture.password, Fixture.emailCode], .passwordResetUnavailable),
      ([Fixture.password], .passwordResetUnavailable), ([Fixture.emailCode], .methodUnavailable),
    ] as [([String], Reason)]
  )
  func cannot(factors: [String], reason: Reason) async throws {
    let transport = ScriptedTransport(.enveloped(Fixture.signIn(first: factors)))
    var memory = memory()
    let outcome = await provider(transport).beginPasswordReset(
      identifier: try .typed(),
      memory: &memory
    )
    let problem = Problem(reason, code: "strategy_for_user_invalid")
    #expect(outcome == .refused(AuthError(problem), at: .identifierRequired))
  }

  @Test("a sign-in that the API accepts takes the place of another, even if no code is sent")
  func notSent() async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn()),
      .error("dev_monthly_email_limit_exceeded", status: 400)
    )
    var memory = memory()
    let outcome = await provider(transport).beginPasswordReset(
      identifier: try .typed(),
      memory: &memory
    )
    #expect(outcome.error?.reasons == [.messageQuotaUsed])
    #expect(outcome.standing == .identifierRequired)
  }

  @Test("an unknown identifier is refused at its field")
  func unknown() async throws {
    let transport = ScriptedTransport(.error("form_identifier_not_found", "identifier"))
    var memory = memory()
    let outcome = await provider(transport).beginPasswordReset(
      identifier: try .typed(),
      memory: &memory
    )
    #expect(outcome.error?.problems.map(\.field) == [.identifier])
    #expect(outcome.standing == nil, "the API keeps the sign-in under way")
  }

  @Test("the right code asks for the new password")
  func code() async throws {
    let transport = ScriptedTransport(.enveloped(Fixture.signIn("needs_new_password")))
    var memory = memory()
    let outcome = await provider(transport).submitResetCode(
      try .typed(),
      for: try codePrompt(),
      memory: &memory
    )
    guard case .step(.newPasswordRequired(let prompt)) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.attempt.continuation.token == Fixture.signInID)
    #expect(
      transport.calls == [
        Self.path + "attempt_first_factor?_is_native=1 "
          + "strategy=reset_password_email_code&code=424242"
      ]
    )
  }

  @Test("the new password signs in", arguments: [(true, "true"), (false, "false")])
  func newPassword(signsOut: Bool, word: String) async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [Fixture.session()]),
        token: "token-2"
      )
    )
    var memory = memory()
    let outcome = await provider(transport).submit(
      newPassword: try .typed("n w"),
      signOutOfOtherSessions: signsOut,
      for: NewPasswordPrompt(attempt: try attempt()),
      memory: &memory
    )
    #expect(outcome == .moved(to: .continuing(.complete(Fixture.mara()))))
    #expect(memory.clientToken == "token-2")
    #expect(
      transport.calls == [
        Self.path + "reset_password?_is_native=1 "
          + "password=n+w&sign_out_of_other_sessions=\(word)"
      ]
    )
  }

  @Test(
    "after the new password the second factor is still asked for",
    arguments: [
      ("needs_second_factor", FactorStage.secondFactor), ("needs_client_trust", .deviceTrust),
    ]
  )
  func secondFactor(status: String, stage: FactorStage) async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(status, second: [Fixture.totp, Fixture.backupCode]))
    )
    var memory = memory()
    let outcome = await provider(transport).submit(
      newPassword: try .typed(),
      signOutOfOtherSessions: true,
      for: NewPasswordPrompt(attempt: try attempt()),
      memory: &memory
    )
    guard case .continuing(.factorRequired(let prompt)) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.stage == stage)
    #expect(prompt.preferred?.kind == .authenticatorCode)
  }

  @Test("a leaked new password is a field error here, not a concern")
  func leaked() async throws {
    var memory = memory()
    let outcome = await provider(ScriptedTransport(.error("form_password_pwned", "password")))
      .submit(
        newPassword: try .typed(),
        signOutOfOtherSessions: true,
        for: NewPasswordPrompt(attempt: try attempt()),
        memory: &memory
      )
    #expect(outcome.error?.problems.map(\.reason) == [.passwordBreached])
    #expect(outcome.error?.problems.map(\.field) == [.password])
  }

  @Test("a code can be sent again, but not too soon")
  func resend() async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(firstVerification: Fixture.otp())),
      .error("verification_code_too_many_requests", status: 429)
    )
    var memory = memory()
    let again = await provider(transport).resendResetCode(try codePrompt(), memory: &memory)
    guard case .step(.codeRequired(let prompt)) = again.moved else {
      Issue.record("\(again)")
      return
    }
    #expect(prompt.code.resendAvailableAt == now.addingTimeInterval(30))
    let tooSoon = await provider(transport).resendResetCode(try codePrompt(), memory: &memory)
    #expect(
      tooSoon.standing
        == .step(.codeRequired(try codePrompt().waiting(until: now.addingTimeInterval(30))))
    )
  }

  private func attempt() throws -> SignInAttempt {
    SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation(Fixture.signInID),
      firstFactors: [Factor(kind: .resetPasswordEmailCode, reference: "idn_1")]
    )
  }

  private func codePrompt() throws -> CodePrompt {
    CodePrompt(
      attempt: try attempt(),
      stage: .passwordReset,
      factor: Factor(kind: .resetPasswordEmailCode, reference: "idn_1")
    )
  }
}
