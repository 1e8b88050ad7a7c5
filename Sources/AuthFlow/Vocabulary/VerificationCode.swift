/// A one-time code or a backup code, cleaned of what people paste along with it (F8).
public struct VerificationCode: Hashable, Sendable, Redacted {
  public let secret: String

  /// A code that was sent or that an app shows: spaces, dashes and dots dropped, digits made ASCII.
  ///
  /// Full-width, Arabic-Indic and extended Arabic-Indic digits become `0` to `9`. Returns nil where
  /// nothing is left.
  public init?(typed: String) {
    self.init(
      cleaned: typed.unicodeScalars.compactMap { scalar in
        Self.isPunctuation(scalar) ? nil : scalar.asciiDigit ?? scalar
      }
    )
  }

  /// A backup code: case and dashes do not count.
  public init?(typedBackupCode typed: String) {
    self.init(
      cleaned: typed.lowercased().unicodeScalars.filter { !Self.isPunctuation($0) }
    )
  }

  private init?(cleaned: [Unicode.Scalar]) {
    guard !cleaned.isEmpty else { return nil }
    secret = String(String.UnicodeScalarView(cleaned))
  }

  /// Whether it consists of exactly that many ASCII digits.
  public func hasDigits(_ count: Int) -> Bool {
    secret.utf8.count == count
      && secret.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isBlank || scalar.isDash || scalar.isFullStop
  }

  public static let redaction = "<code>"
}

extension Unicode.Scalar {
  /// White space of any width, or an invisible character.
  var isBlank: Bool { properties.isWhitespace || properties.isDefaultIgnorableCodePoint }

  /// A dash of any length, or the minus sign.
  var isDash: Bool { properties.generalCategory == .dashPunctuation || self == "\u{2212}" }

  var isFullStop: Bool { self == "." || self == "\u{FF0E}" }

  /// The ASCII digit for a full-width, Arabic-Indic or extended Arabic-Indic one; nil for anything
  /// else.
  var asciiDigit: Unicode.Scalar? {
    for zero: UInt32 in [0xFF10, 0x0660, 0x06F0] where (zero..<zero + 10).contains(value) {
      return Unicode.Scalar(0x30 + value - zero)
    }
    return nil
  }
}
