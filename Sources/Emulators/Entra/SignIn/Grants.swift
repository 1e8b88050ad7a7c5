internal import GRDB

/// Source: Microsoft, native authentication API reference, `/oauth2/v2.0/token`.
extension EntraTransaction {
  /// `POST /oauth2/v2.0/token`.
  func token() throws -> EntraReply {
    switch try form.required("grant_type") {
    case "password": try passwordGrant()
    case "oob": try codeGrant(at: [.codeDue, .secondFactorCodeDue])
    case "mfa_oob": try codeGrant(at: [.secondFactorCodeDue])
    case "continuation_token": try continuationGrant()
    case "refresh_token": try refreshGrant()
    case "authorization_code": try authorizationCodeGrant()
    default: throw EntraRefusal.unsupportedGrantType
    }
  }

  private func passwordGrant() throws -> EntraReply {
    var flow = try flow(at: [.passwordDue])
    let password = try form.required("password")
    let request = try TokenRequest(form)
    let account = try account(of: flow)
    let isRight = try proves(password, account.password)
    if let refusal = try standing(of: account) { return .refused(refusal) }
    guard isRight else { return .refused(try countFailure(.wrongPassword, of: account)) }
    guard account.passwordState == .ok else { return .refused(.passwordMustChange) }
    return try passFirstFactor(of: account, request, in: &flow)
  }

  private func codeGrant(at steps: [EntraFlow.Step]) throws -> EntraReply {
    let flow = try flow(at: steps)
    let request = try TokenRequest(form)
    let account = try account(of: flow)
    if let refusal = try refusalOfCode(in: flow, of: account) { return .refused(refusal) }
    return try finish(
      flow,
      account,
      request,
      hasSecondFactor: flow.state.step == .secondFactorCodeDue
    )
  }

  private func continuationGrant() throws -> EntraReply {
    var flow = try flow(at: [.signInDue])
    let request = try TokenRequest(form)
    try checkUsername(in: flow)
    let account = try account(of: flow)
    if let refusal = try standing(of: account) { return .refused(refusal) }
    // A second factor is asked of accounts with a password only, and not of the one just proven.
    if flow.state.hasRegistered || account.password == nil {
      return try finish(flow, account, request, hasSecondFactor: flow.state.hasRegistered)
    }
    return try passFirstFactor(of: account, request, in: &flow)
  }

  /// The username has to come after a sign-up, and to be the flow's wherever it comes.
  private func checkUsername(in flow: EntraFlow) throws {
    guard let username = form.text("username") else {
      guard flow.state.signUp == nil || flow.state.hasRegistered else {
        throw EntraRefusal.invalidParameter("username")
      }
      return
    }
    guard try identifier(username) == identifier(flow.state.username) else {
      throw EntraRefusal.invalidContinuation(call.route)
    }
  }

  /// Goes on after the first factor: to the second, to registering one, or to the tokens.
  private func passFirstFactor(
    of account: Account,
    _ request: TokenRequest,
    in flow: inout EntraFlow
  ) throws -> EntraReply {
    let hasFactors = try !secondFactors(of: account).isEmpty
    if hasFactors {
      guard flow.state.capabilities.contains(.secondFactor) else {
        return .browserRequired("Client is missing mfa_required capability")
      }
      flow.state.code = nil
      return try move(&flow, to: .secondFactorDue, saying: .secondFactorRequired)
    }
    if account.entra.registrationRequired || settings.mfaRequired {
      guard flow.state.capabilities.contains(.registration) else {
        return .browserRequired("Client is missing registration_required capability")
      }
      flow.state.code = nil
      return try move(&flow, to: .registrationDue, saying: .registrationRequired)
    }
    return try finish(flow, account, request, hasSecondFactor: false)
  }

  /// Ends the flow with tokens.
  private func finish(
    _ flow: EntraFlow,
    _ account: Account,
    _ request: TokenRequest,
    hasSecondFactor: Bool
  ) throws -> EntraReply {
    if account.entra.protectionPolicy { return .refused(.protectionPolicyRequired) }
    try flow.delete(db)
    return try signIn(account, request, hasSecondFactor: hasSecondFactor)
  }
}
