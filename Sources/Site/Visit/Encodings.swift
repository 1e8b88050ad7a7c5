internal import Crypto
internal import Foundation

enum Digest {
  static func hexadecimal(of text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

extension Data {
  /// Base64 of RFC 4648, section 5, without padding: safe in cookies and in HTML.
  var base64URL: String {
    // Byte by byte: it is done for each page, and a search in a string takes ten times as long.
    let bytes = base64EncodedData().lazy.prefix { $0 != UInt8(ascii: "=") }.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return String(decoding: Array(bytes), as: UTF8.self)
  }

  /// Returns nil where the text is anything else.
  init?(base64URL text: String) {
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else {
      return nil
    }
    var bytes = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    bytes += repeatElement(UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
    self.init(base64Encoded: Data(bytes))
  }
}
