@_spi(Provider) import AuthFlow
import Foundation
import Testing
import TestSupport

@testable import Pages

@Suite("JSON twin")
struct JSONTwinTests {
  private func json(_ page: any Page, in frame: PageFrame) throws -> String {
    let renderer = try PageRenderer()
    return String(decoding: renderer.json(page, in: frame), as: UTF8.self)
  }

  @Test("a refused sign-in has the documented shape, key by key")
  func refusedSignIn() throws {
    let until = Fixture.now.addingTimeInterval(720)
    let error = AuthError(
      Problem(.identifierNotFound, at: .identifier, code: "form_identifier_not_found"),
      [Problem(.locked(until: until), code: "user_locked")],
      traceID: "trace-1"
    )
    let page = SignInPage(instance: .unknown, identifier: "ada@example.com", hasAttempt: false)
    let expected =
      #"{"page":"sign-in","step":"identifier","flow":"sign-in","#
      + #""title":"Error: Sign in – Vestibule","#
      + #""forms":[{"name":"sign-in","action":"/sign-in","method":"post","#
      + #""token":"token-for-/sign-in","fields":["#
      + #"{"name":"identifier","label":"Email address","type":"text","#
      + #""autocomplete":"username","inputmode":"email","required":true,"#
      + #""value":"ada@example.com","errors":[{"code":"form_identifier_not_found","#
      + #""message":"We could not find an account with that address"}]},"#
      + #"{"name":"password","label":"Password","type":"password","#
      + #""autocomplete":"current-password","required":true,"value":null,"errors":[]}]}],"#
      + #""errors":[{"code":"user_locked","message":"This account is locked after too many "#
      + #"tries. You can try again at 14:35 UTC (in 12 minutes).","reference":"trace-1","#
      + #""until":"2026-11-21T14:35:00Z"}],"#
      + #""notices":[{"code":"signed_out","message":"You are signed out"}],"#
      + #""links":[{"name":"forgot-password","href":"/forgot-password"},"#
      + #"{"name":"sign-up","href":"/sign-up?email_address=ada%40example.com"}],"facts":{}}"#
    #expect(try json(page, in: Fixture.frame(error: error, notices: [.signedOut])) == expected)
  }

  @Test("the page that leads to a provider gives its name, the reason and the address as facts")
  func browser() throws {
    let prompt = BrowserPrompt(
      identifier: try .typed("ada@works.example"),
      providerName: "Works",
      address: "https://login.works.example/?a=1",
      explanation: "A policy asks for more."
    )
    let known = try json(BrowserPage(prompt: prompt), in: Fixture.frame())
    #expect(
      known.hasSuffix(
        #""facts":{"provider":"Works","reason":"A policy asks for more.","#
          + #""href":"https://login.works.example/?a=1"}}"#
      )
    )
    let unknown = try json(
      BrowserPage(prompt: BrowserPrompt(identifier: prompt.identifier)),
      in: Fixture.frame()
    )
    #expect(unknown.hasSuffix(#""facts":{"provider":null,"reason":null,"href":null}}"#))
  }

  @Test("after a first factor nobody is told that the address signs in elsewhere (P-browser)")
  func browserPastFirstFactor() throws {
    let identifier = try Identifier.typed("ada@works.example")
    let cases: [([Factor], Bool)] = [([], true), ([Factor(kind: .enterprise)], false)]
    for (secondFactors, tells) in cases {
      let page = BrowserPage(
        prompt: BrowserPrompt(
          identifier: identifier,
          providerName: "Works",
          address: "https://login.works.example/",
          explanation: "consent_required",
          attempt: SignInAttempt(
            identifier: identifier,
            continuation: Continuation("1"),
            firstFactors: [],
            secondFactors: secondFactors
          )
        )
      )
      let lead = page.content(in: Fixture.frame()).lead
      let provider: Phrase = .page(.browserProvider, ["provider": .text("Works")])
      #expect(lead.contains(provider) == tells)
      #expect(lead.last == .page(tells ? .browserNext : .browserNextMore))
      let reason: Phrase = .english("consent_required")
      #expect(lead.contains(.page(.browserReason, ["reason": .phrase(reason)])))
    }
  }
}
