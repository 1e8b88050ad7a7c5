import AuthFlow
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("First pages, which are rendered once for all")
struct FirstPageTests {
  private static func token(of page: Visitor.Page) throws -> String {
    let forms = try #require(page.json["forms"] as? [[String: Any]])
    return try #require(forms.first?["token"] as? String)
  }

  @Test(
    "no two visitors share a token or a cookie, and each token is good for its own visitor alone",
    arguments: ["/sign-in", "/sign-up", "/forgot-password"]
  )
  func ownSecrets(path: String) async throws {
    let test = try TestSite()
    let visitors = (0..<5).map { _ in test.visitor() }
    var tokens: [String] = []
    for visitor in visitors { tokens.append(try Self.token(of: await visitor.open(path))) }
    #expect(Set(tokens).count == visitors.count)
    #expect(Set(visitors.flatMap(\.cookies.values)).count == visitors.count)
    for visitor in visitors {
      for (owner, token) in zip(visitors, tokens) {
        let answer = await visitor.post(path, token: token)
        #expect((answer.status == 403) == (owner !== visitor))
      }
    }
  }

  @Test("the HTML of one visitor is another's but for time and tokens, and each has a new token")
  func alike() async throws {
    let test = try TestSite()
    let first = await test.visitor().open("/sign-in", [.accept: "text/html"]).body
    test.clock.advance(3_600)
    let visitor = test.visitor()
    let second = await visitor.open("/sign-in", [.accept: "text/html"]).body
    let again = await visitor.open("/sign-in", [.accept: "text/html"]).body
    let own = /name="form_token" value="[^"]+"|data-now="[^"]+"/
    #expect(Set([first, second, again]).count == 3)
    #expect(Set([first, second, again].map { $0.replacing(own, with: "") }).count == 1)
  }

  @Test("whoever is known, or asks for more than the page, gets a page of their own")
  func notFirst() async throws {
    let test = try TestSite()
    _ = await test.visitor().open("/sign-in")
    let asking = await test.visitor().open("/sign-in?identifier=ada")
    #expect(asking.value(of: "identifier") == "ada")
    let known = try test.visitor { $0.identifier = "grace" }
    #expect(await known.open("/sign-in").value(of: "identifier") == "grace")
    #expect(await test.visitor().open("/sign-in").value(of: "identifier") == nil)
    let news = try test.visitor { $0.flash = Flash(path: "/sign-in", notices: [.signedOut]) }
    #expect(await news.open("/sign-in").noticeCodes == ["signed_out"])
    #expect(await test.visitor().open("/sign-in").noticeCodes.isEmpty)
  }
}
