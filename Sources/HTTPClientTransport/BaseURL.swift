internal import HTTPExchange

/// The address of an auth API: fixed at the start, so that no user input can change it (S26).
///
/// https to anywhere, http only to this machine; its path precedes that of every request.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
  enum Scheme: String {
    case http, https
  }

  let scheme: Scheme
  /// As in a `Host` field.
  let authority: Authority
  /// Empty, or beginning with a slash and not ending with one.
  let path: String

  /// Reads a URL.
  ///
  /// - Throws: `BaseURLError`, one clear line each.
  public init(_ text: String) throws(BaseURLError) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      throw .forbiddenCharacters
    }
    guard let colon = text.firstRange(of: "://"),
      let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased())
    else { throw .neitherHTTPNorHTTPS }
    let rest = text[colon.upperBound...]
    guard !rest.contains("?"), !rest.contains("#") else { throw .queryOrFragment }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    guard !rest[..<slash].contains("@") else { throw .userInformation }
    authority = try Self.authority(rest[..<slash])
    path = try Self.path(rest[slash...])
    self.scheme = scheme
    guard scheme == .https || isLoopback else { throw .plainHTTPBeyondThisMachine(host: host) }
  }

  public var description: String { "\(scheme)://\(authority)\(path)" }

  var host: String { authority.host }

  /// Whether the name means this machine by definition, without asking a resolver.
  var isLocalhostName: Bool { Authority.isLocalhostName(host) }

  /// Whether the host is this machine.
  public var isLoopback: Bool { Authority.isLoopback(host) }
}

// MARK: - Parts

extension BaseURL {
  static func authority(_ text: Substring) throws(BaseURLError) -> Authority {
    do throws(Authority.Fault) {
      return try Authority(String(text))
    } catch {
      throw BaseURLError(error)
    }
  }

  private static func path(_ text: Substring) throws(BaseURLError) -> String {
    let text = text.hasSuffix("/") ? text.dropLast() : text
    guard !text.isEmpty else { return "" }
    let segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard segments.allSatisfy({ !["", ".", ".."].contains($0) && !$0.contains("%") }) else {
      throw .notAPath(String(text))
    }
    return String(text)
  }
}

/// Why a text is not a base URL.
public enum BaseURLError: Error, Hashable, Sendable, CustomStringConvertible {
  case forbiddenCharacters
  case neitherHTTPNorHTTPS
  case plainHTTPBeyondThisMachine(host: String)
  case userInformation
  case queryOrFragment
  case notAHost(String)
  case notAPort(String)
  case notAPath(String)
  case notAProxy

  init(_ fault: Authority.Fault) {
    self =
      switch fault {
      case .notAHost(let host): .notAHost(host)
      case .notAPort(let port): .notAPort(port)
      }
  }

  public var description: String {
    switch self {
    case .forbiddenCharacters:
      "a URL must not have spaces, backslashes, control characters or non-ASCII letters"
    case .neitherHTTPNorHTTPS:
      "the URL must begin with https:// (or with http:// for this machine)"
    case .plainHTTPBeyondThisMachine(let host):
      "http is for localhost only: use https for \(host)"
    case .userInformation:
      "the URL must not carry a user name or a password"
    case .queryOrFragment:
      "the URL must not have a query or a fragment"
    case .notAHost(let host):
      "\"\(host)\" is not a host"
    case .notAPort(let port):
      "\"\(port)\" is not a port"
    case .notAPath(let path):
      "\"\(path)\" is not a valid path"
    case .notAProxy:
      "a proxy must be http://HOST:PORT"
    }
  }
}
