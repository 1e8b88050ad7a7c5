internal import AuthFlow

/// MSAL's errors, by their codes in `MSALErrorDomain`.
///
/// Source: <doc:EntraLibraryErrors#Runtime-errors>.
enum MSALError: Int, CaseIterable, Sendable {
  case `internal` = -50000
  case workplaceJoinRequired = -50001
  case interactionRequired = -50002
  case serverDeclinedScopes = -50003
  case serverProtectionPoliciesRequired = -50004
  case userCanceled = -50005
  case serverError = -50006
  case insufficientDeviceStrength = -50007
  case mdmEnrollmentCompletedNeedsRetry = -50008
  case serverInvalidRequestResetPasswordRequired = -50142

  var name: String { "MSALError.\(self)(\(rawValue))" }
}

/// The cause of an `internal` error, as far as this client can meet it: for logs and support only,
/// never for decisions.
///
/// Source: <doc:EntraLibraryErrors#Internal-errors>.
enum MSALInternalError: Int, CaseIterable, Sendable {
  case invalidRequest = -42002
  case invalidClient = -42003
  case invalidGrant = -42004
  case invalidScope = -42005
  case unauthorizedClient = -42006
  case unhandledResponse = -42007
  case mismatchedUser = -42101
  case authorizationFailed = -42104
  case invalidResponse = -42600

  var name: String { "MSALInternalError.\(self)(\(rawValue))" }
}
