internal import Emulators

/// The texts of a setting of the emulated instance.
struct SettingWords {
  /// A group of settings on the page; the cases are in its order.
  enum Group: String, CaseIterable {
    case signUp = "Sign-up"
    case signIn = "Sign-in"
    case passwords = "Passwords"
    case codes = "Codes and locks"
    case session = "Sessions"
    case organizations = "Organisations"
    case instance = "The instance itself"
    case entra = "Entra only"

    /// The id of its form.
    var name: String { rawValue.lowercased().replacing(" ", with: "-") }
  }

  var key: String
  var group: Group
  /// With its unit, where it has one.
  var label: String
  /// One sentence.
  var hint: String

  private init(_ key: String, _ group: Group, _ label: String, _ hint: String) {
    (self.key, self.group, self.label, self.hint) = (key, group, label, hint)
  }

  static let all: [Self] = [
    .init("sign_up_mode", .signUp, "Who may sign up", "Everyone, the invited, or a waiting list."),
    .init("legal_consent", .signUp, "Ask to accept the terms", "A sign-up needs a tick for them."),
    .init(
      "terms_url",
      .signUp,
      "Address of the terms",
      "What there is to read before accepting; the brand's own goes first."
    ),
    .init("privacy_policy_url", .signUp, "Address of the privacy policy", "The same for privacy."),
    .init(
      "username",
      .signUp,
      "Usernames",
      "Whether there are any, and whether sign-up asks for one."
    ),
    .init(
      "phone",
      .signUp,
      "Phone numbers",
      "Whether there are any, and whether sign-up asks for one."
    ),
    .init("names", .signUp, "First and last name", "Whether sign-up asks for them."),
    .init(
      "bot_protection",
      .signUp,
      "Bot protection",
      "A sign-up must send a token against bots."
    ),
    .init(
      "identifier_first",
      .signIn,
      "Identifier first",
      "The password is asked for on a second page."
    ),
    .init(
      "enumeration_protection",
      .signIn,
      "Hide who has an account",
      "An unknown identifier looks like a wrong password."
    ),
    .init(
      "client_trust",
      .signIn,
      "New devices",
      "What a device that was never seen has to confirm."
    ),
    .init("mfa_required", .signIn, "Second factor required", "Whoever has none sets one up first."),
    .init("email_link", .signIn, "Links by email", "Emails may bring a link instead of a code."),
    .init(
      "password_min_length",
      .passwords,
      "Minimum length, in characters",
      "Shorter is refused; below 8 counts as 8."
    ),
    .init("password_require", .passwords, "Kinds of characters", "Each of them must be there."),
    .init(
      "leaked_password_check",
      .passwords,
      "Refuse leaked passwords",
      "A new password found in a leak is refused."
    ),
    .init(
      "compromised_password_code",
      .passwords,
      "Code before a compromised password is replaced",
      "Instances from before 18 December 2025 go without."
    ),
    .init("code_lifetime_seconds", .codes, "Codes work for, in seconds", "After that, a new one."),
    .init("code_attempts", .codes, "Tries for each code", "After that, the code is void."),
    .init(
      "resend_cooldown_seconds",
      .codes,
      "Pause before another code, in seconds",
      "If asked for earlier, none is sent."
    ),
    .init("lockout_attempts", .codes, "Failures until a lock", "0 never locks."),
    .init("lockout_seconds", .codes, "Locks last, in seconds", "Empty: until you unlock."),
    .init("session_seconds", .session, "Sessions last, in seconds", "Then people sign in again."),
    .init(
      "organizations_required",
      .organizations,
      "Organisation required",
      "Whoever has none chooses or creates one after sign-in."
    ),
    .init(
      "organization_creation",
      .organizations,
      "People create organisations",
      "If not, only you do."
    ),
    .init(
      "force_organization_selection",
      .organizations,
      "What the environment says of organisations",
      "Off offers the personal account; on alone asks nobody; empty leaves it out."
    ),
    .init(
      "jwt_templates",
      .session,
      "Templates of session tokens",
      "Tokens are made only for these."
    ),
    .init(
      "rate_limits",
      .instance,
      "Rate limits",
      "Many calls in a short time are refused with 429."
    ),
    .init("test_mode", .instance, "Test mode", "Test addresses take the code 424242."),
    .init(
      "entra_scopes_granted",
      .entra,
      "Scopes that are granted",
      "Empty grants all; [] grants no scopes of APIs."
    ),
    .init(
      "entra_reset_polls",
      .entra,
      "Polls of a reset",
      "How many answer that it is in progress."
    ),
    .init("entra_required_attributes", .entra, "Attributes of a sign-up", "What it asks for."),
    .init(
      "entra_challenge_types",
      .entra,
      "Challenge types",
      "Empty allows all; [] allows only the browser."
    ),
  ]

  /// Whether a value of a setting has no effect of its own over an auth API.
  static func isVoid(_ value: String, of key: String, behind api: EmulatedAPI) -> Bool {
    switch (api, key, value) {
    // No form asks for what is optional, and there is no list to wait on.
    case (.entra, "names", "optional"), (.entra, "sign_up_mode", "waitlist"): true
    default: false
    }
  }

  /// The words for a value to choose, or for a default.
  static func words(for value: String) -> String {
    switch value {
    case "": "none"
    case "true": "on"
    case "false": "off"
    case "public": "everyone"
    case "restricted": "the invited"
    case "waitlist": "a waiting list"
    case "sign_in": "for sign-in only"
    case "needs_client_trust": "a code, once"
    case "needs_second_factor": "a second factor"
    default: value
    }
  }
}
