import Foundation
@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Sign-in by password")
struct PasswordSignInTests {
  @Test("one call with the password signs in, and its request is exactly the documented one")
  func oneCall() async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [Fixture.session()]),
        token: "token-2"
      )
    )
    let provider = ClerkProvider(
      transport: transport,
      clock: WallClock { now },
      additionalHeaderFields: [.vestibuleWorld: "team-a"],
      userAgent: "Vestibule/1"
    )
    var memory = memory(token: "token-1")
    let outcome = await provider.beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    #expect(outcome == .moved(to: .complete(Fixture.mara())))
    #expect(memory.clientToken == "token-2")
    #expect(
      transport.requests == [
        Request(
          method: .post,
          target: "/v1/client/sign_ins?_is_native=1",
          headerFields: [
            .clerkAPIVersion: "2026-05-12",
            .authorization: "token-1",
            .accept: "application/json",
            .contentType: "application/x-www-form-urlencoded",
            .userAgent: "Vestibule/1",
            .vestibuleWorld: "team-a",
          ],
          body: Array(
            "identifier=mara%40example.com&password=correct+horse+%26+co&strategy=password".utf8
          )
        )
      ]
    )
  }

  @Test("every call has the reader's language, and the beginning of an attempt a locale")
  func language() async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(), client: Fixture.client()),
      .enveloped(Fixture.signIn(), client: Fixture.client())
    )
    var memory = memory()
    let german = provider(transport).calling(in: "de")
    for _ in 1...2 {
      let outcome = await german.beginSignIn(
        identifier: try .typed(),
        password: nil,
        memory: &memory
      )
      guard case .moved(to: .passwordRequired(let prompt)) = outcome else { continue }
      _ = await german.submit(try .typed(), for: prompt, memory: &memory)
      break
    }
    #expect(
      transport.calls.map { $0.contains("locale=de") } == [true, false],
      "\(transport.calls)"
    )
    #expect(
      transport.requests.map { $0.headerFields[.acceptLanguage] } == ["de", "de"]
    )
  }

  @Test("a browser that is not known sends no token at all")
  func noToken() async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(), client: Fixture.client(), token: "Bearer token-1")
    )
    var memory = ProviderMemory()
    _ = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    #expect(transport.requests.first?.headerFields[.authorization] == nil)
    #expect(
      transport.calls == [
        "POST /v1/client/sign_ins?_is_native=1 identifier=mara%40example.com"
      ]
    )
    #expect(memory.clientToken == "token-1")
  }

  @Test("a sign-in that begins without a password asks for it")
  func passwordRequired() async throws {
    let transport = ScriptedTransport(.enveloped(Fixture.signIn()))
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    guard case .passwordRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.attempt.continuation.token == Fixture.signInID)
    #expect(
      prompt.attempt.firstFactors.map(\.kind) == [
        .password, .emailCode, .resetPasswordEmailCode, .phoneCode, .resetPasswordPhoneCode,
      ]
    )
    #expect(prompt.attempt.endsAt == now.addingTimeInterval(86_400))
  }

  @Test("the password is attempted at the sign-in's own address")
  func attempt() async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [Fixture.session()])
      )
    )
    var memory = memory()
    let outcome = await provider(transport).submit(
      try .typed("p"),
      for: try passwordPrompt(),
      memory: &memory
    )
    #expect(outcome == .moved(to: .complete(Fixture.mara())))
    #expect(
      transport.calls == [
        "POST /v1/client/sign_ins/\(Fixture.signInID)/attempt_first_factor?_is_native=1 "
          + "strategy=password&password=p"
      ]
    )
  }

  @Test("the session is asked for if no client came along")
  func clientMissing() async throws {
    let client = Fixture.client(sessions: [Fixture.session(id: "sess_other"), Fixture.session()])
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn("complete", session: Fixture.sessionID)),
      .enveloped(client, client: client)
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed("p"),
      memory: &memory
    )
    #expect(outcome == .moved(to: .complete(Fixture.mara())))
    #expect(transport.calls.last == "GET /v1/client?_is_native=1")
  }

  @Test("a wrong password stays at the password of the sign-in that meta.client describes")
  func wrongPassword() async throws {
    let transport = ScriptedTransport(
      .error(
        "form_password_incorrect",
        "password",
        client: Fixture.client(signIn: Fixture.signIn()),
        headerFields: [.authorization: "token-2"]
      )
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed("Mara@Example.com"),
      password: try .typed("wrong"),
      memory: &memory
    )
    #expect(
      outcome.error?.plain
        == AuthError(
          Problem(
            .passwordIncorrect,
            at: .password,
            code: "form_password_incorrect",
            message: "long"
          ),
          traceID: "trace_1"
        )
    )
    guard case .passwordRequired(let prompt) = outcome.standing else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.attempt.identifier == (try .typed("Mara@Example.com")))
    #expect(memory.clientToken == "token-2")
  }

  @Test("after an unknown identifier, the older sign-in on the client is not taken for this one")
  func unknownIdentifier() async throws {
    let older = Fixture.client(signIn: Fixture.signIn(identifier: "other@example.com"))
    for code in ["form_identifier_not_found", "form_password_or_identifier_incorrect"] {
      let transport = ScriptedTransport(.error(code, client: older))
      var memory = memory()
      let outcome = await provider(transport).beginSignIn(
        identifier: try .typed(),
        password: try .typed("p"),
        memory: &memory
      )
      #expect(outcome.error?.problems.map(\.code) == [code])
      #expect(outcome.standing == nil)
    }
  }

  @Test("an id never shapes the path")
  func idsAreEscaped() async throws {
    let transport = ScriptedTransport(.error("resource_not_found", status: 404))
    var memory = memory()
    let attempt = SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation("../me?x=1#\u{e9}"),
      firstFactors: []
    )
    _ = await provider(transport).submit(
      try .typed("p"),
      for: PasswordPrompt(attempt: attempt),
      memory: &memory
    )
    #expect(
      transport.requests.first?.target
        == "/v1/client/sign_ins/%2E%2E%2Fme%3Fx%3D1%23%C3%A9/attempt_first_factor?_is_native=1"
    )
  }

  private func passwordPrompt() throws -> PasswordPrompt {
    PasswordPrompt(
      attempt: SignInAttempt(
        identifier: try .typed(),
        continuation: Continuation(Fixture.signInID),
        firstFactors: [Factor(kind: .password)]
      )
    )
  }
}
