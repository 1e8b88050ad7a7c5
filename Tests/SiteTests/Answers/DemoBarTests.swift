import AuthFlow
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("The bar above the pages of an emulated API")
struct DemoBarTests {
  private static let html: HTTPFields = [.accept: "text/html"]

  private func site() throws -> TestSite {
    try TestSite(
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { sought in
        guard case .authenticator(let identifier) = sought else { return .init(messageCount: 3) }
        let path = "/backstage/users?user=\(identifier)"
        return .init(messageCount: 3, code: .init(digits: "612221", path: path))
      }
    )
  }

  @Test("?present enlarges it, ?present=off hides it and all links to backstage; both are kept")
  func presence() async throws {
    let visitor = try site().visitor()
    let usual = await visitor.open("/sign-in", Self.html)
    #expect(usual.body.contains(#"<div class="demo-bar">"#))
    #expect(usual.body.contains(#"Inbox <span class="count">3</span>"#))

    let large = await visitor.open("/sign-in?identifier=a%26b&present", Self.html)
    #expect(large.status == 303 && large.location == "/sign-in?identifier=a%26b")
    #expect(await visitor.open("/sign-in", Self.html).body.contains(#"data-size="large""#))

    #expect(large.header("Set-Cookie")?.contains("Max-Age=31536000") == true)

    let off = await visitor.open("/sign-up?present=off", Self.html)
    #expect(off.location == "/sign-up")
    #expect(off.header("Set-Cookie")?.contains("Max-Age") == false, "until the browser is closed")
    for path in ["/sign-in", "/sign-up", "/nowhere"] {
      let hidden = await visitor.open(path, Self.html)
      #expect(!hidden.body.contains("demo-bar") && !hidden.body.contains("/backstage"))
    }
    _ = await visitor.open("/sign-in?present=usual")
    #expect(visitor.cookies["vestibule_present"] == "usual", "it goes along to other worlds, too")
    #expect(await visitor.open("/sign-in", Self.html).body.contains(#"<div class="demo-bar">"#))
  }

  @Test("an authenticator app's code can be filled in where it is asked for, and nowhere else")
  func code() async throws {
    let prompt = try Example.codePrompt(Example.totp, stage: .secondFactor)
    let visitor = try site().visitor { $0.signIn(at: .codeRequired(prompt)) }
    let page = await visitor.open("/sign-in/second-factor", Self.html)
    #expect(page.body.contains("data-fill=\"612221\">Fill in 612\u{A0}221</a>"))
    #expect(page.body.contains(#"href="/backstage/users?user="#))
    let refused = await visitor.post("/sign-in/second-factor", ["code": "1"], Self.html)
    #expect(refused.status == 422 && refused.body.contains("data-fill"))
    #expect(await !visitor.open("/sign-up", Self.html).body.contains("data-fill"))
    #expect(await !visitor.open("/sign-in/second-factor").body.contains("612221"), "the twin")
  }

  @Test("the twin links to the workbench if the page itself does")
  func twin() async throws {
    func links(_ page: Visitor.Page) -> [String] {
      (page.json["links"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
    let coding = try site().visitor { $0.signIn(at: .codeRequired(try Example.codePrompt())) }
    #expect(links(await coding.open("/sign-in/code")).contains("inbox"))
    let inside = try site().visitor { $0.enter(Example.session()) }
    #expect(Set(links(await inside.open("/account"))).isSuperset(of: ["inbox", "workbench"]))
    _ = await inside.open("/account?present=off")
    #expect(!links(await inside.open("/account")).contains("workbench"))
  }

  @Test("faults that wait for a call are shown there, so that nobody takes one for an outage")
  func faults() async throws {
    let count = Locked(0)
    let site = try TestSite(
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { _ in .init(faultCount: count.withLock(\.self)) }
    )
    let visitor = site.visitor()
    #expect(await !visitor.open("/sign-in", Self.html).body.contains("/backstage/faults"))
    count.withLock { $0 = 2 }
    let link = #"<a href="/backstage/faults">Faults set <span class="count">2</span></a>"#
    for path in ["/sign-in", "/sign-up", "/sign-in"] {
      #expect(await visitor.open(path, Self.html).body.contains(link))
    }
    count.withLock { $0 = 0 }
    #expect(await !visitor.open("/sign-in", Self.html).body.contains("/backstage/faults"))
  }

  @Test("in front of a real API there is no bar, and ?present does nothing")
  func real() async throws {
    let visitor = try TestSite(hasWorlds: false).visitor()
    let page = await visitor.open("/sign-in?present", Self.html)
    #expect(page.status == 200 && !page.body.contains("demo-bar"))
    #expect(visitor.cookies["vestibule_present"] == nil)
  }
}
