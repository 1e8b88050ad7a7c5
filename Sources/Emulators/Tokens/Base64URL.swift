internal import Foundation

/// Base64 with the URL alphabet and without padding.
///
/// Source: RFC 4648, section 5; RFC 7515, section 2.
enum Base64URL {
  static func text(of bytes: some DataProtocol) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Nil for what is not that alphabet.
  static func bytes(of text: String) -> Data? {
    guard !text.contains("+"), !text.contains("/") else { return nil }
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding)
  }
}
