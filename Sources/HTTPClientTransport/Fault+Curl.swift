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
        Self(verification: evidence.verification)
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

  /// What `errno` says of a connection that was not made.
  init(connecting systemError: CInt) {
    self =
      switch systemError {
      // There was no socket to connect, since no descriptor is left: only `connect` has its error told.
      case 0: .noSocket
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .noNetwork
      // Somebody took the connection and threw it away.
      case ECONNRESET: .connectionLost
      default: .nothingListens
      }
  }

  /// What is wrong with a certificate: flags with GnuTLS, and with OpenSSL the number of what it met first, which is
  /// less than any of those flags together.
  ///
  /// Source: `gnutls_certificate_status_t` in `gnutls/x509.h`; `X509_V_ERR_…` in `openssl/x509_vfy.h`.
  init(verification: Int) {
    let (unknownSigner, notYetValid, expired) = (1 << 6, 1 << 9, 1 << 10)
    self =
      switch verification {
      // A good chain with a name that does not fit: no flag at all with GnuTLS, and "unspecified" with
      // OpenSSL, which has not been asked for the chain by then.
      case ...1: .certificateOfAnotherName
      case 9: .certificateNotYetValid
      case 10: .certificateExpired
      case let flags where flags & unknownSigner != 0: .untrustedCertificate
      case let flags where flags & expired != 0: .certificateExpired
      case let flags where flags & notYetValid != 0: .certificateNotYetValid
      default: .untrustedCertificate
      }
  }
}
