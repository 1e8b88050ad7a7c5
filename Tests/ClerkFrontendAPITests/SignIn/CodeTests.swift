@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Codes of a sign-in")
struct CodeTests {
  static let expiry = Date(timeIntervalSince1970: 1_767_226_200)
  static let path = "POST /v1/client/sign_ins/\(Fixture.signInID)/"

  static let emailCode = Factor(kind: .emailCode, destination: "m@x.org", reference: "idn_1")
  static let phoneCode = Factor(kind: .phoneCode, destination: "+*1", reference: "idn_2")

  static let sent: [(factor: Factor, stage: FactorStage, call: String)] = [
    (
      emailCode, .firstFactor,
      "prepare_first_factor?_is_native=1 strategy=email_code&email_address_id=idn_1"
    ),
    (
      phoneCode, .firstFactor,
      "prepare_first_factor?_is_native=1 strategy=phone_code&phone_number_id=idn_2"
    ),
    (
      Factor(kind: .emailCode), .firstFactor,
      "prepare_first_factor?_is_native=1 strategy=email_code"
    ),
    (
      emailCode, .secondFactor,
      "prepare_second_factor?_is_native=1 strategy=email_code&email_address_id=idn_1"
    ),
    (
      phoneCode, .deviceTrust,
      "prepare_second_factor?_is_native=1 strategy=phone_code&phone_number_id=idn_2"
    ),
  ]

