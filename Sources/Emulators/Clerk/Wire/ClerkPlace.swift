internal import HTTPExchange

/// Where the API was called, and where browsers find its few pages, to which links lead.
struct ClerkPlace: Sendable {
  /// The issuer of tokens.
  var origin: AskedOrigin
  var world: WorldName
  /// Whether browsers reach the pages at the origin.
  var hasOwnPort: Bool
  /// Where people sign in, `scheme://host[:port]`; nil where that is not known.
  var pagesOrigin: String?
  /// Which pages may call the API, and be redirected to.
  var origins: BrowserOrigins

  /// The address of a page.
  ///
  /// An emulator without a port of its own serves its pages among backstage's, on the host that they
  /// lead back to. If no host has named the world, the query does, since the address is opened without
  /// the header, and not every client resolves a host that is named after a world.
  /// - Parameters:
  ///   - path: As on the wire.
  ///   - token: Identifies the attempt.
  ///   - returnAddress: Where the page finally leads; an app's URL may have its own scheme.
  /// - Returns: A complete URL.
  func pageAddress(_ path: String, token: String, besides returnAddress: String) -> String {
    let scheme = returnAddress.prefix { $0 != "/" }
    let host = returnAddress.dropFirst(scheme.count + 2).prefix { !"/?#".contains($0) }
    let name = world == .main ? "" : "&world=\(world.text)"
    // An app's own scheme names no host that could serve the page.
    guard !hasOwnPort, returnAddress.lowercased().hasPrefix("http") else {
      // Pages on such a host name the world to the emulator by header, so their host counts, too.
      let isNamedByHost = [origin.authority, host.lowercased()].contains {
        AskedOrigin.names(world, by: $0)
      }
      return isNamedByHost
        ? "\(origin.text(in: world))\(path)?token=\(token)"
        : "\(origin.text)\(path)?token=\(token)\(name)"
    }
    return "\(scheme)//\(host)/backstage/browser\(path)?token=\(token)\(name)"
  }
}
