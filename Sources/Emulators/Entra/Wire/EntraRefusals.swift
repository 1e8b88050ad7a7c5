/// The errors that several flows share.
///
/// The sentences are ours.
/// Source: Microsoft, native authentication API reference, the errors of each endpoint.
extension EntraRefusal {
  // MARK: Requests

  /// 9002313: the request cannot be read.
  static func malformed(_ text: String) -> Self {
    Self("invalid_request", nil, 9_002_313, text)
  }

  /// 900144: a parameter is missing.
  static func missing(_ parameter: String) -> Self {
    Self(
      "invalid_request",
      nil,
      900_144,
      "The request body must contain the following parameter: '\(parameter)'."
    )
  }

  /// 90100, which clients tell apart by its text.
  static func invalidParameter(_ parameter: String) -> Self {
    Self("invalid_request", nil, 90_100, "\(parameter) parameter is empty or not valid.")
  }

  static let notFound = Self(
    "invalid_request",
    nil,
    nil,
    "There is nothing at this address.",
    status: 404
  )

  static let unknownTenant = Self(
    "invalid_request",
    nil,
    90_002,
    "The tenant was not found. Name it by NAME.onmicrosoft.com or by its GUID."
  )

  static func methodNotAllowed(_ methods: [String]) -> Self {
    var refusal = Self(
      "invalid_request",
      nil,
      900_561,
      "The endpoint only accepts \(methods.joined(separator: ", ")) requests.",
      status: 405
    )
    refusal.allowedMethods = methods
    return refusal
  }

  static func failed(_ status: Int, _ sentence: String) -> Self {
    Self("server_error", nil, 90_033, sentence, status: status)
  }

  static func throttled(retryAfter seconds: Int) -> Self {
    var refusal = Self("temporarily_unavailable", nil, nil, "Too many requests.", status: 429)
    refusal.retryAfter = seconds
    return refusal
  }

  // MARK: Configuration

  static let unknownApp = Self(
    "unauthorized_client",
    nil,
    700_016,
    "The application was not found in the directory."
  )

  static let nativeAuthenticationDisabled = Self(
    "invalid_client",
    "nativeauthapi_disabled",
    nil,
    "The application is not a public client, or native authentication is not enabled for it."
  )

  static let unsupportedChallengeTypes = Self(
    "invalid_request",
    nil,
    901_007,
    "The challenge_type list must contain 'redirect' and supported values only."
  )

  static let unsupportedGrantType = Self(
    "unsupported_grant_type",
    nil,
    70_003,
    "The grant type is not supported by the endpoint."
  )

  /// A grant type that a step of sign-up, reset or registration does not accept.
  static let wrongGrantType = Self("invalid_grant", nil, nil, "The grant type is not valid here.")

  static func invalidScope(_ text: String) -> Self { Self("invalid_scope", nil, 70_011, text) }

  // MARK: Continuation tokens

  static func invalidContinuation(_ route: EntraRoute) -> Self {
    Self(
      route.errorForInvalidContinuation,
      nil,
      55_200,
      "The continuation token is not valid here."
    )
  }

  static let expiredContinuation = Self(
    "expired_token",
    nil,
    552_003,
    "The continuation token has expired."
  )

  // MARK: Accounts

  static let userNotFound = Self(
    "user_not_found",
    nil,
    50_034,
    "The user account does not exist in the directory."
  )

  /// The account was deleted after the flow began.
  static let userGone = Self(
    "invalid_grant",
    nil,
    50_034,
    "The user account does not exist in the directory."
  )

  static let userAlreadyExists = Self(
    "user_already_exists",
    nil,
    1_003_037,
    "An account may already exist for this address."
  )

  static let userLocked = Self(
    "invalid_grant",
    nil,
    50_053,
    "The account is locked: too many wrong passwords or codes."
  )

  static let userDisabled = Self("invalid_grant", nil, 50_057, "The user account is disabled.")

  static let wrongPassword = Self(
    "invalid_grant",
    nil,
    50_126,
    "Username or password is not valid."
  )

  static let wrongCode = Self(
    "invalid_grant",
    "invalid_oob_value",
    50_181,
    "Unable to validate the otp."
  )

  static let passwordMustChange = Self(
    "invalid_request",
    nil,
    50_142,
    "The password must be changed."
  )

  static let tooManyCodes = Self(
    "invalid_request",
    nil,
    701_014,
    "No more codes can be generated in this flow."
  )

  static let secondFactorRequired = Self(
    "invalid_grant",
    "mfa_required",
    50_076,
    "A second factor is required."
  )

  static let registrationRequired = Self(
    "invalid_grant",
    "registration_required",
    50_079,
    "A strong authentication method must be registered."
  )

  static let introspectionRequired = Self(
    "invalid_request",
    "introspect_required",
    nil,
    "There is no default method: call introspect and name one."
  )

  static let protectionPolicyRequired = Self(
    "unauthorized_client",
    "protection_policy_required",
    53_005,
    "The application needs to enforce protection policies."
  )
}
