extension EntraErrorRow {
  // MARK: Sign-in

  static let initiate = "/oauth2/v2.0/initiate"
  static let challenge = "/oauth2/v2.0/challenge"
  static let token = "/oauth2/v2.0/token"

  static let atSignIn: [EntraErrorRow] = [
    Self(
      initiate,
      error("user_not_found", 50034),
      422,
      "/sign-in",
      .field("identifier", "user_not_found")
    ),
    Self(initiate, badUsername, 422, "/sign-in", .field("identifier", "invalid_request")),
    Self(initiate, badClient, 422, "/sign-in", .banner("invalid_request")),
    Self(initiate, redirect, 200, "/continue", .nothing),
    Self(challenge, redirect, 200, "/continue", .nothing),
    Self(token, redirect, 200, "/continue", .nothing),
    Self(initiate, error("invalid_request", 901007), 403, "/blocked", .banner("invalid_request")),
    Self(
      initiate,
      error("unsupported_challenge_type"),
      403,
      "/blocked",
      .banner("unsupported_challenge_type")
    ),
    Self(
      initiate,
      sub("invalid_client", "nativeauthapi_disabled"),
      422,
      "/sign-in",
      .banner("invalid_client/nativeauthapi_disabled")
    ),
    Self(
      initiate,
      error("unauthorized_client", 700_016),
      422,
      "/sign-in",
      .banner("unauthorized_client")
    ),
    Self(challenge, error("invalid_grant", 55200), 200, "/sign-in", .banner("invalid_grant")),
    Self(challenge, error("expired_token", 552_003), 200, "/sign-in", .banner("expired_token")),
    Self(
      token,
      error("invalid_grant", 50034),
      422,
      "/sign-in",
      .field("identifier", "invalid_grant")
    ),
    Self(
      token,
      error("invalid_grant", 50126),
      422,
      "/sign-in",
      .field("password", "invalid_grant")
    ),
    Self(token, error("invalid_grant", 55200), 200, "/sign-in", .banner("invalid_grant")),
    Self(token, error("expired_token", 552_003), 200, "/sign-in", .banner("expired_token")),
    Self(
      token,
      error("invalid_request", 50142),
      200,
      "/forgot-password",
      .banner("invalid_request")
    ),
    Self(token, error("invalid_grant", 50053), 403, "/locked", .banner("user_locked")),
    Self(token, error("invalid_grant", 50057), 403, "/blocked", .banner("user_banned")),
    Self(token, error("invalid_scope", 70011), 422, "/sign-in", .banner("invalid_scope")),
    Self(
      token,
      error("unsupported_grant_type"),
      422,
      "/sign-in",
      .banner("unsupported_grant_type")
    ),
    Self(token, error("authorization_pending"), 429, "/sign-in", .banner("authorization_pending")),
    Self(token, error("slow_down"), 429, "/sign-in", .banner("slow_down")),
    Self(token, error("server_error"), 502, "/sign-in", .banner("server_error")),
    Self(token, error("never_heard_of"), 422, "/sign-in", .banner("never_heard_of")),
    Self(token, error("access_denied"), 403, "/sign-in", .banner("access_denied")),
    Self(
      token,
      sub("unauthorized_client", "protection_policy_required", 53005),
      403,
      "/blocked",
      .banner("unauthorized_client/protection_policy_required")
    ),
    Self(
      token,
      sub("invalid_grant", "insufficient_device_strength"),
      403,
      "/blocked",
      .banner("invalid_grant/insufficient_device_strength")
    ),
  ]

  // MARK: The second factor, and registering one

  static let blocked = sub("access_denied", "provider_blocked_by_rep", 550_024)

  static let atChoice: [EntraErrorRow] = [
    Self(
      challenge,
      blocked,
      422,
      "/sign-in/second-factor/methods",
      .banner("access_denied/provider_blocked_by_rep")
    ),
    Self(challenge, redirect, 200, "/continue", .nothing),
    Self(challenge, error("expired_token", 552_003), 200, "/sign-in", .banner("expired_token")),
  ]

  static let atCode: [EntraErrorRow] = [
    Self(
      token,
      sub("invalid_grant", "invalid_oob_value", 50181),
      422,
      "/sign-in/second-factor",
      .field("code", "invalid_grant/invalid_oob_value")
    ),
    Self(token, error("expired_token", 552_003), 200, "/sign-in", .banner("expired_token")),
    Self(token, error("invalid_grant", 50053), 403, "/locked", .banner("user_locked")),
    Self(
      token,
      sub("invalid_grant", "mfa_required", 50076),
      200,
      "/sign-in",
      .banner("attempt_ended")
    ),
  ]

  static let register = "/register/v1.0/challenge"

  static let atContact: [EntraErrorRow] = [
    Self(
      register,
      error("invalid_request", 901_001),
      422,
      "/sign-in/enrolment",
      .field("contact", "invalid_request")
    ),
    Self(
      register,
      blocked,
      422,
      "/sign-in/enrolment",
      .field("contact", "access_denied/provider_blocked_by_rep")
    ),
    Self(
      register,
      sub("access_denied", "provider_blocked_by_admin"),
      422,
      "/sign-in/enrolment",
      .field("contact", "access_denied/provider_blocked_by_admin")
    ),
    Self(register, redirect, 200, "/continue", .nothing),
    Self(register, error("invalid_request", 55200), 200, "/sign-in", .banner("invalid_request")),
  ]
}

