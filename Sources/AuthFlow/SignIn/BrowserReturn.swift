/// What the address says at which a browser came back from an identity provider's page: untrusted
/// input.
public struct BrowserReturn: Hashable, Sendable, Redacted {
  /// The parameters of the address, by the provider's own names.
  @_spi(Provider) public let values: [String: String]

  @_spi(Provider) public init(_ values: [String: String]) { self.values = values }

  public static let redaction = "<return>"
}
