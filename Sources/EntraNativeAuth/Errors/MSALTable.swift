internal import AuthFlow
internal import HTTPExchange

/// How the pages treat an error.
///
/// Source: <doc:EntraLibraryErrors#What-each-error-becomes>.
enum Treatment: Hashable, Sendable {
  /// To the sign-in page, with the reason; the return path is kept.
  case signInAgain
  /// To the page of permissions: a state, not an error.
  case decideOnPermissions
  /// To a page that explains, and leads back.
  case explain(Reason)
  /// To the start, with a neutral notice.
  case cancelled
  /// To the password reset, with the reason.
  case resetPassword
  /// A banner on the same step.
  case banner(Reason)

  /// The reason that is shown there; nil for a state.
  var reason: Reason? {
    switch self {
    case .signInAgain: .signInAgain
    case .decideOnPermissions: nil
    case .explain(let reason), .banner(let reason): reason
    case .cancelled: .cancelled
    case .resetPassword: .passwordResetRequired
    }
  }
}

extension MSALError {
  var treatment: Treatment {
    switch self {
    case .internal: .banner(.unrecognised)
    case .interactionRequired: .signInAgain
    case .serverDeclinedScopes: .decideOnPermissions
    case .serverProtectionPoliciesRequired: .explain(.protectionPolicyRequired)
    case .userCanceled: .cancelled
    case .serverError: .banner(.serviceAnsweredNonsense)
    case .workplaceJoinRequired, .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry:
      .explain(.deviceRequirementUnmet)
    case .serverInvalidRequestResetPasswordRequired: .resetPassword
    }
  }
}

/// The errors of `NSURLErrorDomain` in calls to the service, as far as they are told apart here.
enum URLFault: Int, Sendable {
  case notConnectedToInternet = -1009
  case timedOut = -1001
  case cannotConnectToHost = -1004
  case networkConnectionLost = -1005
  case secureConnectionFailed = -1200
  case badServerResponse = -1011

  init(_ error: TransportError) {
    self =
      switch error {
      case .offline: .notConnectedToInternet
      case .refused, .busy: .cannotConnectToHost
      case .tlsFailed: .secureConnectionFailed
      case .connectionLost: .networkConnectionLost
      case .timedOut: .timedOut
      case .malformedAnswer: .badServerResponse
      }
  }

  var name: String { "NSURLError.\(self)(\(rawValue))" }

  /// The detail for support, with the id of the call.
  func detail(ofCall traceID: String?) -> ErrorDetail {
    ErrorDetail(
      unanswered: traceID,
      JSONValue.Member(
        "msal",
        .object([
          JSONValue.Member("domain", .string("NSURLErrorDomain")),
          JSONValue.Member("code", .number(rawValue)),
          JSONValue.Member("internal_code", .null),
        ])
      )
    )
  }
}
