/// The sign-in goes on in a browser, at an identity provider these pages do not speak to.
public struct BrowserPrompt: Hashable, Codable, Sendable {
  /// What was begun, and begins anew where the browser is given up.
  public enum Origin: String, Hashable, Codable, Sendable {
    case signIn, signUp, passwordReset
  }

  public var origin: Origin { begun ?? .signIn }
  /// Nil for the sign-in, as in a prompt that was kept before others could lead here.
  private let begun: Origin?
  public let identifier: Identifier
  /// Who asks for it, where the auth API names them.
  public let providerName: String?
  public let address: String?
  /// Why, in the auth API's own words: data, never markup.
  public let explanation: String?
  /// The attempt that goes on once the person is back; nil where there is none to ask after.
  public let attempt: SignInAttempt?
  /// Whether the browser has come back with what the attempt goes on with.
  public let hasReturned: Bool
  /// What the browser brought back, where the attempt itself does not hold it.
  @_spi(Provider) public let returned: Continuation?

  @_spi(Provider) public init(
    origin: Origin = .signIn,
    identifier: Identifier,
    providerName: String? = nil,
    address: String? = nil,
    explanation: String? = nil,
    attempt: SignInAttempt? = nil,
    hasReturned: Bool = false,
    returned: Continuation? = nil
  ) {
    begun = origin == .signIn ? nil : origin
    self.returned = returned
    self.hasReturned = hasReturned
    self.identifier = identifier
    self.providerName = providerName
    self.address = address
    self.explanation = explanation
    self.attempt = attempt
  }
}
