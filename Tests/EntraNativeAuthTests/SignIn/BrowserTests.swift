import CryptoExtras
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("Continuing in a browser, and coming back")
struct BrowserTests {
  private static let links = LinkAddresses(
    origin: "http://a.test",
    paths: .init(signIn: "/sign-in/link", signUp: "/sign-up/link", browserReturn: "/continue")
  )

  /// A sign-in that was sent to the browser, and further answers for when it is back.
  private func sent(
    then answers: ScriptedTransport.Answer...
  ) async throws -> (EntraProvider, BrowserPrompt, ScriptedTransport) {
    let transport = ScriptedTransport(
      [.success(.json(Fixture.redirect))] + answers,
      documents: try await SigningTenant.shared.value.documents
    )
    let provider = provider(transport).sending(Self.links, browserBase: "https://login.test")
    var memory = ProviderMemory()
    let outcome = await provider.beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    guard case .browserRequired(let prompt)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    return (provider, prompt, transport)
  }

  private struct Unexpected: Error, CustomStringConvertible { var description: String }

  private func query(_ prompt: BrowserPrompt) throws -> [String: String] {
    let address = try #require(prompt.address)
    let query = try #require(address.split(separator: "?").last)
    return try Dictionary(
      uniqueKeysWithValues: FormData(decoding: Array(query.utf8)).fields.map { ($0.name, $0.value) }
    )
  }

