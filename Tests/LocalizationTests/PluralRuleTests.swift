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
      ("pt-PT", [0: .other, 1: .one, 2_000_000: .many]),
      ("it", [0: .other, 1: .one, 2: .other, 1_000_000: .many]),
      ("fa", [0: .one, 1: .one, 2: .other]),
      ("hi", [0: .one, 1: .one, 2: .other, 21: .other]),
      ("he", [0: .other, 1: .one, 2: .two, 3: .other, 10: .other, 20: .other, 22: .other]),
      ("cs", [0: .other, 1: .one, 2: .few, 4: .few, 5: .other, 22: .other, 101: .other]),
      (
        "pl",
        [
          0: .many, 1: .one, 2: .few, 4: .few, 5: .many, 11: .many, 12: .many, 14: .many,
          21: .many, 22: .few, 25: .many, 101: .many, 102: .few, 112: .many, 1_000_000: .many,
        ]
      ),
      (
        "ru",
        [
          0: .many, 1: .one, 2: .few, 4: .few, 5: .many, 11: .many, 12: .many, 14: .many,
          21: .one, 22: .few, 25: .many, 101: .one, 111: .many, 112: .many, 1_000_000: .many,
        ]
      ),
      ("uk", [0: .many, 1: .one, 3: .few, 11: .many, 21: .one, 24: .few, 30: .many]),
      (
        "ro",
        [
          0: .few, 1: .one, 2: .few, 19: .few, 20: .other, 100: .other, 101: .few, 119: .few,
          120: .other, 1_000_000: .other,
        ]
      ),
      ("tr", [0: .other, 1: .one, 2: .other]),
      ("vi", [1: .other, 2: .other]),
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

  @Test("every language that has a name here has its plurals", arguments: NamedLanguage.allCases)
  func everyNamedLanguage(_ language: NamedLanguage) throws {
    let tag = try #require(LanguageTag(language.rawValue))
    #expect(tag.ownName == language.ownName)
    let rule = PluralRule(for: tag)
    #expect(rule != .unknown)
    // CLDR has these as well, for fractions.
    let forFractions: Set<PluralCategory> =
      switch rule {
      case .czech: [.many]
      case .polish, .eastSlavic: [.other]
      default: []
      }
    let taken = Set((Array(0...200) + [1_000_000, 2_000_000]).map(rule.category))
    #expect(taken.union(forFractions) == Set(rule.categories))
    #expect(taken.isDisjoint(with: forFractions))
  }

  @Test("a country or a script does not change the plurals; an unknown language has none")
  func tags() throws {
    for (tag, language) in [("pl-PL", "pl"), ("zh-Hant", "zh"), ("pt-BR", "pt"), ("en-XA", "en")] {
      let rules = try [tag, language].map { PluralRule(for: try #require(LanguageTag($0))) }
      #expect(rules[0] == rules[1])
    }
    #expect(PluralRule(for: try #require(LanguageTag("tlh"))) == .unknown)
  }
}
