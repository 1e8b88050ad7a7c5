public import HTTPExchange
internal import HTTPTypes

/// Which web pages may call the emulated API: those of this machine and of the given hosts.
///
/// The real API knows its application's domain; an emulator that admitted every origin could be
/// driven by any page in a browser on this machine.
public struct BrowserOrigins: Sendable {
  private let hosts: Set<String>

  /// - Parameter hosts: Further hosts, with or without port; what is none admits nobody.
  public init(hosts: [String] = []) {
    self.hosts = Set(hosts.compactMap { try? Authority($0).host })
  }

  /// The refusal for pages of other origins.
  public static let refusal = "Pages of that origin may not call this instance."

  /// Whether a request names only such origins, or none and is not for a part of another site's page.
  public func admit(_ request: Request) -> Bool {
    let named = request.headerFields[values: .origin]
    return named.isEmpty ? !request.isPartOfForeignPage : named.allSatisfy(admits)
  }

  public func admits(_ origin: String) -> Bool {
    let origin = origin.lowercasedInASCII
    guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix),
      let host = try? Authority(String(origin.dropFirst(scheme.count))).host
    else { return false }
    return Authority.isLoopback(host) || hosts.contains(host)
  }
}
