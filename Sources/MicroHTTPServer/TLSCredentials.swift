internal import CMicroHTTPD

/// A certificate and its key that replace those that a server was started with.
///
/// `@unchecked Sendable`: nothing changes after `init`, and GnuTLS reads credentials from any thread.
final class TLSCredentials: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer

  /// - Throws: `StartError` with GnuTLS's message if they are not PEM or do not belong together.
  init(_ tls: MicroHTTPServer.TLS) throws(StartError) {
    var failure: UnsafePointer<CChar>?
    guard let pointer = cmicrohttpd_make_credentials(tls.certificate, tls.key, &failure) else {
      throw StartError(reasons: [failure.map { String(cString: $0) } ?? "out of memory"])
    }
    self.pointer = pointer
  }

  deinit { cmicrohttpd_free_credentials(pointer) }

  /// Makes a connection that has not begun its handshake show this certificate.
  ///
  /// The credentials have to outlive the connection.
  /// - Returns: Whether GnuTLS accepted them.
  func present(on connection: OpaquePointer) -> Bool {
    cmicrohttpd_use_credentials(connection, pointer)
  }
}
