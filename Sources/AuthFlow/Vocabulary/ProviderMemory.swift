/// What a provider wants remembered about this browser, whatever the outcome of a step.
///
/// Examples are Clerk's rotating client token and Entra's token cache. A step takes it `inout`, so
/// that a refused step saves it too: losing a rotated token would lock the person out.
public struct ProviderMemory: Hashable, Codable, Sendable, Redacted {
  /// By name; their meaning is up to the provider, except for `provenFactors`, which the flow keeps
  /// among them.
  package private(set) var entries: [String: String]

  /// The memory of an unknown browser.
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
