/// Where an auth API is: fixed at the start, so that nothing typed by a person shapes it (S26).
///
/// https to anywhere, http to this machine only; a path is put before every request's.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
  enum Scheme: String {
    case http, https
  }

  let scheme: Scheme
  /// In lower case; an IPv6 address in its brackets.
  let host: String
  let port: Int?
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
    let authority = rest[..<slash]
    guard !authority.contains("@") else { throw .userInformation }
    (host, port) = try Self.split(authority.lowercased())
    path = try Self.path(rest[slash...])
    self.scheme = scheme
    guard scheme == .https || isLoopback else { throw .plainHTTPBeyondThisMachine(host: host) }
  }

  public var description: String { "\(scheme)://\(authority)\(path)" }

  /// Host and port as in a `Host` field.
  var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// Whether the name means this machine by definition, so that no resolver is asked.
  ///
  /// Source: RFC 6761, section 6.3.
  var isLocalhostName: Bool { host == "localhost" || host.hasSuffix(".localhost") }

  /// Whether it leads to this machine.
  public var isLoopback: Bool {
    isLocalhostName || host == "[::1]" || (host.hasPrefix("127.") && Self.isIPv4(host))
  }
}

// MARK: - Parts

extension BaseURL {
  /// Host and port of an authority in lower case.
  static func split(_ authority: String) throws(BaseURLError) -> (String, Int?) {
    let end =
      authority.lastIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
    guard let colon = authority[end...].firstIndex(of: ":") else {
      return (try host(authority), nil)
    }
    let digits = authority[authority.index(after: colon)...]
    guard digits.allSatisfy({ ("0"..."9").contains($0) }), let port = Int(digits),
      (1...65_535).contains(port)
    else { throw .notAPort(String(digits)) }
    return (try host(String(authority[..<colon])), port)
  }

  private static func host(_ text: String) throws(BaseURLError) -> String {
    let isValid =
      if text.hasPrefix("["), text.hasSuffix("]") {
        text.contains(":")
          && text.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      } else {
        isName(text)
      }
    guard isValid else { throw .notAHost(text) }
    return text
  }

  /// Labels of letters, digits and hyphens with dots between; a name whose last label is a number
  /// must be a whole IPv4 address, since resolvers read `127.1` and `0x7f.1` as addresses too.
  private static func isName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    let areLabels = labels.allSatisfy { label in
      !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    }
    guard areLabels, let last = labels.last else { return false }
    let looksLikeAnAddress = last.allSatisfy { $0.isNumber } || last.hasPrefix("0x")
    return !looksLikeAnAddress || isIPv4(text)
  }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0).map(String.init) == String($0) }
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

/// Why a text is no base URL.
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

  public var description: String {
    switch self {
    case .forbiddenCharacters:
      "a URL has no spaces, backslashes, controls or letters beyond ASCII"
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
      "\"\(path)\" is not a plain path"
    case .notAProxy:
      "a proxy is http://HOST:PORT"
    }
  }
}
