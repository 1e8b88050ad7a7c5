/// The new password was accepted, and the auth API is still applying it.
public struct ResetWaitPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  /// The number of checks so far.
  public let checkCount: Int

  @_spi(Provider) public init(attempt: SignInAttempt, checkCount: Int) {
    self.attempt = attempt
    self.checkCount = checkCount
  }
}
