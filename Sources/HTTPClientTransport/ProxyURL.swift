internal import HTTPExchange

/// Where an HTTP proxy is, on the way to an auth API beyond this machine.
///
/// Requests go through it in a tunnel (`CONNECT`), so that it sees the host's name and no more.
public struct ProxyURL: Sendable, Hashable, CustomStringConvertible {
  /// Host and port.
  let authority: String

  /// Reads `http://HOST`, perhaps with a port (80 where it says none), and nothing behind.
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
