internal import Foundation

/// Why a new password is refused.
enum PasswordFlaw: Sendable, Hashable {
  case tooShort(minimum: Int)
  case tooLong(maximum: Int)
  case tooManyBytes(maximum: Int)
  case lacks(InstanceSettings.CharacterClass)
  case matchesIdentifier
  case leaked
}

/// The rules of an instance for new passwords.
struct PasswordRules: Sendable {
  /// In characters, and in bytes, of which a character may have several.
  static let maximumLength = 72
  static let specialCharacters = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

  var settings: InstanceSettings

  /// A setting below eight counts as eight (<doc:ClerkInstanceSettings#Password-rules>).
  private var minimumLength: Int { max(8, settings.passwordMinLength) }

  /// Finds what is wrong with a password.
  ///
  /// Source: <doc:ClerkInstanceSettings#Order-of-the-checks>.
  /// - Parameters:
  ///   - password: As typed, byte for byte.
  ///   - identifiers: The account's addresses, numbers and names.
  /// - Returns: The flaws that are reported together, in order; empty if the password may be set.
  func flaws(in password: String, identifiers: [String]) -> [PasswordFlaw] {
    let length = password.unicodeScalars.count
    if length < minimumLength { return [.tooShort(minimum: minimumLength)] }
    if length > Self.maximumLength { return [.tooLong(maximum: Self.maximumLength)] }
    if password.utf8.count > Self.maximumLength {
      return [.tooManyBytes(maximum: Self.maximumLength)]
    }
    let missing = settings.passwordRequire.filter { !Self.has($0, in: password) }
    if !missing.isEmpty { return missing.map(PasswordFlaw.lacks) }
    if identifiers.contains(where: { $0.lowercased() == password.lowercased() }) {
      return [.matchesIdentifier]
    }
    return settings.leakedPasswordCheck && Self.isLeaked(password) ? [.leaked] : []
  }

  /// Whether the password is on the built-in list of leaked ones.
  static func isLeaked(_ password: String) -> Bool {
    leaked.contains(password.lowercased())
  }

  private static func has(_ kind: InstanceSettings.CharacterClass, in password: String) -> Bool {
    switch kind {
    case .upper: password.unicodeScalars.contains { $0.properties.isUppercase }
    case .lower: password.unicodeScalars.contains { $0.properties.isLowercase }
    case .number: password.unicodeScalars.contains { ("0"..."9").contains($0) }
    case .special:
      password.unicodeScalars.contains(where: specialCharacters.unicodeScalars.contains)
    }
  }

  /// A few passwords that every breach list has; no other source is ever consulted.
  private static let leaked: Set<String> = [
    "password", "password1", "password12", "password123", "password1234", "passw0rd", "p@ssw0rd",
    "123456", "12345678", "123456789", "1234567890", "12345678910", "11111111", "00000000",
    "qwerty123", "qwertyuiop", "1q2w3e4r", "1q2w3e4r5t", "iloveyou", "sunshine", "princess",
    "football", "baseball", "superman", "trustno1", "letmein1", "letmein123", "welcome1",
    "welcome123", "admin123", "administrator", "abc12345", "abcd1234", "changeme", "changeme123",
    "hunter2hunter2", "correcthorsebatterystaple", "correct horse battery staple",
  ]
}
