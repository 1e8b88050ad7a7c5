import Foundation
import Localization
import Testing

@testable import Pages

@Suite("Coverage of the templates")
struct TemplateCoverageTests {
  /// Stories, which no page of the atlas shows: at a step on a page, at a call, and at the end.
  private static let stories = [
    .form(nil, onPage: "sign-in"), .call, PageFrame.Emulation.ToldStory.Next.end,
  ].map {
    PageFrame.Emulation.ToldStory(
      title: "A story",
      browser: $0 == .call ? "phone" : nil,
      sentence: "It goes on.",
      done: 1,
      count: 3,
      next: $0,
      token: "token",
      isAstray: $0 == .call
    )
  }

  /// Backstage's own templates belong to no page.
  @Test("every tag of every page template is shown by some example")
  func all() throws {
    let copy = try TemplateCopy()
    var marks: [String: String] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: copy.path)
    where file.hasSuffix(".mustache") && !file.hasPrefix("backstage/") {
      let parts = try String(contentsOfFile: "\(copy.path)/\(file)", encoding: .utf8)
        .components(separatedBy: "{{")
      var marked = parts[0]
      for (index, part) in parts.enumerated().dropFirst() {
        if !"/$<!".contains(part.prefix(1)) {
          let mark = "§\(marks.count)§"
          marks[mark] = "\(file), tag \(index): \(part.prefix(30))"
          marked += mark
        }
        marked += "{{\(part)"
      }
      try copy.write(marked, to: file)
    }
    let brand = try Brand(json: Data(BrandFileTests.complete.utf8))
    // Some tags are only for brands, or for languages that are written from right to left.
    let looks = [
      (Look.builtIn, LanguageTag.english), (Look(brand), try #require(LanguageTag("ar"))),
    ]
    for (look, language) in looks {
      let renderer = try PageRenderer(templates: copy.path, looks: .fixed(look))
      for example in PageExample.all {
        let html = try renderer.html(example.page, in: example.frame(in: language))
        for piece in String(decoding: html, as: UTF8.self).split(separator: "§") {
          marks["§\(piece)§"] = nil
        }
      }
    }
    for story in Self.stories {
      let example = try #require(PageExample.all.first { $0.frame.emulation != nil })
      var frame = example.frame
      frame.emulation?.story = story
      frame.emulation?.news.faultCount = 1
      frame.emulation?.news.isRecorded = true
      frame.emulation?.news.code = .init(digits: "612221", path: "/", worksUntil: Fixture.now)
      let html = try PageRenderer(templates: copy.path).html(example.page, in: frame)
      for piece in String(decoding: html, as: UTF8.self).split(separator: "§") {
        marks["§\(piece)§"] = nil
      }
    }
    #expect(marks.isEmpty)
  }
}
