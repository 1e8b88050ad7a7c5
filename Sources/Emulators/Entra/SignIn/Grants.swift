internal import GRDB

/// Source: Microsoft, native authentication API reference, `/oauth2/v2.0/token`.
extension EntraTransaction {
  /// `POST /oauth2/v2.0/token`.
  func token() throws -> EntraOutcome {
    switch try form.required("grant_type") {
    case "password": try passwordGrant()
    case "oob": try codeGrant(isSecondOnly: false)
    case "mfa_oob": try codeGrant(isSecondOnly: true)
    case "continuation_token": try continuationGrant()
    case "refresh_token": try refreshGrant()
    case "authorization_code": try authorizationCodeGrant()
    default: throw EntraRefusal.unsupportedGrantType
    }
  }

  private func passwordGrant() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signIn(.passwordDue, let accountID) = flow.state.stage else { throw wrongStage }
    let password = try form.required("password")
    let request = try TokenRequest(form)
    try checkUsername(in: flow)
    let account = try account(accountID)
    let isRight = try proves(password, account.password)
    if let refusal = try standing(of: account) { return .refused(refusal) }
    guard isRight else { return .refused(try countFailure(.wrongPassword, of: account)) }
    guard account.passwordState == .ok else { return .refused(.passwordMustChange) }
    return try passFirstFactor(of: account, request, in: &flow)
  }

  private func codeGrant(isSecondOnly: Bool) throws -> EntraOutcome {
    let flow = try flow()
    let request: TokenRequest
    switch flow.state.stage {
    case .signIn(.codeDue(let code), let accountID) where !isSecondOnly:
      request = try TokenRequest(form)
      let account = try account(accountID)
      let refusal = try refusal(of: code, in: flow, account) {
        .signIn(.codeDue($0), accountID: accountID)
      }
      if let refusal { return .refused(refusal) }
      return try finish(flow, account, request, hasSecondFactor: false)
    case .signIn(.secondFactorCodeDue(let code), let accountID):
      request = try TokenRequest(form)
      let account = try account(accountID)
      let refusal = try refusal(of: code, in: flow, account) {
        .signIn(.secondFactorCodeDue($0), accountID: accountID)
      }
      if let refusal { return .refused(refusal) }
      return try finish(flow, account, request, hasSecondFactor: true)
    case .signIn, .signUp, .passwordReset, .redemption: throw wrongStage
    }
  }

  private func continuationGrant() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signIn(.tokenDue(let proof), let accountID) = flow.state.stage else {
      throw wrongStage
    }
    let request = try TokenRequest(form)
    try checkUsername(in: flow, after: proof)
    let account = try account(accountID)
    if let refusal = try standing(of: account) { return .refused(refusal) }
    // Only accounts with a password are asked for a second factor, and not for one that was just
    // registered.
    switch proof {
    case .registration: return try finish(flow, account, request, hasSecondFactor: true)
    case .signUp, .passwordReset:
      guard account.password != nil else {
        return try finish(flow, account, request, hasSecondFactor: false)
      }
      return try passFirstFactor(of: account, request, in: &flow, after: proof)
    }
  }

  /// Requires a username after a sign-up, and that any username that is sent is the flow's.
  private func checkUsername(in flow: EntraFlow, after proof: EntraFlow.Proof? = nil) throws {
    guard let username = form.text("username") else {
      if case .signUp = proof { throw EntraRefusal.invalidParameter("username") }
      return
    }
    guard try identifier(username) == identifier(flow.state.username) else { throw wrongStage }
  }

  /// Continues after the first factor: with the second, with registering one, or with the tokens.
  private func passFirstFactor(
    of account: Account,
    _ request: TokenRequest,
    in flow: inout EntraFlow,
    after proof: EntraFlow.Proof? = nil
  ) throws -> EntraOutcome {
    // A sign-in is a flow of its own: codes that the previous flow sent do not count.
    if proof != nil { flow.state.sentCount = 0 }
    let hasFactors = try !secondFactors(of: account).isEmpty
    if hasFactors {
      // Each method is a code: without them, no choice could be answered.
      if let reply = browserRequired(for: .oob) { return reply }
      guard flow.state.capabilities.contains(.secondFactor) else {
        return .browserRequired("Client is missing mfa_required capability")
      }
      return try move(
        &flow,
        to: .signIn(.secondFactorDue, accountID: account.id),
        saying: .secondFactorRequired
      )
    }
    if account.entra.registrationRequired || settings.mfaRequired {
      if let reply = browserRequired(for: .oob) { return reply }
      guard flow.state.capabilities.contains(.registration) else {
        return .browserRequired("Client is missing registration_required capability")
      }
      let proven: String? = if case .signUp(let address) = proof { address } else { nil }
      return try move(
        &flow,
        to: .signIn(.registration(.methodDue, provenAddress: proven), accountID: account.id),
        saying: .registrationRequired
      )
    }
    return try finish(flow, account, request, hasSecondFactor: false)
  }

  /// Ends the flow with tokens.
  private func finish(
    _ flow: EntraFlow,
    _ account: Account,
    _ request: TokenRequest,
    hasSecondFactor: Bool
  ) throws -> EntraOutcome {
    if account.entra.protectionPolicy { return .refused(.protectionPolicyRequired) }
    try flow.delete(db)
    return try signIn(account, request, hasSecondFactor: hasSecondFactor)
  }
}
