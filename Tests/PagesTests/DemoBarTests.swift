import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("The way from a page to its state in the atlas")
struct DemoBarTests {
  @Test("the bar of every example leads to that example, or to one that says the same")
  func likeness() throws {
    let atlas = Atlas(renderer: try renderer.get())
    for example in PageExample.all where example.frame.emulation?.inboxPath != nil {
      let link = try #require(
        try example.html().all("a").compactMap { $0["href"] }
          .first { $0.hasPrefix(Atlas.lookUpPath) }
      )
      let query = try #require(URLComponents(string: link)?.queryItems)
      func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.compactMap(\.value)
      }
      let name = atlas.name(
        like: values("page").joined(),
        step: values("step").first,
        codes: values("code")
      )
      let found = try #require(PageExample.all.first { $0.name == name })
      #expect(try said(found) == said(example), "\(example.name) leads to \(found.name)")
    }
  }

  private func said(_ example: PageExample) throws -> [String] {
    let html = try example.html()
    let codes = html.all.compactMap { $0["data-error-code"] ?? $0["data-notice"] }
    return [example.page.name, example.page.step] + Set(codes).sorted()
  }

  @Test(
    "the bar offers a code if it would be accepted, but not if a new one is needed",
    arguments: [
      ("sign-in-code/only-method", true), ("sign-in-code/wrong-code", true),
      ("sign-in-code/expired", false), ("sign-in-code/too-many-tries", false),
    ]
  )
  func offeredCode(name: String, isOffered: Bool) throws {
    let example = try #require(PageExample.all.first { $0.name == name })
    var frame = example.frame
    // When the page is opened again, the error is gone, and only the page itself shows its state.
    for error in [frame.error, nil] {
      frame.error = error
      let links = try links(of: example, in: frame)
      #expect(links.contains { $0["data-fill"] != nil } == isOffered)
    }
  }

  @Test("the bar says when an open page stops offering its code, if it ever does")
  func endOfCode() throws {
    let example = try #require(PageExample.all.first { $0.name == "sign-in-second-factor/app" })
    var frame = example.frame
    for (end, told) in [(Fixture.now.addingTimeInterval(30), "2026-11-21T14:23:30Z"), (nil, nil)] {
      frame.emulation?.news.code?.worksUntil = end
      let link = try links(of: example, in: frame).first { $0["data-fill"] == "612221" }
      #expect(try #require(link)["data-until"] == told)
    }
  }

  private func links(of example: PageExample, in frame: PageFrame) throws -> [HTML.Element] {
    try HTML(renderer.get().html(example.page, in: frame)).all("a")
  }

  @Test("a page of a story links to the traces once, and to the other stories at the end")
  func storyLinks() throws {
    let example = try #require(PageExample.all.first { $0.name == "sign-in/fresh" })
    for next in [PageFrame.Emulation.ToldStory.Next.call, .end] {
      var frame = example.frame
      frame.emulation?.story = PageFrame.Emulation.ToldStory(
        title: "A story",
        sentence: nil,
        done: 1,
        count: 2,
        next: next,
        token: "token"
      )
      let ways = try links(of: example, in: frame).compactMap { $0["href"] }
      #expect(ways.filter { $0.hasPrefix("/backstage/traces") }.count == 1)
      #expect(ways.contains("/backstage/stories") == (next == .end))
    }
  }

  @Test("a page that the atlas does not know leads nowhere")
  func unknown() throws {
    #expect(Atlas(renderer: try renderer.get()).name(like: "sign", step: nil, codes: []) == nil)
  }

  @Test(
    "the bar writes a code of six or eight digits in two halves, and any other whole",
    arguments: [
      ("1234", "1234"), ("12345", "12345"), ("123456", "123 456"), ("1234567", "1234567"),
      ("12345678", "1234 5678"), ("1234567890", "1234567890"),
    ]
  )
  func halves(digits: String, shown: String) throws {
    let example = try #require(PageExample.all.first { $0.name == "sign-in-second-factor/app" })
    var frame = example.frame
    frame.emulation?.news.code?.digits = digits
    let link = try links(of: example, in: frame).first { $0["data-fill"] == digits }
    #expect(try #require(link).text.contains(shown))
  }

  @Test("a link of a page in the atlas leads to that state, to a page's first, or to the index")
  func atlasLinks() {
    let links = AtlasLinks(index: "index") { "state:\($0)" }
    func destination(of path: String) -> String {
      let shown = links.following(in: Array("<a href=\"\(path)\">".utf8))
      return String(decoding: shown, as: UTF8.self)
    }
    #expect(
      destination(of: "/backstage/atlas/sign-in/wrong-password?still=1")
        == "<a href=\"state:sign-in/wrong-password\">"
    )
    #expect(destination(of: "/backstage/atlas/sign-in/nothing") == "<a href=\"index\">")
    #expect(destination(of: "/sign-up").hasPrefix("<a href=\"state:sign-up/"))
    #expect(destination(of: "/nowhere") == "<a href=\"index\">")
    #expect(destination(of: "/public/a.css") == "<a href=\"/public/a.css\">")
  }
}
