import Foundation

/// The identifier by which a person signs in: an email address, a phone number or a username; never
/// empty.
public struct Identifier: Hashable, Codable, Sendable, CustomStringConvertible {
  public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    case emailAddress, phoneNumber, username
  }

  public let text: String

  /// Cleans what was typed: trims it, and removes the punctuation of what looks like a phone
  /// number.
  ///
  /// Returns nil where nothing is left. Whether it is valid is for the auth API to decide.
  public init?(typed: String) {
    let trimmed = typed.trimmed
    guard !trimmed.isEmpty else { return nil }
    text = PhoneNumber.cleaned(trimmed) ?? trimmed
  }

  /// The kind that its spelling suggests.
  public var kind: Kind {
    if text.utf8.contains(UInt8(ascii: "@")) { return .emailAddress }
    return PhoneNumber.cleaned(text) == nil ? .username : .phoneNumber
  }

  public var description: String { "<identifier>" }
}

extension String {
  /// Without blanks and line breaks around it.
  package var trimmed: String {
    // Most texts need no trimming, and Foundation takes a microsecond to find that out.
    guard let first = utf8.first, let last = utf8.last else { return self }
    if visibleASCII.contains(first), visibleASCII.contains(last) { return self }
    return trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

private let visibleASCII: ClosedRange<UInt8> = 0x21...0x7E

/// The spelling of phone numbers (F8).
public enum PhoneNumber {
  /// The number in the E.164 form, or nil where the text does not look like one.
  ///
  /// Spaces, dashes, slashes, brackets and dots are dropped; a number begins with `+`. The digits
  /// may be Arabic-Indic or full-width, and the `+` full-width, as Arabic and Japanese keyboards
  /// write them.
  public static func cleaned(_ typed: String) -> String? {
    // The first byte rules out most texts: addresses and names begin with a letter, numbers do not.
    if let first = typed.utf8.first, letters.contains(first | 0x20) { return nil }
    let scalars = String.UnicodeScalarView(
      typed.unicodeScalars.map { $0.asciiDigit ?? ($0 == "\u{FF0B}" ? "+" : $0) }
    )
    guard scalars.first(where: { !isPunctuation($0) }) == "+" else { return nil }
    let kept = String(scalars.filter { !isPunctuation($0) })
    let digits = kept.utf8.dropFirst()
    guard !digits.isEmpty,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return kept
  }

  private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .closePunctuation: true
    default: scalar == "/" || scalar.isBlank || scalar.isDash || scalar.isFullStop
    }
  }
}
