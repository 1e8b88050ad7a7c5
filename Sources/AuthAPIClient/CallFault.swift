public import AuthFlow
public import Foundation
public import HTTPExchange
internal import HTTPTypes

/// The fault of a call to an auth API that names no error itself.
///
/// The codes are part of the interface: tests compare them.
public enum CallFault: Hashable, Sendable {
  case offline, unreachable, timedOut
  /// The connection was closed before the answer was complete: the call may have been carried out.
  case answerLost
  /// The API is unavailable for now (503).
  case unavailable
  /// The answer is not JSON, or has another shape or an unexpected status.
  case nonsense
  case tooManyRequests(until: Date?)

  /// Why there was no answer.
  public init(_ error: TransportError) {
    switch error {
    case .offline: self = .offline
    case .refused, .tlsFailed, .busy: self = .unreachable
    case .connectionLost: self = .answerLost
    case .timedOut: self = .timedOut
    case .malformedAnswer: self = .nonsense
    }
  }

  /// The fault that an answer's status means, if its body is useless.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - now: The time that a delay in `Retry-After` counts from.
  public init(_ response: Response, now: Date) {
    switch response.status.code {
    case 429: self = .tooManyRequests(until: response.retryDate(now: now))
    case 503: self = .unavailable
    case 504: self = .timedOut
    default: self = .nonsense
    }
  }

  public var code: String {
    switch self {
    case .offline: "offline"
    case .unreachable, .answerLost, .unavailable: "service_unavailable"
    case .timedOut: "service_timed_out"
    case .nonsense: "service_answered_nonsense"
    case .tooManyRequests: "too_many_requests"
    }
  }

  public var reason: Reason {
    switch self {
    case .offline: .offline
    case .unreachable: .serviceUnreachable
    case .answerLost: .serviceAnswerLost
    case .unavailable: .serviceUnavailable
    case .timedOut: .serviceTimedOut
    case .nonsense: .serviceAnsweredNonsense
    case .tooManyRequests(let until): .tooManyRequests(until: until)
    }
  }

  /// The detail for support, in addition to what else is known.
  public var detail: ErrorDetail {
    ErrorDetail(.client, facts: [JSONValue.Member("code", .string(code))])
  }
}

extension Problem {
  public init(_ fault: CallFault) {
    self.init(fault.reason, code: fault.code, detail: fault.detail)
  }
}

extension AuthError {
  public init(_ fault: CallFault, traceID: String? = nil, diagnosis: String? = nil) {
    self.init(Problem(fault), traceID: traceID, diagnosis: diagnosis)
  }
}

extension Response {
  /// When to try again, as `Retry-After` says, however far ahead: nobody waits that long at a page,
  /// but programs read it too.
  public func retryDate(now: Date) -> Date? {
    RetryAfter.date(headerFields[.retryAfter], now: now)
  }
}
