internal import Foundation
internal import GRDB
internal import HTTPExchange

/// An identifier of an account; the API calls it an identification.
///
/// Kind and value together are unique in a world.
struct Contact: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  enum Kind: String, Codable, Sendable, CaseIterable, DatabaseValueConvertible {
    case emailAddress = "email_address"
    case phoneNumber = "phone_number"
    case username

    var description: String {
      switch self {
      case .emailAddress: "an email address"
      case .phoneNumber: "a phone number with country code"
      case .username: "a username"
      }
    }
  }

  static let databaseTableName = "contact"

  var id: String
  var accountID: String
  var kind: Kind
  /// Normalised.
  var value: String
  var isPrimary: Bool
  /// A number for second factors can neither sign in nor reset a password.
  var isSecondFactor: Bool
  var isDefaultSecondFactor: Bool
  var createdAt: EpochMilliseconds
  /// Orders an account's contacts as they were added.
  var position: Int
}

extension [Contact] {
  /// The position of the next contact that is added to the account.
  var nextPosition: Int { (map(\.position).max() ?? -1) + 1 }
}

// MARK: - Normal forms

extension Contact.Kind {
  /// The one spelling under which a contact is stored and looked up, or nil if it is malformed.
  func normalized(_ text: String) -> String? {
    let text = Self.trimmed(text)
    return switch self {
    case .emailAddress: Self.emailAddress(text)
    case .phoneNumber: Self.phoneNumber(text)
    case .username: Self.username(text)
    }
  }

  /// The text without white space at either end.
  static func trimmed(_ text: String) -> String {
    hasBlankEnd(text) ? text.trimmingCharacters(in: .whitespaces) : text
  }

  /// Whether there may be white space at either end; Foundation takes a microsecond to find none.
  private static func hasBlankEnd(_ text: String) -> Bool {
    [text.utf8.first, text.utf8.last].contains { $0.map { !(0x21...0x7E).contains($0) } ?? false }
  }

  /// The part of RFC 5321 that real addresses use: dot-atoms, and a domain of two labels or more.
  private static func emailAddress(_ text: String) -> String? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= 254, parts.count == 2 else { return nil }
    let atoms = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    let isLocalPart = (1...64).contains(parts[0].utf8.count) && atoms.allSatisfy(isAtom)
    let isDomain = labels.count >= 2 && labels.allSatisfy(isLabel)
    let endsInWord = labels.last?.utf8.contains { !$0.isASCIIDigit } ?? false
    return isLocalPart && isDomain && endsInWord ? text.lowercased() : nil
  }

  private static let ignored = Set(" -().\u{A0}".unicodeScalars)

  /// E.164: a plus, then 8 to 15 digits, the first not zero; spaces and punctuation are dropped.
  private static func phoneNumber(_ text: String) -> String? {
    let kept = unpunctuated(text)
    let digits = kept.utf8.dropFirst()
    guard kept.utf8.first == UInt8(ascii: "+"), (8...15).contains(digits.count),
      digits.allSatisfy(\.isASCIIDigit), digits.first != UInt8(ascii: "0")
    else { return nil }
    return kept
  }

  /// The part of a stored phone number that the text may be; nil if it cannot be one.
  static func partOfPhoneNumber(_ text: String) -> String? {
    let kept = unpunctuated(text)
    let digits = kept.utf8.dropFirst(kept.utf8.first == UInt8(ascii: "+") ? 1 : 0)
    return !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit) ? kept : nil
  }

  private static func unpunctuated(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !ignored.contains($0) }))
  }

  private static func username(_ text: String) -> String? {
    let isAllowed = text.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    return isAllowed && (1...64).contains(text.utf8.count) ? text.lowercased() : nil
  }

  private static let special = Set("!#$%&'*+/=?^_`{|}~-".utf8)

  private static func isAtom(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || special.contains($0) }
  }

  private static func isLabel(_ text: Substring) -> Bool {
    (1...63).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
  }
}
