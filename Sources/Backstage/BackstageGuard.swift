internal import HTTPExchange
internal import HTTPTypes

/// Keeps web pages of other origins from driving a world (S23).
///
/// A page cannot send the header without a preflight, which is never granted; it cannot leave out
/// `Origin` or `Sec-Fetch-Site` where the browser sends them.
struct BackstageGuard: Sendable {
  /// Of the address that people type: over TLS, a proxy in front may have ended it.
  var scheme: String

  /// - Throws: A refusal with status 403.
  func check(_ request: Request) throws(BackstageRefusal) {
    let marks = request.headerFields[values: .vestibuleBackstage]
    guard marks == ["1"] else {
      throw BackstageRefusal(
        .headerRequired,
        "Send the header X-Vestibule-Backstage: 1."
      )
    }
    try checkOrigin(of: request)
  }

  /// - Throws: A refusal with status 403 for a page of another site or origin.
  func checkOrigin(of request: Request) throws(BackstageRefusal) {
    let sites = request.headerFields[values: .secFetchSite]
    guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
      throw BackstageRefusal(.foreignSite, "Pages of other sites may not call backstage.")
    }
    let origins = request.headerFields[values: .origin]
    guard origins.allSatisfy({ isOwn($0, request) }) else {
      throw BackstageRefusal(
        .foreignOrigin,
        "Pages of other origins may not call backstage."
      )
    }
  }

  /// Whether it is the origin of the address that was asked.
  private func isOwn(_ origin: String, _ request: Request) -> Bool {
    guard let host = request.headerFields[.host]?.lowercased(), !host.isEmpty else { return false }
    return origin == "\(scheme)://\(host)"
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let vestibuleBackstage = Self("X-Vestibule-Backstage")!
  static let secFetchSite = Self("Sec-Fetch-Site")!
}
