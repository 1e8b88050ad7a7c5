internal import AuthFlow

/// The errors of the service and what they mean on the pages.
///
/// Source: <doc:EntraErrorCodes>. An error's own prose is for developers and never shown.
enum ErrorCatalogue {
  /// The error that the pages show.
  ///
  /// - Parameters:
  ///   - server: The service's error.
  ///   - step: The step at which it came.
  ///   - shortestPassword: The minimum length of a new password, in characters, which the service
  ///     does not report.
  ///   - traceID: The service's id of the call.
  /// - Returns: An error of one problem or more.
  static func error(
    _ server: ServerError,
    at step: Step,
    shortestPassword: Int = PasswordLimits.minimum,
    traceID: String?
  ) -> AuthError {
    let problems =
      attributes(server) ?? server.accountProblem.map { [$0] }
      ?? password(server, shortestPassword)
      ?? code(server, step)
      ?? contact(server, step) ?? identifier(server, step) ?? flow(server, step)
      ?? [general(server, step)]
    let known = AuthError(problems, traceID: traceID)
    guard let first = known?.problems.first else {
      return .nonsense(traceID: traceID, "no problem")
    }
    var error = AuthError(
      first,
      Array(problems.dropFirst()),
      traceID: traceID,
      diagnosis: server.diagnosis
    )
    // Every flow requests the scopes of the set-up; renewals, which may request others, are handled
    // elsewhere.
    error.blame = server.error.lowercased() == "invalid_scope" ? .setUp : server.blame
    return error
  }

  // MARK: User-correctable

  private static func attributes(_ server: ServerError) -> [Problem]? {
    guard server.suberror == "attribute_validation_failed", !server.invalidAttributes.isEmpty else {
      return nil
    }
    return server.invalidAttributes.map {
      server.problem(.valueInvalid, at: AttributeName.field(of: $0.name))
    }
  }

  private static func password(_ server: ServerError, _ shortest: Int) -> [Problem]? {
    let reason: Reason? =
      switch server.suberror {
      case "password_too_weak": .passwordTooWeak
      case "password_too_short": .passwordTooShort(minimum: shortest)
      case "password_too_long": .passwordTooLong(maximum: PasswordLimits.maximum)
      case "password_recently_used": .passwordReused
      case "password_banned": .passwordBanned
      case "password_is_invalid": .passwordInvalid
      default: nil
      }
    if let reason { return [server.problem(reason, at: .password)] }
    guard server.error == "invalid_grant", server.codes.first == 50126 else { return nil }
    return [server.problem(.passwordOrIdentifierIncorrect, at: .password)]
  }

  private static func code(_ server: ServerError, _ step: Step) -> [Problem]? {
    if server.suberror == "invalid_oob_value" {
      return [server.problem(.codeNotAccepted, at: .code)]
    }
    if server.error == "expired_token", step.beginsWithCode {
      return [server.problem(.codeExpired, at: .code)]
    }
    if server.codes.contains(701_014) { return [server.problem(.codeSendsExhausted)] }
    return nil
  }

  private static func contact(_ server: ServerError, _ step: Step) -> [Problem]? {
    if server.error == "access_denied", server.suberror?.hasPrefix("provider_blocked") == true {
      return [server.problem(.contactBlocked, at: step == .enrolment ? .contact : nil)]
    }
    if server.codes.contains(901_001) {
      return [server.problem(.formatInvalid, at: .contact)]
    }
    return nil
  }

  private static func identifier(_ server: ServerError, _ step: Step) -> [Problem]? {
    switch (server.error, server.codes.first) {
    case ("user_not_found", _), ("invalid_grant", 50034?):
      return step.looksUpAccount
        ? [server.problem(.identifierNotFound, at: step.identifierField)]
        : [server.problem(.attemptEnded)]
    case ("user_already_exists", _):
      return [server.problem(.identifierTaken, at: .emailAddress)]
    case ("invalid_request", 90100?): return parameter(server, step)
    case ("invalid_request", 500_222?):
      return [server.problem(.methodUnavailable)]
    default: return nil
    }
  }

  /// 90100 may be about any parameter, and only its words say which: the person types only the
  /// username, and chooses only the method.
  private static func parameter(_ server: ServerError, _ step: Step) -> [Problem]? {
    if server.names("username") || server.hasNoWords && step.beginsFlow {
      return [server.problem(.formatInvalid, at: step.identifierField)]
    }
    return server.names("id") ? [server.problem(.methodUnavailable)] : nil
  }

  // MARK: Flow and session

  private static func flow(_ server: ServerError, _ step: Step) -> [Problem]? {
    switch server.error {
    case "expired_token", "verification_required":
      return [server.problem(.attemptEnded)]
    // A code that was spent, or took too long.
    case "invalid_grant" where step == .browserReturn:
      return [server.problem(.attemptEnded)]
    case "invalid_grant" where server.suberror == nil && server.codes.isEmpty && step.redeems:
      return [server.problem(.attemptEnded)]
    case "invalid_grant", "invalid_request":
      return server.namesSpentToken ? [server.problem(.attemptEnded)] : nil
    case "authorization_pending", "slow_down":
      return [server.problem(.tooManyRequests(until: nil))]
    case "temporarily_unavailable": return [server.problem(.serviceUnavailable)]
    case "expired_refresh_token": return [server.problem(.signInAgain)]
    default: return nil
    }
  }

  // MARK: Configuration, and what nobody has heard of

  private static func general(_ server: ServerError, _ step: Step) -> Problem {
    if server.error == "unsupported_challenge_type" || server.codes.contains(901_007) {
      return server.problem(.noUsableMethod)
    }
    if server.error == "interaction_required" {
      return server.problem(SilentRefusal(server).reason)
    }
    let reason = MSALFailure(server).error.treatment.reason ?? .unrecognised
    // Who gives up does so at the tenant's page; anywhere else somebody may not do what they asked for.
    return server.problem(reason == .cancelled && step != .browserReturn ? .forbidden : reason)
  }
}

/// The limits of a new password, as far as the service publishes them.
///
/// Source: <doc:EntraErrorCodes#Password-limits>.
enum PasswordLimits {
  static let minimum = 8
  static let maximum = 256
  static let classCount = 3
}
