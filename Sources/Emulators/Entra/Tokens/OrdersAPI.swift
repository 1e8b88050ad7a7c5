internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// A protected API to try access tokens on: `GET` and `POST /api/orders`, outside every tenant.
///
/// Reading requires the scope `Read`; ordering requires `Write` and the authentication context
/// `c2`, which a token has if the sign-in requested it.
/// Source: Microsoft identity platform, "Claims challenges and claims requests".
struct OrdersAPI: Sendable {
  static let path = "/api/orders"
  static let resource = "api://orders"
  static let context = "c2"

  var key: SigningKey
  var now: EpochMilliseconds
  var configuration: OpenIDConfiguration

  func list(_ request: Request) throws -> Response {
    try refusal(of: request, scope: "Read", contexts: []) ?? orders
  }

  func place(_ request: Request) throws -> Response {
    try refusal(of: request, scope: "Write", contexts: [Self.context]) ?? orders
  }

  private var orders: Response {
    answer(.ok, ["orders": [["id": 1, "title": "A lamp for the vestibule"]]])
  }

  /// Why the request is refused; nil if its token is sufficient.
  private func refusal(
    of request: Request,
    scope: String,
    contexts: Set<String>
  ) throws -> Response? {
    guard let claims = try claims(of: request), isCurrent(claims) else {
      return refusal(.unauthorized, error: "invalid_token")
    }
    // Tokens keep the spelling of the requested scopes, which the tenant grants in upper or lower
    // case.
    let granted = (claims["scp"]?.string ?? "").lowercased().split(separator: " ")
    guard granted.contains(where: { $0 == scope.lowercased() }) else {
      return refusal(.forbidden, error: "insufficient_scope")
    }
    guard contexts.isSubset(of: claims["acrs"]?.array?.compactMap(\.string) ?? []) else {
      return refusal(.unauthorized, error: "insufficient_claims", claims: Self.demanded)
    }
    return nil
  }

  private static let demanded =
    #"{"access_token":{"acrs":{"essential":true,"value":"\#(context)"}}}"#

  private func claims(of request: Request) throws -> JSON? {
    let fields = request.headerFields[values: .authorization]
    guard let field = fields.first, fields.count == 1,
      field.prefix(7).lowercased() == "bearer "
    else { return nil }
    let token = field.dropFirst(7).trimmingCharacters(in: .whitespaces)
    return key.payload(ofToken: token)
  }

  private func isCurrent(_ claims: JSON) -> Bool {
    let seconds = now.rawValue / 1000
    guard let end = claims["exp"]?.integer, let begin = claims["nbf"]?.integer else { return false }
    return claims["aud"]?.string?.lowercased() == Self.resource && begin <= seconds && seconds < end
  }

  private func refusal(
    _ status: HTTPResponse.Status,
    error: String,
    claims: String? = nil
  ) -> Response {
    let authorize = configuration.authorizationEndpoint
    var challenge = #"Bearer realm="", authorization_uri="\#(authorize)", error="\#(error)""#
    if let claims { challenge += #", claims="\#(Data(claims.utf8).base64EncodedString())""# }
    var response = answer(status, ["error": .string(error)])
    response.headerFields[.wwwAuthenticate] = challenge
    return response
  }

  private func answer(_ status: HTTPResponse.Status, _ body: JSON) -> Response {
    Response(
      status: status,
      headerFields: [
        .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
      ],
      body: body.encoded
    )
  }
}