extension EntraErrorRow {
  // MARK: Sign-up

  static let start = "/signup/v1.0/start"
  static let goOn = "/signup/v1.0/continue"

  static let atSignUp: [EntraErrorRow] =
    [
      Self(
        start,
        error("user_already_exists", 1_003_037),
        422,
        "/sign-up",
        .field("email_address", "user_already_exists")
      ),
      Self(start, badUsername, 422, "/sign-up", .field("email_address", "invalid_request")),
      // The page has no such field.
      Self(
        start,
        sub("invalid_grant", "attribute_validation_failed").replacing(
          #""error_codes""#,
          with: #""invalid_attributes": [{"name": "city"}], "error_codes""#
        ),
        422,
        "/sign-up",
        .banner("invalid_grant/attribute_validation_failed")
      ),
      Self(start, redirect, 200, "/continue", .nothing),
      Self("/signup/v1.0/challenge", redirect, 200, "/continue", .nothing),
    ]
    + passwordSuberrors.map {
      Self(
        start,
        sub("invalid_grant", $0, 399_246),
        422,
        "/sign-up",
        .field("password", "invalid_grant/\($0)")
      )
    }

  static let atVerification: [EntraErrorRow] = [
    Self(
      goOn,
      sub("invalid_grant", "invalid_oob_value", 50181),
      422,
      "/sign-up/verify",
      .field("code", "invalid_grant/invalid_oob_value")
    ),
    Self(
      goOn,
      error("verification_required"),
      200,
      "/sign-up",
      .banner("verification_required")
    ),
    Self(goOn, error("invalid_request", 55200), 200, "/sign-up", .banner("invalid_request")),
    Self(
      goOn,
      error("user_already_exists"),
      422,
      "/sign-up/verify",
      .banner("user_already_exists")
    ),
    Self(goOn, redirect, 200, "/continue", .nothing),
  ]

  // MARK: Password reset

  static let reset = "/resetpassword/v1.0"

  static let atForgotten: [EntraErrorRow] = [
    Self(
      "\(reset)/start",
      error("user_not_found", 50034),
      422,
      "/forgot-password",
      .field("identifier", "user_not_found")
    ),
    Self(
      "\(reset)/start",
      error("invalid_request", 500_222),
      422,
      "/forgot-password",
      .banner("invalid_request")
    ),
    Self(
      "\(reset)/start",
      badUsername,
      422,
      "/forgot-password",
      .field("identifier", "invalid_request")
    ),
    Self("\(reset)/start", redirect, 200, "/continue", .nothing),
    Self("\(reset)/challenge", redirect, 200, "/continue", .nothing),
  ]

  static let atNewPassword: [EntraErrorRow] =
    [
      Self("\(reset)/submit", redirect, 200, "/continue", .nothing),
      Self(
        "\(reset)/submit",
        error("expired_token", 552_003),
        200,
        "/forgot-password",
        .banner("expired_token")
      ),
      // Found out late, by the poll.
      Self(
        "\(reset)/poll_completion",
        sub("invalid_grant", "password_banned"),
        422,
        "/forgot-password/new",
        .field("password", "invalid_grant/password_banned")
      ),
      Self(
        "\(reset)/poll_completion",
        error("user_not_found", 50034),
        200,
        "/forgot-password",
        .banner("user_not_found")
      ),
    ]
    + passwordSuberrors.map {
      Self(
        "\(reset)/submit",
        sub("invalid_grant", $0, 399_246),
        422,
        "/forgot-password/new",
        .field("password", "invalid_grant/\($0)")
      )
    }

  // MARK: Tokens

  static let atRenewal: [EntraErrorRow] = [
    Self(
      token,
      sub("invalid_grant", "bad_token", 70008),
      200,
      "/sign-in",
      .notice("sign_in_again")
    ),
    Self(
      token,
      sub("invalid_grant", "consent_required", 65001),
      200,
      "/sign-in",
      .banner("invalid_grant/consent_required")
    ),
    Self(
      token,
      sub("interaction_required", "basic_action", 50076),
      200,
      "/sign-in",
      .banner("interaction_required/basic_action")
    ),
    Self(
      token,
      sub("invalid_grant", "user_password_expired", 50055),
      200,
      "/forgot-password",
      .banner("invalid_grant/user_password_expired")
    ),
    Self(
      token,
      error("invalid_request", 50142),
      200,
      "/forgot-password",
      .banner("invalid_request")
    ),
    Self(
      token,
      sub("invalid_grant", "additional_action", 53000),
      403,
      "/blocked",
      .banner("invalid_grant/additional_action")
    ),
    Self(
      token,
      sub("invalid_grant", "message_only"),
      403,
      "/blocked",
      .banner("invalid_grant/message_only")
    ),
    Self(
      token,
      sub("unauthorized_client", "protection_policy_required", 53005),
      403,
      "/blocked",
      .banner("unauthorized_client/protection_policy_required")
    ),
    Self(token, error("invalid_scope", 70011), 422, "/account/token", .banner("invalid_scope")),
    Self(token, error("invalid_client"), 422, "/account/token", .banner("invalid_client")),
    Self(token, redirect, 200, "/sign-in", .notice("sign_in_again")),
  ]
}
