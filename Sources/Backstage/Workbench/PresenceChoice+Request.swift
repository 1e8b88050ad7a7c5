internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The pages keep the choice in a cookie of their host. Each world has its own host, so links to
/// another world carry the choice along.
extension PresenceChoice {
  /// The choice made at a request's host; nil if there is none.
  init?(keptBy request: Request, isSecure: Bool) {
    let name = CookieName(Self.cookieName, isSecure: isSecure)
    guard let kept = request.cookie(name).flatMap({ Self(rawValue: String($0)) })
    else { return nil }
    self = kept
  }

  /// Redirects to the same page, with a cookie that keeps the choice in the address; nil if the
  /// address has none.
  static func arrival(_ request: Request, isSecure: Bool) -> Response? {
    guard request.method == .get || request.method == .head,
      let value = request.queryParameters[parameter]
    else { return nil }
    let others = FormData(request.queryParameters.fields.filter { $0.name != parameter })
    let chosen = Self(inAddress: value)
    let cookie = SetCookie(
      name: CookieName(cookieName, isSecure: isSecure),
      value: chosen.rawValue,
      maximumAge: chosen.cookieAge
    )
    let page = others.address(at: String(request.path))
    return Response.seeOther(page, cookies: [cookie.headerValue])
  }
}
