@_spi(Provider) internal import AuthFlow
internal import Foundation

extension EntraProvider {
  /// What the pages tell of an error, with what a new password needs here.
  func error(_ server: ServerError, at step: Step, traceID: String?) -> AuthError {
    ErrorCatalogue.error(
      server,
      at: step,
      shortestPassword: policy().shortestPassword,
      traceID: traceID
    )
  }

  /// What a failure means for a sign-in: some are steps.
  ///
  /// - Parameters:
  ///   - failure: What came in place of an answer.
  ///   - step: What was being done.
  ///   - identifier: Who signs in.
  ///   - standing: Where the attempt stands where it is refused; nil leaves it.
  ///   - claims: What was demanded and has to be asked for in a browser, too.
  ///   - isPastFirstFactor: Whether the first factor was proven before; nil where the step tells.
  /// - Returns: A state, or a refusal.
  func outcome(
    of failure: Failure,
    at step: Step,
    for identifier: Identifier,
    standing: SignInState? = nil,
    demanding claims: String? = nil,
    isPastFirstFactor: Bool? = nil
  ) -> Outcome<SignInState> {
    switch failure {
    case .browserRequired(let reason):
      .moved(
        to: .browserRequired(
          browserPrompt(
            for: identifier,
            reason,
            demanding: claims,
            isPastFirstFactor: isPastFirstFactor ?? step.provesFirstFactor
          )
        )
      )
    case .failed(let error): .refused(error, at: standing)
    case .refused(let server, let traceID):
      .refused(error(server, at: step, traceID: traceID), at: standing)
    }
  }
}

extension Failure {
  /// Whether the attempt's time is over.
  var isExpired: Bool {
    if case .refused(let server, _) = self { return server.error == "expired_token" }
    return false
  }
}

extension AuthError {
  static var methodUnavailable: AuthError {
    AuthError(Problem(.methodUnavailable, code: "unsupported_challenge_type"))
  }

  /// The same where what was refused was the only method.
  var leavingNoMethod: AuthError {
    mapProblems { if $0.reason == .contactBlocked { $0.reason = .noUsableMethod } }
  }

  /// That the attempt is over, in place of what the service has no words for: whose fault that is stays known.
  var asEnd: AuthError {
    var end = AuthError.ended(traceID: traceID, diagnosis ?? "")
    end.blame = blame
    return end
  }

  /// The attempt leads nowhere any more.
  static func ended(traceID: String?, _ why: String) -> AuthError {
    AuthError(
      Problem(.attemptEnded, code: OwnCode.attemptEnded),
      traceID: traceID,
      diagnosis: why
    )
  }
}
