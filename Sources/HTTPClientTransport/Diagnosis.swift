internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

extension HTTPClientTransport {
  /// Tries the address and says in words why it is not reached; nil where something answers.
  ///
  /// For whoever sets things up: `TransportError` tells what an error means for a request, this
  /// what it means for the configuration.
  public func obstacle() async -> String? {
    do {
      _ = try await client.execute(
        HTTPClientRequest(url: "\(baseURL)/"),
        timeout: .seconds(limits.connectDeadline.components.seconds + 2)
      )
      return nil
    } catch {
      return words(for: error)
    }
  }

  private func words(for error: any Error) -> String {
    let place = baseURL.authority
    switch error {
    case is NIOSSLExtraError:
      return "\(place) has a certificate for another name"
    case NIOSSLError.handshakeFailed(let reason):
      return "\(reason)".contains("CERTIFICATE_VERIFY_FAILED")
        ? "the certificate of \(place) is not signed by an authority that is trusted here"
        : "\(place) does not speak TLS as it should"
    case let error as NIOConnectionError:
      guard let failure = error.connectionErrors.last else {
        return "there is no host \(baseURL.host)"
      }
      return words(for: failure.error)
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      return "nothing listens at \(place)"
    case let error as IOError
    where [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(error.errnoCode):
      return "there is no network to \(place)"
    case let error as HTTPClientError
    where [.connectTimeout, .tlsHandshakeTimeout].contains(error):
      return "\(place) does not take a connection in time"
    case let error as HTTPClientError where [.deadlineExceeded, .readTimeout].contains(error):
      return "\(place) does not answer in time"
    default:
      return "\(place) does not answer as a web server does"
    }
  }
}
