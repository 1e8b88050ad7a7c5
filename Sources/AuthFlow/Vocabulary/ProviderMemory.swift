/// What a provider wants remembered about this browser, whatever the outcome of a step.
///
/// Clerk's rotating client token, the keys of Entra's token cache. A step takes it `inout`, so that
/// a refused step still saves it: a rotated token that is lost locks the person out.
public struct ProviderMemory: Hashable, Codable, Sendable, Redacted {
  /// By name; what they mean is the provider's own business, but for the proven factors, which the
  /// flow keeps among them (`provenFactors`).
  package private(set) var entries: [String: String]

  /// A browser that nothing is known of.
  public init() { entries = [:] }

  /// What was kept before.
  package init(_ entries: [String: String]) { self.entries = entries }

  @_spi(Provider) public subscript(_ key: String) -> String? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  public init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([String: String].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }

  public static let redaction = "<memory>"
}
