internal import Foundation

/// The identifiers that Entra gives to everything.
enum GUID {
  /// 128 bits in the usual form, marked as a UUID of that version (RFC 9562).
  static func text(of bits: UInt128, version: UInt8) -> String {
    var bits = bits & ~(0xF << 76 | 0b11 << 62)
    bits |= UInt128(version & 0xF) << 76 | 0b10 << 62
    let digits = String(bits, radix: 16)
    let text = Array((String(repeating: "0", count: 32 - digits.count) + digits).utf8)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(decoding: text[$0], as: UTF8.self) }.joined(separator: "-")
  }

  /// A GUID derived from the name: the same name always gives the same one.
  static func named(_ name: String) -> String {
    let bits = Data(sha256Of: name).prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    return text(of: bits, version: 8)
  }

  /// The object id of an account in tokens (`oid`): its own id if that is a GUID, so that imported
  /// accounts keep theirs.
  static func ofObject(_ accountID: String) -> String { parsed(accountID) ?? named(accountID) }

  /// The GUID in lower case; nil if the text is not one.
  static func parsed(_ text: some StringProtocol) -> String? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let isGUID =
      groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { areHexadecimalDigits($0) }
    return isGUID ? text.lowercased() : nil
  }

  /// Whether a text is a GUID, with or without dashes.
  static func isWritten(_ text: some StringProtocol) -> Bool {
    parsed(text) != nil || text.utf8.count == 32 && areHexadecimalDigits(text)
  }

  private static func areHexadecimalDigits(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
  }
}
