internal import GRDB

/// Source: <doc:ClerkUsers>, <doc:ClerkOrganizationCalls>.
extension ClerkTransaction {
  /// `POST /v1/me/change_password`; resolves the task `reset-password`.
  func changePassword() throws -> ClerkOutcome {
    try form.allowOnly(["new_password", "current_password", "sign_out_of_other_sessions"])
    var (session, account) = try signedIn()
    let password = try form.required("new_password")
    let endsOthers = try form.flag("sign_out_of_other_sessions") ?? false
    if let refusal = try refuseUnproven(session, account) { return .refused(refusal) }
    if let refusal = try refusal(ofNew: password, for: account, parameter: "new_password") {
      return .refused(refusal)
    }
    if let stored = account.password, try proves(password, stored) {
      throw ClerkRefusal(
        422,
        ClerkProblem(
          "form_new_password_matches_current",
          "matches the current one",
          "The new password must differ from the current one.",
          parameter: "new_password"
        )
      )
    }
    try setPassword(password, of: &account)
    if endsOthers { try endSessions(of: account, besides: session) }
    return .resource(try userJSON(account, Account.contacts(of: account.id, db)))
  }

  /// The refusal of a caller who does not prove that the account is theirs; nil if they do.
  private func refuseUnproven(_ session: ClerkSession, _ account: Account) throws -> ClerkRefusal? {
    if let current = try form.text("current_password") {
      // An empty password is not a try, so it is not counted.
      guard !current.isEmpty else { throw ClerkRefusal.empty("current_password") }
      try refuseIfLocked(account.id)
      guard let stored = account.password, try !proves(current, stored) else { return nil }
      return try countFailure(
        ClerkProblem(
          "form_password_validation_failed",
          "is incorrect",
          "The current password is wrong.",
          parameter: "current_password"
        ),
        of: account.id
      )
    }
    let contacts = try Account.contacts(of: account.id, db)
    if tasks(of: session, account, contacts).contains(.resetPassword) { return nil }
    // A factor in the future, as after the clock was set back, is not recent.
    let recent = session.firstFactorAt.map { (0...600).contains($0.secondsUntil(now)) } ?? false
    return account.password == nil || recent ? nil : .missing("current_password")
  }
}
