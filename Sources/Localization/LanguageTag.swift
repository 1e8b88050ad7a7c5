/// The name of a language, such as `de`, `pt-BR` or `en-XA`, in the letter case of the registry.
///
/// Source: RFC 5646, section 2.1; extensions are accepted but have no meaning here.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  public let text: String
  public let direction: Direction

  /// A well-formed tag in any letter case.
  public init?(_ text: some StringProtocol) {
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let language = subtags.first,
      (2...3).contains(language.utf8.count), language.utf8.allSatisfy(\.isLetter),
      subtags.dropFirst().allSatisfy({ subtag in
        (1...8).contains(subtag.utf8.count)
          && subtag.utf8.allSatisfy { $0.isLetter || $0.isDigit }
      })
    else { return nil }
    let written = subtags.enumerated().map { index, subtag in
      switch (index, subtag.utf8.count) {
      case (0, _): subtag.lowercased()
      case (_, 2): subtag.uppercased()
      case (_, 4): subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
      default: subtag.lowercased()
      }
    }
    self.init(written: written.joined(separator: "-"))
  }

  private init(written text: String) {
    self.text = text
    direction =
      switch text.prefix(while: { $0 != "-" }) {
      case "ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi": .rightToLeft
      default: .leftToRight
      }
  }

  public static let english = LanguageTag(written: "en")
  /// English with an accent on every letter: a pseudo-locale that shows which words are missing
  /// from the catalogues.
  ///
  /// Source: Unicode CLDR, "Pseudo-Locales".
  public static let accentedEnglish = LanguageTag(written: "en-XA")

  public var description: String { text }

  /// The first subtag: `pt` of `pt-BR`.
  public var language: Substring { text.prefix { $0 != "-" } }

  /// Whether it is a variant of English other than the accented pseudo-locale.
  public var isEnglish: Bool { language == Self.english.language && self != .accentedEnglish }

  /// Which way the language is written.
  public enum Direction: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
  }
}

extension String {
  /// The string in directional isolates, for places without markup (UAX #9, FSI, PDI).
  public var isolated: String { "\u{2068}\(self)\u{2069}" }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
