/// The secrets that were sent, to be hidden where an answer repeats them.
///
/// They are compared as bytes: among characters, a combining mark beside a secret would merge with
/// its last character, and the secret would not be found.
package struct EchoedSecrets: Sendable {
  /// In bytes; hiding a shorter secret would hide ordinary words.
  private static let shortest = 4
  /// Words that an auth API itself uses: hiding them would reveal what was typed, and break its
  /// codes.
  private static let ownWords: Set = [
    "password", "incorrect", "invalid", "wrong", "code", "identifier", "email", "phone", "account",
    "form", "user", "username", "secret", "token", "verification", "strategy", "error", "object",
    "status", "null", "true", "false", "needs", "factor", "sign", "client", "session", "reset",
    "short", "long", "length", "strong", "weak", "pwned", "found", "breach", "data", "leak",
    "leaked", "characters", "character", "letter", "letters", "number", "special", "least", "more",
    "must", "enter", "this", "that", "with", "your", "used", "match", "required", "missing",
    "expired", "locked", "banned", "attempt", "attempts", "address", "value", "field",
  ]
  private static let writings = Writing.allCases
  private let secrets: [[UInt8]]

  package init(_ secrets: [String]) {
    self.secrets =
      secrets
      .flatMap(\.trimmedSpellings)
      .filter { $0.utf8.count >= Self.shortest && !Self.ownWords.contains($0) }
      .flatMap(\.canonicalSpellings)
  }

  /// The text with the placeholder in place of each secret, whether it appears as it was sent,
  /// without the white space around it, or as URLs, forms, JSON and HTML encode it.
  package func hidden(in text: String, by placeholder: String) -> String {
    hidden(in: Array(text.utf8), by: placeholder).map { String(decoding: $0, as: UTF8.self) }
      ?? text
  }

  /// The same for a text's UTF-8 bytes; nil where none of the secrets occurs in them.
  package func hidden(in text: [UInt8], by placeholder: String) -> [UInt8]? {
    guard !secrets.isEmpty else { return nil }
    // Find all of them before replacing any, so that no placeholder is searched for a secret.
    var places: [Range<Int>] = []
    for writing in Self.writings {
      guard let reading = writing.reading(text) else { continue }
      for secret in secrets { places += reading.places(of: secret) }
    }
    guard !places.isEmpty else { return nil }
    places.sort { $0.lowerBound < $1.lowerBound }
    var result: [UInt8] = []
    var end = 0
    for place in places {
      // A secret inside the previous one, or overlapping its end, is covered by the same
      // placeholder.
      if end == 0 || place.lowerBound >= end {
        result += text[end..<place.lowerBound]
        result += placeholder.utf8
      }
      end = max(end, place.upperBound)
    }
    return result + text[end...]
  }
}
