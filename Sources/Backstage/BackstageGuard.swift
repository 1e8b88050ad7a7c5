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

  /// Lets in whom any page may lead here by a link, since a page that is opened changes nothing.
  ///
  /// - Throws: A refusal with status 403 for a page of another origin, of which this would be a part, which
  ///   would read it, or which sends a form.
  func checkPage(_ request: Request) throws(BackstageRefusal) {
    if request.isPartOfForeignPage { throw .foreignSite }
    if request.method == .post { return try checkOrigin(of: request) }
    try checkNamedOrigin(of: request)
  }

  /// - Throws: A refusal with status 403 for a page of another site or origin.
  func checkOrigin(of request: Request) throws(BackstageRefusal) {
    let sites = request.headerFields[values: .secFetchSite]
    guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { throw .foreignSite }
    try checkNamedOrigin(of: request)
  }

  private func checkNamedOrigin(of request: Request) throws(BackstageRefusal) {
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
