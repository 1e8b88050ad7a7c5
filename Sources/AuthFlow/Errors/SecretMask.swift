internal import Glibc

/// Hides what must not be read again in texts of an auth API.
public struct SecretMask: Sendable {
  public static let placeholder = "•••"
  private static let telling = [
    "token", "secret", "password", "jwt", "ticket", "cookie", "signature", "authorization",
  ].map { Array($0.utf8) }
  /// A shorter one would hide ordinary words.
  private static let shortestSecret = 4
  /// What an auth API says of its own accord: hidden there, it would tell what was typed, and break the API's own codes.
  private static let words: Set = [
    "password", "incorrect", "invalid", "wrong", "code", "identifier", "email", "phone", "account",
    "form", "user", "username", "secret", "token", "verification", "strategy", "error",
  ]
  /// What is kept of a text, in code points; more is not shown (S17).
  private static let longestText = 500
  private let secrets: [String]

  /// - Parameter secrets: What was sent and may be echoed.
  public init(_ secrets: [String]) {
    self.secrets = secrets.filter {
      $0.utf8.count >= Self.shortestSecret && !Self.words.contains($0)
    }
  }

  /// The text without secrets, cut once they are hidden: half a secret is not known for one.
  public func text(_ text: String) -> String { self.text(named: nil, text) }

  /// The same; nothing of it where its name says that it is one.
  func text(named name: String?, _ text: String) -> String {
    if let name = name.map({ Array($0.lowercased().utf8) }), !name.elementsEqual("param_name".utf8),
      Self.telling.contains(where: name.holds)
    {
      return Self.placeholder
    }
    let open = secrets.reduce(text) {
      $0.surelyLacks($1) ? $0 : $0.replacing($1, with: Self.placeholder)
    }
    return open.cut(to: Self.longestText)
  }
}

extension String {
  /// Whether bytes alone can tell that it is not in there: beyond ASCII one text has several
  /// spellings.
  fileprivate func surelyLacks(_ part: String) -> Bool {
    isPlain && part.isPlain
      && withCString { text in part.withCString { strstr(text, $0) == nil } }
  }

  /// Whether all of it is ASCII, and no NUL would end it for C.
  private var isPlain: Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy { 0x01...0x7F ~= $0 } } ?? false
  }
}

extension [UInt8] {
  /// Whether those bytes stand in it, as words of names do; a search by characters takes many times
  /// as long, and every refusal asks it of each of its members.
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    return (0...(count - part.count)).contains { start in
      self[start] == first && self[start..<(start + part.count)].elementsEqual(part)
    }
  }
}
