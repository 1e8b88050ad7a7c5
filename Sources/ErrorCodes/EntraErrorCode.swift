/// An error of Microsoft Entra's native authentication, with the call that returns it.
///
/// Source: <doc:EntraErrorCodes>; the sentences are ours.
package struct EntraErrorCode: Sendable, Hashable {
  /// The calls, by their paths below the tenant.
  package enum Call: String, Sendable, CaseIterable {
    case initiate = "oauth2/v2.0/initiate"
    case challenge = "oauth2/v2.0/challenge"
    case token = "oauth2/v2.0/token"
    case signUp = "signup/v1.0/start"
    case signUpChallenge = "signup/v1.0/challenge"
    case signUpContinue = "signup/v1.0/continue"
    case reset = "resetpassword/v1.0/start"
    case resetChallenge = "resetpassword/v1.0/challenge"
    case resetContinue = "resetpassword/v1.0/continue"
    case resetSubmit = "resetpassword/v1.0/submit"
    case resetPoll = "resetpassword/v1.0/poll_completion"
    case registerChallenge = "register/v1.0/challenge"
    case registerContinue = "register/v1.0/continue"
  }

  package var call: Call
  package var error: String
  package var suberror: String?
  package var number: Int?
  /// Its meaning, as in `error_description` after the number.
  package var meaning: String

  private init(
    _ call: Call,
    _ error: String,
    _ suberror: String? = nil,
    _ number: Int? = nil,
    _ meaning: String
  ) {
    self.call = call
    self.error = error
    self.suberror = suberror
    self.number = number
    self.meaning = meaning
  }

  package static let listed: [Self] =
    signIn + signUp + Call.withPasswords.flatMap(newPassword)
    + Call.withAttributes.map(attributes) + reset + registration
    + Call.allCases.filter { $0 != .initiate }.map(expired)

  private static let signIn = [
    Self(.initiate, "user_not_found", nil, 50034, "The account does not exist."),
    Self(.initiate, "invalid_request", nil, 901_007, "The challenge types lack redirect."),
    Self(.initiate, "unsupported_challenge_type", "A challenge type is unknown."),
    Self(.initiate, "invalid_client", "nativeauthapi_disabled", "Native auth is off."),
    Self(.initiate, "unauthorized_client", nil, 700_016, "The application is unknown."),
    Self(.challenge, "invalid_grant", nil, 55200, "The continuation token is invalid."),
    Self(.challenge, "invalid_request", nil, 701_014, "No more codes can be made for now."),
    Self(.token, "invalid_grant", nil, 50034, "The account is gone."),
    Self(.token, "invalid_grant", nil, 50126, "Username or password is not valid."),
    Self(.token, "invalid_grant", nil, 50053, "The account is locked."),
    Self(.token, "invalid_grant", nil, 50057, "The account is disabled."),
    Self(.token, "invalid_request", nil, 50142, "The password has to be changed."),
    Self(.token, "invalid_grant", nil, 55200, "The continuation token is invalid."),
    Self(
      .token,
      "unauthorized_client",
      "protection_policy_required",
      53005,
      "The application must be protected by a policy."
    ),
    Self(.token, "invalid_grant", "insufficient_device_strength", "The device is too weak."),
    Self(.token, "invalid_grant", "consent_required", 65001, "Consent is missing."),
    Self(.token, "invalid_scope", nil, 70011, "A scope is invalid."),
    Self(.token, "unsupported_grant_type", "The grant type is not supported."),
    Self(.token, "invalid_client", "The application is not public."),
    Self(.token, "authorization_pending", "The authorization is not complete yet."),
    Self(.token, "server_error", "The service has failed."),
    Self(.token, "slow_down", "Requests come too fast."),
    Self(.token, "invalid_grant", "invalid_oob_value", 50181, "The code is wrong."),
  ]

  private static let signUp = [
    Self(.signUp, "user_already_exists", nil, 1_003_037, "An account may already exist."),
    Self(.signUp, "unsupported_auth_method", "The method is off for this tenant."),
    Self(.signUpChallenge, "invalid_grant", nil, 55200, "The continuation token is invalid."),
    Self(.signUpContinue, "invalid_grant", "invalid_oob_value", 50181, "The code is wrong."),
    Self(.signUpContinue, "invalid_request", nil, 55200, "The continuation token is invalid."),
  ]

  private static let reset = [
    Self(.reset, "user_not_found", nil, 50034, "The account does not exist."),
    Self(.reset, "invalid_request", nil, 500_222, "There is no password to recover."),
    Self(.resetChallenge, "invalid_request", nil, 55200, "The continuation token is invalid."),
    Self(.resetContinue, "invalid_grant", "invalid_oob_value", 50181, "The code is wrong."),
    Self(.resetContinue, "invalid_request", nil, 55200, "The continuation token is invalid."),
    Self(.resetSubmit, "invalid_request", nil, 55200, "The continuation token is invalid."),
    Self(.resetPoll, "invalid_request", nil, 55200, "The continuation token is invalid."),
  ]

  private static let registration = [
    Self(.registerChallenge, "invalid_request", nil, 901_001, "The contact cannot be used."),
    Self(
      .registerChallenge,
      "access_denied",
      "provider_blocked_by_rep",
      550_024,
      "The contact is blocked for its reputation."
    ),
    Self(
      .registerChallenge,
      "access_denied",
      "provider_blocked_by_admin",
      "Its region is blocked."
    ),
    Self(.registerContinue, "invalid_grant", "invalid_oob_value", 50181, "The code is wrong."),
  ]

  private init(_ call: Call, _ error: String, _ meaning: String) {
    self.init(call, error, nil, nil, meaning)
  }

  private init(_ call: Call, _ error: String, _ suberror: String, _ meaning: String) {
    self.init(call, error, suberror, nil, meaning)
  }

  private static func newPassword(at call: Call) -> [Self] {
    [
      ("password_too_weak", "The password is not complex enough."),
      ("password_too_short", "The password has fewer than 8 characters."),
      ("password_too_long", "The password has more than 256 characters."),
      ("password_recently_used", "The password was used before."),
      ("password_banned", "The password has a banned word or pattern."),
      ("password_is_invalid", "The password has characters that are not allowed."),
    ].map { Self(call, "invalid_grant", $0, 399_246, $1) }
  }

  private static func attributes(at call: Call) -> Self {
    Self(call, "invalid_grant", "attribute_validation_failed", "Attributes are not valid.")
  }

  private static func expired(at call: Call) -> Self {
    Self(call, "expired_token", nil, 552_003, "The continuation token has expired.")
  }
}

extension EntraErrorCode.Call {
  /// The calls that send a new password.
  fileprivate static let withPasswords: [Self] = [.signUp, .signUpContinue, .resetSubmit]
  /// The calls that send attributes.
  fileprivate static let withAttributes: [Self] = [.signUp, .signUpContinue]
}
