import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("What the pages are told of a tenant")
struct PolicyTests {
  private func description(_ policy: AppPolicy) async throws -> InstanceDescription {
    try await EntraProvider(
      transport: ScriptedTransport([]),
      tenant: NativeTenant(path: Fixture.tenant, clientID: Fixture.clientID),
      clock: WallClock { Fixture.now },
      policy: { policy }
    ).describeInstance()
  }

  @Test("by default, a password may come with the address, and the published rules hold")
  func usual() async throws {
    let usual = try await description(AppPolicy())
    #expect(usual.signInForm == .identifierAndPassword)
    #expect(usual.signUp.mode == .open)
    #expect(usual.signUp.fields.map(\.field) == [.emailAddress, .password])
    #expect(usual.signUp.fields.map(\.isRequired) == [true, false])
    #expect(usual.offersPasswordReset)
    #expect(
      usual.passwordRules == PasswordRules(minimumLength: 8, maximumLength: 256, classCount: 3)
    )
  }

  @Test("an app may be set up differently, but never for shorter passwords")
  func otherwise() async throws {
    #expect(
      try await description(AppPolicy(asksIdentifierFirst: true)).signInForm == .identifierFirst
    )
    #expect(
      try await description(AppPolicy(takesSignUps: false)).signUp.mode == .closed(.restricted)
    )
    let codes = try await description(AppPolicy(usesPasswords: false))
    #expect(codes.signInForm == .identifierFirst)
    #expect(codes.signUp.fields.map(\.field) == [.emailAddress])
    #expect(!codes.offersPasswordReset)
    for (minimum, told) in [(4, 8), (12, 12)] {
      let rules = try await description(AppPolicy(minimumPasswordLength: minimum)).passwordRules
      #expect(rules.minimumLength == told)
    }
  }

  @Test("a password that is too short is refused with the length that the app was set up for")
  func tooShort() async throws {
    let short = #"{"error": "invalid_grant", "suberror": "password_too_short"}"#
    let provider = EntraProvider(
      transport: ScriptedTransport([.success(.json(short, status: .badRequest))]),
      tenant: NativeTenant(path: Fixture.tenant, clientID: Fixture.clientID),
      clock: WallClock { Fixture.now },
      policy: { AppPolicy(minimumPasswordLength: 12) }
    )
    var memory = ProviderMemory()
    let outcome = await provider.beginSignUp(
      SignUpDetails(values: [.emailAddress: "mara@example.com"], password: try .typed()),
      memory: &memory
    )
    guard case .refused(let error, _) = outcome else { throw Unexpected() }
    #expect(error.problems.map(\.reason) == [.passwordTooShort(minimum: 12)])
  }

  private struct Unexpected: Error {}
}
