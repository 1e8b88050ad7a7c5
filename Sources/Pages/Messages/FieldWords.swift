import AuthFlow

/// The names of things, in the words of the pages.
enum Words {
  static let phoneHint: Phrase = .field(.fieldHintPhoneNumber, phoneExample)

  /// The value of a message that shows an example of a phone number.
  static let phoneExample: Phrase.Values = [
    "example": .phrase(.example(.field(.fieldExamplePhoneNumber)))
  ]

  /// `Email address, phone number or username`.
  static func label(of kinds: [Identifier.Kind]) -> Phrase { .label(name(of: kinds)) }

  /// `email address, phone number or username`.
  static func name(of kinds: [Identifier.Kind]) -> Phrase {
    .field(.fieldNameIdentifier, ["kinds": choice(of: kinds)])
  }

  /// The keyword for a set of kinds, by which messages choose: `email_phone`.
  private static func choice(of kinds: [Identifier.Kind]) -> Phrase.Value {
    let chosen = kindNames.indices.reduce(0) { chosen, index in
      kinds.contains(kindNames[index].kind) ? chosen | 1 << index : chosen
    }
    return .choice(choices[chosen])
  }

  private static let kindNames: [(kind: Identifier.Kind, name: String)] = [
    (.emailAddress, "email"), (.phoneNumber, "phone"), (.username, "username"),
  ]

  /// For each set of kinds, as bits in the order of their names.
  private static let choices = (0..<1 << kindNames.count).map { chosen in
    kindNames.indices.filter { chosen & 1 << $0 != 0 }.map { kindNames[$0].name }
      .joined(separator: "_")
  }

  /// `email address`: the field within a sentence.
  static func name(of field: Field, in setting: Setting) -> Phrase {
    if let label = setting.labels[field] { return label }
    return switch field.known {
    case .identifier?: name(of: setting.identifiers)
    case .password?: .field(setting.resetsPassword ? .fieldNameNewPassword : .fieldNamePassword)
    case .code?: .field(setting.asksForBackupCode ? .fieldNameBackupCode : .fieldNameCode)
    case .emailAddress?: .field(.fieldNameEmailAddress)
    case .phoneNumber?: .field(.fieldNamePhoneNumber)
    case .username?: .field(.fieldNameUsername)
    case .firstName?: .field(.fieldNameFirstName)
    case .lastName?: .field(.fieldNameLastName)
    case .streetAddress?: .field(.fieldNameStreetAddress)
    case .postalCode?: .field(.fieldNamePostalCode)
    case .state?: .field(.fieldNameState)
    case .city?: .field(.fieldNameCity)
    case .country?: .field(.fieldNameCountry)
    case .jobTitle?: .field(.fieldNameJobTitle)
    case .displayName?: .field(.fieldNameDisplayName)
    case .legalAccepted?: .field(.fieldNameTerms)
    case .organizationName?: .field(.fieldNameOrganizationName)
    case .organizationSlug?: .field(.fieldNameOrganizationSlug)
    case .organization?: .field(.fieldNameOrganization)
    case .factor?, .secondFactorMethod?: .field(.fieldNameMethod)
    case .contact?: .field(.fieldNameContact)
    case .scopes?: .field(.fieldNamePermissions)
    case .claims?: .field(.fieldNameClaims)
    // A field that the auth API names itself; its own name never reaches a reader (E4).
    case nil: .field(.fieldNameUnknown)
    }
  }

  /// Whether pages have a name for the field.
  static func isNamed(_ field: Field, in setting: Setting) -> Bool {
    name(of: field, in: setting) != .field(.fieldNameUnknown)
  }

  /// `I accept the terms of use and the privacy policy`, each a link to read it.
  ///
  /// - Parameter documents: The documents; if there are none, the terms are named without a link.
  /// - Returns: The label of the checkbox.
  static func acceptance(of documents: [LegalDocument]) -> Phrase {
    let named = documents.compactMap { document in
      Link.webAddress(document.address).map { address in
        Phrase.field(
          .termsDocument,
          [
            "kind": .choice(document.kind.choice),
            "document": .document(
              Link(document.kind.rawValue, href: address, words: title(of: document.kind))
            ),
          ]
        )
      }
    }
    guard !named.isEmpty else { return .field(.termsAccept) }
    return .field(
      .termsAcceptDocuments,
      ["documents": .phrase(.list(named, .and)), "count": .count(named.count)]
    )
  }

  /// The documents, as links that stand alone.
  static func links(to documents: [LegalDocument]) -> [Link] {
    documents.compactMap { document in
      Link.webAddress(document.address).map { address in
        Link(document.kind.rawValue, href: address, words: .label(title(of: document.kind)))
      }
    }
  }

