import Foundation
import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Synchronization
import TestSupport

/// Self-signed certificates for `localhost`.
enum TestCertificate {
  /// For `a.localhost` and `auth.example.test`, too.
  case valid
  case expired
  case notYetValid

  private var text: String {
    switch self {
    case .valid: LocalhostCertificate.certificate
    case .expired: expiredCertificate
    case .notYetValid: comingCertificate
    }
  }

  /// Runs a test with a certificate in a file that is removed afterwards.
  static func withFile<Result>(
    _ certificate: TestCertificate = .valid,
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("root.pem")
    try Data(certificate.text.utf8).write(to: file)
    return try await body(file.path)
  }

  /// Our own server, which shows it.
  static func server(
    _ handler: any HTTPHandler,
    showing certificate: TestCertificate = .valid
  ) throws -> MicroHTTPServer {
    var options = MicroHTTPServer.Options()
    options.tls = .init(certificate: certificate.text, key: LocalhostCertificate.key)
    return try MicroHTTPServer(
      listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
      options: options,
      handler: handler,
      refusing: { refusal, _ in Response(status: refusal.status) },
      log: { _ in }
    )
  }
}

/// Answers everything alike, and counts.
final class CountingHandler: HTTPHandler {
  let count = Atomic(0)

  func respond(to request: Request) async -> Response {
    count.add(1, ordering: .relaxed)
    return Response(status: .ok, body: Array("over TLS".utf8))
  }
}

// By the key of the other; valid in 2020 only and from 2120 on: openssl ca -selfsign -startdate …
// -enddate …
private let expiredCertificate = """
  -----BEGIN CERTIFICATE-----
  MIIBYDCCAQWgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
  c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
  b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQS2i+I9YmNXnf8s/1r
  6kXpVCVtaNV7tBQP/+GgMbFPH0KY8pLbhoDkwVwM3RsVhdCZA+yzRECTSiejBww0
  gAFyo0gwRjAPBgNVHRMBAf8EBTADAQH/MBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAd
  BgNVHQ4EFgQUrBNgoJbhg3zdQXo+Zz7VrqkKIC0wCgYIKoZIzj0EAwIDSQAwRgIh
  ALCoNRlHazmJsyAeyJb+XBbdVszs2ZHeQcPmBjZ0WYdeAiEAjIeiTbOUPMaC5u7e
  jyxPtI+OC4RvTd14Wmi3sUSEYQw=
  -----END CERTIFICATE-----
  """
private let comingCertificate = """
  -----BEGIN CERTIFICATE-----
  MIIBZDCCAQmgAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
  c3QwIhgPMjEyMDAxMDEwMDAwMDBaGA8yMTI2MDEwMTAwMDAwMFowFDESMBAGA1UE
  AwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEtoviPWJjV53
  /LP9a+pF6VQlbWjVe7QUD//hoDGxTx9CmPKS24aA5MFcDN0bFYXQmQPss0RAk0on
  owcMNIABcqNIMEYwDwYDVR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhv
  c3QwHQYDVR0OBBYEFKwTYKCW4YN83UF6Pmc+1a6pCiAtMAoGCCqGSM49BAMCA0kA
  MEYCIQDkksjhJ/sXO+w2RbsmOZHgsckzsPHCpw2QbJUi3yyScwIhAIwvPOLLMv1K
  gOtml4ACjI6c0+jhtcNzng3zT9917skY
  -----END CERTIFICATE-----
  """
