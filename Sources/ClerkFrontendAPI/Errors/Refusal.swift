internal import AuthFlow
internal import Foundation
internal import HTTPExchange

/// Why a call brought no resource, and the client as it stands since, where the API says.
struct Refusal: Error, Sendable {
  var error: AuthError
  var client: ClientResource?

  init(_ error: AuthError, client: ClientResource? = nil) {
    self.error = error
    self.client = client
  }

  func contains(_ isMeant: (Reason) -> Bool) -> Bool { error.contains(where: isMeant) }

  /// From when on another code may be asked for, where it was asked for too soon.
  var resendAllowedAt: Date? {
    for case .resendTooSoon(let until) in error.problems.map(\.reason) { return until }
    return nil
  }
}

/// The codes of the problems on the way to the API.
///
/// Part of the interface: tests compare them.
enum RouteCode: String {
  case offline
  case unavailable = "service_unavailable"
  case timedOut = "service_timed_out"
  case nonsense = "service_answered_nonsense"
  case tooManyRequests = "too_many_requests"
}

extension AuthError {
  /// The answer makes no sense: no JSON, or of another shape.
  static func nonsense(traceID: String? = nil) -> AuthError {
    AuthError(.route(.serviceAnsweredNonsense, .nonsense), traceID: traceID)
  }

  init(_ error: TransportError) {
    switch error {
    case .offline: self.init(.route(.offline, .offline))
    case .refused, .busy, .connectionLost: self.init(.route(.serviceUnavailable, .unavailable))
    case .timedOut: self.init(.route(.serviceTimedOut, .timedOut))
    case .malformedAnswer: self = .nonsense()
    }
  }
}

extension Problem {
  static func route(_ reason: Reason, _ code: RouteCode) -> Problem {
    Problem(
      reason,
      code: code.rawValue,
      detail: ErrorDetail(.client, facts: [JSONValue.Member("code", .string(code.rawValue))])
    )
  }
}
