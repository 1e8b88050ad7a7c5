internal import HTTPExchange

/// Where the API was asked, and where browsers find the few pages that it has: those that links lead
/// to.
struct ClerkPlace: Sendable {
  /// The issuer of tokens.
  var origin: AskedOrigin
  var world: WorldName
  /// Whether browsers reach the pages at the origin.
  var hasOwnPort: Bool
  /// Where people sign in, `scheme://host[:port]`; nil where that is not known.
  var pagesOrigin: String?
  /// Which pages may call, and be sent to.
  var origins: BrowserOrigins

  /// The address of a page.
  ///
  /// An emulator without a port of its own has its pages beside those that they lead back to, among
  /// backstage's. Where no host has named the world, the address does: it is opened without the header,
  /// and not every client finds a host that is named after a world.
  /// - Parameters:
  ///   - path: As on the wire.
  ///   - token: What makes the page whose it is.
  ///   - returnAddress: Where it leads in the end: an http or https URL.
  /// - Returns: A complete URL.
  func pageAddress(_ path: String, token: String, besides returnAddress: String) -> String {
    let scheme = returnAddress.prefix { $0 != "/" }
    let host = returnAddress.dropFirst(scheme.count + 2).prefix { !"/?#".contains($0) }
    let name = world == .main ? "" : "&world=\(world.text)"
    // An app's own scheme names no server beside which a page could be.
    guard !hasOwnPort, returnAddress.lowercased().hasPrefix("http") else {
      // Pages that were asked at such a host ask the emulator by the header.
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
