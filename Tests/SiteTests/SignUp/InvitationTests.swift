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
}
