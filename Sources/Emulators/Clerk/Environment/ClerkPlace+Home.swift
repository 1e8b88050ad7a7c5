internal import HTTPExchange

/// The site that the instance's documents lead people to.
enum ClerkHome: Sendable, Hashable {
  /// The pages beside the emulator.
  case pages(origin: String)
  /// The application that asks, which shows pages of its own.
  case application(origin: String)

  /// `scheme://host[:port]`.
  var origin: String {
    switch self {
    case .pages(let origin), .application(let origin): origin
    }
  }

  /// The path of the page with the waiting list.
  ///
  /// Ours is where people sign up; an application has one of its own, by default at the address
  /// that Clerk gives it.
  var waitlistPath: String {
    switch self {
    case .pages: "/sign-up"
    case .application: "/waitlist"
    }
  }
}

extension ClerkPlace {
  /// The default address of the pages.
  private static let usualHome = "http://localhost:8080"

  /// The site that the instance's documents link to.
  ///
  /// If an application's page calls, that is the application: a sign-in at our pages would not be one
  /// of its client's. Otherwise it is the pages; if these are on this machine, each world has its own
  /// host there.
  func home(for caller: ClerkCaller) -> ClerkHome {
    if let asking = caller.authorizedParty, !isOfPages(asking) {
      return .application(origin: asking)
    }
    guard let pagesOrigin else { return .pages(origin: Self.usualHome) }
    // Only loopback hosts have hosts for worlds.
    guard world != .main, let pages = Self.parts(of: pagesOrigin),
      HostPolicy.loopbackHosts.contains(pages.authority.host)
    else { return .pages(origin: pagesOrigin) }
    let port = pages.authority.port.map { ":\($0)" } ?? ""
    return .pages(origin: "\(pages.scheme)//\(world.text).localhost\(port)")
  }

  /// Whether an origin is that of the pages, by any name that this machine has.
  private func isOfPages(_ origin: String) -> Bool {
    guard let pagesOrigin, let pages = Self.parts(of: pagesOrigin),
      let asking = Self.parts(of: origin)
    else { return false }
    let hosts = [pages.authority.host, asking.authority.host]
    return pages.scheme == asking.scheme && pages.authority.port == asking.authority.port
      && (hosts[0] == hosts[1] || hosts.allSatisfy(Authority.isLoopback))
  }

  /// - Parameter origin: `scheme://host[:port]`.
  /// - Returns: `scheme:` and the rest; nil if that is no authority.
  private static func parts(of origin: String) -> (scheme: String, authority: Authority)? {
    let parts = origin.lowercasedInASCII.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let authority = try? Authority(String(parts[1].drop { $0 == "/" }))
    else { return nil }
    return (String(parts[0]), authority)
  }
}
