/// Sends the person to the page of an identity provider, to go on there in the browser.
public struct BrowserPrompt: Hashable, Sendable {
  /// The flow that was begun, and that begins anew where the person gives up in the browser.
  public enum Origin: String, Hashable, Codable, Sendable {
    case signIn, signUp, passwordReset
  }

  /// Whether the browser that was sent to the provider's page is back.
  public enum Browser: Hashable, Sendable {
    case away
    /// It is back, and the attempt holds all that is needed to go on.
    case returned
    /// It is back, and brought something that the attempt does not hold.
    case brought(Continuation)
  }

  public var origin: Origin { begun ?? .signIn }
  /// Nil for a sign-in, as in prompts that were sealed when only a sign-in could lead here.
  private let begun: Origin?
  public let identifier: Identifier
  /// The identity provider's name, where the auth API says.
  public let providerName: String?
  public let address: String?
  /// Why, in the auth API's own words: data, never markup.
  public let explanation: String?
  /// The attempt that goes on once the person is back; nil where there is none to check.
  public private(set) var attempt: SignInAttempt?
  public private(set) var browser: Browser

  @_spi(Provider) public init(
    origin: Origin = .signIn,
    identifier: Identifier,
    providerName: String? = nil,
    address: String? = nil,
    explanation: String? = nil,
    attempt: SignInAttempt? = nil,
    browser: Browser = .away
  ) {
    begun = origin == .signIn ? nil : origin
    self.browser = browser
    self.identifier = identifier
    self.providerName = providerName
    self.address = address
    self.explanation = explanation
    self.attempt = attempt
  }

  /// The same prompt once the browser is back; `attempt` replaces its attempt unless it is nil.
  @_spi(Provider) public func back(
    as browser: Browser,
    attempt: SignInAttempt? = nil
  ) -> BrowserPrompt {
    var prompt = self
    prompt.browser = browser
    if let attempt { prompt.attempt = attempt }
    return prompt
  }

  /// The alternatives: every first factor that needs no browser; nil where there is none.
  public var otherFactors: FactorPrompt? {
    attempt.flatMap { attempt in
      FactorPrompt(
        attempt: attempt,
        stage: .firstFactor,
        factors: attempt.firstFactors.filter { $0.kind != .enterprise }
      )
    }
  }

  /// Whether the browser is back.
  public var hasReturned: Bool { browser != .away }
}

// Written out to keep the format from when `browser` was two values, so that sealed visits can
// still be read.
extension BrowserPrompt: Codable {
  private enum Key: String, CodingKey {
    case begun, identifier, providerName, address, explanation, attempt, hasReturned, returned
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    begun = try container.decodeIfPresent(Origin.self, forKey: .begun)
    identifier = try container.decode(Identifier.self, forKey: .identifier)
    providerName = try container.decodeIfPresent(String.self, forKey: .providerName)
    address = try container.decodeIfPresent(String.self, forKey: .address)
    explanation = try container.decodeIfPresent(String.self, forKey: .explanation)
    attempt = try container.decodeIfPresent(SignInAttempt.self, forKey: .attempt)
    let brought = try container.decodeIfPresent(Continuation.self, forKey: .returned)
    let hasReturned = try container.decode(Bool.self, forKey: .hasReturned)
    browser = brought.map(Browser.brought) ?? (hasReturned ? .returned : .away)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(begun, forKey: .begun)
    try container.encode(identifier, forKey: .identifier)
    try container.encodeIfPresent(providerName, forKey: .providerName)
    try container.encodeIfPresent(address, forKey: .address)
    try container.encodeIfPresent(explanation, forKey: .explanation)
    try container.encodeIfPresent(attempt, forKey: .attempt)
    try container.encode(hasReturned, forKey: .hasReturned)
    if case .brought(let continuation) = browser {
      try container.encode(continuation, forKey: .returned)
    }
  }
}
