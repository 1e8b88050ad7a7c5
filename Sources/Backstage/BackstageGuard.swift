internal import Headless
public import HTTPExchange
public import HTTPTypes

/// A page cannot send the header without a preflight, which is never granted, and it cannot
/// suppress `Origin` or `Sec-Fetch-Site` in browsers that send them.
public struct BackstageGuard: Sendable {
  let own: OwnOrigins
  private let turnedAway: TurnedAwayReport?

  /// - Parameters:
  ///   - own: The origins under which people and programs reach backstage.
  ///   - turnedAway: Receives the callers whose long bodies are refused.
  public init(own: OwnOrigins, turnedAway: TurnedAwayReport? = nil) {
    self.own = own
    self.turnedAway = turnedAway
  }

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

  /// Admits links from any page, since opening a page of backstage changes nothing.
  ///
  /// - Throws: A refusal with status 403 if a page of another origin embeds this page, reads it or
  ///   sends a form to it.
  func checkPage(_ request: Request) throws(BackstageRefusal) {
    if request.isPartOfForeignPage { throw .foreignSite }
    if request.method == .post { return try checkOrigin(of: request) }
    try checkNamedOrigin(of: request)
  }

  /// - Throws: A refusal with status 403 if the request comes from a page of another site or
  ///   origin.
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

// MARK: - Before the body

extension BackstageGuard {
  /// The size limit of a call's body, where it exceeds the server's usual one.
  ///
  /// The server asks as soon as it has read the head. A caller that would be turned away may send
  /// nothing long, least of all into a temporary file (S4, S23).
  ///
  /// - Parameter request: The head of the request; its host is one that is served.
  /// - Returns: Bytes; nil if the caller may not call, or the request is not a call.
  public func bodyLimitBytes(of request: Request) -> Int? {
    // This runs for every request, so the path is not cut out of the target first.
    guard request.target.utf8.starts(with: BackstageCall.prefix.utf8),
      refusalOfCaller(request) == nil
    else { return nil }
    return BackstageCall.limitBytes(of: request)
  }

  /// The response to a request that the server refuses before any handler sees it.
  ///
  /// For a long body from a caller who may not call at all, it says that instead.
  public func refusal(_ status: HTTPResponse.Status, of request: Request) -> Response {
    refusalOfLongBody(status, of: request) ?? BackstageAPI.refusal(status)
  }

  /// The refusal of a caller who may not call and sends a long body, which is also reported; nil if
  /// the request is refused whoever sends it.
  public func refusalOfLongBody(
    _ status: HTTPResponse.Status,
    of request: Request
  ) -> Response? {
    guard status == .contentTooLarge, let refusal = refusalOfCaller(request) else { return nil }
    return refusal.reported(of: request, to: turnedAway).response
  }

  private func refusalOfCaller(_ request: Request) -> BackstageRefusal? {
    do throws(BackstageRefusal) {
      try check(request)
      return nil
    } catch {
      return error
    }
  }
}

extension BackstageRefusal {
  static var foreignSite: BackstageRefusal {
    BackstageRefusal(.foreignSite, "Pages of other sites may not call backstage.")
  }
}
