/// An error of Microsoft Entra's native authentication, at the call that gives it.
///
/// Source: <doc:EntraErrorCodes>.
package struct EntraErrorCode: Sendable, Hashable {
  /// The calls, by their paths below the tenant.
  package enum Call: String, Sendable {
    case initiate = "oauth2/v2.0/initiate"
    case token = "oauth2/v2.0/token"
    case signUp = "signup/v1.0/start"
    case reset = "resetpassword/v1.0/start"
  }

  package var call: Call
  package var error: String
  package var suberror: String?
  package var number: Int?

  private init(_ call: Call, _ error: String, _ suberror: String? = nil, _ number: Int? = nil) {
    self.call = call
    self.error = error
    self.suberror = suberror
    self.number = number
  }

  package static let listed: [Self] =
    [
      Self(.initiate, "user_not_found", nil, 50034),
      Self(.initiate, "invalid_request", nil, 901_007),
      Self(.initiate, "unsupported_challenge_type"),
      Self(.initiate, "invalid_client", "nativeauthapi_disabled"),
      Self(.initiate, "unauthorized_client", nil, 700_016),
      Self(.token, "invalid_grant", nil, 50126),
      Self(.token, "invalid_grant", nil, 50053),
      Self(.token, "invalid_grant", nil, 50057),
      Self(.token, "invalid_request", nil, 50142),
      Self(.token, "invalid_grant", nil, 55200),
      Self(.token, "expired_token", nil, 552_003),
      Self(.token, "unauthorized_client", "protection_policy_required", 53005),
      Self(.token, "invalid_grant", "insufficient_device_strength"),
      Self(.token, "invalid_grant", "consent_required", 65001),
      Self(.token, "invalid_scope", nil, 70011),
      Self(.token, "invalid_client"),
      Self(.token, "server_error"),
      Self(.token, "slow_down"),
      Self(.token, "invalid_grant", "invalid_oob_value", 50181),
      Self(.signUp, "user_already_exists", nil, 1_003_037),
      Self(.reset, "user_not_found", nil, 50034),
      Self(.reset, "invalid_request", nil, 500_222),
    ]
    + [
      "password_too_weak", "password_too_short", "password_too_long", "password_recently_used",
      "password_banned", "password_is_invalid",
    ].map { Self(.signUp, "invalid_grant", $0, 399_246) }
}
