internal import Masking

/// Hides what must not be read again in texts of an auth API.
public struct SecretMask: Sendable {
  public static let placeholder = "•••"
  private static let telling = [
    "token", "secret", "password", "jwt", "ticket", "cookie", "signature", "authorization",
  ].map { Array($0.utf8) }
  /// What is kept of a text, in code points; more is not shown (S17).
  private static let longestText = 500
  private let secrets: EchoedSecrets

  /// - Parameter secrets: What was sent and may be echoed.
  public init(_ secrets: [String]) { self.secrets = EchoedSecrets(secrets) }

  /// The text without secrets, cut once they are hidden: half a secret is not known for one.
  public func text(_ text: String) -> String { self.text(named: nil, text) }

  /// The same; nothing of it where its name says that it is one.
  func text(named name: String?, _ text: String) -> String {
    if let name = name.map({ Array($0.lowercased().utf8)[...] }),
      !name.elementsEqual("param_name".utf8),
      Self.telling.contains(where: { name.firstRange(of: $0) != nil })
    {
      return Self.placeholder
    }
    return secrets.hidden(in: text, by: Self.placeholder).cut(to: Self.longestText)
  }
}
