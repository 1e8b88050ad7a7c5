internal import HTTPExchange

/// Why a call brought no answer, in as much detail as the person who sets things up can use.
enum Fault: Error, Hashable {
  // Nothing was sent.
  case noSuchHost
  case noNetwork
  case nothingListens
  case notConnectedInTime
  case noTLS
  case untrustedCertificate
  case certificateOfAnotherName
  case certificateExpired
  case certificateNotYetValid
  case refusedByProxy
  case tooManyCalls
  /// The system has no descriptor left for this program.
  case noSocket
  /// libcurl refused that option (by its number in `curl.h`), or, if nil, any call at all.
  case notPrepared(option: UInt32?)
  case shutDown
  // Something may have been sent.
  case connectionLost
  case notAnsweredInTime
  case cancelled
  // An answer had begun.
  /// The connection was lost before the answer's end.
  case answerBrokenOff
  case malformedAnswer
  case answerTooLarge
}

extension TransportError {
  /// What a fault means for a request; only decided here.
  init(_ fault: Fault) {
    self =
      switch fault {
      case .noSuchHost, .noNetwork, .notPrepared, .shutDown: .offline
      case .nothingListens, .notConnectedInTime, .refusedByProxy: .refused
      case .noTLS, .untrustedCertificate, .certificateOfAnotherName, .certificateExpired,
        .certificateNotYetValid:
        .tlsFailed
      case .tooManyCalls, .noSocket: .busy
      case .connectionLost, .answerBrokenOff: .connectionLost
      case .notAnsweredInTime, .cancelled: .timedOut
      case .malformedAnswer, .answerTooLarge: .malformedAnswer
      }
  }
}
