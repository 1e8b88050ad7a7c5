import Foundation
@_spi(Provider) @testable import AuthFlow
import Testing
import TestSupport

@Suite("A code that is asked for, in any flow")
struct CodeExchangeTests {
  private typealias Exchange = CodeExchange<ContactPrompt, SignUpState>

  private let prompt = Example.contactPrompt(resendIn: 30)
  private var state: SignUpState { .codeRequired(prompt) }

  private func exchange(_ prompt: ContactPrompt, _ provider: ScriptedProvider) -> Exchange {
    CodeExchange(
      prompt,
      at: { .codeRequired($0) },
      submit: { await provider.submit($0, for: prompt, memory: &$1) },
      resend: { await provider.resend(prompt, memory: &$0) }
    )
  }

  private func answer(
    _ typed: String = "424242",
    to prompt: ContactPrompt,
    by provider: ScriptedProvider
  ) async throws -> Exchange.Answer {
    var memory = ProviderMemory()
    let code = try Example.code(typed)
    let answer = await exchange(prompt, provider).answer(code, memory: &memory)
    expectDone(provider, memory)
    return answer
  }

  private func sendAgain(
    _ prompt: ContactPrompt,
    after seconds: TimeInterval,
    by provider: ScriptedProvider
  ) async -> Advance<SignUpState> {
    var memory = ProviderMemory()
    let now = Example.now.addingTimeInterval(seconds)
    let advance = await exchange(prompt, provider).sendAgain(at: now, memory: &memory)
    expectDone(provider, memory)
    return advance
  }

  private func expectDone(_ provider: ScriptedProvider, _ memory: ProviderMemory) {
    #expect((memory["calls"] ?? "").count == provider.calls.count, "the memory is passed on")
    #expect(provider.isDone)
  }

  // MARK: - What was typed

  @Test(
    "a code with the wrong number of digits is refused without a call (F8)",
    arguments: [
      (6, "4"), (6, "42424"), (6, "4242424"), (6, "42424a"), (6, "٤٢٤٢٤"), (8, "424242"),
    ]
  )
  func length(digits: Int, typed: String) async throws {
    let prompt = ContactPrompt(
      attempt: Example.signUpAttempt(),
      contact: .emailAddress,
      destination: "ada@example.com",
      codeLength: digits
    )
    let answer = try await answer(typed, to: prompt, by: ScriptedProvider())
    guard case .unproven(let advance) = answer else {
      Issue.record("\(answer)")
      return
    }
    let refusal = AuthError(Problem(.codeLength(digits: digits), at: .code, code: "code_length"))
    #expect(advance == .refused(refusal, at: .codeRequired(prompt)))
  }

