/// What the auth API says about the instance: the forms that it wants, and their rules.
public struct InstanceDescription: Hashable, Sendable {
  public enum Environment: String, Hashable, Codable, Sendable {
    case development, staging, production
  }

  /// What the first page of a sign-in asks for.
  public enum SignInForm: String, Hashable, Codable, Sendable {
    case identifierAndPassword, identifierFirst
  }

  public var applicationName: String
  /// Nil where the auth API does not say.
  public var environment: Environment?
  /// What may be typed as identifier; never empty.
  public var signInIdentifiers: [Identifier.Kind] {
    didSet { signInIdentifiers = Self.atLeastOne(of: signInIdentifiers) }
  }
  public var signInForm: SignInForm
  public var signUp: SignUpForm
  public var passwordRules: PasswordRules
  public var supportAddress: String?
  /// The address of the application itself; nil where the auth API does not say.
  public var homeAddress: String?
  /// Whether a lost password can be reset here.
  public var offersPasswordReset = true
  public var organizations: OrganizationRules
  /// The second factors that a person can set up, in the order to offer them.
  public var secondFactorMethods: [SecondFactorMethod]

  public init(
    applicationName: String,
    environment: Environment?,
    signInIdentifiers: [Identifier.Kind],
    signInForm: SignInForm,
    signUp: SignUpForm,
    passwordRules: PasswordRules,
    supportAddress: String? = nil,
    homeAddress: String? = nil,
    organizations: OrganizationRules = OrganizationRules(),
    secondFactorMethods: [SecondFactorMethod] = SecondFactorMethod.allCases
  ) {
    self.applicationName = applicationName
    self.environment = environment
    self.signInIdentifiers = Self.atLeastOne(of: signInIdentifiers)
    self.signInForm = signInForm
    self.signUp = signUp
    self.passwordRules = passwordRules
    self.supportAddress = supportAddress
    self.homeAddress = homeAddress
    self.organizations = organizations
    self.secondFactorMethods = secondFactorMethods
  }

  /// An email address, where the auth API does not say what may be typed.
  private static func atLeastOne(of kinds: [Identifier.Kind]) -> [Identifier.Kind] {
    kinds.isEmpty ? [.emailAddress] : kinds
  }

  /// What is assumed until the auth API has answered: the plainest forms.
  public static let unknown = InstanceDescription(
    applicationName: "Vestibule",
    environment: nil,
    signInIdentifiers: [.emailAddress],
    signInForm: .identifierAndPassword,
    signUp: SignUpForm(
      mode: .open,
      fields: [
        SignUpForm.Entry(.emailAddress, isRequired: true),
        SignUpForm.Entry(.password, isRequired: true),
      ]
    ),
    passwordRules: PasswordRules(minimumLength: 8)
  )
}
