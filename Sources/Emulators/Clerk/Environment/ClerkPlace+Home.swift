internal import HTTPExchange

extension ClerkPlace {
  /// The default address of the pages.
  private static let usualHome = "http://localhost:8080"

  /// The origin of the pages that the instance's documents link to.
  ///
  /// If the pages are on this machine, each world has its own host there. If no pages are known, it is
  /// the origin of the calling page, which belongs to an application.
  /// - Parameter caller: The caller.
  /// - Returns: `scheme://host[:port]`.
  func home(for caller: ClerkCaller) -> String {
    guard let pagesOrigin else { return caller.authorizedParty ?? Self.usualHome }
    let parts = pagesOrigin.split(separator: "/", maxSplits: 1)
    // The origin was checked when it was configured; only loopback hosts have hosts for worlds.
    guard world != .main, parts.count == 2,
      let authority = try? Authority(String(parts[1].drop { $0 == "/" })),
      HostPolicy.loopbackHosts.contains(authority.host)
    else { return pagesOrigin }
    return "\(parts[0])//\(world.text).localhost\(authority.port.map { ":\($0)" } ?? "")"
  }
}
