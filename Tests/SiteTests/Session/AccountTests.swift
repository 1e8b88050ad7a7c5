import AuthFlow
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Where a signed-in person goes on to")
struct AccountTests {
  private func page(
    home: String?,
    emulation: PageFrame.Emulation? = nil
  ) async throws -> String {
    var instance = InstanceDescription.unknown
    instance.homeAddress = home
    let provider = ScriptedProvider([], lastKnownInstance: instance)
    let visitor = try TestSite(provider, emulation: emulation).visitor {
      $0.enter(Example.session(), pending: nil)
    }
    return await visitor.open("/account", [.accept: "text/html"]).body
  }

  @Test("to the application, if the auth API says where that is")
  func application() async throws {
    let body = try await page(home: "https://harbour.example/?from=a&b")
    #expect(body.contains(#"href="https://harbour.example/?from=a&amp;b" data-link="application""#))
    #expect(body.contains("Go to Vestibule"))
  }

  @Test(
    "to no application, if its address is missing or is not a page elsewhere",
    arguments: [nil, "", "javascript:alert(1)", "http://localhost:8080/", "http://LOCALHOST:8080"]
  )
  func nowhere(_ home: String?) async throws {
    let body = try await page(home: home)
    #expect(body.contains("data-page=\"account\"") && !body.contains(#"data-link="application""#))
  }

  @Test("to the decision, if permissions were withdrawn")
  func withdrawn() async throws {
    var session = Example.session()
    session.access = Access(scopes: ["Read"], expiresAt: Example.now, declined: ["Write"])
    let visitor = try TestSite().visitor { $0.enter(session, pending: nil) }
    #expect(await visitor.open("/account").location == "/permissions")
    let page = await visitor.open("/permissions")
    #expect(page.status == 200)
    #expect((page.json["facts"] as? [String: Any])?["declined"] as? [String] == ["Write"])
  }

  @Test("to the workbench, if the auth API is emulated")
  func workbench() async throws {
    let body = try await page(
      home: "https://harbour.example/",
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox")
    )
    #expect(body.contains(#"data-link="workbench""#))
    #expect(!body.contains(#"data-link="application""#))
  }
}
