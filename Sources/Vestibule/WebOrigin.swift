internal import HTTPExchange

/// `scheme://host[:port]` as a browser writes it: in lower case, without the scheme's default port.
///
/// Never with a wildcard, a path or a user name (S15, S30).
struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
  let scheme: String
  let host: String
  /// Nil if it is the scheme's default.
  let port: Int?
  /// Whether a port was given, even the scheme's default.
  let isPortWritten: Bool

  init(scheme: String, host: String, port: Int?) {
    self.scheme = scheme
    self.host = host
    self.port = port == Self.usualPort(of: scheme) ? nil : port
    isPortWritten = port != nil
  }

  private static func usualPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  /// - Parameters:
  ///   - text: The origin; one `/` at its end is ignored.
  ///   - what: What it is, for the message.
  ///   - written: How it was written, if not as in `text`.
  /// - Throws: `StartFailure` that names it.
  init(_ text: String, as what: String, written: String? = nil) throws(StartFailure) {
    let shown = written ?? text
    func failure(_ reason: String) -> StartFailure {
      // Text before an @ may be a password.
      let text = shown.utf8.contains(UInt8(ascii: "@")) ? "" : ": \(shown)"
      return StartFailure(.configuration, "The \(what) \(reason)\(text)")
    }
    guard !shown.isEmpty else { throw StartFailure(.configuration, "The \(what) is empty") }
    guard !text.contains("*") else { throw failure("must not contain a wildcard") }
    if let written, written.contains("://") {
      throw failure("must be a host name, without http:// or https://")
    }
    let lowercased = text.lowercasedInASCII
    guard let scheme = ["http", "https"].first(where: { lowercased.hasPrefix("\($0)://") }) else {
      throw failure("does not begin with http:// or https://")
    }
    let rest = lowercased.dropFirst(scheme.count + 3)
    let place = rest.prefix { !"/?#".contains($0) }
    guard !place.utf8.contains(UInt8(ascii: "@")) else {
      throw failure("must not carry a user name or a password")
    }
    guard ["", "/"].contains(rest.dropFirst(place.count)) else {
      throw failure("must end after host and port")
    }
    do throws(Authority.Fault) {
      let authority = try Authority(String(place))
      self.init(scheme: scheme, host: authority.host, port: authority.port)
    } catch {
      switch error {
      case .notAHost: throw failure("has no valid host")
      case .notAPort: throw failure("has no port from 1 to 65535")
      }
    }
  }

  /// `host[:port]`, as in a `Host` field.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// `host:port`, even with the scheme's default port.
  var fullAuthority: String { "\(host):\(port ?? Self.usualPort(of: scheme))" }

  var description: String { "\(scheme)://\(authority)" }
}
