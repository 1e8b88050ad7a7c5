import AuthFlow

/// The names of things, in the words of the pages.
enum Words {
  static let phoneHint: Prose = "With the country code, like +44 20 7946 0000"

  /// `E-mail address, phone number or username`.
  static func label(of kinds: [Identifier.Kind]) -> String {
    let words = name(of: kinds)
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// `e-mail address, phone number or username`.
  static func name(of kinds: [Identifier.Kind]) -> String {
    let names = kinds.map { kind in
      switch kind {
      case .emailAddress: "e-mail address"
      case .phoneNumber: "phone number"
      case .username: "username"
      }
    }
    guard let last = names.last, names.count > 1 else { return names.first ?? "identifier" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// `e-mail address`: the field within a sentence.
  static func name(of field: Field, in setting: Setting) -> String {
    switch field {
    case .identifier: name(of: setting.identifiers)
    case .password: "password"
    case .passwordConfirmation: "password a second time"
    case .code: setting.asksForBackupCode ? "backup code" : "code"
    case .emailAddress: "e-mail address"
    case .phoneNumber: "phone number"
    case .username: "username"
    case .firstName: "first name"
    case .lastName: "last name"
    case .legalAccepted: "terms"
    case .organizationName: "organisation's name"
    case .organizationSlug: "organisation's short name"
    case .organization: "organisation"
    case .factor, .secondFactorMethod: "method"
    case .contact: "e-mail address or phone number"
    case .scopes: "permissions"
    case .claims: "claims"
    // A field that the auth API names itself; its own name never reaches a reader (E4).
    default: setting.labels[field] ?? "value"
    }
  }

  /// `I accept the terms of use and the privacy policy`, each a link to read it.
  ///
  /// - Parameter documents: What there is to read; without any, the terms are named alone.
  /// - Returns: What a tick says.
  static func acceptance(of documents: [LegalDocument]) -> Prose {
    let links = documents.compactMap { document in
      Link.webAddress(document.address).map { address in
        Link(document.kind.rawValue, href: address, words: title(of: document.kind))
      }
    }
    guard !links.isEmpty else { return "I accept the terms of use" }
    let named = links.map { "the \(document: $0)" as Prose }
    let list = named.dropFirst().reduce(named[0]) { $0 + " and " + $1 }
    return "I accept \(list) (\(links.count == 1 ? "opens" : "open") in a new tab)"
  }

  private static func title(of kind: LegalDocument.Kind) -> String {
    switch kind {
    case .terms: "terms of use"
    case .privacyPolicy: "privacy policy"
    }
  }

  /// `Enter your e-mail address`.
  static func demand(for field: Field, in setting: Setting) -> String {
    switch field {
    case .identifier where setting.identifiers.count > 1,
      .identifier, .emailAddress, .phoneNumber, .password, .firstName, .lastName:
      "Enter your \(name(of: field, in: setting))"
    case .username: "Enter a username"
    case .passwordConfirmation: "Enter the password a second time"
    case .code: setting.asksForBackupCode ? "Enter a backup code" : "Enter the code"
    case .legalAccepted: "Accept the terms to continue"
    case .organizationName: "Enter the organisation's name"
    case .organizationSlug: "Enter a short name for the organisation"
    case .organization: "Choose an organisation"
    case .factor, .secondFactorMethod: "Choose a method"
    case .contact: "Enter the address or number to register"
    case .scopes: "Enter the permissions to ask for"
    case .claims: "Enter the claims to ask for"
    default: setting.labels[field].map { "Enter your \($0)" } ?? "Fill in this field"
    }
  }

  /// The rules as one sentence, told before anything is typed.
  static func hint(for rules: PasswordRules) -> Prose {
    let classes = rules.required.map { rule in
      switch rule {
      case .upper: "an upper-case letter"
      case .lower: "a lower-case letter"
      case .number: "a number"
      case .special: "a special character such as ! or #"
      }
    }
    var words = "Use at least \(characters(rules.minimumLength))"
    if let last = classes.last {
      let others = classes.dropLast().joined(separator: ", ")
      words += ", with " + (others.isEmpty ? last : "\(others) and \(last)")
    }
    if let count = rules.classCount {
      words +=
        ". Mix at least \(count) of these: upper-case letters, lower-case letters, numbers, "
        + "special characters"
    }
    return Prose(words + ".")
  }

  static func characters(_ count: Int) -> String {
    count == 1 ? "1 character" : "\(count) characters"
  }

  /// What a button says that chooses the factor; where a message would go stands beside it.
  static func choice(of factor: Factor) -> String {
    switch factor.kind {
    case .password: "Use your password"
    case .emailCode: "E-mail a code"
    case .phoneCode: "Text a code"
    case .emailLink: "E-mail a link"
    case .authenticatorCode: "Use your authenticator app"
    case .backupCode: "Use a backup code"
    case .resetPasswordEmailCode: "Reset your password by e-mail"
    case .resetPasswordPhoneCode: "Reset your password by text message"
    case .enterprise: "Sign in with your organisation"
    }
  }

  /// What the code field is called: it names the code's source.
  static func codeLabel(for kind: Factor.Kind) -> String {
    switch kind {
    case .emailCode, .resetPasswordEmailCode, .emailLink: "Code from your e-mail"
    case .phoneCode, .resetPasswordPhoneCode: "Code from your text message"
    case .authenticatorCode: "Code from your authenticator app"
    case .backupCode: "Backup code"
    case .password, .enterprise: "Code"
    }
  }
}
