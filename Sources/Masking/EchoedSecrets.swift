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
      .filter { $0.utf8.count >= Self.shortest && !Self.ownWords.contains($0) }
      .flatMap(\.canonicalSpellings)
  }

  /// The text with the placeholder for each of them, as it was sent or as addresses, forms and JSON
  /// write it.
  package func hidden(in text: String, by placeholder: String) -> String {
    hidden(in: Array(text.utf8), by: placeholder).map { String(decoding: $0, as: UTF8.self) }
      ?? text
  }

  /// The same of a text's bytes; nil where none of them stands there.
  package func hidden(in text: [UInt8], by placeholder: String) -> [UInt8]? {
    guard !secrets.isEmpty else { return nil }
    // All are looked for before any is replaced: what stands for one holds nothing of another.
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
      // One within another, or across its end, is hidden with it.
      if end == 0 || place.lowerBound >= end {
        result += text[end..<place.lowerBound]
        result += placeholder.utf8
      }
      end = max(end, place.upperBound)
    }
    return result + text[end...]
  }
}
