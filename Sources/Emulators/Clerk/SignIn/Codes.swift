internal import Foundation
internal import HTTPExchange

/// Issuing and checking codes that are sent, for every flow.
extension ClerkTransaction {
  /// Issues a new code and writes it to the outbox.
  ///
  /// - Parameters:
  ///   - strategy: The strategy that the code is for.
  ///   - contact: Where it goes.
  ///   - purpose: What the message says it is for.
  ///   - previous: The verification that it replaces, whose code is no longer valid.
  ///   - isDelivered: False if nobody is to get the message; then no code will be right.
  /// - Returns: The verification that waits for the code.
  /// - Throws: `verification_code_too_many_requests` while the last one is too recent.
  func issueCode(
    _ strategy: Strategy,
    to contact: Contact,
    for purpose: Message.Purpose,
    replacing previous: Verification?,
    isDelivered: Bool = true
  ) throws -> Verification {
    try refuseIfTooSoon(strategy, to: contact, after: previous)
    let isTest = settings.testMode && contact.kind.isForTests(contact.value)
    let code = isTest ? "424242" : random.code(digitCount: 6)
    try send(
      .code(code, lifetimeSeconds: settings.codeLifetimeSeconds),
      for: purpose,
      to: MessageRecipient(
        channel: contact.kind == .emailAddress ? .email : .sms,
        address: contact.value,
        isReal: !isTest
      ),
      isDelivered: isDelivered
    )
    return Verification(
      id: random.identifier("ver"),
      strategy: strategy,
      expireAt: now.adding(seconds: settings.codeLifetimeSeconds),
      means: isDelivered ? .code(code) : nil,
      contactID: contact.id,
      sentAt: now
    )
  }

  /// Refuses to send again too soon, unless the last code has been tried too often to be of use.
  ///
  /// - Throws: `verification_code_too_many_requests` while the last message is too recent.
  func refuseIfTooSoon(
    _ strategy: Strategy,
    to contact: Contact,
    after previous: Verification?
  ) throws {
    guard let previous, previous.strategy == strategy, previous.contactID == contact.id,
      previous.status != .failed, let sentAt = previous.sentAt, sentAt <= now
    else { return }
    let secondsLeft = now.secondsUntil(sentAt.adding(seconds: settings.resendCooldownSeconds))
    if secondsLeft > 0 { throw ClerkRefusal.codeTooSoon(retryAfter: secondsLeft) }
  }

  /// Checks a typed code, once the try is counted.
  ///
  /// - Parameters:
  ///   - code: As typed.
  ///   - strategy: As the caller names it.
  ///   - verification: Becomes verified, or failed with the last try.
  ///   - save: Stores the verification in its attempt.
  /// - Returns: Whether the code is right.
  /// - Throws: A `verification_…` refusal where there is nothing to compare with.
  func isRight(
    _ code: String,
    for strategy: Strategy,
    _ verification: inout Verification?,
    save: (Verification?) throws -> Void
  ) throws -> Bool {
    guard var checked = verification, checked.sentAt != nil else {
      throw ClerkRefusal.verificationMissing
    }
    guard checked.strategy == strategy else { throw ClerkRefusal.verificationStrategyInvalid }
    switch checked.status(at: now) {
    case .verified: throw ClerkRefusal.verificationAlreadyVerified
    case .expired: throw ClerkRefusal.verificationExpired
    case .unverified, .failed: break
    }
    try countTry(of: &checked, save: save)
    let isRight = checked.code.map { isEqualInConstantTime($0, code) } ?? false
    if isRight {
      checked.status = .verified
      checked.means = nil
    } else if checked.attemptCount >= settings.codeAttempts {
      checked.status = .failed
    }
    verification = checked
    try save(checked)
    return isRight
  }
}
