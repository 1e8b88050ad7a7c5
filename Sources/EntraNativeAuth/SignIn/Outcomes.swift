@_spi(Provider) internal import AuthFlow
internal import Foundation

extension EntraProvider {
  /// The error that the pages show, with this policy's minimum length of a password.
  func error(_ server: ServerError, at step: Step, traceID: String?) -> AuthError {
    ErrorCatalogue.error(
      server,
      at: step,
      shortestPassword: policy().shortestPassword,
      traceID: traceID
    )
  }

  /// The outcome of a failure for a sign-in; some failures are steps.
  ///
  /// - Parameters:
  ///   - failure: The failure of the call.
  ///   - step: The step that failed.
  ///   - identifier: Who signs in.
  ///   - standing: The state of the attempt if it is refused; nil leaves it.
  ///   - claims: The claims that were demanded, to be requested in a browser as well.
  ///   - isPastFirstFactor: Whether the first factor was proven before; nil to tell by the step.
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
  /// Whether the attempt has expired.
  var isExpired: Bool {
    if case .refused(let server, _) = self { return server.error == "expired_token" }
    return false
  }
}

extension Reason {
  /// Whether the chosen method cannot be used, though others may be usable.
  var isOfMethod: Bool { self == .contactBlocked || self == .methodUnavailable }
}

extension AuthError {
  static var methodUnavailable: AuthError {
    AuthError(Problem(.methodUnavailable, code: "unsupported_challenge_type"))
  }

  /// The same error if the refused method was the only one.
  var leavingNoMethod: AuthError {
    mapProblems { if $0.reason.isOfMethod { $0.reason = .noUsableMethod } }
  }

  /// The end of the attempt, in place of an error without words of our own; the blame is kept.
  var asEnd: AuthError {
    var end = AuthError.ended(traceID: traceID, diagnosis ?? "")
    end.blame = blame
    return end
  }

  /// The attempt has ended.
  static func ended(traceID: String?, _ why: String) -> AuthError {
    AuthError(
      Problem(.attemptEnded, code: OwnCode.attemptEnded),
      traceID: traceID,
      diagnosis: why
    )
  }
}
