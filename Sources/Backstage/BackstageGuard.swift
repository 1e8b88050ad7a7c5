internal import HTTPExchange
internal import HTTPTypes

/// Keeps web pages of other origins from driving a world (S23).
///
/// A page cannot send the header without a preflight, which is never granted; it cannot leave out
/// `Origin` or `Sec-Fetch-Site` where the browser sends them.
enum BackstageGuard {
  /// - Throws: A refusal with status 403.
  static func check(_ request: Request) throws(BackstageRefusal) {
    let marks = request.headerFields[values: .vestibuleBackstage]
    guard marks == ["1"] else {
      throw BackstageRefusal(
        403,
        "header_required",
        "Send the header X-Vestibule-Backstage: 1."
      )
    }
    try checkOrigin(of: request)
  }

  /// - Throws: A refusal with status 403 for a page of another site or origin.
  static func checkOrigin(of request: Request) throws(BackstageRefusal) {
    let sites = request.headerFields[values: .secFetchSite]
    guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
      throw BackstageRefusal(403, "foreign_site", "Pages of other sites may not call backstage.")
    }
    let origins = request.headerFields[values: .origin]
    guard origins.allSatisfy({ isOwn($0, request) }) else {
      throw BackstageRefusal(
        403,
        "foreign_origin",
        "Pages of other origins may not call backstage."
      )
    }
  }

  /// The origin of the address that was asked; over TLS, a proxy in front has ended it.
  private static func isOwn(_ origin: String, _ request: Request) -> Bool {
    guard let host = request.headerFields[.host]?.lowercased(), !host.isEmpty else { return false }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let vestibuleBackstage = Self("X-Vestibule-Backstage")!
  static let secFetchSite = Self("Sec-Fetch-Site")!
}
