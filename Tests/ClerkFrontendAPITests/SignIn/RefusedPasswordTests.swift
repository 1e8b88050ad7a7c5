@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import Testing
import TestSupport

@Suite("Passwords that must not be used any more")
struct RefusedPasswordTests {
  static let table: [(code: String, reason: Reason, order: [Factor.Kind])] = [
    ("form_password_compromised", .passwordCompromised, codesFirst),
    ("form_password_untrusted", .passwordCompromised, codesFirst),
    ("form_password_pwned", .passwordLeaked, resetsFirst),
    ("password_reset_required", .passwordResetRequired, resetsFirst),
    ("password_too_long_needs_reset", .passwordResetRequired, resetsFirst),
  ]

  static let codesFirst: [Factor.Kind] = [
    .emailCode, .phoneCode, .resetPasswordEmailCode, .resetPasswordPhoneCode,
  ]
  static let resetsFirst: [Factor.Kind] = [
    .resetPasswordEmailCode, .resetPasswordPhoneCode, .emailCode, .phoneCode,
  ]

  @Test(
    "a refused password leads to the other factors, with the refusal as concern",
    arguments: table
  )
  func moves(code: String, reason: Reason, order: [Factor.Kind]) async throws {
    let client = Fixture.client(signIn: Fixture.signIn())
    let transport = ScriptedTransport(.error(code, "password", client: client))
    let outcome = try await begin(transport)
    let prompt = try #require(choice(outcome.moved))
    #expect(prompt.factors.map(\.kind) == order)
    #expect(prompt.concern?.reasons == [reason])
    #expect(prompt.concern?.problems.map(\.code) == [code])
    #expect(prompt.attempt.continuation.token == Fixture.signInID)
    #expect(!prompt.attempt.firstFactors.contains { $0.kind == .password })
    #expect(transport.calls.count == 1)
  }

  @Test("the client is asked for if it did not come along")
  func asksForClient() async throws {
    let client = Fixture.client(signIn: Fixture.signIn())
    let transport = ScriptedTransport(
      .error("form_password_compromised", "password"),
      .enveloped(client, client: client)
    )
    let prompt = try #require(choice(try await begin(transport).moved))
    #expect(prompt.factors.map(\.kind) == Self.codesFirst)
    #expect(transport.calls.last == "GET /v1/client?_is_native=1")
  }

