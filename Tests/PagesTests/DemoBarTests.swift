import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("The way from a page to its state in the atlas")
struct DemoBarTests {
  @Test("the bar of every example leads to that example, or to one that says the same")
  func likeness() throws {
    let atlas = Atlas(renderer: try renderer.get())
    for example in PageExample.all where example.frame.emulation != nil {
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

  @Test("a page of which the atlas knows nothing leads nowhere")
  func unknown() throws {
    #expect(Atlas(renderer: try renderer.get()).name(like: "sign", step: nil, codes: []) == nil)
  }
}
