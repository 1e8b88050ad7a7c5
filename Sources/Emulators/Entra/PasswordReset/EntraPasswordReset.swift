internal import GRDB

/// Source: Microsoft, native authentication API reference, `/resetpassword/v1.0/*`.
extension EntraTransaction {
  /// Seconds between two polls.
  private static var pollSeconds: Int64 { 2 }

  /// `POST /resetpassword/v1.0/start`.
  func startReset() throws -> EntraOutcome {
    let offered = try offeredChallengeTypes()
    if supported == [.redirect] {
      return .browserRequired("The tenant does not support native authentication")
    }
    let (username, account) = try accountNamed()
    if account.isEnterprise {
      return .browserRequired("The account signs in with another organization")
    }
    guard account.password != nil, supported.contains(.password) else {
      throw EntraRefusal.noPasswordToReset
    }
    if account.isBanned { throw EntraRefusal.userDisabled }
    return try begin(
      .passwordReset(.challengeDue, accountID: account.id),
      username: username,
      offered: offered
    )
  }

  /// `POST /resetpassword/v1.0/challenge`.
  func challengeReset() throws -> EntraOutcome {
    var flow = try flow()
    let accountID: String
    switch flow.state.stage {
    case .passwordReset(.challengeDue, let id), .passwordReset(.codeDue, let id): accountID = id
    case .passwordReset, .signIn, .signUp, .redemption: throw wrongStage
    }
    if form.text("challenge_type") != nil { flow.state.offered = try offeredChallengeTypes() }
    let account = try account(accountID)
    if let reply = browserRequired(for: .oob, offered: flow.state.offered) { return reply }
    // The address of a second factor takes precedence over the account's own.
    let registered = try secondFactors(of: account).first { $0.channel == .email }?.target
    guard let address = try registered ?? address(of: account) else {
      return .browserRequired("The account has no address that a code could go to")
    }
    if let refusal = try standing(of: account) { throw refusal }
    let code = try sendCode(by: .email, to: address, for: .resetPassword, in: &flow)
    let token = try move(&flow, to: .passwordReset(.codeDue(code), accountID: accountID))
    return codeSent(by: .email, to: address, continuation: token)
  }

  /// `POST /resetpassword/v1.0/continue`.
  func continueReset() throws -> EntraOutcome {
    guard try form.required("grant_type") == "oob" else { throw EntraRefusal.wrongGrantType }
    var flow = try flow()
    guard case .passwordReset(.codeDue(let code), let accountID) = flow.state.stage else {
      throw wrongStage
    }
    let refusal = try refusal(of: code, in: flow, account(accountID)) {
      .passwordReset(.codeDue($0), accountID: accountID)
    }
    if let refusal { return .refused(refusal) }
    let token = try move(&flow, to: .passwordReset(.newPasswordDue, accountID: accountID))
    return .success([
      "continuation_token": .string(token),
      "expires_in": .integer(Int64(EntraFlow.lifetimeSeconds)),
    ])
  }

  /// `POST /resetpassword/v1.0/submit`.
  func submitReset() throws -> EntraOutcome {
    var flow = try flow()
    guard case .passwordReset(.newPasswordDue, let accountID) = flow.state.stage else {
      throw wrongStage
    }
    let password = try form.required("new_password")
    var account = try account(accountID)
    if let flaw = EntraPasswordRules(settings: settings).flaw(in: password) {
      throw EntraRefusal.password(flaw)
    }
    if let stored = account.password, try proves(password, stored) {
      throw EntraRefusal.password(.recentlyUsed)
    }
    if !account.isBanned { try setPassword(password, of: &account) }
    let token = try move(
      &flow,
      to: .passwordReset(.inProgress(pollCount: 0), accountID: accountID)
    )
    return .success([
      "continuation_token": .string(token), "poll_interval": .integer(Self.pollSeconds),
    ])
  }

  /// `POST /resetpassword/v1.0/poll_completion`.
  ///
  /// The token of the submission is valid for every poll until one reports how it ended.
  func pollReset() throws -> EntraOutcome {
    var flow = try flow()
    guard case .passwordReset(.inProgress(let pollCount), let accountID) = flow.state.stage else {
      throw wrongStage
    }
    let account = try account(accountID)
    guard pollCount >= settings.entraResetPolls else {
      flow.state.stage = .passwordReset(.inProgress(pollCount: pollCount + 1), accountID: accountID)
      try flow.update(db)
      return .success(["status": "in_progress"])
    }
    // The directory takes no new password for a disabled account.
    if account.isBanned {
      let token = try move(&flow, to: .passwordReset(.newPasswordDue, accountID: accountID))
      return .success(["status": "failed", "continuation_token": .string(token)])
    }
    let token = try move(&flow, to: .signIn(.tokenDue(after: .passwordReset), accountID: accountID))
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
