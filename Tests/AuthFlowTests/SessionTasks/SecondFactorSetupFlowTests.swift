@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("Setting up a second factor (P-mfasetup)")
struct SecondFactorSetupFlowTests {
  private let session = TaskExample.mfa

  private func state(_ setup: SecondFactorSetup) -> SessionTaskState {
    .setUpSecondFactorTask(session, setup)
  }

  private func advance(
    _ provider: ScriptedProvider,
    _ setup: SecondFactorSetup,
    _ input: SecondFactorSetupInput
  ) async -> Advance<SessionTaskState> {
    await TaskExample.advance(provider, state(setup), .secondFactor(input))
  }

  private func arrive(
    _ provider: ScriptedProvider,
    _ setup: SecondFactorSetup,
    methods: [SecondFactorMethod]
  ) async -> Advance<SessionTaskState> {
    var memory = ProviderMemory()
    let flow = SessionTaskFlow(provider: provider, clock: MovableClock().wallClock)
    return await flow.arrive(at: state(setup), methods: methods, memory: &memory)
  }

  @Test("the only method is taken without asking; with two methods or none, the person chooses")
  func arriving() async throws {
    let app = try TaskExample.authenticator()
    let provider = ScriptedProvider(.task(.moved(to: state(app))))
    let alone = await arrive(provider, .methodRequired, methods: [.authenticator])
    #expect(alone == .moved(to: state(app), notices: []))
    let phone = await arrive(ScriptedProvider(), .methodRequired, methods: [.phone])
    #expect(phone == .moved(to: state(.phoneNumberRequired), notices: []))
    for methods in [[], SecondFactorMethod.allCases] {
      let none = await arrive(ScriptedProvider(), .methodRequired, methods: methods)
      #expect(none == .moved(to: state(.methodRequired), notices: []))
    }
    let reloaded = await arrive(ScriptedProvider(), app, methods: [.authenticator])
    #expect(reloaded == .moved(to: state(app), notices: []), "the secret is not made again")
  }

  @Test("a method that is not offered any more is left for those that are")
  func methodGone() async throws {
    let app = try TaskExample.authenticator()
    for setup in [SecondFactorSetup.phoneNumberRequired, TaskExample.phone()] {
      let provider = ScriptedProvider(.task(.moved(to: state(app))))
      let only = await arrive(provider, setup, methods: [.authenticator])
      #expect(only == .moved(to: state(app), notices: []))
      let kept = await arrive(ScriptedProvider(), setup, methods: SecondFactorMethod.allCases)
      #expect(kept == .moved(to: state(setup), notices: []))
    }
    let phone = await arrive(ScriptedProvider(), app, methods: [.phone])
    #expect(phone == .moved(to: state(.phoneNumberRequired), notices: []))
    let none = await arrive(ScriptedProvider(), app, methods: [])
    #expect(none == .moved(to: state(.methodRequired), notices: []))
    let refusal = Example.error(.offline)
    let refused = await arrive(
      ScriptedProvider(.task(.refused(refusal, at: nil))),
      .phoneNumberRequired,
      methods: [.authenticator]
    )
    #expect(refused == .refused(refusal, at: state(.methodRequired)))
    let codes = try TaskExample.codes()
    let works = await arrive(ScriptedProvider(), codes, methods: [.phone])
    #expect(works == .moved(to: state(codes), notices: []), "the second factor works already")
  }

  @Test("choosing the app makes a secret once; choosing it again keeps it, another method does not")
  func app() async throws {
    let app = try TaskExample.authenticator()
    let provider = ScriptedProvider(.task(.moved(to: state(app))))
    let chosen = await advance(provider, .methodRequired, .method(.authenticator))
    #expect(chosen == .moved(to: state(app), notices: []))
    #expect(provider.calls == ["authenticator"])
    let again = await advance(ScriptedProvider(), app, .method(.authenticator))
    #expect(again == .moved(to: state(app), notices: []))
    let other = await advance(ScriptedProvider(), app, .method(.phone))
    #expect(other == .moved(to: state(.phoneNumberRequired), notices: []))
  }

