/// What the auth API says of the instance: which forms it wants, and by which rules.
public struct InstanceDescription: Hashable, Codable, Sendable {
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
  public var signInIdentifiers: [Identifier.Kind]
  public var signInForm: SignInForm
  public var signUp: SignUpForm
  public var passwordRules: PasswordRules
  public var supportAddress: String?
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
    organizations: OrganizationRules = OrganizationRules(),
    secondFactorMethods: [SecondFactorMethod] = SecondFactorMethod.allCases
  ) {
    self.applicationName = applicationName
    self.environment = environment
    self.signInIdentifiers = signInIdentifiers.isEmpty ? [.emailAddress] : signInIdentifiers
    self.signInForm = signInForm
    self.signUp = signUp
    self.passwordRules = passwordRules
    self.supportAddress = supportAddress
    self.organizations = organizations
    self.secondFactorMethods = secondFactorMethods
  }

  /// What is assumed while the auth API has not answered yet: the plainest of forms.
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

/// What the sign-up page asks for, in the order of the page.
public struct SignUpForm: Hashable, Codable, Sendable {
  public enum Mode: String, Hashable, Codable, Sendable {
    case open, restricted, waitlist
  }

  public struct Entry: Hashable, Codable, Sendable {
    public var field: Field
    public var isRequired: Bool
    /// What the auth API calls a field of its own, for people; nil where pages know the field.
    public var label: String?
    /// What may be entered, where it is one of a few; empty where it is free.
    public var choices: [String]

    public init(_ field: Field, isRequired: Bool, label: String? = nil, choices: [String] = []) {
      self.field = field
      self.isRequired = isRequired
      self.label = label
      self.choices = choices
    }
  }

  public var mode: Mode
  public var fields: [Entry]
  /// What is accepted with the box of the terms, in the order to name it.
  public var documents: [LegalDocument]

  public init(mode: Mode, fields: [Entry], documents: [LegalDocument] = []) {
    self.mode = mode
    self.fields = fields
    self.documents = documents
  }
}

/// One of the documents that people accept when they sign up.
public struct LegalDocument: Hashable, Codable, Sendable {
  public enum Kind: String, Hashable, Codable, Sendable {
    case terms
    case privacyPolicy = "privacy-policy"
  }

  public var kind: Kind
  /// Where it can be read.
  public var address: String

  public init(_ kind: Kind, address: String) {
    self.kind = kind
    self.address = address
  }
}

/// The rules that a new password has to keep; the auth API decides, pages only tell.
public struct PasswordRules: Hashable, Codable, Sendable {
  public enum CharacterClass: String, Hashable, Codable, Sendable, CaseIterable {
    case upper, lower, number, special
  }

  /// In characters.
  public var minimumLength: Int
  /// In characters; nil where the auth API does not say.
  public var maximumLength: Int?
  public var required: [CharacterClass]
  /// How many classes a password has to mix at least, whichever; nil where that does not matter.
  public var classCount: Int?

  public init(
    minimumLength: Int,
    maximumLength: Int? = nil,
    required: [CharacterClass] = [],
    classCount: Int? = nil
  ) {
    self.classCount = classCount
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.required = required
  }
}

/// What the instance lets people do with organizations.
public struct OrganizationRules: Hashable, Codable, Sendable {
  public var allowsCreation: Bool
  /// Whether an organization may be given a short name for addresses.
  public var hasSlugs: Bool
  /// Whether a session may go on without an organization.
  public var allowsPersonalAccounts: Bool

  public init(
    allowsCreation: Bool = true,
    hasSlugs: Bool = true,
    allowsPersonalAccounts: Bool = false
  ) {
    self.allowsCreation = allowsCreation
    self.hasSlugs = hasSlugs
    self.allowsPersonalAccounts = allowsPersonalAccounts
  }
}
