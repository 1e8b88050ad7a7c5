/// A password, byte for byte as it was typed: never trimmed, cut or normalised (S18).
public struct Password: Hashable, Sendable, Redacted {
  /// The password itself; only a provider that sends it reads it.
  public let secret: String

  /// Returns nil where nothing was typed.
  public init?(typed: String) {
    guard !typed.isEmpty else { return nil }
    secret = typed
  }

  public static let redaction = "<password>"
}

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
        Self.isPunctuation(scalar) ? nil : Self.asciiDigit(scalar) ?? scalar
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

  /// Whether it has exactly so many digits and nothing else.
  public func hasDigits(_ count: Int) -> Bool {
    secret.utf8.count == count
      && secret.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "-", ".", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}": true
    default: scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func asciiDigit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    for zero: UInt32 in [0xFF10, 0x0660, 0x06F0] where (zero..<zero + 10).contains(scalar.value) {
      return Unicode.Scalar(0x30 + scalar.value - zero)
    }
    return nil
  }

  public static let redaction = "<code>"
}

/// What a provider needs to go on with an attempt, opaque to everyone else.
///
/// For Clerk the id of the sign-in or sign-up, for Entra the continuation token.
public struct Continuation: Hashable, Codable, Sendable, Redacted {
  @_spi(Provider) public let token: String

  @_spi(Provider) public init(_ token: String) { self.token = token }

  public init(from decoder: any Decoder) throws {
    token = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(token)
  }

  public static let redaction = "<continuation>"
}

/// What a provider wants remembered about this browser, whatever the outcome of a step.
///
/// Clerk's rotating client token, the keys of Entra's token cache. A step takes it `inout`, so that
/// a refused step still saves it: a rotated token that is lost locks the person out.
public struct ProviderMemory: Hashable, Codable, Sendable, Redacted {
  /// By name; what they mean is the provider's own business.
  package private(set) var entries: [String: String]

  /// A browser that nothing is known of.
  public init() { entries = [:] }

  /// What was kept before.
  package init(_ entries: [String: String]) { self.entries = entries }

  @_spi(Provider) public subscript(_ key: String) -> String? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  public init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([String: String].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }

  public static let redaction = "<memory>"
}
