internal import Foundation

/// The identifiers that Entra gives to everything.
enum GUID {
  /// 16 bytes in the usual writing, marked as a UUID of that version (RFC 9562).
  static func text(of bytes: [UInt8], version: UInt8) -> String {
    precondition(bytes.count == 16, "a GUID has 16 bytes")
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | version << 4
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(decoding: text[$0], as: UTF8.self) }.joined(separator: "-")
  }

  /// The same GUID for the same name, whenever it is asked for.
  static func named(_ name: String) -> String {
    text(of: Array(Data(sha256Of: name).prefix(16)), version: 8)
  }

  /// The GUID in lower case, nil where the text is none.
  static func parsed(_ text: some StringProtocol) -> String? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let isGUID =
      groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      }
    return isGUID ? text.lowercased() : nil
  }
}
