/// How the pages of an emulated API tell that they are a demonstration, as somebody chose it by `?present`.
public enum PresenceChoice: String, Sendable {
  case usual
  /// For a projector.
  case large = "on"
  /// Not at all.
  case hidden = "off"

  /// By which an address chooses.
  public static let parameter = "present"
  /// Keeps what was chosen at the host where that was.
  public static let cookieName = "vestibule_present"
  /// A year, as long as browsers keep anything; nil, which is until the browser is closed, where nothing tells that
  /// the API is emulated: any page may lead somebody to such an address, who is not to be left without a word for
  /// good.
  public var cookieAge: Duration? { self == .hidden ? nil : Duration.seconds(31_536_000) }

  /// What an address chooses: large without a value, and with any that is none of these as usual again.
  ///
  /// - Parameter value: What the parameter says; empty where it says nothing.
  public init(inAddress value: some StringProtocol) {
    self = value.isEmpty ? .large : Self(rawValue: String(value)) ?? .usual
  }
}
