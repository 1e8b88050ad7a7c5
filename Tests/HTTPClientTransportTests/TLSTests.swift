import Foundation
import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Synchronization
import Testing

@testable import HTTPClientTransport

@Suite struct TLSTests {
  /// Asks our own server, which shows a certificate for `localhost` and `a.localhost` that nobody
  /// has signed but itself.
  private func ask(
    host: String,
    trusting roots: [String]
  ) async throws -> (Result<Response, TransportError>, requestCount: Int) {
    let handler = CountingHandler()
    var options = MicroHTTPServer.Options()
    options.tls = .init(certificate: certificate, key: key)
    let server = try MicroHTTPServer(
      listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
      options: options,
      handler: handler,
      refusing: { refusal, _ in Response(status: refusal.status) },
      log: { _ in }
    )
    let transport = HTTPClientTransport(
      to: try BaseURL("https://\(host):\(server.port)"),
      additionalTrustRoots: roots
    )
    let result: Result<Response, TransportError>
    do throws(TransportError) {
      result = .success(try await transport.send(Request(method: .get, target: "/a")))
    } catch {
      result = .failure(error)
    }
    await transport.shutdown()
    await server.stop(grace: .zero)
    return (result, handler.count.load(ordering: .relaxed))
  }

  /// Runs a test with the certificate in a file that is removed afterwards.
  private func withCertificateFile<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("root.pem")
    try Data(certificate.utf8).write(to: file)
    return try await body(file.path)
  }

  @Test("a certificate that nobody trusts is refused before anything is sent (S26)")
  func untrusted() async throws {
    let (result, requestCount) = try await ask(host: "localhost", trusting: [])
    #expect(result == .failure(.refused))
    #expect(requestCount == 0)
  }

  @Test(
    "an additional root is trusted, for the names it is for",
    arguments: ["localhost", "a.localhost"]
  )
  func trusted(_ host: String) async throws {
    try await withCertificateFile { path in
      let (result, requestCount) = try await ask(host: host, trusting: [path])
      #expect(try result.get().body == Array("over TLS".utf8))
      #expect(requestCount == 1)
    }
  }

  @Test(
    "a trusted certificate of another name is refused (S26)",
    arguments: ["127.0.0.1", "b.localhost"]
  )
  func otherName(_ host: String) async throws {
    try await withCertificateFile { path in
      let (result, requestCount) = try await ask(host: host, trusting: [path])
      #expect(result == .failure(.refused))
      #expect(requestCount == 0)
    }
  }
}

private final class CountingHandler: HTTPHandler {
  let count = Atomic(0)

  func respond(to request: Request) async -> Response {
    count.add(1, ordering: .relaxed)
    return Response(status: .ok, body: Array("over TLS".utf8))
  }
}

// Made for these tests, until 2126, and worth nothing anywhere else:
// openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500
//   -subj /CN=localhost -addext subjectAltName=DNS:localhost,DNS:a.localhost
private let certificate = """
  -----BEGIN CERTIFICATE-----
  MIIBozCCAUigAwIBAgIUM0674IxtnlL8mgcMxBJUbcZtIzMwCgYIKoZIzj0EAwIw
  FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEyNDAwOVoYDzIxMjYxMDI4
  MTI0MDA5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
  PQMBBwNCAAS5IYMNXRozZg1xFFOgvLmN+3rMZtJC+knfvLPUKvbx67ZL7Tstlti+
  gy1HZ/t8d+Qxyj/RKerrzB9KJ9fkqp+2o3YwdDAdBgNVHQ4EFgQU8kdTEHINPYMA
  pANYGc4zGB64wRIwHwYDVR0jBBgwFoAU8kdTEHINPYMApANYGc4zGB64wRIwDwYD
  VR0TAQH/BAUwAwEB/zAhBgNVHREEGjAYgglsb2NhbGhvc3SCC2EubG9jYWxob3N0
  MAoGCCqGSM49BAMCA0kAMEYCIQDksy3msHhENWih2d+GRVCJfmul0IjsdM4uEWtC
  nQsyJgIhALfqIAPqddRLlyROuz+QKtW8PDRuJdWOpA1inREfK/+/
  -----END CERTIFICATE-----
  """
private let key = """
  -----BEGIN PRIVATE KEY-----
  MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsXzeF0BUkDKn2fxf
  OLdJzRZOBBmuue2WuqeXg4A46xyhRANCAAS5IYMNXRozZg1xFFOgvLmN+3rMZtJC
  +knfvLPUKvbx67ZL7Tstlti+gy1HZ/t8d+Qxyj/RKerrzB9KJ9fkqp+2
  -----END PRIVATE KEY-----
  """
