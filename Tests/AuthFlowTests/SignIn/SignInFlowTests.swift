@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("Signing in")
struct SignInFlowTests {
  private let clock = MovableClock()

  private func advance(
    _ provider: ScriptedProvider,
    _ state: SignInState,
    _ input: SignInInput
  ) async -> Advance<SignInState> {
    var memory = ProviderMemory()
    let flow = SignInFlow(provider: provider, clock: clock.wallClock)
    let advance = await flow.advance(state, with: input, memory: &memory)
    #expect((memory["calls"] ?? "").count == provider.calls.count, "the memory is passed on")
    #expect(provider.isDone)
    return advance
  }

  // MARK: - The first page

  @Test("both fields at once sign in")
  func credentials() async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let advance = await advance(
      provider,
      .identifierRequired,
      .credentials(try Example.identifier(), try Example.password())
    )
    #expect(advance == .moved(to: .complete(Example.session()), notices: []))
    #expect(provider.calls == ["begin ada@example.com secret"])
  }

  @Test("a password that is left empty is asked for at its field if the account has one (P-signin)")
  func emptyPassword() async throws {
    let prompt = try Example.passwordPrompt()
    let provider = ScriptedProvider(.signIn(.moved(to: .passwordRequired(prompt))))
    let advance = await advance(
      provider,
      .identifierRequired,
      .credentials(try Example.identifier(), nil)
    )
    let missing = AuthError(Problem(.missing, at: .password, code: "required"))
    #expect(advance == .refused(missing, at: .passwordRequired(prompt)))
  }

  @Test("a password that is left empty is not asked for if the account has none")
  func emptyPasswordWithoutPassword() async throws {
    let code = try Example.codePrompt()
    let provider = ScriptedProvider(
      .signIn(.moved(to: .factorRequired(try Example.choice([Example.emailCode])))),
      .signIn(.moved(to: .codeRequired(code)))
    )
    let advance = await advance(
      provider,
      .identifierRequired,
      .credentials(try Example.identifier(), nil)
    )
    #expect(advance == .moved(to: .codeRequired(code), notices: [.codeSent]))
  }

  @Test("a typed password that the account does not have is dropped")
  func passwordlessAccount() async throws {
    let code = try Example.codePrompt()
    let choice = try Example.choice([Example.emailCode])
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(.methodUnavailable), at: .factorRequired(choice))),
      .signIn(.moved(to: .codeRequired(code)))
    )
    let advance = await advance(
      provider,
      .identifierRequired,
      .credentials(try Example.identifier(), try Example.password())
    )
    #expect(advance == .moved(to: .codeRequired(code), notices: [.codeSent]))
    #expect(provider.calls.last == "choose email_code idn_1")
  }

  @Test("if only a browser or nothing signs the account in, the provider is asked only once")
  func browserAccount() async throws {
    let refusal = Example.error(.methodUnavailable)
    let browser = SignInState.browserRequired(
      BrowserPrompt(identifier: try Example.identifier(), providerName: "Google")
    )
    let none = Example.error(.noUsableMethod)
    for (outcome, expected) in [
      (.moved(to: browser), .moved(to: browser, notices: [])),
      (.refused(none, at: nil), .refused(none, at: .identifierRequired)),
      (.refused(refusal, at: nil), .refused(refusal, at: .identifierRequired)),
    ] as [(Outcome<SignInState>, Advance<SignInState>)] {
      let provider = ScriptedProvider(.signIn(outcome))
      let advance = await advance(
        provider,
        .identifierRequired,
        .credentials(try Example.identifier(), try Example.password())
      )
      #expect(advance == expected)
      #expect(provider.calls.count == 1 && provider.isDone)
    }
  }

  @Test("an identifier can be sent alone, and the password is asked for after it")
  func identifierFirst() async throws {
    let prompt = try Example.passwordPrompt()
    let provider = ScriptedProvider(.signIn(.moved(to: .passwordRequired(prompt))))
    let advance = await advance(
      provider,
      .identifierRequired,
      .identifier(try Example.identifier())
    )
    #expect(advance == .moved(to: .passwordRequired(prompt), notices: []))
    #expect(provider.calls == ["begin ada@example.com -"])
  }

  @Test("the first page can be used in any state of the old attempt")
  func beginsAnew() async throws {
    for state in try Example.signInStates() {
      let refusal = Example.error(.identifierNotFound, at: .identifier)
      let provider = ScriptedProvider(.signIn(.refused(refusal, at: nil)))
      let advance = await advance(provider, state, .identifier(try Example.identifier()))
      #expect(advance == .refused(refusal, at: .identifierRequired))
    }
  }

  @Test("a refusal stays where the provider says, or where it stood")
  func refused() async throws {
    let prompt = try Example.passwordPrompt()
    let other = try Example.passwordPrompt([Example.password])
    for (standing, expected) in [(nil, prompt), (other, other)] {
      let refusal = Example.error(.passwordIncorrect, at: .password)
      let at = standing.map(SignInState.passwordRequired)
      let provider = ScriptedProvider(.signIn(.refused(refusal, at: at)))
      let advance = await advance(
        provider,
        .passwordRequired(prompt),
        .password(try Example.password())
      )
      #expect(advance == .refused(refusal, at: .passwordRequired(expected)))
    }
  }

  @Test("the end of an attempt keeps all that is known of the refusal, including whose fault it is")
  func endOfAttempt() async throws {
    var refusal = AuthError(
      Problem(.unrecognised, code: "unauthorized_client"),
      traceID: "trace_1",
      diagnosis: "unauthorized_client;700016"
    )
    refusal.blame = .setUp
    let provider = ScriptedProvider(.signIn(.refused(refusal, at: .identifierRequired)))
    let advance = await advance(
      provider,
      .passwordRequired(try Example.passwordPrompt()),
      .password(try Example.password())
    )
    guard case .refused(let error, at: .identifierRequired) = advance else {
      Issue.record("\(advance)")
      return
    }
    #expect(error.problems.map(\.reason) == [.unrecognised, .attemptEnded])
    #expect(error.advice == .startOver)
    #expect(error.blame == .setUp)
    #expect(error.traceID == "trace_1")
    #expect(error.diagnosis == "unauthorized_client;700016")
  }

  // MARK: - Choices that need no answer

  @Test("the preferred factor is used without asking, and a new device is reported")
  func preferred() async throws {
    let factors = [Example.emailCode, Example.phoneCode]
    for (stage, notices) in [
      (FactorStage.secondFactor, [Notice.codeSent]), (.deviceTrust, [.codeSent, .newDevice]),
    ] {
      let choice = try Example.choice(factors, stage: stage, preferred: Example.phoneCode)
      let code = try Example.codePrompt(Example.phoneCode, stage: stage)
      let next = SignInState.codeRequired(code)
      let provider = ScriptedProvider(
        .signIn(.moved(to: .factorRequired(choice))),
        .signIn(.moved(to: next))
      )
      let advance = await advance(
        provider,
        .identifierRequired,
        .credentials(try Example.identifier(), try Example.password())
      )
      #expect(advance == .moved(to: next, notices: notices))
      #expect(provider.calls.last == "choose phone_code idn_2")
    }
  }

  @Test("an app's code is asked for without saying that one was sent")
  func nothingSent() async throws {
    let choice = try Example.choice(
      [Example.totp, Example.backupCode],
      stage: .secondFactor,
      preferred: Example.totp
    )
    let code = try Example.codePrompt(Example.totp, stage: .secondFactor, expiresIn: nil)
    let provider = ScriptedProvider(
      .signIn(.moved(to: .factorRequired(choice))),
      .signIn(.moved(to: .codeRequired(code)))
    )
    let advance = await advance(
      provider,
      .passwordRequired(try Example.passwordPrompt()),
      .password(try Example.password())
    )
    #expect(advance == .moved(to: .codeRequired(code), notices: []))
  }

  @Test("several factors without a preference are left to the person")
  func several() async throws {
    let choice = try Example.choice([Example.emailCode, Example.phoneCode])
    let provider = ScriptedProvider(.signIn(.moved(to: .factorRequired(choice))))
    let advance = await advance(
      provider,
      .identifierRequired,
      .identifier(try Example.identifier())
    )
    #expect(advance == .moved(to: .factorRequired(choice), notices: []))
  }

  @Test("a sole factor that resets the password is never used without asking")
  func soleReset() async throws {
    let choice = try Example.choice([Example.resetByEmail])
    let provider = ScriptedProvider(.signIn(.moved(to: .factorRequired(choice))))
    let advance = await advance(
      provider,
      .identifierRequired,
      .identifier(try Example.identifier())
    )
    #expect(advance == .moved(to: .factorRequired(choice), notices: []))
  }

  @Test("with a concern even a sole factor is left to the person")
  func concern() async throws {
    let choice = try Example.choice(
      [Example.emailCode],
      concern: Example.error(.passwordCompromised)
    )
    let provider = ScriptedProvider(.signIn(.moved(to: .factorRequired(choice))))
    let advance = await advance(
      provider,
      .passwordRequired(try Example.passwordPrompt()),
      .password(try Example.password())
    )
    #expect(advance == .moved(to: .factorRequired(choice), notices: []))
  }

  @Test("if the preferred factor fails, the person chooses and is told why")
  func automaticFails() async throws {
    let choice = try Example.choice(
      [Example.emailCode, Example.phoneCode],
      stage: .secondFactor,
      preferred: Example.phoneCode
    )
    let refusal = Example.error(.deliveryFailed)
    let provider = ScriptedProvider(
      .signIn(.moved(to: .factorRequired(choice))),
      .signIn(.refused(refusal, at: nil))
    )
    let advance = await advance(
      provider,
      .identifierRequired,
      .credentials(try Example.identifier(), try Example.password())
    )
    guard case .moved(to: .factorRequired(let left), let notices, _) = advance else {
      Issue.record("\(advance)")
      return
    }
    #expect(left.concern == refusal && left.preferred == nil && notices == [])
    #expect(left.factors == choice.factors && left.stage == .secondFactor)
  }

  @Test(
    "if the attempt ends while a factor is prepared, it is over",
    arguments: [
      .attemptEnded, .signInAgain, .alreadySignedIn, .banned, .locked(until: nil),
    ] as [Reason]
  )
  func automaticEnds(reason: Reason) async throws {
    let provider = ScriptedProvider(
      .signIn(.moved(to: .factorRequired(try Example.choice([Example.emailCode])))),
      .signIn(.refused(Example.error(reason), at: nil))
    )
    let advance = await advance(
      provider,
      .identifierRequired,
      .identifier(try Example.identifier())
    )
    #expect(advance == .refused(Example.error(reason), at: .identifierRequired))
  }

  // MARK: - Choosing

  @Test("an offered factor can be chosen, even if it is the second one of its kind")
  func choose() async throws {
    let factors = [Example.emailCode, Example.phoneCode, Example.otherPhoneCode]
    let code = try Example.codePrompt(Example.otherPhoneCode)
    let provider = ScriptedProvider(.signIn(.moved(to: .codeRequired(code))))
    let prompt = try Example.choice(factors)
    let chosen = try #require(prompt.factor(named: "phone_code-2"))
    let advance = await advance(provider, .factorRequired(prompt), .factor(chosen))
    #expect(advance == .moved(to: .codeRequired(code), notices: [.codeSent]))
    #expect(provider.calls == ["choose phone_code idn_3"])
  }

  @Test("a person who was sent to a browser may choose another factor, but not that one again")
  func chooseInPlaceOfBrowser() async throws {
    let enterprise = Factor(kind: .enterprise)
    let state = SignInState.browserRequired(
      BrowserPrompt(
        identifier: try Example.identifier(),
        attempt: try Example.attempt(first: [enterprise, Example.emailCode])
      )
    )
    #expect(state.factorPrompt?.factors == [Example.emailCode])
    let code = try Example.codePrompt(Example.emailCode)
    let provider = ScriptedProvider(.signIn(.moved(to: .codeRequired(code))))
    let advance = await advance(provider, state, .factor(Example.emailCode))
    #expect(advance == .moved(to: .codeRequired(code), notices: [.codeSent]))
    #expect(await self.advance(ScriptedProvider(), state, .factor(enterprise)) == .misplaced)
  }

  @Test("a factor that was not offered is misplaced")
  func notOffered() async throws {
    let forged = Factor(kind: .emailCode, destination: "eve@example.com", reference: "idn_9")
    let states: [SignInState] = [
      .passwordRequired(try Example.passwordPrompt()),
      .factorRequired(try Example.choice([Example.emailCode])),
      .codeRequired(try Example.codePrompt(others: [Example.phoneCode])),
      .codeRequired(try Example.codePrompt(Example.totp, stage: .secondFactor)),
    ]
    for state in states {
      #expect(await advance(ScriptedProvider(), state, .factor(forged)) == .misplaced)
    }
  }

  @Test("the factor whose code is under way is not sent again")
  func chooseStanding() async throws {
    let prompt = try Example.codePrompt(others: [Example.phoneCode])
    let state = SignInState.codeRequired(prompt)
    #expect(
      await advance(ScriptedProvider(), state, .factor(Example.emailCode))
        == .moved(to: state, notices: [])
    )
  }

  // MARK: - Codes

  @Test("a right code goes on")
  func code() async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let state = SignInState.codeRequired(try Example.codePrompt(stage: .deviceTrust))
    let advance = await advance(provider, state, .code(try Example.code("٤٢٤ ٢٤٢")))
    #expect(advance == .moved(to: .complete(Example.session()), notices: []))
    #expect(provider.calls == ["code email_code 424242"])
  }

  @Test("a backup code may have any length, and is taken only if the account has such codes")
  func backupCode() async throws {
    let code = try #require(VerificationCode(typedBackupCode: "K3V9-Q2XW"))
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let prompt = try Example.codePrompt(
      Example.totp,
      stage: .secondFactor,
      others: [Example.backupCode]
    )
    let done = await advance(provider, .codeRequired(prompt), .backupCode(code))
    #expect(done == .moved(to: .complete(Example.session()), notices: []))
    #expect(provider.calls == ["code backup_code k3v9q2xw"])
    let without = try Example.codePrompt(Example.totp, stage: .secondFactor)
    let misplaced = await advance(
      ScriptedProvider(),
      .codeRequired(without),
      .backupCode(code)
    )
    #expect(misplaced == .misplaced)
  }

  @Test("codes are judged and sent again by the calls of a sign-in")
  func codes() async throws {
    let state = SignInState.codeRequired(try Example.codePrompt())
    let unsent = ScriptedProvider(
      .signIn(.refused(Example.error(.codeNotSent), at: nil)),
      .signIn(.moved(to: state))
    )
    let sent = await advance(unsent, state, .code(try Example.code()))
    #expect(sent == .moved(to: state, notices: [.codeSent]))
    #expect(unsent.calls == ["code email_code 424242", "resend email_code"])
    // Too soon, no call is made.
    _ = await advance(ScriptedProvider(), state, .resendCode)
    let void = ScriptedProvider(.signIn(.refused(Example.error(.codeTriesExhausted), at: nil)))
    guard case .refused(_, let next) = await advance(void, state, .code(try Example.code())) else {
      Issue.record("not refused")
      return
    }
    let provider = ScriptedProvider(.signIn(.moved(to: state)))
    #expect(
      await advance(provider, next, .resendCode) == .moved(to: state, notices: [.codeResent])
    )
    #expect(provider.calls == ["resend email_code"])
  }

  @Test("a code that has ended can be sent again by choosing its factor")
  func chooseEnded() async throws {
    let prompt = try Example.codePrompt(others: [Example.phoneCode])
    let state = SignInState.codeRequired(prompt)
    clock.advance(601)
    let provider = ScriptedProvider(.signIn(.moved(to: state)))
    let advance = await advance(provider, state, .factor(Example.emailCode))
    #expect(advance == .moved(to: state, notices: [.codeResent]))
    #expect(provider.calls == ["resend email_code"])
  }

  @Test("a code that was tried too often can be sent again by choosing its factor, at once")
  func chooseVoid() async throws {
    let prompt = try Example.codePrompt(others: [Example.phoneCode])
    let state = SignInState.codeRequired(prompt)
    let tried = await advance(
      ScriptedProvider(.signIn(.refused(Example.error(.codeTriesExhausted), at: nil))),
      state,
      .code(try Example.code())
    )
    guard case .refused(_, let void) = tried else {
      Issue.record("\(tried)")
      return
    }
    let provider = ScriptedProvider(.signIn(.moved(to: state)))
    let resent = await advance(provider, void, .factor(Example.emailCode))
    #expect(resent == .moved(to: state, notices: [.codeResent]))
    #expect(provider.calls == ["resend email_code"])
  }

  @Test(
    "choosing a factor whose code is still good changes nothing, and makes no call",
    arguments: [Example.emailCode, Example.totp]
  )
  func chooseGood(factor: Factor) async throws {
    let prompt = try Example.codePrompt(
      factor,
      stage: .secondFactor,
      others: [Example.backupCode],
      expiresIn: factor.sendsMessage ? 600 : nil
    )
    let state = SignInState.codeRequired(prompt)
    clock.advance(599)
    #expect(
      await advance(ScriptedProvider(), state, .factor(factor)) == .moved(to: state, notices: [])
    )
  }

  @Test("an app's code is never sent")
  func resendWithoutMessage() async throws {
    let state = SignInState.codeRequired(
      try Example.codePrompt(Example.totp, stage: .secondFactor, resendIn: nil)
    )
    #expect(await advance(ScriptedProvider(), state, .resendCode) == .misplaced)
  }

  // MARK: - Steps out of order

  /// The inputs that each state takes, in the order of `Example.signInStates()`, then of a link.
  ///
  /// Any state takes an identifier.
  static let taken: [Set<String>] = [
    [], ["password", "factor"], ["factor"], ["code", "factor", "resend"], ["factor"],
    ["code", "backup", "factor"], ["code", "factor", "resend"], ["enrolment"], ["code", "resend"],
    ["accept"], [], [], [], ["factor", "resend", "check", "link"],
  ]

  @Test("every input that is not due is misplaced, and no call is made")
  func misplaced() async throws {
    let inputs: [(name: String, input: SignInInput)] = [
      ("password", .password(try Example.password())), ("factor", .factor(Example.phoneCode)),
      ("code", .code(try Example.code())), ("backup", .backupCode(try Example.code())),
      ("resend", .resendCode), ("enrolment", .enrolment(try Example.enrolment())),
      ("accept", .acceptGranted), ("check", .check),
      ("link", .link(FollowedLink(.verified, parameters: [:]))),
      ("returned", .returned(BrowserReturn([:]))),
    ]
    let link = LinkPrompt(
      attempt: try Example.attempt(),
      factor: Factor(kind: .emailLink),
      proof: Continuation("proof")
    )
    let states = try Example.signInStates() + [.linkRequired(link)]
    #expect(states.count == Self.taken.count)
    for (state, taken) in zip(states, Self.taken) {
      for (name, input) in inputs where !taken.contains(name) {
        #expect(await advance(ScriptedProvider(), state, input) == .misplaced, "\(state) \(name)")
      }
    }
  }
}
