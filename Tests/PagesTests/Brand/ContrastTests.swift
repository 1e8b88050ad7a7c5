import Foundation
import Testing
import TestSupport

@testable import Pages

@Suite("Colours and their contrast")
struct ContrastTests {
  @Test(
    "the contrast of known pairs (WCAG 2.2)",
    arguments: [
      ("#000", "#fff", 21.0), ("#767676", "#ffffff", 4.54), ("#777777", "#ffffff", 4.47),
      ("#ff0000", "#ffffff", 3.99), ("#0000ff", "#ffffff", 8.59), ("#abc", "#abc", 1),
      ("#949494", "#ffffff", 3.03),
    ]
  )
  func known(_ one: String, _ two: String, _ ratio: Double) throws {
    let (one, two) = (try #require(Color(one)), try #require(Color(two)))
    #expect(abs(one.contrast(with: two) - ratio) < 0.01)
    #expect(one.contrast(with: two) == two.contrast(with: one))
  }

  private static func problems(_ json: String) -> [BrandProblem] {
    do {
      _ = try Brand(json: Data(json.utf8))
      return []
    } catch {
      return error.problems
    }
  }

  @Test("a pair with too little contrast is refused with both keys, both values and the ratio")
  func refused() {
    let problems = Self.problems(
      ##"{"colors": {"accent": "#777777", "accent_text": "#ffffff"}, "colors_dark": {"accent": "#fff"}}"##
    )
    #expect(
      problems.map(\.description) == [
        "'colors.accent_text' #ffffff on 'colors.accent' #777777 has a contrast of 4.47:1, and text "
          + "needs 4.5:1"
      ]
    )
    #expect(problems.map(\.keys) == [["colors.accent_text", "colors.accent"]])
  }

  @Test("the accent must stand out from the card as much as controls must")
  func controls() {
    let problems = Self.problems(
      ##"{"colors": {"accent": "#ffd400", "accent_text": "#000"}, "colors_dark": {"accent": "#ffd400"}}"##
    )
    #expect(
      problems.map(\.description) == [
        "'colors.accent' #ffd400 on 'colors.card' #ffffff (not given) has a contrast of 1.43:1, and "
          + "controls need 3.0:1"
      ]
    )
    #expect(problems.map(\.keys) == [["colors.accent"]])
  }

  @Test("a brand's colour is checked against the built-in ones beside it, in either scheme")
  func builtIn() {
    #expect(
      Self.problems(##"{"colors": {"card": "#222222"}}"##).contains { $0.keys == ["colors.card"] }
    )
    let dark = Self.problems(##"{"colors_dark": {"text": "#333333"}}"##)
    #expect(dark.map(\.keys) == [["colors_dark.text"], ["colors_dark.text"]])
    // Errors stay red, and nobody could read them on a card of that colour.
    let red = Self.problems(
      ##"{"colors": {"card": "#e0483e", "page": "#e0483e", "text": "#000000", "accent": "#000"}}"##
    )
    #expect(red.contains { $0.description.hasPrefix("the colour of errors") })
  }

  /// Brands that name few colours or many, mild or loud ones.
  private static let brands = [
    ##"{"colors": {"accent": "#0b6e4f", "accent_text": "#ffffff"}}"##,
    ##"{"colors": {"accent": "#d6006c"}}"##,
    ##"{"colors_dark": {"accent": "#ff9f1c"}}"##,
    ##"{"colors": {"page": "#ffe600", "accent": "#e00070"}, "colors_dark": {"page": "#20002c"}}"##,
    ##"{"colors": {"page": "#101010", "card": "#000", "text": "#fff", "accent": "#ffd400"}}"##,
    ##"{"colors": {"text": "#595959", "card": "#fafafa"}}"##,
  ]

  @Test(
    "colours that a brand does not name are derived so that everything can be read",
    arguments: brands
  )
  func derived(_ json: String) throws {
    let look = Look(try Brand(json: Data(json.utf8)))
    for palette in [look.light, look.dark] { Self.check(palette) }
  }

  private static func check(_ palette: Palette) {
    let grounds = [palette.page, palette.card, palette.field, palette.hover]
    for (name, color) in palette.properties where ["quiet", "link", "text"].contains(name) {
      #expect(color.stands(out: 4.5, from: grounds), "\(name)")
    }
    #expect(palette.linkStrong.stands(out: 4.5, from: [palette.card, palette.page]))
    #expect(palette.onAccent.stands(out: 4.5, from: [palette.accent, palette.accentStrong]))
    #expect(palette.control.stands(out: 3, from: [palette.card, palette.field]))
    #expect(palette.focus.stands(out: 3, from: [palette.card, palette.page]))
    #expect(palette.error.stands(out: 4.5, from: [palette.card, palette.errorGround]))
    #expect(palette.notice.stands(out: 4.5, from: [palette.card, palette.noticeGround]))
    #expect(palette.text.stands(out: 4.5, from: [palette.errorGround, palette.noticeGround]))
  }

  @Test("the built-in colours meet the rules for a brand's, and are those in the style sheet")
  func tokens() throws {
    let sheet = try String(
      contentsOfFile: "\(ProjectFolder.publicFiles)/vestibule.css",
      encoding: .utf8
    )
    let parts = sheet.components(separatedBy: "@media (prefers-color-scheme: dark)")
    for (palette, part) in zip([Palette.light, .dark], parts) {
      Self.check(palette)
      for (name, color) in palette.properties where !name.hasPrefix("link") {
        #expect(part.contains("--\(name): \(color);"), "\(name)")
      }
    }
    #expect(Brand().contrastProblems.isEmpty)
  }
}
