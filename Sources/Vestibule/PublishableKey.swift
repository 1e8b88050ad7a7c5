internal import HTTPExchange

/// A Clerk publishable key, which names the host of the instance's Frontend API.
///
/// Source: `pk_test_` or `pk_live_`, then base64 of the host followed by one `$`.
public struct PublishableKey: Sendable, Hashable {
  /// Why a text is not a key; never repeats the text, which may be a secret.
  public enum Invalid: Error, Sendable, Hashable, CustomStringConvertible {
    /// It was copied with quotes or blanks around it.
    case wrapped
    /// It is a key of the Backend API, which must not be used here.
    case secretKey
    /// It does not begin like a key.
    case noPrefix
    /// It begins like a key, but what follows is not a host.
    case noHost

    public var description: String {
      switch self {
      case .wrapped: "there are quotes or spaces around the publishable key: remove them"
      case .secretKey:
        "this is a secret key, which does not belong here: if others may have seen it, revoke it "
          + "in the Clerk Dashboard; the publishable key begins with pk_test_ or pk_live_"
      case .noPrefix: "a publishable key begins with pk_test_ or pk_live_"
      case .noHost:
        "what follows pk_test_ or pk_live_ is not base64 of HOST$, as in a publishable key: "
          + "was all of it copied?"
      }
    }
  }

  public let frontendAPIHost: String
  public let isProduction: Bool

  public init(_ text: String) throws(Invalid) {
    guard !["sk_test_", "sk_live_"].contains(where: { text.contains($0) }) else { throw .secretKey }
    guard !text.isWrapped else { throw .wrapped }
    let prefixes = ["pk_test_": false, "pk_live_": true]
    guard let (prefix, isProduction) = prefixes.first(where: { text.hasPrefix($0.key) }) else {
      throw .noPrefix
    }
    guard let bytes = Base64URL.bytes(ofAnyBase64: text.dropFirst(prefix.count)),
      let decoded = String(utf8: bytes), decoded.hasSuffix("$")
    else { throw .noHost }
    let host = decoded.dropLast()
    guard !host.contains("$"), host.contains("."),
      host.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-.:".utf8.contains($0) })
    else { throw .noHost }
    frontendAPIHost = String(host)
    self.isProduction = isProduction
  }
}

extension String {
  /// Whether it begins or ends with a quote or a blank, as when copied along.
  package var isWrapped: Bool {
    [first, last].compactMap(\.self).contains { $0.isWhitespace || "\"'`“”‘’".contains($0) }
  }
}
