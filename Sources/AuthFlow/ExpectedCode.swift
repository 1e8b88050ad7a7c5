public import Foundation

/// What is known about a code that was sent, or that an app shows.
public struct ExpectedCode: Hashable, Codable, Sendable {
  /// How many digits it has.
  public let length: Int
  /// When it expires; nil for codes that are not sent, or where the auth API does not say.
  public let expiresAt: Date?
  /// When another one may be requested; nil where none is sent, or where that is at once.
  public private(set) var resendAvailableAt: Date?
  /// Whether even the right code would be refused: it was tried too often, or has expired.
  public private(set) var isVoid: Bool

  @_spi(Provider) public init(
    length: Int = 6,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil,
    isVoid: Bool = false
  ) {
    self.length = length
    self.expiresAt = expiresAt
    self.resendAvailableAt = resendAvailableAt
    self.isVoid = isVoid
  }

  /// The same code made void: there is no wait for the next one.
  var voided: Self {
    var code = self
    code.resendAvailableAt = nil
    code.isVoid = true
    return code
  }

  /// The same code, void or not, with another time from which a new one may be requested.
  func waiting(until date: Date?) -> Self {
    var code = self
    code.resendAvailableAt = date
    return code
  }
}

/// A prompt that a code answers.
protocol AsksForCode: Sendable {
  var code: ExpectedCode { get set }
  /// Refuses a code that cannot be right, so that no try is spent on it (F8).
  func refusal(of typed: VerificationCode) -> AuthError?
}

extension AsksForCode {
  func refusal(of typed: VerificationCode) -> AuthError? { code.refusal(of: typed) }

  /// The same prompt once its code is void.
  var voided: Self { with(code.voided) }

  fileprivate func with(_ code: ExpectedCode) -> Self {
    var prompt = self
    prompt.code = code
    return prompt
  }
}

extension CodePrompt: AsksForCode {
  /// The same prompt, with another time from which a new code may be requested.
  @_spi(Provider) public func waiting(until date: Date?) -> CodePrompt {
    with(code.waiting(until: date))
  }
}

extension ContactPrompt: AsksForCode {
  /// The same prompt, with another time from which a new code may be requested.
  @_spi(Provider) public func waiting(until date: Date?) -> ContactPrompt {
    with(code.waiting(until: date))
  }
}

extension PhonePrompt: AsksForCode {
  /// The same prompt, with another time from which a new code may be requested.
  @_spi(Provider) public func waiting(until date: Date?) -> PhonePrompt {
    with(code.waiting(until: date))
  }
}
