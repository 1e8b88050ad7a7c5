internal import GRDB

/// Source: Microsoft, native authentication API reference, `/resetpassword/v1.0/*`.
extension EntraTransaction {
  /// Seconds between two polls.
  private static var pollSeconds: Int64 { 2 }

  /// `POST /resetpassword/v1.0/start`.
  func startReset() throws -> EntraReply {
    let offered = try offeredChallengeTypes()
    let (username, account) = try accountNamed()
    if account.isEnterprise {
      return .browserRequired("The account signs in with another organization")
    }
    guard account.password != nil, supported.contains(.password) else {
      throw EntraRefusal.noPasswordToReset
    }
    let token = try begin(
      EntraFlow.State(
        step: .resetChallengeDue,
        username: username,
        accountID: account.id,
        offered: offered,
        capabilities: declaredCapabilities()
      )
    )
    return .success(["continuation_token": token])
  }

  /// `POST /resetpassword/v1.0/challenge`.
  func challengeReset() throws -> EntraReply {
    var flow = try flow(at: [.resetChallengeDue, .resetCodeDue])
    if form.text("challenge_type") != nil { flow.state.offered = try offeredChallengeTypes() }
    let account = try account(of: flow)
    if let reply = browserRequired(for: .oob, offered: flow.state.offered) { return reply }
    // A second-factor address that differs from the account's own gets the code.
    let registered = try secondFactors(of: account).first { $0.channel == .email }?.target
    guard let address = try registered ?? address(of: account) else {
      return .browserRequired("The account has no address that a code could go to")
    }
    if let refusal = try standing(of: account) { throw refusal }
    try sendCode(by: .email, to: address, for: .resetPassword, in: &flow)
    return codeSent(by: .email, to: address, continuation: try move(&flow, to: .resetCodeDue))
  }

  /// `POST /resetpassword/v1.0/continue`.
  func continueReset() throws -> EntraReply {
    guard try form.required("grant_type") == "oob" else { throw EntraRefusal.wrongGrantType }
    var flow = try flow(at: [.resetCodeDue])
    let account = try account(of: flow)
    if let refusal = try refusalOfCode(in: flow, of: account) { return .refused(refusal) }
    flow.state.code = nil
    let token = try move(&flow, to: .newPasswordDue)
    return .success([
      "continuation_token": .string(token),
      "expires_in": .integer(Int64(EntraFlow.lifetimeSeconds)),
    ])
  }

  /// `POST /resetpassword/v1.0/submit`.
  func submitReset() throws -> EntraReply {
    var flow = try flow(at: [.newPasswordDue])
    let password = try form.required("new_password")
    var account = try account(of: flow)
    if let flaw = EntraPasswordRules(settings: settings).flaw(in: password) {
      throw EntraRefusal.password(flaw)
    }
    if let stored = account.password, try proves(password, stored) {
      throw EntraRefusal.password(.recentlyUsed)
    }
    if !account.isBanned {
      account.password = try freshHash(of: password)
      account.passwordState = .ok
      account.passwordUpdatedAt = now
      account.updatedAt = now
      account.tasks.removeAll { $0 == .resetPassword }
      try account.update(db)
    }
    flow.state.pollCount = 0
    let token = try move(&flow, to: .resetInProgress)
    return .success([
      "continuation_token": .string(token), "poll_interval": .integer(Self.pollSeconds),
    ])
  }

  /// `POST /resetpassword/v1.0/poll_completion`.
  ///
  /// The token of the submission serves for every poll until one says how it ended.
  func pollReset() throws -> EntraReply {
    var flow = try flow(at: [.resetInProgress])
    let account = try account(of: flow)
    guard flow.state.pollCount >= settings.entraResetPolls else {
      flow.state.pollCount += 1
      try flow.update(db)
      return .success(["status": "in_progress"])
    }
    // The directory takes no new password for an account that is switched off.
    if account.isBanned {
      let token = try move(&flow, to: .newPasswordDue)
      return .success(["status": "failed", "continuation_token": .string(token)])
    }
    let token = try move(&flow, to: .signInDue)
    return .success(["status": "succeeded", "continuation_token": .string(token)])
  }
}

extension EntraRefusal {
  static let noPasswordToReset = Self(
    "invalid_request",
    nil,
    500_222,
    "The tenant or the account does not support native password recovery."
  )
}
