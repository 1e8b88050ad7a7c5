/// The new password was taken, and the auth API is still at work on it.
public struct ResetWaitPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  /// How often it was asked already.
  public let checkCount: Int

  @_spi(Provider) public init(attempt: SignInAttempt, checkCount: Int) {
    self.attempt = attempt
    self.checkCount = checkCount
  }
}
