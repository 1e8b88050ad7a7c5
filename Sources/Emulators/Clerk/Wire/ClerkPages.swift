/// Where browsers find the few pages that the API has: those that links lead to.
struct ClerkPages: Sendable {
  /// The URL under which this API is reached; nil without a port of its own.
  var address: String?
  /// The world, where no host names it.
  var world: String?
}

extension ClerkCall {
  /// The address of a page.
  ///
  /// An emulator without a port of its own has its pages beside those that they lead back to, among
  /// backstage's.
  /// - Parameters:
  ///   - path: As on the wire.
  ///   - token: What makes the page whose it is.
  ///   - returnAddress: Where it leads in the end: an http or https URL.
  /// - Returns: A complete URL.
  func pageAddress(_ path: String, token: String, besides returnAddress: String) -> String {
    if let address = pages.address { return "\(address)\(path)?token=\(token)" }
    let scheme = returnAddress.prefix { $0 != "/" }
    let host = returnAddress.dropFirst(scheme.count + 2).prefix { !"/?#".contains($0) }
    let world = pages.world.map { "&world=\($0)" } ?? ""
    return "\(scheme)//\(host)/backstage/browser\(path)?token=\(token)\(world)"
  }
}
