public import Foundation

/// Where a sign-up stands.
public enum SignUpState: Hashable, Codable, Sendable {
  case detailsRequired
  /// The auth API wants more before it goes on.
  case detailsMissing(MissingDetailsPrompt)
  case codeRequired(ContactPrompt)
  case linkRequired(ContactLinkPrompt)
  case complete(Session)
  /// The account is there; what is left is a sign-in, from anew where it does not go on by itself.
  indirect case continuing(SignInState)
}

/// The attempt that the auth API keeps.
public struct SignUpAttempt: Hashable, Codable, Sendable {
  /// What was given so far, by field; never a secret.
  public let values: [Field: String]
  /// When the auth API forgets it; nil where it does not say.
  public let endsAt: Date?
  @_spi(Provider) public let continuation: Continuation
  /// Tells this attempt from others.
  public var id: Continuation { continuation }

  @_spi(Provider) public init(
    continuation: Continuation,
    values: [Field: String],
    endsAt: Date? = nil
  ) {
    self.continuation = continuation
    self.values = values
    self.endsAt = endsAt
  }
}

/// Asks for the details that are still missing.
public struct MissingDetailsPrompt: Hashable, Codable, Sendable {
  public let attempt: SignUpAttempt
  /// At least one, in the order of the page.
  public let entries: [SignUpForm.Entry]

  public var fields: [Field] { entries.map(\.field) }

  /// Returns nil where nothing is missing.
  @_spi(Provider) public init?(attempt: SignUpAttempt, entries: [SignUpForm.Entry]) {
    guard !entries.isEmpty else { return nil }
    self.attempt = attempt
    self.entries = entries
  }

  /// Returns nil where nothing is missing; every field is required.
  @_spi(Provider) public init?(attempt: SignUpAttempt, fields: [Field]) {
    self.init(attempt: attempt, entries: fields.map { SignUpForm.Entry($0, isRequired: true) })
  }
}

/// Asks for the code that was sent to a new contact.
public struct ContactPrompt: Hashable, Codable, Sendable {
  public let attempt: SignUpAttempt
  /// `emailAddress` or `phoneNumber`.
  public let contact: Field
  /// Where the code went: the person has just typed it.
  public let destination: String
  public let codeLength: Int
  public let expiresAt: Date?
  public private(set) var resendAvailableAt: Date?
  /// Whether a link can be asked for instead.
  public let offersLink: Bool

  @_spi(Provider) public init(
    attempt: SignUpAttempt,
    contact: Field,
    destination: String,
    codeLength: Int = 6,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil,
    offersLink: Bool = false
  ) {
    self.attempt = attempt
    self.contact = contact
    self.destination = destination
    self.codeLength = codeLength
    self.expiresAt = expiresAt
    self.resendAvailableAt = resendAvailableAt
    self.offersLink = offersLink
  }

  /// The same prompt, once its code is void: the next one need not be waited for.
  var withoutWait: Self {
    var prompt = self
    prompt.resendAvailableAt = nil
    return prompt
  }
}

/// Asks to open the link that was e-mailed to a new address.
public struct ContactLinkPrompt: Hashable, Codable, Sendable {
  public let attempt: SignUpAttempt
  public let destination: String
  public let expiresAt: Date?
  public let resendAvailableAt: Date?
  /// Whether a code can be asked for instead.
  public let offersCode: Bool
  /// Proves that whoever opens the link is the browser that asked for it; never leaves the visit.
  @_spi(Provider) public let proof: Continuation

  @_spi(Provider) public init(
    attempt: SignUpAttempt,
    destination: String,
    proof: Continuation,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil,
    offersCode: Bool = false
  ) {
    self.attempt = attempt
    self.destination = destination
    self.proof = proof
    self.expiresAt = expiresAt
    self.resendAvailableAt = resendAvailableAt
    self.offersCode = offersCode
  }
}

/// How a new e-mail address is verified.
public enum ContactProof: String, Hashable, Codable, Sendable, CaseIterable {
  case code = "email_code"
  case link = "email_link"
}

/// What a person filled in.
public struct SignUpDetails: Hashable, Sendable {
  /// Cleaned values by field; what was left empty is absent.
  public var values: [Field: String]
  public var password: Password?
  /// Nil where the page does not ask.
  public var acceptsTerms: Bool?

  public init(
    values: [Field: String] = [:],
    password: Password? = nil,
    acceptsTerms: Bool? = nil
  ) {
    self.values = values
    self.password = password
    self.acceptsTerms = acceptsTerms
  }

  /// The required fields that were left empty, all at once and in the order of the page.
  public func problems(on entries: [SignUpForm.Entry]) -> AuthError? {
    AuthError(
      entries.filter { $0.isRequired && !has($0.field) }.map { entry in
        entry.field == .legalAccepted
          ? Problem(.termsNotAccepted, at: entry.field, code: OwnCode.required)
          : Problem(.missing, at: entry.field, code: OwnCode.required)
      }
    )
  }

  private func has(_ field: Field) -> Bool {
    switch field {
    case .password: password != nil
    case .legalAccepted: acceptsTerms == true
    default: values[field] != nil
    }
  }
}

extension SignUpState {
  /// The attempt behind the state, where there is one.
  public var attempt: SignUpAttempt? {
    switch self {
    case .detailsRequired, .complete: nil
    case .detailsMissing(let prompt): prompt.attempt
    case .codeRequired(let prompt): prompt.attempt
    case .continuing: nil
    case .linkRequired(let prompt): prompt.attempt
    }
  }
}
