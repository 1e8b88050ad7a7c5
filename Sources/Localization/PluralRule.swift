/// The grammatical categories of numbers.
public enum PluralCategory: String, CaseIterable, Sendable {
  case zero, one, two, few, many, other
}

/// Which category a whole number has in a language.
///
/// Source: Unicode CLDR 45, `supplemental/plurals.xml`, for whole numbers without a fraction.
public enum PluralRule: Hashable, Sendable {
  /// Numbers change nothing: Japanese.
  case none
  /// One, and others: English, German.
  case one
  /// One, whole millions, and others: Spanish.
  case oneAndMillions
  /// Zero and one, whole millions, and others: French, Portuguese.
  case zeroToOneAndMillions
  case arabic

  /// The rule of a language; one and others where it is not known here.
  public init(for language: LanguageTag) {
    self =
      switch language.language {
      case "ja", "ko", "zh", "vi", "th", "id": .none
      case "es", "it": .oneAndMillions
      case "fr": .zeroToOneAndMillions
      case "pt": language.text == "pt-PT" ? .oneAndMillions : .zeroToOneAndMillions
      case "ar": .arabic
      default: .one
      }
  }

  /// All categories that a language with this rule has.
  public var categories: [PluralCategory] {
    switch self {
    case .none: [.other]
    case .one: [.one, .other]
    case .oneAndMillions, .zeroToOneAndMillions: [.one, .many, .other]
    case .arabic: PluralCategory.allCases
    }
  }

  /// The category of a number; its sign does not matter.
  public func category(of number: Int) -> PluralCategory {
    let number = number.magnitude
    return switch self {
    case .none: .other
    case .one: number == 1 ? .one : .other
    case .oneAndMillions: number == 1 ? .one : Self.isMillions(number) ? .many : .other
    case .zeroToOneAndMillions:
      number <= 1 ? .one : Self.isMillions(number) ? .many : .other
    case .arabic:
      switch (number, number % 100) {
      case (0, _): .zero
      case (1, _): .one
      case (2, _): .two
      case (_, 3...10): .few
      case (_, 11...99): .many
      default: .other
      }
    }
  }

  private static func isMillions(_ number: UInt) -> Bool {
    number != 0 && number % 1_000_000 == 0
  }
}
