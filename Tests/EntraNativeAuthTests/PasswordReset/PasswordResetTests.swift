import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("Resetting a password over the wire")
struct PasswordResetTests {
  private struct Unexpected: Error, CustomStringConvertible { var description: String }

  private func transport(_ answers: [Response]) async throws -> ScriptedTransport {
    ScriptedTransport(
      answers.map(ScriptedTransport.Answer.success),
      documents: try await SigningTenant.shared.value.documents
    )
  }

  /// The answers that lead to the page of the new password.
  private static let proven: [Response] = [
    .json(#"{"continuation_token":"CT-reset-01"}"#), .json(Fixture.code),
    .json(Fixture.resetContinued),
  ]

  /// Goes to the new password, with further answers.
  private func atNewPassword(
    then answers: Response...
  ) async throws -> (EntraProvider, NewPasswordPrompt, ScriptedTransport) {
    let transport = try await transport(Self.proven + answers)
    let provider = provider(transport)
    var memory = ProviderMemory()
    let asked = await provider.beginPasswordReset(identifier: try .typed(), memory: &memory)
    guard case .step(.codeRequired(let code))? = asked.moved else {
      throw Unexpected(description: "\(asked)")
    }
    let proven = await provider.submitResetCode(try .typed(), for: code, memory: &memory)
    guard case .step(.newPasswordRequired(let prompt))? = proven.moved else {
      throw Unexpected(description: "\(proven)")
    }
    return (provider, prompt, transport)
  }

  private func submit(
    _ provider: EntraProvider,
    _ prompt: NewPasswordPrompt,
    _ memory: inout ProviderMemory
  ) async throws -> Outcome<PasswordResetState> {
    await provider.submit(
      newPassword: try .typed(),
      signOutOfOtherSessions: true,
      for: prompt,
      memory: &memory
    )
  }

  private func waiting(_ outcome: Outcome<PasswordResetState>) throws -> ResetWaitPrompt {
    guard case .step(.waiting(let prompt))? = outcome.moved ?? outcome.standing else {
      throw Unexpected(description: "\(outcome)")
    }
    return prompt
  }

  @Test("each call has exactly its fields, and the token of the last poll is redeemed")
  func requests() async throws {
    let tenant = try await SigningTenant.shared.value
    let (provider, prompt, transport) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      .json(Fixture.inProgress),
      .json(Fixture.succeeded),
      try await tenant.tokens()
    )
    #expect(prompt.attempt.endsAt == Fixture.now.addingTimeInterval(600))
    var memory = ProviderMemory()
    let first = try waiting(try await submit(provider, prompt, &memory))
    #expect(first.checkCount == 1)
    let done = await provider.checkPasswordReset(first, memory: &memory)
    guard case .continuing(.complete)? = done.moved else {
      throw Unexpected(description: "\(done)")
    }
    #expect(
      transport.paths == [
        "/resetpassword/v1.0/start", "/resetpassword/v1.0/challenge",
        "/resetpassword/v1.0/continue", "/resetpassword/v1.0/submit",
        "/resetpassword/v1.0/poll_completion", "/resetpassword/v1.0/poll_completion",
        "/oauth2/v2.0/token",
      ]
    )
    let forms = transport.forms
    let app = FormData.Field(name: "client_id", value: Fixture.clientID)
    func form(_ fields: FormData) -> FormData { FormData([app] + fields.fields) }
    #expect(
      forms[0]
        == form([
          "username": "mara@example.com", "challenge_type": "oob password redirect",
          "capabilities": "mfa_required registration_required",
        ])
    )
    #expect(
      forms[1] == form(["continuation_token": "CT-reset-01", "challenge_type": "oob redirect"])
    )
    #expect(
      forms[2]
        == form(["continuation_token": "CT-sign-03", "grant_type": "oob", "oob": "424242"])
    )
    #expect(
      forms[3] == form(["continuation_token": "CT-reset-03", "new_password": "correct horse & co"])
    )
    // The token of the submission serves for every poll.
    #expect(forms[4] == form(["continuation_token": "CT-reset-04"]))
    #expect(forms[5] == forms[4])
    #expect(forms[6]["grant_type"] == "continuation_token")
    #expect(forms[6]["continuation_token"] == "CT-reset-05")
    #expect(forms[6]["username"] == "mara@example.com")
  }

  @Test(
    "a token that a poll brings is used by the next poll",
    arguments: ["in_progress", "not_started"]
  )
  func adopts(status: String) async throws {
    let (provider, prompt, transport) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      .json(#"{"status":"\#(status)","continuation_token":"CT-new"}"#),
      .json(Fixture.inProgress)
    )
    var memory = ProviderMemory()
    let first = try waiting(try await submit(provider, prompt, &memory))
    _ = await provider.checkPasswordReset(first, memory: &memory)
    #expect(transport.forms.last?["continuation_token"] == "CT-new")
  }

  @Test("if a reset fails, another password can be tried if the answer brings a token")
  func failed() async throws {
    let (provider, prompt, _) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      .json(#"{"status":"failed","continuation_token":"CT-again"}"#)
    )
    var memory = ProviderMemory()
    let outcome = try await submit(provider, prompt, &memory)
    #expect(outcome.error?.problems.map(\.field) == [.password])
    guard case .step(.newPasswordRequired(let again))? = outcome.standing else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(again.attempt.continuation.token == "CT-again")

    let (other, begun, _) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      .json(#"{"status":"failed"}"#)
    )
    let ended = try await submit(other, begun, &memory)
    #expect(ended.error?.problems.map(\.reason) == [.attemptEnded])
  }

  @Test("after a reset that brings no token, the person signs in again")
  func withoutToken() async throws {
    let (provider, prompt, _) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      .json(#"{"status":"succeeded"}"#)
    )
    var memory = ProviderMemory()
    let outcome = try await submit(provider, prompt, &memory)
    #expect(outcome.moved == .continuing(.identifierRequired))
  }

  @Test("if the tokens are refused after a reset, the person signs in again, with a concern")
  func refusedTokens() async throws {
    let (provider, prompt, transport) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      .json(Fixture.succeeded),
      .error(#"{"error":"unauthorized_client","error_codes":[700016]}"#)
    )
    let flow = PasswordResetFlow(provider: provider, clock: WallClock { Fixture.now })
    var memory = ProviderMemory()
    let advance = await flow.advance(
      .step(.newPasswordRequired(prompt)),
      with: .newPassword(try .typed(), signOutOfOtherSessions: true),
      memory: &memory
    )
    guard
      case .moved(to: .continuing(.identifierRequired), let notices, let concern?) = advance
    else { throw Unexpected(description: "\(advance)") }
    #expect(notices == [.passwordChanged])
    #expect(concern.blame == .setUp)
    #expect(concern.traceID != nil)
    #expect(transport.isDone)
  }

  @Test("a password that is refused only at the poll is asked for again, with the poll's token")
  func late() async throws {
    let (provider, prompt, _) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      .error(Fixture.passwordBanned)
    )
    var memory = ProviderMemory()
    let outcome = try await submit(provider, prompt, &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.passwordBanned])
    guard case .step(.newPasswordRequired(let again))? = outcome.standing else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(again.attempt.continuation.token == "CT-reset-04")
  }

  @Test("a first poll that fails leaves the person waiting, since the password was accepted")
  func firstLook() async throws {
    let down = Response(status: .serviceUnavailable)
    let (provider, prompt, _) = try await atNewPassword(
      then: .json(Fixture.resetSubmitted),
      down,
      down
    )
    var memory = ProviderMemory()
    let outcome = try await submit(provider, prompt, &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.serviceUnavailable])
    #expect(try waiting(outcome).attempt.continuation.token == "CT-reset-04")
  }

  @Test("an endless wait is reported after six polls, and each press still polls once")
  func endless() async throws {
    let looks = Array(repeating: Response.json(Fixture.inProgress), count: 8)
    let transport = try await transport(looks)
    let provider = provider(transport)
    var memory = ProviderMemory()
    var prompt = ResetWaitPrompt(
      attempt: SignInAttempt(
        identifier: try .typed(),
        continuation: Continuation("CT"),
        firstFactors: []
      ),
      checkCount: 0
    )
    for count in 1...8 {
      let outcome = await provider.checkPasswordReset(prompt, memory: &memory)
      prompt = try waiting(outcome)
      #expect(prompt.checkCount == count)
      #expect((outcome.error != nil) == (count >= 6))
      #expect(transport.requests.count == count)
    }
  }

  @Test("asking for a code after the attempt has expired begins a new attempt")
  func expired() async throws {
    let transport = try await transport([
      .json(#"{"continuation_token":"CT-reset-01"}"#), .json(Fixture.code),
      .error(Fixture.expired), .json(Fixture.begun), .json(Fixture.code),
    ])
    let provider = provider(transport)
    var memory = ProviderMemory()
    let asked = await provider.beginPasswordReset(identifier: try .typed(), memory: &memory)
    guard case .step(.codeRequired(let code))? = asked.moved else {
      throw Unexpected(description: "\(asked)")
    }
    guard case .step(.codeRequired)? = await provider.resendResetCode(code, memory: &memory).moved
    else {
      throw Unexpected(description: "no new code")
    }
    #expect(
      transport.paths.map { $0.split(separator: "/").last }.suffix(2) == ["start", "challenge"]
    )
  }

  @Test("a new code that is refused while the attempt goes on begins no other attempt")
  func noNewCode() async throws {
    let transport = try await transport([
      .json(#"{"continuation_token":"CT-reset-01"}"#), .json(Fixture.code),
      .error(#"{"error":"invalid_request","error_codes":[701014]}"#),
    ])
    let provider = provider(transport)
    var memory = ProviderMemory()
    let asked = await provider.beginPasswordReset(identifier: try .typed(), memory: &memory)
    guard case .step(.codeRequired(let code))? = asked.moved else {
      throw Unexpected(description: "\(asked)")
    }
    let outcome = await provider.resendResetCode(code, memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.codeSendsExhausted])
    #expect(transport.requests.count == 3)
  }

  @Test("a redirect at any step leads to the browser", arguments: 0..<5)
  func redirect(count: Int) async throws {
    let all = Self.proven + [.json(Fixture.resetSubmitted)]
    let transport = try await transport(Array(all.prefix(count)) + [.json(Fixture.redirect)])
    let provider = provider(transport)
    var memory = ProviderMemory()
    var outcome = await provider.beginPasswordReset(identifier: try .typed(), memory: &memory)
    if case .step(.codeRequired(let code))? = outcome.moved {
      outcome = await provider.submitResetCode(try .typed(), for: code, memory: &memory)
    }
    if case .step(.newPasswordRequired(let prompt))? = outcome.moved {
      outcome = try await submit(provider, prompt, &memory)
    }
    guard case .browserRequired(let prompt)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(prompt.origin == .passwordReset)
    #expect(transport.isDone)
  }

  @Test("a redirect to the browser reports a new password only if there is one")
  func changed() async throws {
    let clock = WallClock { Fixture.now }
    for isDone in [false, true] {
      let transport = try await transport(
        isDone ? [.json(Fixture.succeeded), .json(Fixture.redirect)] : [.json(Fixture.redirect)]
      )
      let flow = PasswordResetFlow(provider: provider(transport), clock: clock)
      var memory = ProviderMemory()
      let attempt = SignInAttempt(
        identifier: try .typed(),
        continuation: Continuation("CT"),
        firstFactors: []
      )
      let advance = await flow.advance(
        isDone
          ? .step(.waiting(ResetWaitPrompt(attempt: attempt, checkCount: 1)))
          : .identifierRequired,
        with: isDone ? .check : .identifier(try .typed()),
        memory: &memory
      )
      guard case .moved(_, let notices, nil) = advance else {
        throw Unexpected(description: "\(advance)")
      }
      #expect(notices == (isDone ? [.passwordChanged] : []))
      #expect(transport.isDone)
    }
  }
}
