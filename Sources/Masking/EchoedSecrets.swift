/// What was sent, and is hidden where an answer repeats it.
///
/// It looks at bytes: by characters, a mark that combines with the sign beside it would make another
/// sign of that, and the secret would not be found.
package struct EchoedSecrets: Sendable {
  /// A shorter one would hide ordinary words.
  private static let shortest = 4
  /// What an auth API says of its own accord: hidden there, it would tell what was typed, and break
  /// the API's own codes.
  private static let ownWords: Set = [
    "password", "incorrect", "invalid", "wrong", "code", "identifier", "email", "phone", "account",
    "form", "user", "username", "secret", "token", "verification", "strategy", "error", "object",
    "status", "null", "true", "false", "needs", "factor", "sign", "client", "session", "reset",
  ]
  /// The longest first: what is left of one within which another stands would tell the rest of it.
  private let secrets: [[UInt8]]

  package init(_ secrets: [String]) {
    self.secrets =
      secrets
      .filter { $0.utf8.count >= Self.shortest && !Self.ownWords.contains($0) }
      .flatMap(\.canonicalSpellings)
      .sorted { $0.count > $1.count }
  }

  /// The text with the placeholder for each of them, as it was sent or as addresses, forms and JSON
  /// write it.
  package func hidden(in text: String, by placeholder: String) -> String {
    hidden(in: Array(text.utf8), by: placeholder).map { String(decoding: $0, as: UTF8.self) }
      ?? text
  }

  /// The same of a text's bytes; nil where none of them stands there.
  package func hidden(in text: [UInt8], by placeholder: String) -> [UInt8]? {
    var text = text
    var isChanged = false
    for secret in secrets {
      for writing in Writing.allCases {
        guard let changed = writing.replacing(secret, in: text, with: placeholder) else { continue }
        text = changed
        isChanged = true
      }
    }
    return isChanged ? text : nil
  }
}
