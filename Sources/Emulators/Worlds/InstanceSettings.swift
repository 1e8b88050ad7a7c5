/// How the emulated instance is set up: the switches that the real service has in its dashboard.
///
/// Their JSON keys, all of them optional, are in `InstanceSettings+Document.swift`.
/// Source: <doc:EmulatorSettings>.
public struct InstanceSettings: Sendable, Hashable {
  public enum SignUpMode: String, Sendable, CaseIterable {
    case `public`, restricted, waitlist
  }

  public enum ClientTrust: String, Sendable, CaseIterable {
    case off
    case needsClientTrust = "needs_client_trust"
    case needsSecondFactor = "needs_second_factor"
  }

  /// Whether a kind of contact exists, and whether sign-up asks for it.
  public enum Attribute: String, Sendable, CaseIterable {
    case off
    /// Accounts that have one can sign in with it; sign-up does not ask for it.
    case signIn = "sign_in"
    case optional, required
  }

  public enum Names: String, Sendable, CaseIterable {
    case off, optional, required
  }

  public enum CharacterClass: String, Sendable, CaseIterable {
    case upper, lower, number, special
  }

  public var signUpMode = SignUpMode.public
  public var identifierFirst = false
  public var enumerationProtection = false
  public var clientTrust = ClientTrust.off
  public var mfaRequired = false
  public var organizationsRequired = false
  public var organizationCreation = true
  /// The value of `force_organization_selection` in the environment, which Clerk's own description
  /// does not list: nil leaves it out, false lets a session continue without an organization.
  public var forceOrganizationSelection: Bool?
  public var emailLink = false
  public var legalConsent = false
  /// The document that is accepted at sign-up; nil if there is none.
  public var termsURL: String? = "https://example.com/terms"
  public var privacyPolicyURL: String? = "https://example.com/privacy"
  public var username = Attribute.signIn
  public var phone = Attribute.signIn
  public var names = Names.off
  /// Characters.
  public var passwordMinLength = 8
  public var passwordRequire: [CharacterClass] = []
  public var leakedPasswordCheck = true
  public var codeLifetimeSeconds = 600
  /// Tries per code.
  public var codeAttempts = 5
  public var resendCooldownSeconds = 30
  /// Failures until an account is locked; zero never locks.
  public var lockoutAttempts = 10
  /// Nil locks until someone unlocks.
  public var lockoutSeconds: Int? = 3600
  public var sessionSeconds = 604_800
  public var rateLimits = false
  /// Whether a sign-up must carry the token of a bot check.
  public var botProtection = false
  /// The templates for which session tokens are made; any other name is unknown.
  public var jwtTemplates: [String] = []
  /// Whether a compromised password leads to a code by email first; instances created before 18
  /// December 2025 only have it reset.
  public var compromisedPasswordCode = true
  public var testMode = true
  public var entraScopesGranted: [String]?
  public var entraResetPolls = 1
  public var entraRequiredAttributes: [AttributeRule] = []
  /// The challenge types that the tenant supports; nil for all.
  ///
  /// `redirect` is always among them; if it is the only one, everybody continues in a browser.
  public var entraChallengeTypes: [String]?

  public init() {}

  /// Whether a session may continue without an organization.
  var allowsPersonalAccounts: Bool { forceOrganizationSelection == false }
}
