public import Foundation

/// Base64 with the URL alphabet and without padding: safe in cookies, addresses and HTML.
///
/// Source: RFC 4648, section 5; RFC 7515, section 2.
public enum Base64URL {
  public static func text(of bytes: some Sequence<UInt8>) -> String {
    // Byte by byte: it is done for each page, and a search in a string takes ten times as long.
    let encoded = Data(bytes).base64EncodedData().lazy.prefix { $0 != UInt8(ascii: "=") }.map {
      switch $0 {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: $0
      }
    }
    return String(decoding: Array(encoded), as: UTF8.self)
  }

  /// The bytes again; nil for what is not that alphabet.
  public static func bytes(of text: String) -> Data? {
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else {
      return nil
    }
    var encoded = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    encoded += repeatElement(UInt8(ascii: "="), count: (4 - encoded.count % 4) % 4)
    return Data(base64Encoded: Data(encoded))
  }
}
