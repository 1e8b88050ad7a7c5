/// The grammatical categories of numbers.
public enum PluralCategory: String, CaseIterable, Sendable {
  case zero, one, two, few, many, other
}

/// How a language assigns categories to whole numbers.
///
/// Source: Unicode CLDR 45, `supplemental/plurals.xml`, for whole numbers without a fraction.
public enum PluralRule: Hashable, Sendable {
  /// Numbers change nothing: Japanese.
  case none
  /// One, and others: English, German.
  case one
  /// Zero and one, and others: Hindi, Persian.
  case zeroToOne
  /// One, whole millions, and others: Spanish.
  case oneAndMillions
  /// Zero and one, whole millions, and others: French, Portuguese.
  case zeroToOneAndMillions
  /// One, two, and others: Hebrew.
  case oneAndTwo
  case czech
  case polish
  /// Russian and Ukrainian.
  case eastSlavic
  case romanian
  case arabic
  /// A language without a known rule, treated as having one and others.
  case unknown

  /// The rule of a language.
  public init(for language: LanguageTag) {
    self = NamedLanguage(of: language)?.pluralRule(of: language) ?? .unknown
  }

  /// All categories of a language with this rule; every category if the rule is unknown.
  ///
  /// They include categories that only fractions have: no message uses those, but translation tools
  /// expect them.
  public var categories: [PluralCategory] {
    switch self {
    case .none: [.other]
    case .one, .zeroToOne: [.one, .other]
    case .oneAndMillions, .zeroToOneAndMillions: [.one, .many, .other]
    case .oneAndTwo: [.one, .two, .other]
    case .romanian: [.one, .few, .other]
    case .czech, .polish, .eastSlavic: [.one, .few, .many, .other]
    case .arabic, .unknown: PluralCategory.allCases
    }
  }

  /// The category of a number; its sign does not matter.
  public func category(of number: Int) -> PluralCategory {
    let number = number.magnitude
    return switch self {
    case .none: .other
    case .one, .unknown: number == 1 ? .one : .other
    case .zeroToOne: number <= 1 ? .one : .other
    case .oneAndMillions: number == 1 ? .one : Self.isMillions(number) ? .many : .other
    case .zeroToOneAndMillions:
      number <= 1 ? .one : Self.isMillions(number) ? .many : .other
    case .oneAndTwo: number == 1 ? .one : number == 2 ? .two : .other
    case .czech: number == 1 ? .one : (2...4).contains(number) ? .few : .other
    case .polish: number == 1 ? .one : Self.endsInTwoToFour(number) ? .few : .many
    case .eastSlavic:
      number % 10 == 1 && number % 100 != 11
        ? .one : Self.endsInTwoToFour(number) ? .few : .many
    case .romanian:
      number == 1 ? .one : number == 0 || (1...19).contains(number % 100) ? .few : .other
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

  /// Whether it ends in 2 to 4, but not in 12 to 14: 22 does, 12 does not.
  private static func endsInTwoToFour(_ number: UInt) -> Bool {
    (2...4).contains(number % 10) && !(12...14).contains(number % 100)
  }
}
