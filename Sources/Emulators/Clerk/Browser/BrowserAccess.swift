public import HTTPExchange
internal import HTTPTypes

/// Lets web pages call the emulated Frontend API across origins, with credentials.
///
/// It is used on the emulator's own port only, and grants access to the API's paths only.
/// Source: <doc:ClerkTransport>; the Fetch standard, "CORS protocol".
public struct BrowserAccess: HTTPHandler {
  private let api: any HTTPHandler
  private let origins: BrowserOrigins

  public init(_ api: any HTTPHandler, origins: BrowserOrigins) {
    self.api = api
    self.origins = origins
  }

  public func respond(to request: Request) async -> Response {
    let named = request.headerFields[values: .origin]
    guard request.path.hasPrefix("/v1/") || request.path.hasPrefix("/.well-known/"),
      named.count == 1, let origin = named.first, origins.admits(origin)
    else { return await api.respond(to: request) }
    if request.method == .options, request.headerFields[.accessControlRequestMethod] != nil {
      return preflight(request, from: origin)
    }
    var response = await api.respond(to: request)
    grant(&response, to: origin)
    response.headerFields[.accessControlExposeHeaders] =
      "Authorization, Clerk-Db-Jwt, Date, Retry-After, X-Country"
    return response
  }

  private func preflight(_ request: Request, from origin: String) -> Response {
    var response = Response(status: .noContent)
    grant(&response, to: origin)
    response.headerFields[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE"
    // Any header field is admitted: the API itself decides what a field may do.
    response.headerFields[.accessControlAllowHeaders] =
      request.headerFields[.accessControlRequestHeaders]
    response.headerFields[.accessControlMaxAge] = "600"
    return response
  }

  private func grant(_ response: inout Response, to origin: String) {
    response.headerFields[.accessControlAllowOrigin] = origin
    response.headerFields[.accessControlAllowCredentials] = "true"
    response.headerFields[.vary] = "Origin"
  }
}
