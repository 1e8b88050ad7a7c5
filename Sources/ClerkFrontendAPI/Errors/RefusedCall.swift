internal import AuthAPIClient
internal import AuthFlow
internal import Foundation
internal import HTTPExchange

/// Why a call has brought no resource, and the client after it, if the API tells.
struct RefusedCall: Error, Sendable {
  var error: AuthError
  var client: ClientResource?

  init(_ error: AuthError, client: ClientResource? = nil) {
    self.error = error
    self.client = client
  }

  func contains(_ isMeant: (Reason) -> Bool) -> Bool { error.contains(where: isMeant) }

  func has(_ code: String) -> Bool { error.problems.contains { $0.code == code } }

  /// Whether the API refused because of the attempt's status: it may have carried out the call
  /// before.
  var mayBeDoneAlready: Bool {
    has("client_state_invalid") || has("verification_already_verified")
  }

  /// When another code may be asked for; nil unless it was asked for too soon.
  var resendAllowedAt: Date? {
    for case .resendTooSoon(let until) in error.problems.map(\.reason) { return until }
    return nil
  }
}

extension AuthError {
  /// The answer is not JSON, or has another shape.
  ///
  /// - Parameters:
  ///   - what: What is wrong with it, for logs: our own names and numbers, without spaces.
  ///   - traceID: The API's id of the call.
  /// - Returns: An error of one problem.
  static func nonsense(_ what: String, traceID: String? = nil) -> AuthError {
    AuthError(unanswered: .nonsense, traceID: traceID, diagnosis: what)
  }
}
