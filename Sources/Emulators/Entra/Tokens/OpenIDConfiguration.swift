/// What a tenant publishes about itself.
///
/// Every address has the tenant's GUID and the origin that was asked, so that strict libraries find
/// the issuer that they expect.
/// Source: OpenID Connect Discovery 1.0, "OpenID Provider Metadata".
struct OpenIDConfiguration: Sendable {
  var tenant: EntraTenant
  var origin: String

  private var base: String { "\(origin)/\(tenant.id)" }

  var issuer: String { "\(base)/v2.0" }

  var authorizationEndpoint: String { "\(base)/\(EntraDocument.signInPage.path)" }

  var json: JSON {
    [
      "issuer": .string(issuer),
      "authorization_endpoint": .string(authorizationEndpoint),
      "token_endpoint": .string("\(base)/\(EntraRoute.token.path)"),
      "jwks_uri": .string("\(base)/\(EntraDocument.keys.path)"),
      "end_session_endpoint": .string("\(base)/\(EntraDocument.signOutPage.path)"),
      "response_types_supported": ["code"],
      "subject_types_supported": ["pairwise"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "scopes_supported": ["openid", "profile", "email", "offline_access"],
      "token_endpoint_auth_methods_supported": ["none"],
      "claims_supported": [
        "sub", "iss", "aud", "exp", "iat", "nbf", "name", "oid", "tid", "preferred_username",
      ],
    ]
  }
}