  private func back(
    _ provider: EntraProvider,
    _ prompt: BrowserPrompt,
    _ values: [String: String]
  ) throws -> Outcome<SignInState> {
    provider.receive(try #require(provider.readReturn(values)), for: prompt)
  }

  private func returned(
    _ provider: EntraProvider,
    _ prompt: BrowserPrompt
  ) throws -> BrowserPrompt {
    let state = try query(prompt)["state"] ?? ""
    let moved = try back(provider, prompt, ["code": "code-1", "state": state]).moved
    guard case .browserRequired(let prompt)? = moved else {
      throw Unexpected(description: "\(String(describing: moved))")
    }
    #expect(prompt.hasReturned)
    return prompt
  }

  /// Tokens whose id token repeats a nonce.
  private func tokens(nonce: String?) async throws -> Response {
    var claims = SigningTenant.claims()
    claims.nonce = nonce
    return try await SigningTenant.shared.value.tokens(claims: claims)
  }

  @Test("the address asks for a code, with a proof that only this visit can give")
  func address() async throws {
    let (_, prompt, _) = try await sent()
    #expect(
      prompt.address?.hasPrefix("https://login.test\(Fixture.tenant)/oauth2/v2.0/authorize?")
        == true
    )
    let asked = try query(prompt)
    #expect(asked["client_id"] == Fixture.clientID)
    #expect(asked["response_type"] == "code")
    #expect(asked["redirect_uri"] == "http://a.test/continue")
    #expect(
      asked["scope"] == "openid profile offline_access api://orders/Read api://orders/Write"
    )
    #expect(asked["login_hint"] == "mara@example.com")
    #expect(asked["code_challenge_method"] == "S256")
    #expect(!prompt.hasReturned)
    let (_, other, _) = try await sent()
    for name in ["state", "nonce", "code_challenge"] {
      #expect(asked[name]?.utf8.count == 43)
      #expect(try query(other)[name] != asked[name])
    }
  }

  @Test("claims that were demanded are also asked for in the browser", arguments: [0, 2])
  func claims(answersBefore count: Int) async throws {
    let before: [Response] = [.json(Fixture.begun), .json(Fixture.password)]
    let transport = ScriptedTransport(
      (before.prefix(count) + [.json(Fixture.redirect)]).map { .success($0) },
      documents: try await SigningTenant.shared.value.documents
    )
    let provider = provider(transport).sending(Self.links, browserBase: "https://login.test")
    var memory = ProviderMemory()
    memory.claimsDemand = ClaimsDemand(
      #"{"access_token":{"acrs":{"value":"c2"}}}"#,
      of: ["Mara@example.com"]
    )
    let outcome = await provider.beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    guard case .browserRequired(let prompt)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(
      try query(prompt)["claims"]
        == #"{"access_token":{"acrs":{"value":"c2"},"xms_cc":{"values":["cp1"]}}}"#
    )
    #expect(memory.claimsDemand != nil)
  }

  @Test("the code is redeemed with its verifier, once the person says so")
  func redeemed() async throws {
    // The secrets are made before the answer can be: only then is the nonce known.
    let (provider, prompt, _) = try await sent()
    var memory = ProviderMemory()
    let waiting = await provider.check(prompt, memory: &memory)
    #expect(waiting.moved == .browserRequired(prompt))
    let prompted = try returned(provider, prompt)
    let asked = try query(prompt)
    let transport = ScriptedTransport(
      [.success(try await tokens(nonce: asked["nonce"]))],
      documents: try await SigningTenant.shared.value.documents
    )
    let outcome = await EntraNativeAuthTests.provider(transport).check(prompted, memory: &memory)
    guard case .complete(let session)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(session.user.identifier == "mara@example.com")
    let form = try #require(transport.forms.first)
    #expect(form["grant_type"] == "authorization_code")
    #expect(form["code"] == "code-1")
    #expect(form["redirect_uri"] == "http://a.test/continue")
    let digest = Data(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8)))
    let challenge = digest.base64EncodedString().replacing("+", with: "-")
      .replacing("/", with: "_").replacing("=", with: "")
    #expect(challenge == asked["code_challenge"])
  }

  @Test("an id token of another flow, or of none, is refused", arguments: [nil, "another"])
  func nonce(_ nonce: String?) async throws {
    let (provider, prompt, _) = try await sent(then: .success(try await tokens(nonce: nonce)))
    var memory = ProviderMemory()
    let outcome = await provider.check(try returned(provider, prompt), memory: &memory)
    #expect(outcome.error?.problems.map(\.code) == ["service_answered_nonsense"])
    #expect(memory.tokens == nil)
  }

  @Test("a code that is spent or late ends the attempt")
  func late() async throws {
    let (provider, prompt, _) = try await sent(then: .success(.error(Fixture.badToken)))
    var memory = ProviderMemory()
    let outcome = await provider.check(try returned(provider, prompt), memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.attemptEnded])
  }

  @Test("what the tenant's page was to mend, and did not, ends the attempt instead of leading back")
  func notMended() async throws {
    let refusal = #"{"error":"invalid_grant","suberror":"consent_required"}"#
    let (provider, prompt, _) = try await sent(then: .success(.error(refusal)))
    var memory = ProviderMemory()
    let outcome = await provider.check(try returned(provider, prompt), memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.consentRequired])
    #expect(outcome.standing == nil)
  }

  @Test("a return with another state changes nothing")
  func foreign() async throws {
    let (provider, prompt, _) = try await sent()
    for state in [nil, "", "another"] {
      var values = ["code": "code-1", "error": "access_denied"]
      values["state"] = state
      #expect(try back(provider, prompt, values).moved == .browserRequired(prompt))
    }
    #expect(provider.readReturn(["state": "s"]) == nil)
    #expect(provider.readReturn([:]) == nil)
  }

  @Test(
    "an error that comes back has its reason, and a person who cancels is not at fault",
    arguments: [
      ("access_denied", Reason.cancelled), ("server_error", .serviceAnsweredNonsense),
      ("temporarily_unavailable", .serviceUnavailable), ("<b>", .unrecognised),
    ]
  )
  func refused(error: String, reason: Reason) async throws {
    let (provider, prompt, _) = try await sent()
    let state = try query(prompt)["state"] ?? ""
    let outcome = try back(provider, prompt, ["error": error, "state": state])
    #expect(outcome.error?.problems.map(\.reason) == [reason])
    #expect(outcome.error?.problems.first?.code.contains("<") == false)
  }

  @Test("without a way back there is no address, and no attempt to go on with")
  func nowhere() async throws {
    let transport = ScriptedTransport([.success(.json(Fixture.redirect))])
    var memory = ProviderMemory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    guard case .browserRequired(let prompt)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(prompt.address == nil)
    #expect(prompt.attempt == nil)
  }

  @Test("the values that come back do not print")
  func secret() async throws {
    let (provider, _, _) = try await sent()
    let back = try #require(provider.readReturn(["code": "code-1", "state": "s"]))
    #expect("\(back)" == "<return>")
    #expect("\([back])".contains("code-1") == false)
  }
}
