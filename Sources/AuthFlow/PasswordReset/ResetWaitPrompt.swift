public import Foundation

/// The new password was taken, and the auth API is still at work on it.
public struct ResetWaitPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  /// When asking again makes sense; nil where the auth API does not say.
  public let checkableAt: Date?
  /// How often it was asked already.
  public let checkCount: Int

  @_spi(Provider) public init(attempt: SignInAttempt, checkableAt: Date?, checkCount: Int) {
    self.attempt = attempt
    self.checkableAt = checkableAt
    self.checkCount = checkCount
  }
}
