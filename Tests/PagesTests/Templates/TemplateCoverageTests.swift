import Foundation
import Testing

@testable import Pages

@Suite("Coverage of the templates")
struct TemplateCoverageTests {
  /// Backstage's own are about no page.
  @Test("each tag of each template of the pages is shown by some example")
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
    let renderer = try PageRenderer(templates: copy.path)
    for example in PageExample.all {
      let html = String(
        decoding: try renderer.html(example.page, in: example.frame),
        as: UTF8.self
      )
      for piece in html.split(separator: "§") { marks["§\(piece)§"] = nil }
    }
    #expect(marks.isEmpty)
  }
}