  @Test("a wrong code keeps the same secret, and one of the wrong length makes no call")
  func wrongCode() async throws {
    let app = try TaskExample.authenticator()
    let refusal = Example.error(.codeIncorrect, at: .code)
    let wrong = await advance(
      ScriptedProvider(.task(.refused(refusal, at: nil))),
      app,
      .code(try Example.code())
    )
    #expect(wrong == .refused(refusal, at: state(app)))
    guard
      case .refused(let error, let place) = await advance(
        ScriptedProvider(),
        app,
        .code(try Example.code("4242"))
      )
    else { return #expect(Bool(false), "it is refused") }
    #expect(error.reasons == [.codeLength(digits: 6)])
    #expect(place == state(app))
  }

  @Test("after the right code come the backup codes or, if there are none, the next step")
  func rightCode() async throws {
    for setup in [try TaskExample.authenticator(), TaskExample.phone()] {
      for next in [state(try TaskExample.codes()), .complete(TaskExample.done)] {
        let provider = ScriptedProvider(.task(.moved(to: next)))
        let moved = await advance(provider, setup, .code(try Example.code()))
        #expect(moved == .moved(to: next, notices: []))
      }
    }
  }

  @Test("a phone number is sent a code, and that is reported")
  func phone() async throws {
    let chosen = await advance(ScriptedProvider(), .methodRequired, .method(.phone))
    #expect(chosen == .moved(to: state(.phoneNumberRequired), notices: []))
    let provider = ScriptedProvider(.task(.moved(to: state(TaskExample.phone()))))
    let sent = await advance(provider, .phoneNumberRequired, .phoneNumber("+12015550199"))
    #expect(sent == .moved(to: state(TaskExample.phone()), notices: [.codeSent]))
    #expect(provider.calls == ["phone +12015550199"])
    let proven = ScriptedProvider(.task(.moved(to: .complete(TaskExample.done))))
    let done = await advance(proven, .phoneNumberRequired, .phoneNumber("+12015550110"))
    #expect(done == .moved(to: .complete(TaskExample.done), notices: []))
  }

  @Test("codes are judged and sent again by the calls of the task")
  func phoneCodes() async throws {
    let asked = state(TaskExample.phone())
    let unsent = ScriptedProvider(
      .task(.refused(Example.error(.codeNotSent), at: nil)),
      .task(.moved(to: asked))
    )
    let sent = await advance(unsent, TaskExample.phone(), .code(try Example.code()))
    #expect(sent == .moved(to: asked, notices: [.codeSent]))
    #expect(unsent.calls == ["phone code 424242", "resend idn_9"])
    // Too soon, no call is made.
    _ = await advance(ScriptedProvider(), TaskExample.phone(), .resendCode)
    let void = ScriptedProvider(.task(.refused(Example.error(.codeTriesExhausted), at: nil)))
    guard
      case .refused(_, .setUpSecondFactorTask(_, let next)) = await advance(
        void,
        TaskExample.phone(),
        .code(try Example.code())
      )
    else {
      Issue.record("not refused")
      return
    }
    let provider = ScriptedProvider(.task(.moved(to: asked)))
    #expect(
      await advance(provider, next, .resendCode) == .moved(to: asked, notices: [.codeResent])
    )
    #expect(provider.calls == ["resend idn_9"])
  }

  @Test("cancelling returns to the choice, until the second factor works")
  func cancel() async throws {
    for setup in try TaskExample.setups().dropLast() {
      let back = await advance(ScriptedProvider(), setup, .otherMethod)
      #expect(back == .moved(to: state(.methodRequired), notices: []))
    }
    let late = await advance(ScriptedProvider(), try TaskExample.codes(), .otherMethod)
    #expect(late == .misplaced)
  }

  @Test("saving the backup codes leads on; a refusal keeps them")
  func saved() async throws {
    let codes = try TaskExample.codes()
    let provider = ScriptedProvider(.session(.moved(to: TaskExample.done)))
    let moved = await advance(provider, codes, .backupCodesSaved)
    #expect(moved == .moved(to: .complete(TaskExample.done), notices: []))
    let refusal = Example.error(.serviceUnavailable)
    let refused = await advance(
      ScriptedProvider(.session(.refused(refusal, at: nil))),
      codes,
      .backupCodesSaved
    )
    #expect(refused == .refused(refusal, at: state(codes)))
  }

  @Test("steps out of order are misplaced, and no call is made")
  func misplaced() async throws {
    let code = SecondFactorSetupInput.code(try Example.code())
    let due: [[String]] = [[], ["code"], ["phone"], ["code", "resend"], ["saved"]]
    let inputs: [(String, SecondFactorSetupInput)] = [
      ("code", code), ("phone", .phoneNumber("+1")), ("resend", .resendCode),
      ("saved", .backupCodesSaved),
    ]
    for (setup, due) in zip(try TaskExample.setups(), due) {
      for (name, input) in inputs where !due.contains(name) {
        let advance = await advance(ScriptedProvider(), setup, input)
        #expect(advance == .misplaced, "\(name) at \(setup)")
      }
    }
  }

  @Test("secrets do not print what they hold")
  func printing() throws {
    for setup in [try TaskExample.authenticator(), try TaskExample.codes()] {
      let text = "\(setup) \(String(reflecting: setup))"
      #expect(!text.contains("JBSW") && !text.contains("aaaa"))
    }
  }

  @Test(
    "a secret that no app could read is not made",
    arguments: [("", "otpauth://totp/x"), ("JB1", "otpauth://totp/x"), ("JBSW", "javascript:x")]
  )
  func malformed(base32: String, address: String) {
    #expect(AuthenticatorSecret(base32: base32, address: address) == nil)
  }

  @Test("an app's address has at most 2,000 bytes", arguments: [(2_000, true), (2_001, false)])
  func longAddress(size: Int, isMade: Bool) {
    let beginning = "otpauth://totp/x?issuer="
    let address = beginning + String(repeating: "i", count: size - beginning.utf8.count)
    #expect((AuthenticatorSecret(base32: "JBSW", address: address) != nil) == isMade)
  }
}