  private static func title(of kind: LegalDocument.Kind) -> Phrase {
    switch kind {
    case .terms: .field(.termsDocumentTerms)
    case .privacyPolicy: .field(.termsDocumentPrivacy)
    }
  }

  /// `Enter your email address`.
  static func demand(for field: Field, in setting: Setting) -> Phrase {
    if let label = setting.labels[field] {
      return .field(.missingNamed, ["label": .phrase(.label(label))])
    }
    return switch field.known {
    case .identifier?: .field(.missingIdentifier, ["kinds": choice(of: setting.identifiers)])
    case .emailAddress?: .field(.missingEmailAddress)
    case .phoneNumber?: .field(.missingPhoneNumber)
    case .password?: .field(setting.resetsPassword ? .missingNewPassword : .missingPassword)
    case .firstName?: .field(.missingFirstName)
    case .lastName?: .field(.missingLastName)
    case .streetAddress?: .field(.missingStreetAddress)
    case .postalCode?: .field(.missingPostalCode)
    case .state?: .field(.missingState)
    case .city?: .field(.missingCity)
    case .country?: .field(.missingCountry)
    case .jobTitle?: .field(.missingJobTitle)
    case .displayName?: .field(.missingDisplayName)
    case .username?: .field(.missingUsername)
    case .code?: .field(setting.asksForBackupCode ? .missingBackupCode : .missingCode)
    case .legalAccepted?: .field(.missingTerms)
    case .organizationName?: .field(.missingOrganizationName)
    case .organizationSlug?: .field(.missingOrganizationSlug)
    case .organization?: .field(.missingOrganization)
    case .factor?, .secondFactorMethod?: .field(.missingMethod)
    case .contact?: .field(.missingContact)
    case .scopes?: .field(.missingPermissions)
    case .claims?: .field(.missingClaims)
    case nil: .field(.missingUnknown)
    }
  }

  /// The rules as one or two sentences, told before anything is typed.
  static func hint(for rules: PasswordRules) -> Phrase {
    let classes = rules.required.map { rule in
      switch rule {
      case .upper: Phrase.field(.passwordClassUpper)
      case .lower: Phrase.field(.passwordClassLower)
      case .number: Phrase.field(.passwordClassNumber)
      case .special: Phrase.field(.passwordClassSpecial)
      }
    }
    let length: Phrase.Value = .count(rules.minimumLength)
    let hint: Phrase =
      classes.isEmpty
      ? .field(.passwordRules, ["count": length])
      : .field(
        .passwordRulesWith,
        ["count": length, "classes": .phrase(.list(classes, .and))]
      )
    return rules.classCount.map { count in
      .sentences(hint, .field(.passwordRulesMix, ["count": .count(count)]))
    } ?? hint
  }

  /// The words of the button that chooses a factor; the destination of its message is shown beside
  /// them.
  static func choice(of factor: Factor) -> Phrase {
    switch factor.kind {
    case .password: .page(.methodPassword)
    case .emailCode: .page(.methodEmailCode)
    case .phoneCode: .page(.methodPhoneCode)
    case .emailLink: .page(.methodEmailLink)
    case .authenticatorCode: .page(.methodAuthenticator)
    case .backupCode: .page(.methodBackupCode)
    case .resetPasswordEmailCode: .page(.methodResetByEmail)
    case .resetPasswordPhoneCode: .page(.methodResetByPhone)
    case .enterprise: .page(.methodEnterprise)
    }
  }

  /// `code by email`: what was used to get in, within a list.
  static func name(ofProven kind: Factor.Kind) -> Phrase {
    switch kind {
    case .password: .page(.provenPassword)
    case .emailCode: .page(.provenEmailCode)
    case .phoneCode: .page(.provenPhoneCode)
    case .emailLink: .page(.provenEmailLink)
    case .authenticatorCode: .page(.provenAuthenticator)
    case .backupCode: .page(.provenBackupCode)
    case .resetPasswordEmailCode: .page(.provenResetByEmail)
    case .resetPasswordPhoneCode: .page(.provenResetByPhone)
    case .enterprise: .page(.provenEnterprise)
    }
  }

  /// The label of the code field, which names the code's source.
  static func codeLabel(for kind: Factor.Kind) -> Phrase {
    switch kind {
    case .emailCode, .resetPasswordEmailCode, .emailLink: .field(.fieldLabelCodeEmail)
    case .phoneCode, .resetPasswordPhoneCode: .field(.fieldLabelCodePhone)
    case .authenticatorCode: .field(.fieldLabelCodeApp)
    case .backupCode: .field(.fieldLabelBackupCode)
    case .password, .enterprise: .field(.fieldLabelCodeOther)
    }
  }
}

extension LegalDocument.Kind {
  /// The keyword by which messages choose.
  fileprivate var choice: String {
    switch self {
    case .terms: "terms"
    case .privacyPolicy: "privacy"
    }
  }
}