  @Test("a backup code may have any length")
  func backupCode() async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let prompt = try Example.codePrompt(Example.backupCode, stage: .secondFactor)
    let exchange = CodeExchange<CodePrompt, SignInState>(
      prompt,
      at: { .codeRequired($0) },
      submit: { await provider.submit($0, for: prompt, memory: &$1) },
      resend: { await provider.resend(prompt, memory: &$0) }
    )
    var memory = ProviderMemory()
    let code = try #require(VerificationCode(typedBackupCode: "K3V9-Q2XW"))
    guard case .judged(let outcome, _) = await exchange.answer(code, memory: &memory) else {
      Issue.record("its length should not be checked")
      return
    }
    #expect(outcome == .moved(to: .complete(Example.session())))
    #expect(provider.calls == ["code backup_code k3v9q2xw"])
  }

  @Test("the auth API's answer to a code is passed on, with the state in which it was typed")
  func judged() async throws {
    let wrong = Example.error(.codeIncorrect, at: .code)
    let outcomes: [Outcome<SignUpState>] = [
      .moved(to: .continuing(.complete(Example.session()))), .refused(wrong, at: nil),
      .refused(wrong, at: .detailsRequired),
      // If the auth API says where the flow stands, it also says what is left of the code.
      .refused(Example.error(.codeTriesExhausted), at: .detailsRequired),
    ]
    for expected in outcomes {
      let provider = ScriptedProvider(.signUp(expected))
      let answer = try await answer(to: prompt, by: provider)
      guard case .judged(let outcome, let place) = answer else {
        Issue.record("\(answer)")
        continue
      }
      #expect(outcome == expected && place == state)
      #expect(provider.calls == ["code email_address 424242"])
    }
  }

  @Test("if no code had been sent, one is sent, and reported if the flow waits for it")
  func notSent() async throws {
    let unsent = ScriptedProvider.Answer.signUp(.refused(Example.error(.codeNotSent), at: nil))
    let done = SignUpState.continuing(.complete(Example.session()))
    let refusal = Example.error(.deliveryFailed)
    for (sent, expected) in [
      (.moved(to: state), .moved(to: state, notices: [.codeSent])),
      (.moved(to: done), .moved(to: done, notices: [])),
      (.refused(refusal, at: nil), .refused(refusal, at: state)),
      (.refused(refusal, at: .detailsRequired), .refused(refusal, at: .detailsRequired)),
    ] as [(Outcome<SignUpState>, Advance<SignUpState>)] {
      let provider = ScriptedProvider(unsent, .signUp(sent))
      let answer = try await answer(to: prompt, by: provider)
      guard case .unproven(let advance) = answer else {
        Issue.record("\(answer)")
        continue
      }
      #expect(advance == expected)
      #expect(provider.calls == ["code email_address 424242", "resend email_address"])
    }
  }

  @Test(
    "after a void code, the next one can be sent at once",
    arguments: [.codeTriesExhausted, .codeExpired] as [Reason]
  )
  func void(reason: Reason) async throws {
    let error = Example.error(reason)
    let answer = try await answer(
      to: prompt,
      by: ScriptedProvider(.signUp(.refused(error, at: nil)))
    )
    guard case .judged(.refused(error, at: nil), .codeRequired(let left)) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(left.code.isVoid && left.code.resendAvailableAt == nil)
    #expect(left.code.length == prompt.code.length && left.code.expiresAt == prompt.code.expiresAt)
    let provider = ScriptedProvider(.signUp(.moved(to: state)))
    let sent = await sendAgain(left, after: 0, by: provider)
    #expect(sent == .moved(to: state, notices: [.codeResent]))
  }

  // MARK: - Another one

  @Test("another code is sent only after its time; before, no call is made (N4)")
  func time() async {
    let until = Example.now.addingTimeInterval(30)
    let refusal = AuthError(
      Problem(.resendTooSoon(until: until), code: "verification_code_too_many_requests")
    )
    for seconds in [0, 29] as [TimeInterval] {
      let early = await sendAgain(prompt, after: seconds, by: ScriptedProvider())
      #expect(early == .refused(refusal, at: state))
    }
    let sent = ScriptedProvider(.signUp(.moved(to: state)))
    let advance = await sendAgain(prompt, after: 30, by: sent)
    #expect(advance == .moved(to: state, notices: [.codeResent]))
    #expect(sent.calls == ["resend email_address"])
  }

  @Test("if no time is given, another code can be sent at once")
  func noTime() async {
    let prompt = Example.contactPrompt(resendIn: nil)
    let provider = ScriptedProvider(.signUp(.moved(to: .codeRequired(prompt))))
    let advance = await sendAgain(prompt, after: 0, by: provider)
    #expect(advance == .moved(to: .codeRequired(prompt), notices: [.codeResent]))
  }

  @Test("after the clock has been moved back, the auth API is asked, whatever the time (S34)")
  func jump() async {
    let prompt = Example.contactPrompt(resendIn: 86_430)
    let provider = ScriptedProvider(.signUp(.moved(to: state)))
    let advance = await sendAgain(prompt, after: 0, by: provider)
    #expect(advance == .moved(to: state, notices: [.codeResent]))
  }

  @Test("another code that is refused, or no longer needed, is not reported as sent")
  func elsewhere() async {
    let done = SignUpState.continuing(.complete(Example.session()))
    let refusal = Example.error(.codeSendsExhausted)
    for (sent, expected) in [
      (.moved(to: done), .moved(to: done, notices: [])),
      (.refused(refusal, at: nil), .refused(refusal, at: state)),
      (.refused(refusal, at: .detailsRequired), .refused(refusal, at: .detailsRequired)),
    ] as [(Outcome<SignUpState>, Advance<SignUpState>)] {
      let advance = await sendAgain(prompt, after: 30, by: ScriptedProvider(.signUp(sent)))
      #expect(advance == expected)
    }
  }
}
