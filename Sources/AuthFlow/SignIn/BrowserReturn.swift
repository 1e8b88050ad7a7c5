/// A browser that came back from an identity provider's page, as its address tells it: input, and
/// not to be believed.
public struct BrowserReturn: Hashable, Sendable, Redacted {
  /// What the address says, by the provider's own names.
  @_spi(Provider) public let values: [String: String]

  @_spi(Provider) public init(_ values: [String: String]) { self.values = values }

  public static let redaction = "<return>"
}
