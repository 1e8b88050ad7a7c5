internal import AsyncHTTPClient
internal import Glibc
internal import HTTPExchange
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

extension TransportError {
  /// What an error of the HTTP client means for a request, decided in this one place.
  ///
  /// Where it is not certain that nothing was sent, the answer is that something may have been.
  init(_ error: any Error) {
    self =
      switch error {
      case let error as TransportError: error
      case let error as HTTPClientError: Self(error)
      case let error as NIOConnectionError: Self(error)
      case let error as IOError: Self(error)
      // The parser's word for an answer that ends too early.
      case HTTPParserError.invalidEOFState: .connectionLost
      case is HTTPParserError, is NIOTooManyBytesError: .malformedAnswer
      case let error as ChannelError: Self(error)
      case let error as NIOSSLError: Self(error)
      // A certificate that is not valid for this host: no request has been sent.
      case is NIOSSLExtraError: .refused
      case is CancellationError: .timedOut
      default: .connectionLost
      }
  }

  private init(_ error: HTTPClientError) {
    self =
      switch error {
      case .connectTimeout, .tlsHandshakeTimeout: .refused
      case .getConnectionFromPoolTimeout: .busy
      case .alreadyShutdown: .offline
      case .deadlineExceeded, .readTimeout, .writeTimeout, .cancelled: .timedOut
      default: .connectionLost
      }
  }

  private init(_ error: NIOConnectionError) {
    guard let failure = error.connectionErrors.last else {
      // No address to connect to.
      self = .offline
      return
    }
    self =
      switch failure.error {
      case let error as IOError
      where [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(error.errnoCode):
        .offline
      default: .refused
      }
  }

  private init(_ error: IOError) {
    self =
      switch error.errnoCode {
      case ECONNREFUSED: .refused
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .offline
      default: .connectionLost
      }
  }

  private init(_ error: ChannelError) {
    self =
      switch error {
      case .connectTimeout: .refused
      default: .connectionLost
      }
  }

  private init(_ error: NIOSSLError) {
    self =
      switch error {
      case .handshakeFailed, .unableToValidateCertificate, .failedToLoadCertificate: .refused
      default: .connectionLost
      }
  }
}
