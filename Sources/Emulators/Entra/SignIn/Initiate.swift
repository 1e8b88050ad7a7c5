/// Source: Microsoft, native authentication API reference, `/oauth2/v2.0/initiate` and `challenge`.
extension EntraTransaction {
  /// `POST /oauth2/v2.0/initiate`.
  func initiate() throws -> EntraOutcome {
    let offered = try offeredChallengeTypes()
    let (username, account) = try accountNamed()
    return try begin(
      .signIn(.challengeDue, accountID: account.id),
      username: username,
      offered: offered
    )
  }

  /// `POST /oauth2/v2.0/challenge`: of the first factor, or of the second.
  func challenge() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signIn(let stage, let accountID) = flow.state.stage else { throw wrongStage }
    switch stage {
    case .challengeDue, .passwordDue, .codeDue:
      return try challengeFirstFactor(of: accountID, &flow)
    case .secondFactorDue, .secondFactorCodeDue:
      return try challengeSecondFactor(of: accountID, &flow)
    case .registration, .tokenDue: throw wrongStage
    }
  }

  private func challengeFirstFactor(
    of accountID: String,
    _ flow: inout EntraFlow
  ) throws -> EntraOutcome {
    if form.text("challenge_type") != nil { flow.state.offered = try offeredChallengeTypes() }
    let account = try account(accountID)
    if account.isEnterprise {
      return .browserRequired("The account signs in with another organization")
    }
    let hasPassword = account.password != nil && supported.contains(.password)
    let type: ChallengeType = hasPassword ? .password : .oob
    if let reply = browserRequired(for: type, offered: flow.state.offered) { return reply }
    guard type == .oob else {
      let token = try move(&flow, to: .signIn(.passwordDue, accountID: accountID))
      return .success(["continuation_token": .string(token), "challenge_type": "password"])
    }
    guard let address = try address(of: account) else {
      return .browserRequired("The account has no address that a code could go to")
    }
    if let refusal = try standing(of: account) { throw refusal }
    let code = try sendCode(by: .email, to: address, for: .signIn, in: &flow)
    let token = try move(&flow, to: .signIn(.codeDue(code), accountID: accountID))
    return codeSent(by: .email, to: address, continuation: token)
  }
}
