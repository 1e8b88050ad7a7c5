internal import GRDB

/// Locking accounts after failures.
///
/// Source: <doc:ClerkSigningIn>.
extension ClerkTransaction {
  /// The id under which failures are counted; nil before a contact was typed.
  private func lockoutSubject(of signIn: ClerkSignIn) -> String? {
    switch signIn.state.subject {
    case .unidentified: nil
    case .account(let id, _): id
    case .decoy(let contact): contact.id
    }
  }

  /// - Throws: `user_locked` while the account is locked.
  func refuseIfLocked(_ subject: String) throws {
    let lockout = try Lockout.of(subject, at: now, db)
    guard lockout.isLocked else { return }
    throw ClerkRefusal.userLocked(secondsLeft: lockout.secondsLeft(at: now))
  }

  /// The refusal if the attempt's subject is locked; otherwise nil.
  func lock(on signIn: ClerkSignIn) throws -> ClerkRefusal? {
    guard let subject = lockoutSubject(of: signIn) else { return nil }
    let lockout = try Lockout.of(subject, at: now, db)
    return lockout.isLocked ? .userLocked(secondsLeft: lockout.secondsLeft(at: now)) : nil
  }

  /// Counts a wrong secret and returns the refusal: the problem, perhaps with a warning, or the lock if
  /// this was one failure too many.
  func countFailure(_ problem: ClerkProblem, on signIn: ClerkSignIn) throws -> ClerkRefusal {
    guard let subject = lockoutSubject(of: signIn) else { return ClerkRefusal(422, problem) }
    return try countFailure(problem, of: subject)
  }

  /// Counts a wrong secret of an account.
  func countFailure(_ problem: ClerkProblem, of subject: String) throws -> ClerkRefusal {
    var lockout = try Lockout.of(subject, at: now, db)
    lockout.countFailure(
      limit: settings.lockoutAttempts,
      duration: settings.lockoutSeconds,
      at: now
    )
    try lockout.upsert(db)
    if lockout.isLocked { return .userLocked(secondsLeft: lockout.secondsLeft(at: now)) }
    let attemptsLeft = settings.lockoutAttempts - lockout.failureCount
    guard settings.lockoutAttempts > 0, attemptsLeft <= 2 else {
      return ClerkRefusal(422, problem)
    }
    return ClerkRefusal(422, [problem, .lockoutWarning(attemptsLeft: attemptsLeft)])
  }
}
