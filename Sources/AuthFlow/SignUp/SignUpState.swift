public import Foundation

/// The state of a sign-up.
public indirect enum SignUpState: Hashable, Codable, Sendable {
  case detailsRequired
  /// The auth API wants more before it goes on.
  case detailsMissing(MissingDetailsPrompt)
  case codeRequired(ContactPrompt)
  case linkRequired(ContactLinkPrompt)
  /// The account exists; the rest is a sign-in: complete, under way, or to be begun anew. A refusal
  /// that leaves a sign-up here is a refusal of that sign-in.
  case continuing(SignInState)
}

/// A sign-up attempt that the auth API keeps.
public struct SignUpAttempt: Hashable, Codable, Sendable {
  /// What was given so far, by field; never a secret.
  public let values: [Field: String]
  /// When the auth API forgets it; nil where it does not say.
  public let endsAt: Date?
  /// When the person accepted the terms, as the auth API says; nil where they have not.
  public let termsAcceptedAt: Date?
  @_spi(Provider) public let continuation: Continuation
  /// Tells this attempt from others.
  public var id: Continuation { continuation }

  @_spi(Provider) public init(
    continuation: Continuation,
    values: [Field: String],
    endsAt: Date? = nil,
    termsAcceptedAt: Date? = nil
  ) {
    self.continuation = continuation
    self.values = values
    self.endsAt = endsAt
    self.termsAcceptedAt = termsAcceptedAt
  }
}

extension SignUpState {
  /// The attempt behind the state, where there is one.
  public var attempt: SignUpAttempt? {
    switch self {
    case .detailsRequired, .continuing: nil
    case .detailsMissing(let prompt): prompt.attempt
    case .codeRequired(let prompt): prompt.attempt
    case .linkRequired(let prompt): prompt.attempt
    }
  }
}

extension SignUpState: MessageAwaiting {
  var awaitsMessage: Bool {
    switch self {
    case .codeRequired, .linkRequired: true
    case .continuing(let state): state.awaitsMessage
    case .detailsRequired, .detailsMissing: false
    }
  }
}
