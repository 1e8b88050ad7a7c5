internal import HTTPTypes

/// The endpoints of native authentication, by method and path.
///
/// Source: Microsoft, native authentication API reference.
package enum EntraRoute: String, Sendable, Hashable, CaseIterable {
  // Signing in.
  case initiate = "POST /{tenant}/oauth2/v2.0/initiate"
  case challenge = "POST /{tenant}/oauth2/v2.0/challenge"
  case introspect = "POST /{tenant}/oauth2/v2.0/introspect"
  case token = "POST /{tenant}/oauth2/v2.0/token"
  // Signing up.
  case startSignUp = "POST /{tenant}/signup/v1.0/start"
  case challengeSignUp = "POST /{tenant}/signup/v1.0/challenge"
  case continueSignUp = "POST /{tenant}/signup/v1.0/continue"
  // Resetting the password.
  case startReset = "POST /{tenant}/resetpassword/v1.0/start"
  case challengeReset = "POST /{tenant}/resetpassword/v1.0/challenge"
  case continueReset = "POST /{tenant}/resetpassword/v1.0/continue"
  case submitReset = "POST /{tenant}/resetpassword/v1.0/submit"
  case pollReset = "POST /{tenant}/resetpassword/v1.0/poll_completion"
  // Registering a strong method.
  case introspectRegistration = "POST /{tenant}/register/v1.0/introspect"
  case challengeRegistration = "POST /{tenant}/register/v1.0/challenge"
  case continueRegistration = "POST /{tenant}/register/v1.0/continue"

  static let table = RouteTable<EntraRoute>()

  /// The endpoint with that method and path, in any tenant; nil if there is none.
  package init?(method: String, path: some StringProtocol) {
    guard let method = HTTPRequest.Method(method),
      let match = Self.table.match(method, path)
    else { return nil }
    self = match.operation
  }

  /// The path below the tenant.
  var path: Substring { rawValue.pathBelowTenant }

  /// The error for a continuation token that is not valid here.
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

/// The other endpoints of an emulated tenant: its documents, the browser's pages, a protected API.
///
/// Source: OpenID Connect Discovery 1.0; RFC 6749, "Authorization Endpoint".
enum EntraDocument: String, Sendable, Hashable, CaseIterable {
  case configuration = "GET /{tenant}/v2.0/.well-known/openid-configuration"
  case keys = "GET /{tenant}/discovery/v2.0/keys"
  case signInPage = "GET /{tenant}/oauth2/v2.0/authorize"
  case submitSignInPage = "POST /{tenant}/oauth2/v2.0/authorize"
  case signOutPage = "GET /{tenant}/oauth2/v2.0/logout"
  case submitSignOut = "POST /{tenant}/oauth2/v2.0/logout"
  case readOrders = "GET /api/orders"
  case placeOrder = "POST /api/orders"

  /// The path below the tenant.
  var path: Substring { rawValue.pathBelowTenant }
}

extension String {
  fileprivate var pathBelowTenant: Substring {
    split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).last ?? ""
  }
}

extension EntraTransaction {
  /// Carries out the call.
  func carryOut() throws -> EntraOutcome {
    switch call.route {
    case .initiate: try initiate()
    case .challenge: try challenge()
    case .introspect: try introspect()
    case .token: try token()
    case .startSignUp: try startSignUp()
    case .challengeSignUp: try challengeSignUp()
    case .continueSignUp: try continueSignUp()
    case .startReset: try startReset()
    case .challengeReset: try challengeReset()
    case .continueReset: try continueReset()
    case .submitReset: try submitReset()
    case .pollReset: try pollReset()
    case .introspectRegistration: try introspectRegistration()
    case .challengeRegistration: try challengeRegistration()
    case .continueRegistration: try continueRegistration()
    }
  }
}
