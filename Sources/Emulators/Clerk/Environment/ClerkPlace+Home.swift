internal import HTTPExchange

extension ClerkPlace {
  /// Where pages are served that were told no other address.
  private static let usualHome = "http://localhost:8080"

  /// The origin of the pages that people are led to.
  ///
  /// Where they are on this machine each world has a host of its own there. An API without pages leads to those of
  /// the page that asks, which are an application's own.
  /// - Parameter caller: Who asks.
  /// - Returns: `scheme://host[:port]`.
  func home(for caller: ClerkCaller) -> String {
    guard let pagesOrigin else { return caller.authorizedParty ?? Self.usualHome }
    let parts = pagesOrigin.split(separator: "/", maxSplits: 1)
    // It was checked where it was set up: what is no plain host has no world's host beside it.
    guard world != .main, parts.count == 2,
      let authority = try? Authority(String(parts[1].drop { $0 == "/" })),
      HostPolicy.loopbackHosts.contains(authority.host)
    else { return pagesOrigin }
    return "\(parts[0])//\(world.text).localhost\(authority.port.map { ":\($0)" } ?? "")"
  }
}
