internal import CCurl
internal import Glibc

extension Fault {
  /// The state of a transfer when libcurl gave it up.
  struct Evidence {
    var code: CURLcode
    /// `errno` of the last failed attempt to connect.
    var systemError: CInt
    /// The TLS library's verdict on the certificate.
    var verification: Int
    /// The status with which a proxy answered `CONNECT`; 0 if none did.
    var tunnelStatus: Int
    /// Whether a connection was ready, so that the request may have begun to leave.
    var hasLeft: Bool
    /// Whether the answer's head was complete.
    var hasHead: Bool
  }

  /// Translates libcurl's error code.
  ///
  /// If it is not certain that nothing was sent, the fault is one where something may have been.
  init(_ evidence: Evidence) {
    self =
      switch evidence.code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .noSuchHost
      case CURLE_COULDNT_CONNECT: Self(connecting: evidence.systemError)
      case CURLE_OPERATION_TIMEDOUT:
        evidence.hasLeft ? .notAnsweredInTime : .notConnectedInTime
      case CURLE_PEER_FAILED_VERIFICATION:
        Self(verification: evidence.verification)
      // Not HTTP at all, or of a version that is not supported.
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .malformedAnswer
      // The second also means a chunk that breaks the rules: libcurl has no other code for that.
      case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_HTTP2_STREAM:
        evidence.hasHead ? .answerBrokenOff : Self(beforeHead: evidence)
      // A line of the head exceeds libcurl's own limit before our limit is reached.
      case CURLE_OUT_OF_MEMORY, Self.lineTooLong: .answerTooLarge
      default: evidence.hasHead ? .malformedAnswer : Self(beforeHead: evidence)
      }
  }

  /// What most errors mean as long as no answer has begun.
  private init(beforeHead evidence: Evidence) {
    self =
      if evidence.hasLeft {
        .connectionLost
      } else {
        evidence.tunnelStatus == 0 ? .noTLS : .refusedByProxy
      }
  }

  /// `CURLE_TOO_LARGE`, which libcurl has had since version 8.6.
  private static let lineTooLong = CURLcode(rawValue: 100)

  /// Translates the `errno` of a failed attempt to connect.
  init(connecting systemError: CInt) {
    self =
      switch systemError {
      // libcurl reports only the errors of `connect`: here there was no socket, since no descriptor is left.
      case 0: .noSocket
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .noNetwork
      // The other end accepted the connection and dropped it.
      case ECONNRESET: .connectionLost
      default: .nothingListens
      }
  }

  /// Translates the verdict on a certificate: a set of flags with GnuTLS; with OpenSSL the number of the first error,
  /// which is less than any of the flags used here.
  ///
  /// Source: `gnutls_certificate_status_t` in `gnutls/x509.h`; `X509_V_ERR_…` in `openssl/x509_vfy.h`.
  init(verification: Int) {
    let (unknownSigner, notYetValid, expired) = (1 << 6, 1 << 9, 1 << 10)
    self =
      switch verification {
      // A good chain, but the name does not match: GnuTLS sets no flag, and OpenSSL's value is still
      // "unspecified", since libcurl has not asked it about the chain by then.
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
