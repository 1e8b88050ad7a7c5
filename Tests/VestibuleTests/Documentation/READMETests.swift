import Foundation
import Testing

@Suite("The README beside its articles")
struct READMETests {
  @Test("its figures of speed are those of the article")
  func speed() throws {
    let section = try #require(
      try TextFile("README.md").text.components(separatedBy: "\n## ")
        .first { $0.hasPrefix("Speed\n") }
    )
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 3)
    let article = Set(try TextFile("Sources/Vestibule/Vestibule.docc/Speed.md").lines)
    for row in rows { #expect(article.contains(row), "\(row)") }
  }
}
