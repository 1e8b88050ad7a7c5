/// Hides what must not be read again in texts of an auth API.
public struct SecretMask: Sendable {
  public static let placeholder = "•••"
  private static let telling = [
    "token", "secret", "password", "jwt", "ticket", "cookie", "signature", "authorization",
  ]
  /// A shorter one would hide ordinary words.
  private static let shortestSecret = 4
  private static let longestText = 500
  private let secrets: [String]

  /// - Parameter secrets: What was sent and may be echoed.
  public init(_ secrets: [String]) {
    self.secrets = secrets.filter { $0.utf8.count >= Self.shortestSecret }
  }

  public func text(_ text: String) -> String { self.text(named: nil, text) }

  /// The text without secrets, cut; nothing of it where its name says that it is one.
  func text(named name: String?, _ text: String) -> String {
    if let name = name?.lowercased(), name != "param_name",
      Self.telling.contains(where: name.contains)
    {
      return Self.placeholder
    }
    let open = secrets.reduce(text) { $0.replacing($1, with: Self.placeholder) }
    return String(String.UnicodeScalarView(open.unicodeScalars.prefix(Self.longestText)))
  }
}
