/// Source: Microsoft, native authentication API reference, `/oauth2/v2.0/initiate` and `challenge`.
extension EntraTransaction {
  /// `POST /oauth2/v2.0/initiate`.
  func initiate() throws -> EntraReply {
    let offered = try offeredChallengeTypes()
    let (username, account) = try accountNamed()
    let token = try begin(
      EntraFlow.State(
        step: .challengeDue,
        username: username,
        accountID: account.id,
        offered: offered,
        capabilities: declaredCapabilities()
      )
    )
    return .success(["continuation_token": token])
  }

  /// `POST /oauth2/v2.0/challenge`: of the first factor, or of the second.
  func challenge() throws -> EntraReply {
    var flow = try flow(
      at: [.challengeDue, .passwordDue, .codeDue, .secondFactorDue, .secondFactorCodeDue]
    )
    let isSecond = [.secondFactorDue, .secondFactorCodeDue].contains(flow.state.step)
    return isSecond ? try challengeSecondFactor(&flow) : try challengeFirstFactor(&flow)
  }

  private func challengeFirstFactor(_ flow: inout EntraFlow) throws -> EntraReply {
    if form.text("challenge_type") != nil { flow.state.offered = try offeredChallengeTypes() }
    let account = try account(of: flow)
    if account.isEnterprise {
      return .browserRequired("The account signs in with another organization")
    }
    let hasPassword = account.password != nil && supported.contains(.password)
    let type: ChallengeType = hasPassword ? .password : .oob
    if let reply = browserRequired(for: type, offered: flow.state.offered) { return reply }
    guard type == .oob else {
      let token = try move(&flow, to: .passwordDue)
      return .success(["continuation_token": .string(token), "challenge_type": "password"])
    }
    guard let address = try address(of: account) else {
      return .browserRequired("The account has no address that a code could go to")
    }
    if let refusal = try standing(of: account) { throw refusal }
    try sendCode(by: .email, to: address, for: .signIn, in: &flow)
    return codeSent(by: .email, to: address, continuation: try move(&flow, to: .codeDue))
  }
}
