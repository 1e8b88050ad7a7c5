@_spi(Provider) import AuthFlow
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@testable import Site

@Suite("Invitations")
struct InvitationTests {
  @Test(
    "an invitation's link makes no call and changes nothing until its button is pressed",
    arguments: ["/sign-up", "/sign-in"],
    [[:], [.secFetchSite: "cross-site"]] as [HTTPFields]
  )
  func opened(at path: String, by fields: HTTPFields) async throws {
    let test = try TestSite(
      ScriptedProvider(.signUp(.moved(to: .continuing(.complete(Example.session())))))
    )
    let visitor = try test.visitor { $0.signUp(at: .codeRequired(Example.contactPrompt())) }
    let before = visitor.visit?.signUp
    for _ in 0..<2 {
      let page = await visitor.open("\(path)?ticket=t-1", fields)
      #expect(page.status == 200)
      #expect(page.json["step"] as? String == "invitation")
      #expect(page.json["page"] as? String == String(path.dropFirst()))
    }
    #expect(test.provider.calls.isEmpty)
    #expect(before != nil && visitor.visit?.signUp == before)
    #expect(await visitor.post("/sign-up", ["ticket": "t-1"]).location == "/account")
    #expect(test.provider.calls == ["accept t-1"])
  }

  @Test("a value of an invitation's address has up to 2,000 bytes; a longer one is left out")
  func longTicket() async throws {
    for (count, isInvitation) in [(2_000, true), (2_001, false)] {
      let ticket = String(repeating: "t", count: count)
      let page = try await TestSite().visitor().open("/sign-up?ticket=\(ticket)")
      #expect(page.status == 200 && page.name == "sign-up")
      #expect((page.json["step"] as? String == "invitation") == isInvitation, "\(count)")
    }
  }

  @Test("a sign-in form that is sent is a sign-in, even with the value of an invitation")
  func signsIn() async throws {
    let test = try TestSite(
      ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    )
    let visitor = try test.visitor { _ in }
    let values = ["identifier": "ada@example.com", "password": "p", "ticket": "t-1"]
    #expect(await visitor.post("/sign-in", values).location == "/account")
    #expect(test.provider.calls == ["begin ada@example.com p"])
  }

  @Test(
    "a sign-up ends an earlier one that went on in a browser, and leaves a sign-in there alone",
    arguments: [true, false]
  )
  func inBrowser(isSignUp: Bool) async throws {
    let contact = SignUpState.codeRequired(Example.contactPrompt())
    let identifier = try Example.identifier("mia@example.com")
    let prompt =
      isSignUp
      ? BrowserPrompt(origin: .signUp, identifier: identifier, address: "https://x")
      : BrowserPrompt(identifier: identifier, address: "https://x")
    let visitor = try TestSite(ScriptedProvider(.signUp(.moved(to: contact)))).visitor {
      $0.signIn(at: .browserRequired(prompt))
    }
    let details = ["email_address": "new@example.com", "password": "walk-right-in-42"]
    #expect(await visitor.post("/sign-up", details).location == "/sign-up/verify")
    #expect((visitor.visit?.signIn == nil) == isSignUp)
    #expect(visitor.visit?.signUp != nil)
  }
}
