internal import Crypto

/// Identifiers for what does not exist, which look like those of what does.
enum DecoyName {
  /// Made once a process: it need only be unguessable and stay the same while someone compares.
  private static let key = SymmetricKey(size: .bits256)

  /// 27 letters and digits that follow from the text.
  static func text(for text: String) -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    let mac = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    return String(
      decoding: mac.prefix(27).map { alphabet[Int($0) % alphabet.count] },
      as: UTF8.self
    )
  }
}
