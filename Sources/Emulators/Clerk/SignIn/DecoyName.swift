internal import Crypto

/// Identifiers for things that do not exist, which look like those of real ones.
enum DecoyName {
  /// Made once per process: it only has to be unguessable, and the same while somebody compares.
  private static let key = SymmetricKey(size: .bits256)

  /// 27 letters and digits that are derived from the text.
  static func text(for text: String) -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    let mac = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    return String(
      decoding: mac.prefix(27).map { alphabet[Int($0) % alphabet.count] },
      as: UTF8.self
    )
  }
}
