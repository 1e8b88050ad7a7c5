internal import HTTPTypes

/// Which `Host` a listener answers to (S2): what keeps a rebound DNS name from reaching it.
public struct HostPolicy: Sendable {
  /// What every machine calls itself, as URLs write it, and where `NAME.localhost` leads; the other addresses of
  /// 127/8 are this machine's too (`Authority.isLoopback`), but no world's host leads there.
  public static let loopbackHosts = ["localhost", "127.0.0.1", "[::1]"]

  private let authorities: Set<String>
  private let worldSuffixes: [String]

  /// - Parameters:
  ///   - port: The port that the listener is bound to.
  ///   - defaultPort: The port that clients leave out: 80 for http, 443 for https.
  ///   - authorities: Further `host` or `host:port`, as in the public URL or as configured.
  ///   - admitsWorlds: Whether `NAME.localhost` is answered, at each port at which `localhost` is.
  public init(
    port: Int,
    defaultPort: Int = 80,
    authorities: [String] = [],
    admitsWorlds: Bool
  ) {
    let endings = port == defaultPort ? ["", ":\(port)"] : [":\(port)"]
    self.authorities = Set(
      Self.loopbackHosts.flatMap { host in endings.map { host + $0 } }
        + authorities.map(\.lowercasedInASCII)
    )
    worldSuffixes =
      admitsWorlds
      ? self.authorities.filter { $0.prefix { $0 != ":" } == "localhost" }.map { ".\($0)" } : []
  }

  /// Whether the request has exactly one `Host` and it is on the list.
  ///
  /// A name below `localhost` that is no world's is as much this machine's: it passes with the header that names a
  /// world, which wins.
  public func admits(_ request: Request) -> Bool {
    guard let host = request.onlyHost?.lowercasedInASCII else { return false }
    return authorities.contains(host) || label(of: host).flatMap { WorldName($0) } != nil
      || isPlain(host) && request.namedWorld != nil
  }

  /// Whether the host would be a world's, were what stands before `.localhost` the name of one.
  public func misnamesWorld(_ request: Request) -> Bool {
    request.onlyHost.flatMap { label(of: $0.lowercasedInASCII) }
      .map { WorldName($0) == nil } ?? false
  }

  /// The host of a request without what names a world in it, or would; nil where there is not one host.
  public func hostOutsideWorlds(of request: Request) -> String? {
    guard let host = request.onlyHost?.lowercasedInASCII else { return nil }
    return label(of: host).map { String(host[$0.endIndex...].dropFirst()) } ?? host
  }

  /// Whether what stands where the name of a world belongs may be part of a host's name at all.
  private func isPlain(_ host: String) -> Bool {
    guard let name = label(of: host), !name.isEmpty else { return false }
    return name.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: ".")
    }
  }

  /// What stands where the name of a world belongs; nil for all other hosts.
  private func label(of host: String) -> Substring? {
    worldSuffixes.lazy.filter { host.hasSuffix($0) }.map { host.dropLast($0.count) }.first
  }
}

extension Request {
  /// The `Host` of the request; nil where there is none, or more than one.
  public var onlyHost: String? {
    if let reading { return reading.onlyHost }
    return headerFields.onlyHost
  }
}

extension HTTPFields {
  var onlyHost: String? {
    let hosts = values(of: .host)
    return hosts.count == 1 ? hosts.first : nil
  }
}
