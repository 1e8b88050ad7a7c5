import Testing

@testable import Localization

@Suite("Plurals by CLDR")
struct PluralRuleTests {
  /// The examples of CLDR's table, for whole numbers.
  @Test(
    "the table's examples have the table's categories",
    arguments: [
      ("en", [1: PluralCategory.one, 0: .other, 2: .other, 11: .other, 1_000_000: .other]),
      ("de", [1: .one, 0: .other, 21: .other]),
      ("fr", [0: .one, 1: .one, 2: .other, 17: .other, 1_000_000: .many, 1_000_001: .other]),
      ("es", [0: .other, 1: .one, 2: .other, 3_000_000: .many]),
      ("pt", [0: .one, 1: .one, 2: .other, 1_000_000: .many]),
      ("pt-PT", [0: .other, 1: .one]),
      ("ja", [0: .other, 1: .other, 15: .other]),
      (
        "ar",
        [
          0: .zero, 1: .one, 2: .two, 3: .few, 10: .few, 103: .few, 110: .few, 11: .many,
          26: .many, 111: .many, 100: .other, 102: .other, 200: .other, 1_000: .other,
        ]
      ),
      ("tlh", [1: .one, 2: .other]),
    ] as [(String, [Int: PluralCategory])]
  )
  func table(_ tag: String, _ expected: [Int: PluralCategory]) throws {
    let rule = PluralRule(for: try #require(LanguageTag(tag)))
    for (number, category) in expected {
      #expect(rule.category(of: number) == category, "\(tag) \(number)")
      #expect(rule.categories.contains(category))
    }
  }
}
