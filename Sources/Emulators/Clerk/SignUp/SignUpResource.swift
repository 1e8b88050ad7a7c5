internal import Foundation

/// Source: <doc:ClerkSigningUp>.
extension ClerkTransaction {
  func signUpJSON(_ signUp: ClerkSignUp) throws -> JSON {
    let state = signUp.state
    func fields(_ need: SignUpField.Need) -> JSON {
      .strings(SignUpField.allCases.filter { $0.need(settings) == need }.map(\.rawValue))
    }
    return [
      "object": "sign_up_attempt",
      "id": .string(signUp.id),
      "status": signUp.isComplete ? "complete" : "missing_requirements",
      "required_fields": fields(.required),
      "optional_fields": fields(.optional),
      "missing_fields": .strings(signUp.missingFields(settings).map(\.rawValue)),
      "unverified_fields": .strings(signUp.unverifiedFields.map(\.rawValue)),
      "verifications": [
        "email_address": state.emailAddress == nil
          ? .null
          : verificationJSON(
            state.emailVerification,
            of: signUp,
            .emailCode,
            settings.emailStrategies
          ),
        "phone_number": state.phoneNumber == nil
          ? .null
          : verificationJSON(state.phoneVerification, of: signUp, .phoneCode, ["phone_code"]),
        "web3_wallet": .null,
        "external_account": .null,
      ],
      "username": .optional(state.username),
      "email_address": .optional(state.emailAddress),
      "phone_number": .optional(state.phoneNumber),
      "web3_wallet": .null,
      "password_enabled": .bool(SignUpField.password.isFilled(in: state)),
      "first_name": .optional(state.firstName),
      "last_name": .optional(state.lastName),
      "unsafe_metadata": JSON(decoding: Array(state.unsafeMetadata.utf8)) ?? [:],
      "public_metadata": [:],
      "custom_action": false,
      "external_id": .null,
      "created_session_id": .optional(state.createdSessionID),
      "created_user_id": .optional(state.createdAccountID),
      "abandon_at": .instant(signUp.abandonAt),
      "legal_accepted_at": .optional(state.legalAcceptedAt),
    ]
  }

  /// The JSON of a verification, also before anything was sent for it.
  private func verificationJSON(
    _ verification: Verification?,
    of signUp: ClerkSignUp,
    _ strategy: Strategy,
    _ strategies: [String]
  ) -> JSON {
    var json =
      verification?.json(at: now)
      ?? VerificationShape.code
      .json(.unverified, strategy: strategy.rawValue, expireAt: signUp.abandonAt)
    let nextAction: JSON =
      switch verification?.status(at: now) {
      case nil, .expired, .failed: "needs_prepare"
      case .unverified: "needs_attempt"
      case .verified: ""
      }
    json["next_action"] = nextAction
    json["supported_strategies"] = .strings(strategies)
    return json
  }
}
