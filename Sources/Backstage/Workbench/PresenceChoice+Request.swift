internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The pages keep it in a cookie of their host. Each world has a host of its own: a way to another carries it along.
extension PresenceChoice {
  /// What was chosen at the host of a request; nil where nothing was.
  init?(keptBy request: Request) {
    guard let kept = request.cookie(Self.cookieName).flatMap({ Self(rawValue: String($0)) })
    else { return nil }
    self = kept
  }

  /// The way to the same page, where what its address chose is kept; nil where it chose nothing.
  static func arrival(_ request: Request, isSecure: Bool) -> Response? {
    guard request.method == .get || request.method == .head,
      let value = request.queryParameters[parameter]
    else { return nil }
    let others = FormData(request.queryParameters.fields.filter { $0.name != parameter })
    let chosen = Self(inAddress: value)
    let cookie = SetCookie(
      name: cookieName,
      value: chosen.rawValue,
      maximumAge: chosen.cookieAge,
      isSecure: isSecure
    )
    let page = others.address(at: String(request.path))
    return Response.seeOther(page, cookies: [cookie.headerValue])
  }
}
