import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing

@Suite("The gallery of the atlas")
struct GalleryTests {
  private let workbench: WorkbenchClient

  init() throws {
    workbench = WorkbenchClient(
      try BackstagePages(
        worlds: Worlds(storage: .memory),
        renderer: .project(),
        secret: WorkbenchClient.secret,
        standpoint: Standpoint(
          states: ["sign-in/fresh", "sign-in/languages", "sign-in-link/just-sent"],
          statesElsewhere: ["sign-in/fresh", "sign-in/prefilled", "permissions/some-granted"]
        ) { _, _ in .elsewhere("It rains.") },
        statusOfState: { $0.name == "sign-in/wrong-password" ? 422 : 200 }
      )
    )
  }

  private func open(_ query: String = "") async -> WorkbenchClient.Page {
    await workbench.open("atlas\(query)")
  }

  /// The states that the pictures show, in their order.
  private func pictures(in html: String) -> [String] {
    html.matches(of: #/<iframe [^>]*src="\/backstage\/atlas\/([^"?]*)/#).map { String($0.output.1) }
  }

  @Test("shows every state once, as an inert picture, with a link, its status and its width")
  func all() async throws {
    let page = await open()
    let html = page.html
    #expect(page.response.status == .ok)
    #expect(pictures(in: html).sorted() == PageExample.all.map(\.name).sorted())
    let frames = html.matches(of: #/<iframe [^>]*>/#).map { String($0.output) }
    #expect(frames.allSatisfy { $0.contains(" inert") && $0.contains("loading=\"lazy\"") })
    #expect(html.contains("<a href=\"/backstage/atlas?state=sign-in%2Fwrong-password\">"))
    #expect(html.contains("422 · 320 px"))
    let policy = try #require(page.fields[.contentSecurityPolicy])
    #expect(policy.contains("frame-src 'self'") && policy.contains("frame-ancestors 'none'"))
  }

  @Test(
    "is filtered by words, page and flow",
    arguments: [
      ("?q=RONG+sign-in-co", "sign-in-code/wrong"), ("?page=locked", "locked/"),
      ("?flow=task", "tasks-"),
      ("?page=sign-in&q=offline", "sign-in/offline"),
    ]
  )
  func narrowed(query: String, part: String) async {
    let found = pictures(in: await open(query).html)
    #expect(!found.isEmpty && found.count < PageExample.all.count)
    #expect(found.allSatisfy { $0.contains(part) })
  }

  @Test(
    "choosing an API hides the states and errors that only the other one has",
    arguments: [
      (
        "clerk", ["sign-in/fresh", "sign-in/languages", "sign-in-link/expired", "locked/until"],
        ["sign-in/prefilled", "permissions/some-granted", "permissions/rate-limited"]
      ),
      (
        "entra",
        ["sign-in/fresh", "sign-in/prefilled", "permissions/rate-limited", "locked/until"],
        ["sign-in/languages", "sign-in-link/just-sent", "sign-in-link/expired"]
      ),
    ]
  )
  func overAPI(api: String, shown: [String], hidden: [String]) async {
    let html = await open("?api=\(api)").html
    let found = Set(pictures(in: html))
    #expect(found.isSuperset(of: shown) && found.isDisjoint(with: hidden))
    #expect(html.contains("\(found.count) of \(PageExample.all.count) states"))
    #expect(html.contains("Show all"))
    let any = await open("?api=").html
    #expect(pictures(in: any).count == PageExample.all.count && !any.contains("Show all"))
  }

  @Test("hands width, scheme, language, brand, API and format on to every picture and link")
  func settings() async {
    let query = "?page=locked&width=768&scheme=dark&language=de&brand=off&api=entra&format=json"
    let html = await open(query).html
    #expect(html.contains("gallery width-768"))
    let setting = "language=de&amp;scheme=dark&amp;brand=off&amp;api=entra&amp;format=json"
    #expect(html.contains("src=\"/backstage/atlas/locked/until?\(setting)&amp;still=1\""))
    #expect(html.contains("<a class=\"alone\" href=\"/backstage/atlas/locked/until?\(setting)\">"))
    #expect(
      html.contains("?state=locked%2Funtil&amp;page=locked&amp;width=768&amp;\(setting)\"")
    )
  }

  @Test("a single state is shown with links to the previous and the next of those found")
  func opened() async throws {
    let names = PageExample.all.filter { $0.pageName == "locked" }.map(\.name)
    let html = await open("?page=locked&state=locked%2F\(names[1].dropFirst("locked/".count))").html
    #expect(pictures(in: html) == [names[1]])
    #expect(html.contains("rel=\"prev\"") && html.contains("aria-label=\"Previous: \(names[0])\""))
    #expect(html.contains("rel=\"next\"") && html.contains("aria-label=\"Next: \(names[2])\""))
    #expect(html.contains("name=\"state\" value=\"\(names[1])\""))
    #expect(await open("?state=nothing").response.status == .notFound)
  }

  @Test("looking up a page's state leads to it here, with its neighbours")
  func lookedUp() async throws {
    let found = await workbench.open(
      "state?page=sign-in&step=identifier&code=form_password_incorrect"
    )
    #expect(found.response.status == .seeOther)
    let location = try #require(found.location)
    #expect(location == "/backstage/atlas?state=sign-in%2Fwrong-password")
    let html = await open(String(location.dropFirst("/backstage/atlas".count))).html
    #expect(pictures(in: html) == ["sign-in/wrong-password"])
    #expect(html.contains("All states") && html.contains("rel=\"next\""))
  }

  @Test("a state that the browser could not be brought to stays open, with the reason")
  func notReached() async throws {
    let answer = await workbench.send(
      "atlas",
      ["action": "stand", "page": "sign-in", "of": "languages"]
    )
    let html = answer.html
    #expect(answer.status == 422)
    #expect(html.contains("sign-in/languages was not reached. It rains."))
    #expect(pictures(in: html) == ["sign-in/languages"])
    #expect(html.contains(#" data-refused-at="/backstage/atlas?state=sign-in%2Flanguages""#))
  }

  @Test("a sheet for printing loads all pictures at once, and has no controls")
  func sheet() async {
    let html = await open("?page=locked&sheet=1").html
    #expect(!html.contains("loading=\"lazy\"") && !html.contains("role=\"search\""))
    #expect(pictures(in: html).count > 2)
  }
}
