internal import CMicroHTTPD
internal import Glibc

/// The running library: its threads, and the memory that it refers to.
///
/// Each thread is a daemon of the library without a listening socket: connections are handed to it.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the pointers are only passed to functions
/// of the library that may be called from any thread; `stop` is called once, last.
final class RunningLibrary: @unchecked Sendable {
  private let pointers: [OpaquePointer]
  private let daemon: Unmanaged<Daemon>
  private let texts: [UnsafeMutablePointer<CChar>]

  /// - Returns: Nil if the library refuses; what it logged meanwhile is the diagnosis.
  init?(serving daemon: Daemon) {
    let closure = Unmanaged.passRetained(daemon)
    let options = daemon.options
    var texts: [UnsafeMutablePointer<CChar>] = []
    var flags =
      MHD_USE_POLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
    var items = Self.items(options: options, closure: closure.toOpaque())
    if let tls = options.tls {
      flags |= MHD_USE_TLS.rawValue
      let secrets: [(MHD_OPTION, String)] = [
        (.HTTPS_MEM_CERT, tls.certificate), (.HTTPS_MEM_KEY, tls.key),
        (.HTTPS_PRIORITIES, Self.priorities),
      ]
      for (option, text) in secrets {
        guard let copy = strdup(text) else { continue }
        texts.append(copy)
        items.append(MHD_OptionItem(option: option, value: 0, ptr_value: copy))
      }
    }
    items.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
    var pointers: [OpaquePointer] = []
    for _ in 0..<options.threadCount {
      let pointer = cmicrohttpd_start(flags, Callbacks.access, closure.toOpaque(), items)
      guard let pointer else {
        pointers.forEach(MHD_stop_daemon)
        texts.forEach { free($0) }
        closure.release()
        return nil
      }
      pointers.append(pointer)
    }
    self.pointers = pointers
    self.daemon = closure
    self.texts = texts
  }

  /// Only TLS 1.3 and 1.2 with forward secrecy and authenticated encryption, in the server's order of preference.
  ///
  /// Source: RFC 9325, sections 3.1.1 and 4.2; GnuTLS manual, "Priority Strings".
  private static let priorities =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM"
    + ":-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:%SERVER_PRECEDENCE"

  private static func items(
    options: MicroHTTPServer.Options,
    closure: UnsafeMutableRawPointer
  ) -> [MHD_OptionItem] {
    func item(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
      MHD_OptionItem(option: option, value: value, ptr_value: nil)
    }
    // The logger comes first, so that it reports faults in the others.
    return [
      cmicrohttpd_logger(Callbacks.log, closure),
      cmicrohttpd_notify_connection(Callbacks.connection, closure),
      cmicrohttpd_notify_completed(Callbacks.completed, closure),
      cmicrohttpd_target_log(Callbacks.target, closure),
      cmicrohttpd_unescape(Callbacks.unescape, closure),
      item(.CONNECTION_LIMIT, options.connectionLimit),
      item(.CONNECTION_MEMORY_LIMIT, options.headerMemoryBytes),
      // The connection table keeps the deadlines; this timeout counts idle time only.
      item(.CONNECTION_TIMEOUT, 0),
      // We refuse a missing Host and the like ourselves, with a complete page.
      item(.STRICT_FOR_CLIENT, 0),
    ]
  }

  /// Gives an accepted connection to a thread.
  ///
  /// - Returns: False if the library refused the connection; it has then closed it.
  func add(
    _ descriptor: CInt,
    from address: UnsafePointer<sockaddr>,
    _ length: socklen_t,
    to thread: Int
  ) -> Bool {
    MHD_add_connection(pointers[thread], descriptor, address, length) == .YES
  }

  /// Joins the library's threads, which may take a moment.
  ///
  /// To be called once, when no connection is added any more and none is suspended: otherwise the
  /// library would abort the process.
  func stop() {
    pointers.forEach(MHD_stop_daemon)
    texts.forEach { free($0) }
    daemon.release()
  }
}
