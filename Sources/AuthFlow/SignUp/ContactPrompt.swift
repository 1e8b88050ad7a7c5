public import Foundation

/// A contact of a new account, which the person has to verify.
///
/// The raw values are the names of their fields.
public enum Contact: String, Hashable, Codable, Sendable, CaseIterable {
  case emailAddress = "email_address"
  case phoneNumber = "phone_number"

  public var field: Field {
    switch self {
    case .emailAddress: .emailAddress
    case .phoneNumber: .phoneNumber
    }
  }
}

/// Asks for the code that was sent to a new contact.
public struct ContactPrompt: Hashable, Codable, Sendable {
  public let attempt: SignUpAttempt
  public let contact: Contact
  /// Where the code went; not masked, since the person has just typed it.
  public let destination: String
  public internal(set) var code: ExpectedCode
  /// Whether a link can be asked for instead.
  public let offersLink: Bool

  @_spi(Provider) public init(
    attempt: SignUpAttempt,
    contact: Contact,
    destination: String,
    codeLength: Int = 6,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil,
    offersLink: Bool = false
  ) {
    self.attempt = attempt
    self.contact = contact
    self.destination = destination
    code = ExpectedCode(
      length: codeLength,
      expiresAt: expiresAt,
      resendAvailableAt: resendAvailableAt
    )
    self.offersLink = offersLink
  }
}

/// Asks to open the link that was emailed to a new address.
public struct ContactLinkPrompt: Hashable, Codable, Sendable {
  public let attempt: SignUpAttempt
  public let destination: String
  public let expiresAt: Date?
  public private(set) var resendAvailableAt: Date?
  /// Whether a code can be asked for instead.
  public let offersCode: Bool
  /// Proves that the link is opened in the browser that asked for it; kept in the visit, and sent
  /// only to the auth API.
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

  /// The same prompt, with another time from which a new link may be requested.
  @_spi(Provider) public func waiting(until date: Date?) -> ContactLinkPrompt {
    var prompt = self
    prompt.resendAvailableAt = date
    return prompt
  }
}

/// How a new email address is verified.
public enum ContactProof: String, Hashable, Codable, Sendable, CaseIterable {
  case code = "email_code"
  case link = "email_link"
}
