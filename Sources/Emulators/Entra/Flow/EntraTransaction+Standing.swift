internal import GRDB

/// Whether an account may sign in at all, and how failures change that.
extension EntraTransaction {
  /// Why the account may not go on; nil where it may.
  func standing(of account: Account) throws -> EntraRefusal? {
    if account.isBanned { return .userDisabled }
    return try Lockout.of(account.id, at: now, db).isLocked ? .userLocked : nil
  }

  /// Counts a wrong secret, and returns what to report: that it was wrong, or one too many.
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
