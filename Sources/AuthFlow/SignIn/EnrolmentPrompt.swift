/// Asks for a contact to register as a strong method before the sign-in goes on.
public struct EnrolmentPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  /// The methods that may be registered, at least one; a destination is a suggestion, and not
  /// masked.
  public let methods: [Factor]

  /// Returns nil where nothing may be registered.
  @_spi(Provider) public init?(attempt: SignInAttempt, methods: [Factor]) {
    guard !methods.isEmpty else { return nil }
    self.attempt = attempt
    self.methods = methods
  }

  /// The methods with the names by which a form chooses them: `email` or `phone`.
  public var choices: [NamedFactor] {
    methods.numbered { $0.kind == .phoneCode ? "phone" : "email" }
  }

  public func method(named name: String) -> Factor? {
    choices.first { $0.name == name }?.factor
  }
}

/// What a person wants to register: one of the prompt's methods, and the contact for it.
public struct Enrolment: Hashable, Sendable {
  public let method: Factor
  /// Cleaned of blanks, never empty.
  public let contact: String

  /// Returns nil where nothing was typed.
  public init?(method: Factor, typed: String) {
    guard let contact = Identifier(typed: typed)?.text else { return nil }
    self.method = method
    self.contact = contact
  }
}
