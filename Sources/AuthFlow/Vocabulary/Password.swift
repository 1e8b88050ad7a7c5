/// A password, byte for byte as it was typed: never trimmed, cut or normalised (S18).
public struct Password: Hashable, Sendable, Redacted {
  /// The password itself; only a provider that sends it reads it.
  public let secret: String

  /// Returns nil where nothing was typed.
  public init?(typed: String) {
    guard !typed.isEmpty else { return nil }
    secret = typed
  }

  public static let redaction = "<password>"
}