  @Test("if the sign-in did not survive, it is begun again without the password")
  func beginsAnew() async throws {
    let transport = ScriptedTransport(
      .error("form_password_pwned", "password"),
      .enveloped("null"),
      .enveloped(Fixture.signIn())
    )
    let prompt = try #require(choice(try await begin(transport).moved))
    #expect(prompt.factors.map(\.kind) == Self.resetsFirst)
    #expect(
      transport.calls.last
        == "POST /v1/client/sign_ins?_is_native=1 identifier=mara%40example.com"
    )
  }

  @Test("no further call is made if the attempt is already known")
  func knownAttempt() async throws {
    let attempt = SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation(Fixture.signInID),
      firstFactors: [Factor(kind: .password), Factor(kind: .emailCode, reference: "idn_1")]
    )
    let transport = ScriptedTransport(.error("form_password_compromised", "password"))
    var memory = memory()
    let outcome = await provider(transport).submit(
      try .typed(),
      for: PasswordPrompt(attempt: attempt),
      memory: &memory
    )
    #expect(choice(outcome.moved)?.factors.map(\.kind) == [.emailCode])
  }

  @Test(
    "a wrong password leads to the client's sign-in only if it is the one that was tried",
    arguments: [
      (Fixture.signInID, "needs_first_factor", true),
      (Fixture.signInID, "needs_second_factor", false),
      ("sia_another", "needs_first_factor", false),
    ]
  )
  func presentSignIn(known: String, status: String, isTried: Bool) async throws {
    let client = Fixture.client(signIn: Fixture.signIn(status))
    let transport = ScriptedTransport(
      .error("form_password_incorrect", "password", client: client)
    )
    let attempt = SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation(known),
      firstFactors: [Factor(kind: .password)]
    )
    var memory = memory()
    let outcome = await provider(transport).submit(
      try .typed(),
      for: PasswordPrompt(attempt: attempt),
      memory: &memory
    )
    #expect(outcome.error?.problems.map(\.field) == [.password])
    #expect((outcome.standing != nil) == isTried)
  }

  @Test("without another factor it stays at the password")
  func noOther() async throws {
    let signIn = Fixture.signIn(first: [Fixture.password])
    let transport = ScriptedTransport(
      .error("form_password_compromised", "password", client: Fixture.client(signIn: signIn))
    )
    let outcome = try await begin(transport)
    #expect(outcome.error?.problems.map(\.field) == [.password])
    guard case .passwordRequired = outcome.standing else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("when asking for the other factors fails, that failure is reported")
  func failsOnTheWay() async throws {
    let transport = ScriptedTransport([
      .success(.error("form_password_compromised", "password")), .failure(.timedOut),
    ])
    #expect(try await begin(transport).error?.reasons == [.serviceTimedOut])
  }

  @Test("a password that the account does not have is dropped, and its methods are offered")
  func strategyInvalid() async throws {
    let signIn = Fixture.signIn(first: [Fixture.emailCode, Fixture.phoneCode])
    let withClient = ScriptedTransport(
      .error("strategy_for_user_invalid", status: 400, client: Fixture.client(signIn: signIn))
    )
    let anew = ScriptedTransport(
      .error("strategy_for_user_invalid", status: 400),
      .enveloped("null"),
      .enveloped(signIn)
    )
    for transport in [withClient, anew] {
      let outcome = try await begin(transport)
      #expect(outcome.error?.reasons == [.methodUnavailable])
      #expect(choice(outcome.standing)?.factors.map(\.kind) == [.emailCode, .phoneCode])
      #expect(transport.isDone)
    }
  }

  /// The outcomes of a password that the account lacks, its sign-in coming along or begun again.
  private func outcomes(of factors: [String]) async throws -> [Outcome<SignInState>] {
    let signIn = Fixture.signIn(first: factors.map { #"{"strategy": "\#($0)"}"# })
    let code = "strategy_for_user_invalid"
    let toldAlong = ScriptedTransport(
      .error(code, status: 400, client: Fixture.client(signIn: signIn))
    )
    let anew = ScriptedTransport(
      .error(code, status: 400),
      .enveloped("null"),
      .enveloped(signIn)
    )
    var outcomes: [Outcome<SignInState>] = []
    for transport in [toldAlong, anew] {
      outcomes.append(try await begin(transport))
      #expect(transport.isDone)
    }
    return outcomes
  }

  @Test(
    "an account that has only a provider's page goes on there, from the same attempt",
    arguments: [["oauth_google"], ["passkey", "oauth_google"]]
  )
  func browserAlone(factors: [String]) async throws {
    for outcome in try await outcomes(of: factors) {
      guard case .browserRequired(let prompt) = outcome.moved else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(prompt.providerName == "Google")
      #expect(prompt.attempt?.continuation.token == Fixture.signInID)
    }
  }

  @Test(
    "an account without a usable method is refused, and a denied password is not asked for",
    arguments: [
      (["passkey"], .noUsableMethod), ([], .noUsableMethod), (["password"], .methodUnavailable),
    ] as [([String], Reason)]
  )
  func nothingElse(factors: [String], reason: Reason) async throws {
    for outcome in try await outcomes(of: factors) {
      #expect(outcome.error?.reasons == [reason])
      #expect(outcome.standing == nil)
    }
  }

  private func begin(_ transport: ScriptedTransport) async throws -> Outcome<SignInState> {
    var memory = memory()
    return await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
  }

  private func choice(_ state: SignInState?) -> FactorPrompt? {
    guard case .factorRequired(let prompt) = state else { return nil }
    return prompt
  }
}
