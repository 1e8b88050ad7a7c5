internal import HTTPTypes

/// Which `Host` a listener answers to (S2), so that a rebound DNS name cannot reach it.
public struct HostPolicy: Sendable {
  /// This machine's own names as URLs write them, to which `NAME.localhost` resolves; the other addresses of 127/8 are
  /// this machine's too (`Authority.isLoopback`), but no world's host resolves to them.
  public static let loopbackHosts = ["localhost", "127.0.0.1", "[::1]"]

  private let authorities: Set<String>
  private let worldSuffixes: [String]

  /// - Parameters:
  ///   - port: The port that the listener is bound to.
  ///   - defaultPort: The port that clients leave out: 80 for http, 443 for https.
  ///   - authorities: Further `host` or `host:port`, from the public URL or the configuration.
  ///   - admitsWorlds: Whether to answer `NAME.localhost`, at every port at which `localhost` is answered.
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
  /// A name below `localhost` that is not a world's name belongs to this machine too: it is admitted if the header
  /// names a world, since the header wins.
  public func admits(_ request: Request) -> Bool {
    guard let host = request.onlyHost?.lowercasedInASCII else { return false }
    return authorities.contains(host) || label(of: host).flatMap { WorldName($0) } != nil
      || isPlain(host) && request.namedWorld != nil
  }

  /// Whether the part of the host before `.localhost` is not a valid world name.
  public func misnamesWorld(_ request: Request) -> Bool {
    request.onlyHost.flatMap { label(of: $0.lowercasedInASCII) }
      .map { WorldName($0) == nil } ?? false
  }

  /// The request's host without its world label, valid or not; nil unless there is exactly one `Host`.
  public func hostOutsideWorlds(of request: Request) -> String? {
    guard let host = request.onlyHost?.lowercasedInASCII else { return nil }
    return label(of: host).map { String(host[$0.endIndex...].dropFirst()) } ?? host
  }

  /// Whether the host has a world label that could at least be part of a host name.
  private func isPlain(_ host: String) -> Bool {
    guard let name = label(of: host), !name.isEmpty else { return false }
    return name.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: ".")
    }
  }

  /// The part of the host where a world's name belongs; nil for all other hosts.
  private func label(of host: String) -> Substring? {
    worldSuffixes.lazy.filter { host.hasSuffix($0) }.map { host.dropLast($0.count) }.first
  }
}

extension Request {
  /// The `Host` of the request; nil if there is none, or more than one.
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
