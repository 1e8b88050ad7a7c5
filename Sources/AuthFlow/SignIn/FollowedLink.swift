/// What the address of a link says that somebody has opened: untrusted input.
///
/// Mail scanners and previews open links too, so reading a link has no effect; only following it
/// has one.
public struct FollowedLink: Hashable, Sendable, Redacted {
  /// What the address says became of the link.
  public enum Verdict: Hashable, Sendable {
    /// It is yet to be redeemed.
    case unredeemed
    /// The auth API has taken it, and the attempt that waits for it may go on.
    case verified
    case expired, otherBrowser, failed
  }

  /// One parameter of the address, by the auth API's own name.
  public struct Parameter: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  public let verdict: Verdict
  /// The parameters that have to be sent to follow it.
  public let parameters: [Parameter]
  /// The attempt that it belongs to; nil where the address does not say.
  public let attempt: Continuation?

  @_spi(Provider) public init(
    _ verdict: Verdict,
    parameters: KeyValuePairs<String, String>,
    attempt: Continuation? = nil
  ) {
    self.verdict = verdict
    self.parameters = parameters.map { Parameter(name: $0.key, value: $0.value) }
    self.attempt = attempt
  }

  @_spi(Provider) public subscript(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  public static let redaction = "<link>"
}
