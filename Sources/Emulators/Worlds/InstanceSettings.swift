/// How the emulated instance is set up: the switches that the real service has in its dashboard.
///
/// Their JSON keys, each of which may be left out, stand in `InstanceSettings+Document.swift`.
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

  /// Whether a contact exists at all, and what sign-up asks.
  public enum Attribute: String, Sendable, CaseIterable {
    case off
    /// Who has one may sign in with it; sign-up does not ask for it.
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
  /// What the environment says of `force_organization_selection`, which Clerk's own description
  /// does not list: nil leaves it out, false lets a session go on without an organization.
  public var forceOrganizationSelection: Bool?
  public var emailLink = false
  public var legalConsent = false
  /// What there is to read before one accepts; nil for no such document.
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
  /// Whether a sign-up must bring a token that shows that no program fills the form.
  public var botProtection = false
  /// The templates for which session tokens are made; there are no others.
  public var jwtTemplates: [String] = []
  /// Whether a compromised password leads to a code by mail first; instances made before 18 December
  /// 2025 only have it reset.
  public var compromisedPasswordCode = true
  public var testMode = true
  public var entraScopesGranted: [String]?
  public var entraResetPolls = 1
  public var entraRequiredAttributes: [AttributeRule] = []
  /// What the tenant lets apps ask for themselves; nil for all.
  ///
  /// `redirect` is always among them: with nothing else, everybody goes on in a browser.
  public var entraChallengeTypes: [String]?

  public init() {}

  /// Whether a session may choose to go on without an organization.
  var allowsPersonalAccounts: Bool { forceOrganizationSelection == false }
}
