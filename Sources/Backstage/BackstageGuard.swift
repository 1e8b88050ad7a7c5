internal import Headless
public import HTTPExchange
public import HTTPTypes

/// Keeps web pages of other origins from driving a world (S23).
///
/// A page cannot send the header without a preflight, which is never granted; it cannot leave out
/// `Origin` or `Sec-Fetch-Site` where the browser sends them.
public struct BackstageGuard: Sendable {
  let own: OwnOrigins
  private let turnedAway: TurnedAwayReport?

  /// - Parameters:
  ///   - own: Under which people and programs reach it.
  ///   - turnedAway: Is told of whom a long body is not taken.
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

// MARK: - Before the body

extension BackstageGuard {
  /// How long the body of a call may be, where that is more than elsewhere.
  ///
  /// It is asked once the head is read: of whom the call would turn away nothing long is taken, least of all into a
  /// file (S4, S23).
  ///
  /// - Parameter request: Its head; the host is one that is served.
  /// - Returns: Bytes; nil for who may not call, and for what is no call.
  public func bodyLimitBytes(of request: Request) -> Int? {
    // Each request is asked, so its path is not cut out first.
    guard request.target.utf8.starts(with: BackstageCall.prefix.utf8),
      refusalOfCaller(request) == nil
    else { return nil }
    return BackstageCall.limitBytes(of: request)
  }

  /// The answer to what the server refuses before anyone is asked; of a long body to who may not call at all, that
  /// they may not.
  public func refusal(_ status: HTTPResponse.Status, of request: Request) -> Response {
    refusalOfLongBody(status, of: request) ?? BackstageAPI.refusal(status)
  }

  /// The answer to who may not call and sends something long, who is told of by that; nil for what is refused
  /// whoever sends it.
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
