internal import Foundation

/// Why a new password is refused.
///
/// The raw values are the suberrors.
/// Source: Microsoft, native authentication API reference.
enum EntraPasswordFlaw: String, Sendable, Hashable {
  case tooShort = "password_too_short"
  case tooLong = "password_too_long"
  case invalid = "password_is_invalid"
  case tooWeak = "password_too_weak"
  case banned = "password_banned"
  case recentlyUsed = "password_recently_used"
}

/// The rules of a tenant for new passwords.
///
/// Source: Microsoft, native authentication API reference.
struct EntraPasswordRules: Sendable {
  static let maximumLength = 256

  var settings: InstanceSettings

  func flaw(in password: String) -> EntraPasswordFlaw? {
    let scalars = password.unicodeScalars
    if scalars.count < max(8, settings.passwordMinLength) { return .tooShort }
    if scalars.count > Self.maximumLength { return .tooLong }
    guard scalars.allSatisfy({ (0x20...0x7E).contains($0.value) }) else { return .invalid }
    let kinds = Set(scalars.map(Self.kind))
    guard kinds.count >= 3, kinds.isSuperset(of: settings.passwordRequire) else { return .tooWeak }
    return settings.leakedPasswordCheck && Self.isBanned(password) ? .banned : nil
  }

  private static func kind(of scalar: Unicode.Scalar) -> InstanceSettings.CharacterClass {
    switch scalar {
    case "A"..."Z": .upper
    case "a"..."z": .lower
    case "0"..."9": .number
    default: .special
    }
  }

  private static func isBanned(_ password: String) -> Bool {
    let password = password.lowercased()
    return banned.contains { password.contains($0) }
  }

  /// Words that no password may contain, in upper or lower case.
  private static let banned = [
    "password1", "passw0rd", "p@ssw0rd", "p@ssword", "qwerty", "letmein", "iloveyou", "123456",
    "welcome1", "admin123", "abc123", "changeme", "trustno1", "hunter2", "1q2w3e4r", "contoso",
  ]
}

extension EntraRefusal {
  /// All flaws share the only published code.
  static func password(_ flaw: EntraPasswordFlaw) -> Self {
    let text =
      switch flaw {
      case .tooShort: "The password is too short."
      case .tooLong: "The password is too long."
      case .invalid: "The password has characters that are not allowed."
      case .tooWeak: "The password is too weak: mix at least three kinds of characters."
      case .banned: "The password contains a word that is banned."
      case .recentlyUsed: "The password was used recently."
      }
    return Self("invalid_grant", flaw.rawValue, 399_246, text)
  }
}
