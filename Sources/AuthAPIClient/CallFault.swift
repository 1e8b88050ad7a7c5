public import AuthFlow
public import Foundation
public import HTTPExchange
internal import HTTPTypes

/// What went wrong on the way to an auth API, where it says nothing itself.
///
/// The codes are part of the interface: tests compare them.
public enum CallFault: Hashable, Sendable {
  case offline, unreachable, timedOut
  /// They hung up before they had begun to answer: what was asked may have been carried out.
  case answerLost
  /// The answer says that there is none for now (503).
  case unavailable
  /// The answer makes no sense: no JSON, or of another shape.
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

  /// What the head of an answer says whose body is of no use.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - now: The time, against which `Retry-After` is held.
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

  /// What support reads of it, beside what else is known.
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
  /// When to come back, as `Retry-After` says, however far ahead: nobody waits that long at a page, but programs
  /// read it, too.
  public func retryDate(now: Date) -> Date? {
    RetryAfter.date(headerFields[.retryAfter], now: now)
  }
}
