public import Foundation

/// What is known of a code that was sent, or that an app shows.
public struct ExpectedCode: Hashable, Codable, Sendable {
  /// How many digits it has.
  public let length: Int
  /// When it ends; nil for codes that are not sent, or where the auth API does not say.
  public let expiresAt: Date?
  /// From when on another one may be asked for; nil where none is sent, or at once.
  public private(set) var resendAvailableAt: Date?
  /// Whether it was tried too often: the right one would be refused too.
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

  /// The same code once it is void: the next one need not be waited for.
  var voided: Self {
    var code = self
    code.resendAvailableAt = nil
    code.isVoid = true
    return code
  }

  /// The same code, void or not, where another one may be asked for from then on.
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
  /// The same question, with another time from which on a code may be asked for.
  @_spi(Provider) public func waiting(until date: Date?) -> CodePrompt {
    with(code.waiting(until: date))
  }
}

extension ContactPrompt: AsksForCode {
  /// The same question, with another time from which on a code may be asked for.
  @_spi(Provider) public func waiting(until date: Date?) -> ContactPrompt {
    with(code.waiting(until: date))
  }
}

extension PhonePrompt: AsksForCode {
  /// The same question, with another time from which on a code may be asked for.
  @_spi(Provider) public func waiting(until date: Date?) -> PhonePrompt {
    with(code.waiting(until: date))
  }
}
