/// The document in which a verifier of session tokens looks up the issuer and its keys.
///
/// The OAuth endpoints that it names are not emulated.
/// Source: OpenID Connect Discovery 1.0, "OpenID Provider Metadata".
struct ClerkOpenIDConfiguration {
  var issuer: String

  var json: JSON {
    [
      "issuer": .string(issuer),
      "authorization_endpoint": .string("\(issuer)/oauth/authorize"),
      "token_endpoint": .string("\(issuer)/oauth/token"),
      "revocation_endpoint": .string("\(issuer)/oauth/token/revoke"),
      "introspection_endpoint": .string("\(issuer)/oauth/token_info"),
      "userinfo_endpoint": .string("\(issuer)/oauth/userinfo"),
      "jwks_uri": .string("\(issuer)/.well-known/jwks.json"),
      "scopes_supported": ["openid", "profile", "email"],
      "response_types_supported": ["code"],
      "response_modes_supported": ["query"],
      "grant_types_supported": ["authorization_code", "refresh_token"],
      "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
      "claims_supported": ["sub", "iss", "exp", "iat", "nbf", "azp", "sid", "sts", "fva"],
      "code_challenge_methods_supported": ["S256"],
      "backchannel_logout_supported": false,
      "frontchannel_logout_supported": false,
    ]
  }
}
