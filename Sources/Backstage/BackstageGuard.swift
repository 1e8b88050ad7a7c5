internal import Headless
internal import HTTPExchange
internal import HTTPTypes

/// Keeps web pages of other origins from driving a world (S23).
///
/// A page cannot send the header without a preflight, which is never granted; it cannot leave out
/// `Origin` or `Sec-Fetch-Site` where the browser sends them.
struct BackstageGuard: Sendable {
  let own: OwnOrigins

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
    guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { throw .foreignSite }
    guard own.admit(request) else {
      throw BackstageRefusal(
        .foreignOrigin,
        "Pages of other origins may not call backstage."
      )
    }
  }
}

extension BackstageRefusal {
  static var foreignSite: BackstageRefusal {
    BackstageRefusal(.foreignSite, "Pages of other sites may not call backstage.")
  }
}
