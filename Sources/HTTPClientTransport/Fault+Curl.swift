internal import CCurl
internal import Glibc

extension Fault {
  /// How a transfer stood when libcurl gave it up.
  struct Evidence {
    var code: CURLcode
    /// `errno` of the last connection that was not made.
    var systemError: CInt
    /// The TLS library's verdict on the certificate.
    var verification: Int
    /// The status with which a proxy answered `CONNECT`; 0 where none did.
    var tunnelStatus: Int
    /// Whether a connection was ready, so that the request may have begun to leave.
    var hasLeft: Bool
    /// Whether the answer's head was complete.
    var hasHead: Bool
  }

  /// What libcurl's verdict means.
  ///
  /// Where it is not certain that nothing was sent, the answer is that something may have been.
  init(_ evidence: Evidence) {
    self =
      switch evidence.code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .noSuchHost
      case CURLE_COULDNT_CONNECT: Self(connecting: evidence.systemError)
      case CURLE_OPERATION_TIMEDOUT:
        evidence.hasLeft ? .notAnsweredInTime : .notConnectedInTime
      case CURLE_PEER_FAILED_VERIFICATION:
        Self.isOfAnotherName(evidence.verification)
          ? .certificateOfAnotherName : .untrustedCertificate
      // No HTTP at all, or not of a kind that anybody speaks.
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .malformedAnswer
      // A line of the head beyond what libcurl sets aside, before ours is reached.
      case CURLE_OUT_OF_MEMORY, Self.lineTooLong: .answerTooLarge
      default:
        if evidence.hasHead {
          .malformedAnswer
        } else if evidence.hasLeft {
          .connectionLost
        } else {
          evidence.tunnelStatus == 0 ? .noTLS : .refusedByProxy
        }
      }
  }

  /// `CURLE_TOO_LARGE`, which libcurl has had since version 8.6.
  private static let lineTooLong = CURLcode(rawValue: 100)

  private init(connecting systemError: CInt) {
    self =
      switch systemError {
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .noNetwork
      // Somebody took the connection and threw it away.
      case ECONNRESET: .connectionLost
      default: .nothingListens
      }
  }

  /// A good chain with a name that does not fit: no flag at all with GnuTLS, and "unspecified" with
  /// OpenSSL, which has not been asked for the chain by then.
  private static func isOfAnotherName(_ verification: Int) -> Bool { verification <= 1 }
}
