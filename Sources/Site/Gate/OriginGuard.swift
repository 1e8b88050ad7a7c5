internal import HTTPExchange
internal import HTTPTypes

/// Checks that a form was sent from a page of ours (S14).
///
/// `Origin` has to be the requested address or the public one; a client may leave it out. In any
/// case a browser's `Sec-Fetch-Site` has to be `same-origin`, if it is there.
struct OriginGuard: Sendable {
  private let own: OwnOrigins
  private let publicOrigin: String

  init(publicOrigin: String) {
    own = OwnOrigins(publicOrigin)
    self.publicOrigin = publicOrigin
  }

  func admits(_ request: Request) -> Bool {
    request.fetchSites.allSatisfy { $0 == "same-origin" }
      && own.admit(request)
  }

  /// Whether a page of another site sends the request, for which no world is created: it could use
  /// up the room for worlds by loading pages as images, or by sending forms.
  func isForeign(_ request: Request) -> Bool {
    request.isPartOfForeignPage || !own.admit(request)
  }

  /// What is wrong with a request's origin, for the operator: behind a proxy that passes on another
  /// host, every form is refused.
  func mismatch(of request: Request) -> OriginMismatch {
    let came = request.headerFields[values: .origin]
    var mismatch = OriginMismatch(origin: came.isEmpty ? nil : came.joined(separator: ","))
    if came.count > 1 {
      mismatch.reason = OriginMismatch.severalOrigins
    } else if came.first == "null" {
      mismatch.reason = OriginMismatch.opaqueOrigin
    } else if !own.admit(request) {
      let asked = request.onlyHost.map { "\(own.scheme)://\($0)" }
      let others = [asked].compactMap(\.self).filter { $0 != publicOrigin }
      mismatch.expected = ([publicOrigin] + others).joined(separator: ",")
      mismatch.reason = OriginMismatch.unknownOrigin
    }
    // No proxy writes these values: whatever the origin, another site sent the form.
    let sites = request.fetchSites
    if sites.contains(where: { $0 == "cross-site" || $0 == "same-site" }) {
      mismatch.reason = OriginMismatch.otherSite
    } else if request.isFetchedAhead {
      mismatch.reason = OriginMismatch.fetchedAhead
    } else if mismatch.reason == nil, sites.contains(where: { $0 != "same-origin" }) {
      mismatch.reason = OriginMismatch.noPage
    }
    return mismatch
  }
}

/// What the log says about a request that comes from elsewhere, or seems to.
struct OriginMismatch: Sendable {
  /// The origin that the browser names; nil where it names none.
  var origin: String?
  /// The allowed origins; nil where the origin is not the problem.
  var expected: String?
  var reason: String?

  static let unknownOrigin =
    "if people open the pages at that origin, name it by --public-url, or let the proxy pass on its Host"
  static let opaqueOrigin =
    "the browser hides the page's origin: a file or a sandboxed frame sent it, or something on the way sets "
    + "Referrer-Policy: no-referrer"
  static let severalOrigins = "there are several Origin fields: something on the way adds one"
  static let otherSite = "Sec-Fetch-Site says that a page of another site sent it"
  static let fetchedAhead =
    "the browser prefetches a page, and asks for it again when somebody opens it"
  static let noPage =
    "Sec-Fetch-Site is not same-origin: no page sent it, or something on the way writes that field"
}
