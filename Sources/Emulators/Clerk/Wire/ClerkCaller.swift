internal import HTTPExchange
internal import HTTPTypes

/// The kind of caller, which decides where the client token is.
///
/// Source: <doc:ClerkTransport>.
enum ClerkCaller: Sendable, Hashable {
  /// An app or a server: the token comes and goes in `Authorization`.
  case native
  /// A page in a browser: the token is a cookie that no script reads.
  case page(origin: String)
  /// A browser that follows a link, or a page of the API's own origin.
  case browser

  var isPage: Bool {
    if case .page = self { return true }
    return false
  }

  /// The authorised party of session tokens: the page's origin.
  var authorizedParty: String? {
    if case .page(let origin) = self { return origin }
    return nil
  }

  init(_ request: Request, _ query: FormData, _ origins: BrowserOrigins) throws(ClerkRefusal) {
    let isNative = ["1", "true"].contains(query["_is_native"])
    let named = request.headerFields[values: .origin]
    guard named.count <= 1 else {
      throw .badRequest("multiple_origin_header_values_forbidden", "Send one Origin header.")
    }
    guard let origin = named.first else {
      let isBrowser =
        query["__clerk_db_jwt"] != nil || query["__dev_session"] != nil
        || request.cookie(ClerkCall.clientCookie) != nil
      let hasToken = request.headerFields[.authorization] != nil
      self = isBrowser && !isNative && !hasToken ? .browser : .native
      return
    }
    guard request.headerFields[.authorization] == nil else {
      throw .badRequest(
        "origin_authorization_headers_conflict",
        "Send either Origin or Authorization, not both."
      )
    }
    guard origins.admits(origin) else {
      throw .badRequest("origin_invalid", BrowserOrigins.refusal)
    }
    self = isNative ? .native : .page(origin: origin)
  }
}
