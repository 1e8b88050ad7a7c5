/// How prominently pages over an emulated API say that they are a demonstration, as chosen by
/// `?present`.
public enum PresenceChoice: String, Sendable {
  case usual
  /// For a projector.
  case large = "on"
  /// Not at all.
  case hidden = "off"

  /// The query parameter that makes the choice.
  public static let parameter = "present"
  /// The cookie that keeps the choice for the host where it was made, without the prefix that it has
  /// behind https.
  public static let cookieName = "vestibule_present"
  /// How long the choice is kept: a year, or nil, until the browser is closed, for ``hidden``.
  ///
  /// Any page can link to an address that hides the notice, and nobody should be left without it
  /// for good.
  public var cookieAge: Duration? { self == .hidden ? nil : Duration.seconds(31_536_000) }

  /// Reads the choice from an address: ``large`` without a value, ``usual`` for an unknown one.
  ///
  /// - Parameter value: The value of the parameter; empty if it has none.
  public init(inAddress value: some StringProtocol) {
    self = value.isEmpty ? .large : Self(rawValue: String(value)) ?? .usual
  }
}
