internal import Masking

/// Hides what must not be read again in texts of an auth API.
public struct SecretMask: Sendable {
  public static let placeholder = "•••"
  private static let telling = [
    "token", "secret", "password", "jwt", "ticket", "cookie", "signature", "authorization",
  ].map { Array($0.utf8) }
  private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
  /// Members that name what is wrong in words of the API's own.
  private static let namesOfCodes: Set = ["code", "error", "suberror", "param_name", "parameter"]
  /// What is kept of a text, in code points; more is not shown (S17).
  private static let longestText = 500
  private let secrets: EchoedSecrets

  /// - Parameter secrets: What was sent and may be echoed.
  public init(_ secrets: [String]) { self.secrets = EchoedSecrets(secrets) }

  /// The text without secrets, cut once they are hidden: half a secret is not known for one.
  ///
  /// A sentence that is cut says so by its end; a code is no other for what is left out of it.
  public func text(_ text: String) -> String { self.text(named: nil, text) }

  /// The same; nothing of it where its name says that it is one.
  func text(named name: String?, _ text: String) -> String {
    if let name, Self.tells(name) { return Self.placeholder }
    // What was typed stands in a code by chance: hidden there, the rest of the code would tell it.
    if let name, Self.namesOfCodes.contains(name), Self.isCode(text) {
      return text.cut(to: Self.longestText)
    }
    return secrets.hidden(in: text, by: Self.placeholder)
      .cut(to: Self.longestText, marking: "…")
  }

  /// Whether the name of a member says that what stands there is a secret.
  private static func tells(_ name: String) -> Bool {
    var bytes = Array(name.utf8)
    if bytes.contains(where: { $0 >= 0x80 }) { bytes = Array(name.lowercased().utf8) }
    for place in bytes.indices where capitals.contains(bytes[place]) { bytes[place] |= 0x20 }
    return telling.contains { bytes[...].firstRange(of: $0) != nil }
  }

  /// Whether a text is several words with lines between them, as in `form_password_length_too_short`.
  private static func isCode(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "_"))
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
