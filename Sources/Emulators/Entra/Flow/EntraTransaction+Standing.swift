internal import GRDB

/// Whether an account may sign in at all, and how failures change that.
extension EntraTransaction {
  /// Why the account may not continue; nil if it may.
  func standing(of account: Account) throws -> EntraRefusal? {
    if account.isBanned { return .userDisabled }
    return try Lockout.of(account.id, at: now, db).isLocked ? .userLocked : nil
  }

  /// Counts a wrong secret, and returns the refusal: the given one, or `userLocked` after too many.
  func countFailure(_ refusal: EntraRefusal, of account: Account) throws -> EntraRefusal {
    var lockout = try Lockout.of(account.id, at: now, db)
    lockout.countFailure(
      limit: settings.lockoutAttempts,
      duration: settings.lockoutSeconds,
      at: now
    )
    try lockout.upsert(db)
    return lockout.isLocked ? .userLocked : refusal
  }
}
