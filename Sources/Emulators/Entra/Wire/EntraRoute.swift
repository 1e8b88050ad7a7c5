/// The endpoints of native authentication, below the tenant.
///
/// Source: Microsoft, native authentication API reference.
enum EntraRoute: String, Sendable, Hashable, CaseIterable {
  case initiate = "oauth2/v2.0/initiate"
  case challenge = "oauth2/v2.0/challenge"
  case introspect = "oauth2/v2.0/introspect"
  case token = "oauth2/v2.0/token"
  case startSignUp = "signup/v1.0/start"
  case challengeSignUp = "signup/v1.0/challenge"
  case continueSignUp = "signup/v1.0/continue"
  case startReset = "resetpassword/v1.0/start"
  case challengeReset = "resetpassword/v1.0/challenge"
  case continueReset = "resetpassword/v1.0/continue"
  case submitReset = "resetpassword/v1.0/submit"
  case pollReset = "resetpassword/v1.0/poll_completion"
  case introspectRegistration = "register/v1.0/introspect"
  case challengeRegistration = "register/v1.0/challenge"
  case continueRegistration = "register/v1.0/continue"

  /// What a continuation token that is not valid here is called.
  var errorForInvalidContinuation: String {
    switch self {
    case .challenge, .token, .challengeSignUp: "invalid_grant"
    case .initiate, .introspect, .startSignUp, .continueSignUp, .startReset, .challengeReset,
      .continueReset, .submitReset, .pollReset, .introspectRegistration, .challengeRegistration,
      .continueRegistration:
      "invalid_request"
    }
  }
}

/// What is asked with GET, below the tenant.
///
/// Source: Microsoft, native authentication API reference.
enum EntraDocument: String, Sendable, Hashable, CaseIterable {
  case configuration = "v2.0/.well-known/openid-configuration"
  case keys = "discovery/v2.0/keys"
  case authorize = "oauth2/v2.0/authorize"
  case logout = "oauth2/v2.0/logout"
}
