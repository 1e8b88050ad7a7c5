@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Signing in at a provider's page")
struct BrowserSignInTests {
  private static let page = "https://idp.example/start"

  private func provider(_ transport: ScriptedTransport) -> ClerkProvider {
    ClerkProvider(transport: transport, clock: WallClock { now }, environmentLifetime: .zero)
      .sending(
        LinkAddresses(
          origin: "http://a",
          paths: .init(signIn: "/sign-in/link", signUp: "/sign-up/link", browserReturn: "/continue")
        )
      )
  }

  private static func waiting(_ status: String = "unverified", error: String = "null") -> String {
    Fixture.signIn(
      first: [factor],
      firstVerification: #"""
        {"object": "verification_saml", "status": "\#(status)", "strategy": "saml",
         "expire_at": 1767226200000, "attempts": null, "error": \#(error),
         "external_verification_redirect_url": "\#(page)"}
        """#
    )
  }

  private static let factor =
    #"{"strategy": "enterprise_sso", "enterprise_connection_name": "Pine Street"}"#

  private func prompt() throws -> BrowserPrompt {
    BrowserPrompt(
      identifier: try .typed(),
      providerName: "Pine Street",
      address: Self.page,
      attempt: SignInAttempt(
        identifier: try .typed(),
        continuation: Continuation(Fixture.signInID),
        firstFactors: []
      )
    )
  }

  private static let read = "GET /v1/client/sign_ins/\(Fixture.signInID)?_is_native=1"
  private static func prepare(_ strategy: String) -> String {
    "POST /v1/client/sign_ins/\(Fixture.signInID)/prepare_first_factor?_is_native=1 "
      + "strategy=\(strategy)&redirect_url=http%3A%2F%2Fa%2Fcontinue%3Freturned%3D1"
      + "&action_complete_redirect_url=http%3A%2F%2Fa%2Fcontinue%3Freturned%3D1"
  }

  @Test("the page's address is asked for, and its provider is named")
  func asks() async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(first: [Self.factor])),
      .enveloped(Self.waiting())
    )
    var memory = memory()
    let outcome = await provider(transport)
      .beginSignIn(identifier: try .typed(), password: nil, memory: &memory)
    guard case .browserRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.providerName == "Pine Street")
    #expect(prompt.address == Self.page)
    #expect(transport.calls.last == Self.prepare("enterprise_sso"))
  }

  @Test("a social factor is named after its provider, if nothing else is offered")
  func oauth() async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(first: [#"{"strategy": "oauth_google"}"#])),
      .enveloped(Self.waiting())
    )
    var memory = memory()
    let outcome = await provider(transport)
      .beginSignIn(identifier: try .typed(), password: nil, memory: &memory)
    guard case .browserRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.providerName == "Google")
    #expect(transport.calls.last == Self.prepare("oauth_google"))
  }

  @Test("a person who comes back is checked with the nonce, and signed in")
  func returns() async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [Fixture.session()])
      )
    )
    let provider = provider(transport)
    var memory = memory()
    #expect(provider.readReturn(["code": "x"]) == nil)
    let brought = try #require(provider.readReturn(["rotating_token_nonce": "n0", "x": "y"]))
    guard case .browserRequired(let back) = provider.receive(brought, for: try prompt()).moved
    else {
      Issue.record("Not at the page")
      return
    }
    #expect(back.hasReturned)
    let outcome = await provider.check(back, memory: &memory)
    #expect(outcome.moved == .complete(Fixture.mara()))
    #expect(transport.calls == [Self.read + "&rotating_token_nonce=n0"])
  }

  @Test("a person who comes back without a nonce is back, and keeps one that came before")
  func returnsEmptyHanded() async throws {
    let transport = ScriptedTransport(.enveloped(Self.waiting()))
    let provider = provider(transport)
    var memory = memory()
    let emptyHanded = try #require(provider.readReturn(["returned": "1"]))
    guard case .browserRequired(let back) = provider.receive(emptyHanded, for: try prompt()).moved
    else {
      Issue.record("Not at the page")
      return
    }
    #expect(back.browser == .returned)
    _ = await provider.check(back, memory: &memory)
    #expect(transport.calls == [Self.read])
    let brought = try #require(
      provider.readReturn(["returned": "1", "rotating_token_nonce": "n0"])
    )
    guard case .browserRequired(let first) = provider.receive(brought, for: back).moved,
      case .browserRequired(let again) = provider.receive(emptyHanded, for: first).moved
    else {
      Issue.record("Not at the page")
      return
    }
    #expect(again.browser == .brought(Continuation("n0")))
  }

  @Test("a nonce that the API rejects is forgotten, and nothing else", arguments: [true, false])
  func foreignNonce(isFinished: Bool) async throws {
    let complete = Response.enveloped(
      Fixture.signIn("complete", session: Fixture.sessionID),
      client: Fixture.client(sessions: [Fixture.session()])
    )
    let transport = ScriptedTransport(
      .error("authentication_invalid", status: 401),
      isFinished ? complete : .enveloped(Self.waiting())
    )
    var memory = memory()
    let prompt = try prompt()
    let outcome = await provider(transport).check(
      prompt.back(as: .brought(Continuation("n0"))),
      memory: &memory
    )
    let expected: SignInState =
      isFinished ? .complete(Fixture.mara()) : .browserRequired(prompt.back(as: .returned))
    #expect(outcome.moved == expected)
    #expect(transport.calls == [Self.read + "&rotating_token_nonce=n0", Self.read])
    #expect(memory.clientToken == "token-1")
    #expect(transport.requests.last?.headerFields[.authorization] == "token-1")
  }

  @Test("a client that the API does not know is forgotten after a return, too")
  func unknownClient() async throws {
    let refusal = Response.error("authentication_invalid", status: 401)
    let transport = ScriptedTransport(refusal, refusal)
    var memory = memory()
    let prompt = try prompt().back(as: .brought(Continuation("n0")))
    let outcome = await provider(transport).check(prompt, memory: &memory)
    #expect(outcome.error?.reasons == [.signInAgain])
    #expect(memory.clientToken == nil)
  }

  @Test("while nothing has happened at the provider, the same page waits")
  func waits() async throws {
    let transport = ScriptedTransport(.enveloped(Self.waiting()))
    var memory = memory()
    let prompt = try prompt()
    let outcome = await provider(transport).check(prompt, memory: &memory)
    #expect(outcome.moved == .browserRequired(prompt))
    #expect(transport.calls == [Self.read])
  }

  @Test("a page that has expired is replaced by a new one")
  func expires() async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.waiting("expired")),
      .enveloped(Self.waiting())
    )
    var memory = memory()
    let outcome = await provider(transport).check(try prompt(), memory: &memory)
    guard case .browserRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.address == Self.page)
    #expect(transport.calls == [Self.read, Self.prepare("enterprise_sso")])
  }

  @Test("giving up at the provider is a cancellation; another failure is shown in the API's words")
  func fails() async throws {
    for (code, reason) in [
      ("oauth_access_denied", Reason.cancelled), ("saml_response_invalid", .unrecognised),
    ] {
      let error = #"{"code": "\#(code)", "message": "m", "long_message": "Long words"}"#
      let transport = ScriptedTransport(.enveloped(Self.waiting("failed", error: error)))
      var memory = memory()
      let outcome = await provider(transport).check(try prompt(), memory: &memory)
      #expect(outcome.error?.reasons == [reason])
      #expect(outcome.error?.problems.map(\.message) == ["Long words"])
    }
  }
}
