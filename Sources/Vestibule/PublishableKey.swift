internal import HTTPExchange

/// What a Clerk publishable key says: where the instance's Frontend API is.
///
/// Source: `pk_test_` or `pk_live_`, then base64 of the host with one `$` behind it.
public struct PublishableKey: Sendable, Hashable {
  /// The key is not one.
  public struct Invalid: Error, Sendable, CustomStringConvertible {
    public var description: String {
      "This is not a publishable key: it begins with pk_test_ or pk_live_ and holds a host"
    }
  }

  public let frontendAPIHost: String
  public let isProduction: Bool

  public init(_ text: String) throws(Invalid) {
    let prefixes = ["pk_test_": false, "pk_live_": true]
    guard let (prefix, isProduction) = prefixes.first(where: { text.hasPrefix($0.key) }) else {
      throw Invalid()
    }
    guard let bytes = Base64URL.bytes(ofAnyBase64: text.dropFirst(prefix.count)),
      let decoded = String(utf8: bytes), decoded.hasSuffix("$")
    else { throw Invalid() }
    let host = decoded.dropLast()
    guard !host.contains("$"), host.contains("."),
      host.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-.:".utf8.contains($0) })
    else { throw Invalid() }
    frontendAPIHost = String(host)
    self.isProduction = isProduction
  }
}
