internal import Foundation
public import HTTPExchange
internal import HTTPTypes

/// Which web pages may call the emulated API: those of this machine and of the given hosts.
///
/// The real API knows its application's domain; an emulator that admitted every origin could be
/// driven by any page in a browser on this machine.
public struct BrowserOrigins: Sendable {
  private let hosts: Set<String>

  /// - Parameter hosts: Further hosts, with or without port.
  public init(hosts: [String] = []) {
    self.hosts = Set(hosts.map { Self.hostName(of: $0.lowercasedInASCII) })
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
    guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return false }
    let authority = origin.dropFirst(scheme.count)
    guard AskedOrigin.isAuthority(authority) else { return false }
    let host = Self.hostName(of: String(authority))
    return Authority.isLoopback(host) || hosts.contains(host)
  }

  private static func hostName(of authority: String) -> String {
    guard !authority.hasPrefix("[") else {
      return String(authority.prefix { $0 != "]" }) + "]"
    }
    return String(authority.prefix { $0 != ":" })
  }
}
