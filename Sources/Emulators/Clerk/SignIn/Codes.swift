internal import Foundation
internal import HTTPExchange

/// Codes that are sent: issuing one and looking at one, the same for every flow.
extension ClerkTransaction {
  /// Writes a new code into the outbox.
  ///
  /// - Parameters:
  ///   - strategy: What the code is for on the wire.
  ///   - contact: Where it goes.
  ///   - purpose: What the message says it is for.
  ///   - previous: The verification that it replaces; its code ends.
  ///   - isDelivered: False where there is nobody to write to; no code will then be right.
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

  /// A code that was tried too often helps nobody: the next one need not be waited for.
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

  /// Looks at a typed code, once the try is counted.
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
