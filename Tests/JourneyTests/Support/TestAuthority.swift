import Foundation
import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Testing

/// A certificate authority of one test's own, and a certificate it has signed for this machine.
struct TestAuthority {
  /// PEM files.
  let authority: String
  let certificate: String
  let key: String

  /// Makes them with openssl, in that folder.
  ///
  /// - Parameters:
  ///   - folder: Where the files are.
  ///   - names: Whom the certificate is for.
  ///   - days: For how long; a certificate of -1 was good until yesterday.
  /// - Throws: If openssl fails.
  init(in folder: String, names: String = "DNS:localhost,IP:127.0.0.1", days: Int = 2) throws {
    authority = "\(folder)/authority.pem"
    certificate = "\(folder)/certificate.pem"
    key = "\(folder)/key.pem"
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try Self.openssl(
      ["req", "-x509"] + curve + [
        "-keyout", "\(folder)/authority-key.pem", "-out", authority, "-days", "2",
        "-subj", "/CN=A test's own authority",
      ]
    )
    try Self.openssl(
      ["req"] + curve + [
        "-keyout", key, "-out", "\(folder)/request.pem", "-subj", "/CN=This machine",
      ]
    )
    let extensions = "\(folder)/extensions"
    try "subjectAltName=\(names)\n".write(toFile: extensions, atomically: true, encoding: .utf8)
    try Self.openssl([
      "x509", "-req", "-in", "\(folder)/request.pem", "-CA", authority, "-CAkey",
      "\(folder)/authority-key.pem", "-CAcreateserial", "-days", "\(days)", "-extfile", extensions,
      "-out", certificate,
    ])
  }

  private static func openssl(_ words: [String]) throws {
    let (status, _) = try Command.run(["openssl"] + words)
    try #require(status == 0)
  }

  /// The two files as a server takes them.
  func tls() throws -> MicroHTTPServer.TLS {
    MicroHTTPServer.TLS(
      certificate: try String(contentsOfFile: certificate, encoding: .utf8),
      key: try String(contentsOfFile: key, encoding: .utf8)
    )
  }
}

/// Serves a handler over TLS, on a free port, for as long as the body runs.
func withSecureServer<Result>(
  _ authority: TestAuthority,
  _ handler: @escaping (_ port: Int) throws -> any HTTPHandler,
  _ body: (_ port: Int) async throws -> Result
) async throws -> Result {
  let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
  var options = MicroHTTPServer.Options()
  options.tls = try authority.tls()
  let server = try MicroHTTPServer(
    listeningOn: socket,
    options: options,
    handler: try handler(socket.port),
    refusing: { refusal, _ in Response(status: refusal.status) },
    log: { _ in }
  )
  let result = await Swift.Result { try await body(socket.port) }
  await server.stop(grace: .zero)
  return try result.get()
}
