internal import AuthFlow

/// Why a silent renewal was refused, and what of the tokens has to go.
///
/// Nearly every error of the protocol means that the person has to sign in again.
///
/// Source: <doc:EntraTokenRenewal#Refused-renewals>.
struct SilentRefusal: Hashable, Sendable {
  enum Loss: Hashable, Sendable {
    case nothing, accessTokens, refreshToken, account
  }

  let failure: MSALFailure
  let reason: Reason
  let loss: Loss

  init(_ server: ServerError) {
    switch (server.error.lowercased(), server.suberror?.lowercased()) {
    case ("invalid_scope", _), ("invalid_client", _):
      failure = MSALFailure(server)
      reason = .unrecognised
      loss = .nothing
    case (_, "protection_policy_required"?):
      failure = MSALFailure(.serverProtectionPoliciesRequired)
      reason = .protectionPolicyRequired
      loss = .nothing
    default:
      failure = MSALFailure(.interactionRequired)
      reason = Self.cause(server)
      loss =
        switch server.suberror?.lowercased() {
        case "bad_token"?: .refreshToken
        case "user_account_deleted"?: .account
        default: .accessTokens
        }
    }
  }

  private static func cause(_ server: ServerError) -> Reason {
    switch server.suberror?.lowercased() {
    case "user_password_expired"?: return .passwordResetRequired
    case "consent_required"?: return .consentRequired
    case "basic_action"?: return .extraVerificationRequired
    case "additional_action"?: return .deviceRequirementUnmet
    case "message_only"?: return .noUsableMethod
    default: break
    }
    if server.codes.contains(where: [50055, 50142].contains) { return .passwordResetRequired }
    if server.codes.contains(where: [50053].contains) { return .locked(until: nil) }
    if server.codes.contains(where: [50057].contains) { return .banned }
    if server.codes.contains(65001) { return .consentRequired }
    if server.codes.contains(where: [50076, 50079].contains) || server.claims != nil {
      return .extraVerificationRequired
    }
    return .signInAgain
  }
}
