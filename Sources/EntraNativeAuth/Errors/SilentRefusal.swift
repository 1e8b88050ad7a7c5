internal import AuthFlow

/// Why a silent renewal was refused, and which tokens are lost by it.
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
      // A demand for claims can be satisfied only by the person.
      reason =
        server.accountReason ?? (server.claims != nil ? .extraVerificationRequired : .signInAgain)
      loss =
        switch server.suberror?.lowercased() {
        case "bad_token"?: .refreshToken
        case "user_account_deleted"?: .account
        default: .accessTokens
        }
    }
  }
}

extension ServerError {
  /// The reason in the account itself, at whatever step: its password, its permissions, its device,
  /// a lock or a ban; nil if the error is about something else.
  ///
  /// Source: <doc:EntraTokenRenewal#Refused-renewals>, <doc:EntraErrorCodes#Accounts>.
  var accountReason: Reason? {
    switch suberror?.lowercased() {
    case "protection_policy_required"?: return .protectionPolicyRequired
    case "insufficient_device_strength"?, "additional_action"?: return .deviceRequirementUnmet
    case "user_password_expired"?: return .passwordResetRequired
    case "consent_required"?: return .consentRequired
    case "basic_action"?: return .extraVerificationRequired
    case "message_only"?: return .noUsableMethod
    default: break
    }
    func has(_ known: Int...) -> Bool { codes.contains(where: known.contains) }
    if has(50053) { return .lockedForNow }
    if has(50057) { return .banned }
    if has(50055, 50142) { return .passwordResetRequired }
    if has(65001) { return .consentRequired }
    if has(53000, 53001, 53002, 53003) { return .deviceRequirementUnmet }
    if has(50076, 50079) { return .extraVerificationRequired }
    return nil
  }

  /// ``accountReason`` as a problem; locked and disabled accounts have the same code with every
  /// API.
  var accountProblem: Problem? { accountReason.map(accountProblem) }

  func accountProblem(_ reason: Reason) -> Problem {
    if reason == .lockedForNow { return problem(reason, code: "user_locked") }
    if reason == .banned { return problem(reason, code: "user_banned") }
    return problem(reason)
  }

  /// The service's name of its reason, which people can look up: its prose is for developers.
  var namedReason: String { suberror ?? codes.first.map { "AADSTS\($0)" } ?? error }

  /// Whether only the person can obtain what was requested, so that a sign-in has to request it
  /// again.
  var asksForPerson: Bool {
    error.lowercased() == "interaction_required" || accountReason == .extraVerificationRequired
  }

  /// Whether the request itself is refused, perhaps for the claims in it, and neither the person
  /// nor an attempt that has ended.
  var isAboutRequest: Bool {
    error.lowercased() == "invalid_request" && accountReason == nil && !namesSpentToken
  }

  /// Whether the continuation token is no longer valid.
  var namesSpentToken: Bool { codes.contains { [55200, 55000, 552003].contains($0) } }

  /// Whether the tenant's own page can ask the person for what is missing.
  var isMendedInBrowser: Bool {
    error.lowercased() == "invalid_grant"
      && [.consentRequired, .extraVerificationRequired].contains(accountReason)
  }
}
