extension HTTPClientTransport {
  /// Describes a fault to the person who sets things up.
  ///
  /// `TransportError` says what an error means for a request, this what it means for the configuration.
  func words(for fault: Fault) -> String {
    let place = "\(destination.baseURL.authority)"
    // The peer that is connected to.
    let door = destination.proxy.map { "the proxy \($0.authority)" } ?? place
    return switch fault {
    case .noSuchHost:
      "there is no host \(destination.proxy?.authority ?? destination.baseURL.host)"
    case .noNetwork: "there is no network to \(door)"
    case .nothingListens: "nothing listens at \(door)"
    case .notConnectedInTime: "\(door) does not accept a connection in time"
    case .refusedByProxy: "\(door) does not let us through to \(place)"
    case .noTLS: "\(place) does not speak TLS as it should"
    case .untrustedCertificate:
      "the certificate of \(place) is not signed by an authority that is trusted here: the variable "
        + "SSL_CERT_FILE can name a file with additional ones (PEM)"
    case .certificateOfAnotherName: "\(place) has a certificate for another name"
    case .certificateExpired: "the certificate of \(place) has expired"
    case .certificateNotYetValid:
      "the certificate of \(place) is not valid yet, by the clock of this machine"
    case .notAnsweredInTime, .cancelled: "\(place) does not answer in time"
    case .tooManyCalls:
      "\(destination.limits.inFlightLimit) calls to \(place) are in flight, which is the limit"
    case .noSocket: "this program has no file descriptor left to call \(place) with"
    case .notPrepared(option: nil): "libcurl accepts no more calls to \(place)"
    case .notPrepared(let option?):
      "\(place) cannot be called: libcurl does not accept its option \(option)"
    case .answerTooLarge: "the answer of \(place) is too large"
    case .connectionLost:
      "\(place) closes the connection before it answers"
        // By https the handshake would have failed before.
        + (destination.baseURL.scheme == .http ? ": does it speak https?" : "")
    case .shutDown: "no more calls to \(place) are made"
    case .answerBrokenOff: "\(place) breaks off its answer before the end"
    case .malformedAnswer: "\(place) does not answer as a web server does"
    }
  }
}
