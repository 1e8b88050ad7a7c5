internal import HTTPExchange

/// The address of an HTTP proxy for an auth API on another machine.
///
/// Requests go through a tunnel (`CONNECT`), so the proxy sees only the host's name.
public struct ProxyURL: Sendable, Hashable, CustomStringConvertible {
  /// Host and port.
  let authority: String

  /// Reads `http://HOST`, optionally with a port (80 by default), and nothing after it.
  ///
  /// - Throws: `BaseURLError`, one clear line each.
  public init(_ text: String) throws(BaseURLError) {
    let prefix = "http://"
    guard text.lowercased().hasPrefix(prefix) else { throw .notAProxy }
    let rest = text.dropFirst(prefix.count)
    guard !rest.contains("@") else { throw .userInformation }
    let typed = try BaseURL.authority(rest.hasSuffix("/") ? rest.dropLast() : rest)
    authority = "\(typed.host):\(typed.port ?? 80)"
  }

  public var description: String { "http://\(authority)" }
}
