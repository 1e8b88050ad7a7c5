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

/// What lies behind an `internal` error: for logs and traces, never shown, never decided by.
///
/// Source: <doc:EntraLibraryErrors#Internal-errors>.
enum MSALInternalError: Int, CaseIterable, Sendable {
  case invalidParameter = -42000
  case redirectSchemeNotRegistered = -42001
  case invalidRequest = -42002
  case invalidClient = -42003
  case invalidGrant = -42004
  case invalidScope = -42005
  case unauthorizedClient = -42006
  case unhandledResponse = -42007
  case unexpected = -42008
  case unexpectedHttpResponse = -42009
  case failedAuthorityValidation = -42010
  case invalidRedirectURI = -42011
  case mismatchedUser = -42101
  case ambiguousAccount = -42102
  case authorizationFailed = -42104
  case accountRequired = -42106
  case sessionCanceled = -42401
  case interactiveSessionAlreadyRunning = -42402
  case noViewController = -42403
  case attemptToOpenURLFromExtension = -42404
  case uiNotSupportedInExtension = -42405
  case invalidState = -42501
  case invalidResponse = -42600
  case nonHttpsRedirect = -42602
  case brokerResponseNotReceived = -42700
  case brokerNoResumeStateFound = -42701
  case brokerBadResumeStateFound = -42702
  case brokerMismatchedResumeState = -42703
  case brokerResponseHashMissing = -42704
  case brokerCorruptedResponse = -42705
  case brokerResponseDecryptionFailed = -42706
  case brokerResponseHashMismatch = -42707
  case brokerKeyFailedToCreate = -42708
  case brokerKeyNotFound = -42709
  case brokerUnknown = -42711
  case brokerApplicationTokenWriteFailed = -42712
  case brokerApplicationTokenReadFailed = -42713
  case brokerNotAvailable = -42714
  case linkServerConfirmationError = -42715
  case linkAcquireTokenError = -42716
  case linkTokenAcquiredWrongTenant = -42717
  case linkError = -42718
  case notCompliant = -42719
  case complianceTimeout = -42720
  case complianceUnknown = -42721
  case invalidLinkPayload = -42722
  case createController = -42723
  case linkConfigNotFound = -42724
  case invalidLinkTokenConfig = -42725
  case wpjDeviceRegistrationFailed = -42726
  case wpjAccountIdentifierNil = -42727
  case wpjAcquireTokenError = -42728
  case retryRequired = -42729
  case unknownStatusWebCP = -42730
  case troubleshootingCreateController = -42731
  case troubleshootingAcquireToken = -42732
  case linkServerConfirmationTimeout = -42733
  case troubleshootingRequired = -42734
  case troubleshootingResultUnknown = -42735
  case deviceNotRegistered = -42736
  case keyIdMismatch = -42737
  case errorHandlingConfigNotFound = -42738
  case biometricPolicyMismatch = -42739
  case invalidPasskeyExtension = -42740
  case saveLoginConfigFailure = -42741
  case passkeyLAError = -42742
  case biometricsNotAvailable = -42743
  case biometricsNotEnrolled = -42744
  case invalidASWebAuthenticationURL = -42745

  var name: String { "MSALInternalError.\(self)(\(rawValue))" }
}
