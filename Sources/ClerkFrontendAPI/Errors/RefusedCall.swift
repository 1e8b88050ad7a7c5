internal import AuthAPIClient
internal import AuthFlow
internal import Foundation
internal import HTTPExchange

/// Why a call brought no resource, and the client as it stands since, where the API says.
struct RefusedCall: Error, Sendable {
  var error: AuthError
  var client: ClientResource?

  init(_ error: AuthError, client: ClientResource? = nil) {
    self.error = error
    self.client = client
  }

  func contains(_ isMeant: (Reason) -> Bool) -> Bool { error.contains(where: isMeant) }

  /// Whether one of its problems has that code.
  func has(_ code: String) -> Bool { error.problems.contains { $0.code == code } }

  /// Whether the API will not do it where the attempt stands: it may have done it before.
  var mayBeDoneAlready: Bool {
    has("client_state_invalid") || has("verification_already_verified")
  }

  /// From when on another code may be asked for, where it was asked for too soon.
  var resendAllowedAt: Date? {
    for case .resendTooSoon(let until) in error.problems.map(\.reason) { return until }
    return nil
  }
}

extension AuthError {
  /// The answer makes no sense: no JSON, or of another shape.
  ///
  /// - Parameters:
  ///   - what: What is wrong with it, for logs: names and numbers of ours, without a blank.
  ///   - traceID: What the API calls it.
  /// - Returns: An error of one problem.
  static func nonsense(_ what: String, traceID: String? = nil) -> AuthError {
    AuthError(unanswered: .nonsense, traceID: traceID, diagnosis: what)
  }
}
