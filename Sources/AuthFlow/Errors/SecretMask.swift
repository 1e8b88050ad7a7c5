internal import Masking

/// Hides secrets in the texts of an auth API.
public struct SecretMask: Sendable {
  public static let placeholder = "•••"
  private static let telling = [
    "token", "secret", "password", "jwt", "ticket", "cookie", "signature", "authorization",
  ].map { Array($0.utf8) }
  private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
  /// Members whose values are the API's own codes.
  private static let namesOfCodes: Set = ["code", "error", "suberror", "param_name", "parameter"]
  /// The length to which a text is cut, in code points (S17).
  private static let longestText = 500
  private let secrets: EchoedSecrets

  /// - Parameter secrets: Values that were sent and may be echoed.
  public init(_ secrets: [String]) { self.secrets = EchoedSecrets(secrets) }

  /// The text with its secrets hidden, and cut after that: half a secret would not be recognised.
  ///
  /// A sentence that is cut ends in `…`; a code is cut without a mark.
  public func text(_ text: String) -> String { self.text(named: nil, text) }

  /// The same for the value of a member; hidden altogether where its name says that it is a secret.
  func text(named name: String?, _ text: String) -> String {
    if let name, Self.tells(name) { return Self.placeholder }
    // A code contains what was typed only by chance; hiding it there would let the rest reveal it.
    if let name, Self.namesOfCodes.contains(name), Self.isCode(text) {
      return text.cut(to: Self.longestText)
    }
    return secrets.hidden(in: text, by: Self.placeholder)
      .cut(to: Self.longestText, marking: "…")
  }

  /// Whether the name of a member says that its value is a secret.
  private static func tells(_ name: String) -> Bool {
    var bytes = Array(name.utf8)
    if bytes.contains(where: { $0 >= 0x80 }) { bytes = Array(name.lowercased().utf8) }
    for place in bytes.indices where capitals.contains(bytes[place]) { bytes[place] |= 0x20 }
    return telling.contains { bytes[...].firstRange(of: $0) != nil }
  }

  /// Whether a text is a code: lower-case letters, digits and underscores, as in
  /// `form_password_length_too_short`.
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