  @Test("choosing a factor sends its code to the contact that was offered", arguments: sent)
  func choose(factor: Factor, stage: FactorStage, call: String) async throws {
    let verification = Fixture.otp(factor.kind.rawValue)
    let isFirst = stage == .firstFactor
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn(
          firstVerification: isFirst ? verification : "null",
          secondVerification: isFirst ? "null" : verification
        )
      )
    )
    let prompt = try choice(of: [factor], stage)
    var memory = memory()
    let outcome = await provider(transport).choose(factor, for: prompt, memory: &memory)
    let expected = CodePrompt(
      attempt: prompt.attempt,
      stage: stage,
      factor: factor,
      expiresAt: Self.expiry,
      resendAvailableAt: now.addingTimeInterval(30)
    )
    #expect(outcome.moved == expected.state)
    #expect(transport.calls == [Self.path + call])
  }

  /// Chooses the factor of `emailCode` while another code may not be asked for yet.
  private func chooseTooSoon(
    _ offered: [String],
    _ stage: FactorStage,
    verification: String = Fixture.otp()
  ) async throws -> Outcome<SignInState> {
    let isFirst = stage == .firstFactor
    let transport = ScriptedTransport(
      .error("verification_code_too_many_requests", status: 429, headerFields: [.retryAfter: "12"]),
      .enveloped(
        Fixture.signIn(
          isFirst ? "needs_first_factor" : "needs_second_factor",
          first: isFirst ? offered : [Fixture.password],
          second: isFirst ? nil : offered,
          firstVerification: isFirst ? verification : "null",
          secondVerification: isFirst ? "null" : verification
        )
      )
    )
    var memory = memory()
    let outcome = await provider(transport).choose(
      Self.emailCode,
      for: try choice(of: [Self.emailCode], stage),
      memory: &memory
    )
    #expect(transport.isDone)
    return outcome
  }

  @Test(
    "a code that was just sent will do if it can have gone to only one contact",
    arguments: [FactorStage.firstFactor, .secondFactor]
  )
  func sentBefore(stage: FactorStage) async throws {
    let until = now.addingTimeInterval(12)
    let known = try await chooseTooSoon([Fixture.emailCode, Fixture.phoneCode], stage)
    guard case .codeRequired(let prompt) = known.moved else {
      Issue.record("\(known)")
      return
    }
    #expect(prompt.factor == Self.emailCode && prompt.code.resendAvailableAt == until)
    let other = Fixture.contact("email_code", "o***@work.test", #""email_address_id": "idn_9""#)
    let unknown = try await chooseTooSoon([Fixture.emailCode, other], stage)
    #expect(unknown.moved == nil && unknown.error?.reasons == [.resendTooSoon(until: until)])
  }

  @Test(
    "a code that was just sent to another contact, or is no longer good, will not do",
    arguments: [
      Fixture.otp("phone_code"),
      Fixture.otp().replacing(#""unverified""#, with: #""expired""#), "null",
    ]
  )
  func sentOtherwise(verification: String) async throws {
    for stage in [FactorStage.firstFactor, .secondFactor] {
      let outcome = try await chooseTooSoon(
        [Fixture.emailCode, Fixture.phoneCode],
        stage,
        verification: verification
      )
      #expect(outcome.moved == nil)
      #expect(outcome.error?.reasons == [.resendTooSoon(until: now.addingTimeInterval(12))])
    }
  }

  @Test("a factor that resets the password turns the sign-in into a reset")
  func chooseReset() async throws {
    let factor = Factor(kind: .resetPasswordEmailCode, reference: "idn_1")
    let transport = ScriptedTransport(.enveloped(Fixture.signIn()))
    var memory = memory()
    let outcome = await provider(transport).choose(
      factor,
      for: try choice(of: [factor], .firstFactor),
      memory: &memory
    )
    guard case .resettingPassword(.codeRequired(let prompt)) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.stage == .passwordReset && prompt.code.expiresAt == nil)
    #expect(
      transport.calls == [
        Self.path + "prepare_first_factor?_is_native=1 "
          + "strategy=reset_password_email_code&email_address_id=idn_1"
      ]
    )
  }

  /// Chooses a code by text that was turned off since the attempt was read.
  private func chooseGone(
    among factors: [Factor],
    of all: [Factor]? = nil,
    at stage: FactorStage = .firstFactor,
    leaving signIn: String
  ) async throws -> Outcome<SignInState> {
    let transport = ScriptedTransport(
      .error("strategy_for_user_invalid", status: 400),
      .enveloped(signIn)
    )
    let attempt = try attempt(all ?? factors)
    let prompt = try #require(FactorPrompt(attempt: attempt, stage: stage, factors: factors))
    var memory = memory()
    let outcome = await provider(transport).choose(Self.phoneCode, for: prompt, memory: &memory)
    #expect(transport.isDone)
    return outcome
  }

  @Test("a factor that was turned off meanwhile is refused, and the others are offered")
  func turnedOff() async throws {
    let both = [Self.emailCode, Self.phoneCode]
    let rows: [(FactorStage, String)] = [
      (.firstFactor, Fixture.signIn(first: [Fixture.emailCode])),
      (.firstFactor, Fixture.signIn(first: [Fixture.password, Fixture.emailCode])),
      (.secondFactor, Fixture.signIn("needs_second_factor", second: [Fixture.emailCode])),
    ]
    for (stage, signIn) in rows {
      let outcome = try await chooseGone(among: both, at: stage, leaving: signIn)
      #expect(outcome.error?.reasons == [.methodUnavailable])
      guard case .factorRequired(let left)? = outcome.standing else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(left.stage == stage && left.factors.map(\.kind) == [.emailCode])
    }
  }

  @Test("a person who could type the password instead still can")
  func turnedOffBesidePassword() async throws {
    let outcome = try await chooseGone(
      among: [Self.phoneCode],
      of: [Factor(kind: .password), Self.phoneCode],
      leaving: Fixture.signIn(first: [Fixture.password])
    )
    #expect(outcome.error?.reasons == [.methodUnavailable])
    guard case .passwordRequired(let prompt)? = outcome.standing else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.attempt.firstFactors.map(\.kind) == [.password])
  }

  @Test("where nothing is left, that is said; an attempt that went on elsewhere stays as it was")
  func turnedOffAlone() async throws {
    let none = try await chooseGone(among: [Self.phoneCode], leaving: Fixture.signIn(first: []))
    #expect(none.error?.reasons == [.noUsableMethod] && none.standing == nil)
    let on = try await chooseGone(
      among: [Self.phoneCode],
      leaving: Fixture.signIn("needs_new_password")
    )
    #expect(on.error?.reasons == [.methodUnavailable] && on.standing == nil)
  }

  @Test("choosing a factor that needs no message makes no call")
  func chooseWithoutCall() async throws {
    let transport = ScriptedTransport()
    let provider = provider(transport)
    var memory = memory()
    for kind: Factor.Kind in [.authenticatorCode, .backupCode] {
      let factor = Factor(kind: kind)
      let prompt = try choice(of: [factor], .secondFactor)
      let outcome = await provider.choose(factor, for: prompt, memory: &memory)
      let expected = CodePrompt(attempt: prompt.attempt, stage: .secondFactor, factor: factor)
      #expect(outcome.moved == .codeRequired(expected))
    }
    let factors = [Factor(kind: .password), Factor(kind: .enterprise), Factor(kind: .emailLink)]
    let prompt = try choice(of: factors, .firstFactor)
    #expect(
      await provider.choose(factors[0], for: prompt, memory: &memory).moved
        == .passwordRequired(PasswordPrompt(attempt: prompt.attempt))
    )
    #expect(
      await provider.choose(factors[1], for: prompt, memory: &memory).moved
        == .browserRequired(
          BrowserPrompt(identifier: try .typed(), attempt: prompt.attempt)
        )
    )
    #expect(
      await provider.choose(factors[2], for: prompt, memory: &memory).error?.reasons
        == [.methodUnavailable]
    )
    #expect(transport.calls == [])
  }

  @Test(
    "a code is attempted at its stage, by its strategy",
    arguments: [
      (.emailCode, .firstFactor, "attempt_first_factor?_is_native=1 strategy=email_code"),
      (.phoneCode, .firstFactor, "attempt_first_factor?_is_native=1 strategy=phone_code"),
      (.authenticatorCode, .secondFactor, "attempt_second_factor?_is_native=1 strategy=totp"),
      (.backupCode, .secondFactor, "attempt_second_factor?_is_native=1 strategy=backup_code"),
      (.emailCode, .deviceTrust, "attempt_second_factor?_is_native=1 strategy=email_code"),
    ] as [(Factor.Kind, FactorStage, String)]
  )
  func submit(kind: Factor.Kind, stage: FactorStage, call: String) async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [Fixture.session()])
      )
    )
    let prompt = CodePrompt(attempt: try attempt(), stage: stage, factor: Factor(kind: kind))
    var memory = memory()
    let outcome = await provider(transport).submit(try .typed(), for: prompt, memory: &memory)
    #expect(outcome == .moved(to: .complete(Fixture.mara())))
    #expect(transport.calls == [Self.path + call + "&code=424242"])
  }

  @Test(
    "a refused code is reported with its reason, and its page stays",
    arguments: [
      ("form_code_incorrect", 422, .codeIncorrect, .code),
      ("verification_expired", 400, .codeExpired, .code),
      ("verification_failed", 400, .codeTriesExhausted, nil),
      ("verification_missing", 400, .codeNotSent, nil),
      ("user_locked", 403, .locked(until: nil), nil),
    ] as [(String, Int, Reason, Field?)]
  )
  func refused(code: String, status: Int, reason: Reason, field: Field?) async throws {
    let prompt = CodePrompt(attempt: try attempt(), stage: .firstFactor, factor: Self.emailCode)
    var memory = memory()
    let outcome = await provider(ScriptedTransport(.error(code, status: status)))
      .submit(try .typed(), for: prompt, memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [reason])
    #expect(outcome.error?.problems.map(\.field) == [field])
    #expect(outcome.standing == nil)
  }

  @Test("a code asked for too soon leaves the question standing, with the time to wait")
  func resendTooSoon() async throws {
    let prompt = CodePrompt(
      attempt: try attempt(),
      stage: .secondFactor,
      factor: Self.phoneCode,
      expiresAt: Self.expiry,
      resendAvailableAt: now
    )
    let transport = ScriptedTransport(
      .error(
        "verification_code_too_many_requests",
        status: 429,
        headerFields: [.retryAfter: "12"]
      )
    )
    var memory = memory()
    let outcome = await provider(transport).resend(prompt, memory: &memory)
    let until = now.addingTimeInterval(12)
    #expect(outcome.error?.reasons == [.resendTooSoon(until: until)])
    #expect(outcome.standing == .codeRequired(prompt.waiting(until: until)))
  }

  @Test("a code that was tried too often stays void while the next one has to be waited for")
  func voidTooSoon() async throws {
    let prompt = CodePrompt(
      attempt: try attempt(),
      stage: .firstFactor,
      factor: Self.emailCode,
      expiresAt: Self.expiry
    )
    let transport = ScriptedTransport(
      .error("verification_failed", status: 400),
      .error(
        "verification_code_too_many_requests",
        status: 429,
        headerFields: [.retryAfter: "12"]
      )
    )
    let flow = SignInFlow(provider: provider(transport), clock: WallClock { now })
    var memory = memory()
    let tried = await flow.advance(
      .codeRequired(prompt),
      with: .code(try .typed()),
      memory: &memory
    )
    guard case .refused(_, at: let void) = tried else {
      Issue.record("\(tried)")
      return
    }
    let resent = await flow.advance(void, with: .resendCode, memory: &memory)
    guard case .refused(_, at: .codeRequired(let standing)) = resent else {
      Issue.record("\(resent)")
      return
    }
    #expect(standing.code.isVoid)
    #expect(standing.code.resendAvailableAt == now.addingTimeInterval(12))
    #expect(transport.isDone)
  }

  @Test("a code that is sent again has an expiry of its own")
  func resend() async throws {
    let prompt = CodePrompt(attempt: try attempt(), stage: .firstFactor, factor: Self.emailCode)
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(firstVerification: Fixture.otp()))
    )
    var memory = memory()
    let outcome = await provider(transport).resend(prompt, memory: &memory)
    let expected = CodePrompt(
      attempt: try attempt(),
      stage: .firstFactor,
      factor: Self.emailCode,
      expiresAt: Self.expiry,
      resendAvailableAt: now.addingTimeInterval(30)
    )
    #expect(outcome.moved == .codeRequired(expected))
  }

  private func attempt(_ factors: [Factor] = [emailCode]) throws -> SignInAttempt {
    SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation(Fixture.signInID),
      firstFactors: factors,
      secondFactors: factors
    )
  }

  private func choice(of factors: [Factor], _ stage: FactorStage) throws -> FactorPrompt {
    try #require(FactorPrompt(attempt: try attempt(factors), stage: stage, factors: factors))
  }
}
