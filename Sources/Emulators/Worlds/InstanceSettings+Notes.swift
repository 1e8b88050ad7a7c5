extension InstanceSettings {
  /// Something that a setting does not do as one may expect.
  public struct Note: Sendable, Hashable {
    /// The key that it is about.
    public let key: String
    /// One sentence without its full stop, which names the keys.
    public let words: String
  }

  /// Notes on settings that have no effect over an auth API, or that keep people out together with
  /// others.
  ///
  /// - Parameters:
  ///   - api: The auth API.
  ///   - application: The application, whose documents take precedence over those of the settings.
  /// - Returns: The notes; empty for the default settings.
  public func notes(over api: EmulatedAPI, of application: EmulatedApplication) -> [Note] {
    var notes: [Note] = []
    func note(_ key: String, if holds: Bool, _ words: String) {
      if holds { notes.append(Note(key: key, words: "\(key) \(words)")) }
    }
    switch api {
    case .clerk:
      note(
        "legal_consent",
        if: legalConsent && termsURL == nil && privacyPolicyURL == nil
          && application.termsURL == nil && application.privacyPolicyURL == nil,
        "asks to accept what nobody can read: terms_url and privacy_policy_url are null"
      )
      note(
        "bot_protection",
        if: botProtection,
        "keeps everybody from signing up on these pages, which send no token"
      )
      note(
        "organizations_required",
        if: organizationsRequired && !organizationCreation && !allowsPersonalAccounts,
        "keeps out whoever has no organisation, since organization_creation is false"
      )
    case .entra:
      note("names", if: names == .optional, "asks for nothing unless it is 'required'")
      note("sign_up_mode", if: signUpMode == .waitlist, "closes sign-up: there is no waiting list")
      note(
        "mfa_required",
        if: mfaRequired && entraChallengeTypes?.contains("password") == false,
        "asks nobody, since a second factor follows only a password"
      )
      note(
        "entra_required_attributes",
        if: !entraRequiredAttributes.isEmpty && names != .required
          && !entraRequiredAttributes.contains(where: \.isRequired),
        "asks for nothing unless one of them is required"
      )
    }
    note(
      "resend_cooldown_seconds",
      if: resendCooldownSeconds > codeLifetimeSeconds,
      "is more than code_lifetime_seconds: an expired code has no successor for a while"
    )
    return notes
  }
}
