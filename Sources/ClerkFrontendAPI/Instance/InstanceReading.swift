internal import AuthFlow

extension InstanceDescription {
  /// Reads the environment.
  ///
  /// Source: <doc:ClerkInstanceSettings#The-environment>.
  init(_ resource: EnvironmentResource) {
    self.init(
      applicationName: resource.display?.applicationName ?? Self.unknown.applicationName,
      environment: resource.display?.environmentType.flatMap(Environment.init(rawValue:)),
      signInIdentifiers: Self.identifiers(resource.user.attributes),
      signInForm: resource.display?.preferredStrategy == "otp"
        ? .identifierFirst : .identifierAndPassword,
      signUp: SignUpForm(
        mode: Self.mode(resource.user.signUp?.mode),
        fields: Self.signUpFields(resource),
        documents: Self.documents(resource.display)
      ),
      passwordRules: PasswordRules(resource.user.passwordSettings),
      supportAddress: resource.display?.supportAddress,
      homeAddress: resource.display?.homeAddress,
      organizations: OrganizationRules(resource),
      secondFactorMethods: Self.secondFactorMethods(resource.user.attributes)
    )
  }

  private static func identifiers(
    _ attributes: [String: EnvironmentResource.Attribute]
  ) -> [Identifier.Kind] {
    let kinds: [(name: String, kind: Identifier.Kind)] = [
      ("email_address", .emailAddress), ("phone_number", .phoneNumber), ("username", .username),
    ]
    return kinds.compactMap { name, kind in
      guard let attribute = attributes[name], attribute.isEnabled, attribute.isUsedForFirstFactor
      else { return nil }
      return kind
    }
  }

  /// The methods for a second factor; an app comes first, since it needs no network.
  private static func secondFactorMethods(
    _ attributes: [String: EnvironmentResource.Attribute]
  ) -> [SecondFactorMethod] {
    let methods: [(name: String, method: SecondFactorMethod)] = [
      ("authenticator_app", .authenticator), ("phone_number", .phone),
    ]
    return methods.compactMap { name, method in
      guard let attribute = attributes[name], attribute.isEnabled, attribute.isUsedForSecondFactor
      else { return nil }
      return method
    }
  }

  private static func mode(_ word: String?) -> SignUpForm.Mode {
    switch word {
    case "restricted": .closed(.restricted)
    case "waitlist": .closed(.waitlist)
    // `public`, and modes that are still unknown: the API decides.
    default: .open
    }
  }

  private static func documents(
    _ display: EnvironmentResource.DisplaySettings?
  ) -> [LegalDocument] {
    [
      display?.termsAddress.map { LegalDocument(.terms, address: $0) },
      display?.privacyPolicyAddress.map { LegalDocument(.privacyPolicy, address: $0) },
    ].compactMap(\.self)
  }

  /// The fields that neither of the two settings about them switches off.
  private static func signUpFields(_ resource: EnvironmentResource) -> [SignUpForm.Entry] {
    let order: [Field] = [
      .firstName, .lastName, .username, .emailAddress, .phoneNumber, .password,
    ]
    let words = resource.auth?.words ?? [:]
    let asked = order.compactMap { field -> SignUpForm.Entry? in
      let word = words[field.name]
      guard let attribute = resource.user.attributes[field.name], attribute.isEnabled,
        word != "off"
      else { return nil }
      return SignUpForm.Entry(field, isRequired: attribute.isRequired || word == "required")
    }
    let asksForConsent = resource.user.signUp?.asksForConsent ?? false
    return asked + (asksForConsent ? [SignUpForm.Entry(.legalAccepted, isRequired: true)] : [])
  }
}

extension OrganizationRules {
  /// A personal account is offered only if the API says that no organization has to be chosen.
  init(_ resource: EnvironmentResource) {
    let settings = resource.organizations
    self.init(
      allowsCreation: settings?.isEnabled ?? true
        && resource.user.actions?.createsOrganizations ?? true,
      hasSlugs: !(settings?.hasNoSlugs ?? false),
      allowsPersonalAccounts: settings?.forcesSelection == false
    )
  }
}

extension PasswordRules {
  /// The lengths that apply: at least 8, and at most the 72 that the API can store.
  ///
  /// Source: <doc:ClerkInstanceSettings#The-environment>.
  init(_ settings: EnvironmentResource.PasswordSettings?) {
    let maximum = settings?.maximumLength ?? 0
    self.init(
      minimumLength: min(max(settings?.minimumLength ?? 0, 8), 72),
      maximumLength: (1...72).contains(maximum) ? maximum : 72,
      required: settings.map(Self.classes) ?? []
    )
  }

  private static func classes(
    _ settings: EnvironmentResource.PasswordSettings
  ) -> [CharacterClass] {
    CharacterClass.allCases.filter { kind in
      switch kind {
      case .upper: settings.requiresUppercase
      case .lower: settings.requiresLowercase
      case .number: settings.requiresNumbers
      case .special: settings.requiresSpecialCharacter
      }
    }
  }
}
