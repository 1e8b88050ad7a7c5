public import AuthFlow

/// `/sign-up`: exactly the fields that the instance asks for.
///
/// Rules: P-signup.
public struct SignUpPage: Page {
  private let form: SignUpForm
  private let rules: PasswordRules
  private let values: [Field: String]
  private let acceptsTerms: Bool
  private let back: Address?
  private let changing: Field?

  /// Asks for the details of a new account.
  ///
  /// - Parameters:
  ///   - form: The fields that the instance asks for, in the order of the page.
  ///   - rules: The rules that a password has to keep.
  ///   - values: The values typed before; never secrets.
  ///   - acceptsTerms: Whether the box of the terms was ticked.
  ///   - back: The step of the attempt whose details are being edited; nil for a new attempt.
  ///   - changing: The contact that waits to be verified there and is to be changed; nil if there
  ///     is none.
  public init(
    form: SignUpForm,
    rules: PasswordRules,
    values: [Field: String],
    acceptsTerms: Bool,
    back: Address? = nil,
    changing: Field? = nil
  ) {
    self.form = form
    self.rules = rules
    self.values = values
    self.acceptsTerms = acceptsTerms
    self.back = back
    self.changing = changing
  }

  public var address: Address? { .signUp }
  public var step: String { "details" }
  public var flow: FlowName? { .signUp }
  public var fields: [Field] { form.fields.map(\.field) }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(back == nil ? .signUpHeading : .signUpHeadingChange),
      forms: [
        Form(
          "sign-up",
          action: .signUp,
          fields: form.fields.map { entry in
            .detail(
              entry,
              value: values[entry.field],
              isTicked: acceptsTerms,
              rules: rules,
              documents: frame.documents(orElse: form.documents),
              emailIsLogin: !fields.contains(.username),
              in: frame
            )
          },
          button: back == nil ? .page(.signUpCreate) : .common(.actionContinue),
          changing: changing
        )
      ],
      links: [back.map(Self.wayBack), .haveAccount(carrying: values[.emailAddress])].compactMap(
        \.self
      ),
      setting: Setting(values: values, of: form.fields, in: frame)
    )
  }
}

extension SignUpPage {
  private static func wayBack(to place: Address) -> Link {
    guard place == .verifyContact else { return .back(to: place) }
    return Link("verify", href: place.path, words: .page(.signUpBackToCode), purpose: "back")
  }
}

extension Link {
  /// The link to sign in with an existing account, which carries along a typed email address.
  static func haveAccount(carrying address: String? = nil) -> Link {
    Link(
      "sign-in",
      href: address?.ifEmailAddress.map { Address.signIn.adding("identifier", $0) }
        ?? Address.signIn.path,
      words: .common(.actionSignIn),
      place: .foot(.page(.signUpHaveAccount))
    )
  }
}

extension Setting {
  /// The setting of a form of a sign-up.
  init(values: [Field: String], of entries: [SignUpForm.Entry], in frame: PageFrame) {
    self.init(values: values)
    for entry in entries {
      labels[entry.field] = frame.label(of: entry)
      hints[entry.field] = frame.ownHint(of: entry)
      if entry.format != nil { wholeNumbers.insert(entry.field) }
    }
  }
}

extension PageFrame {
  /// What a field is called: in the words of a custom file, or else by the auth API; nil for the
  /// name that pages have for it.
  fileprivate func label(of entry: SignUpForm.Entry) -> Phrase? {
    entry.attribute.flatMap { words(.attribute($0)) } ?? entry.label.map(Phrase.verbatim)
  }

  /// The hint that a custom file has for a field.
  fileprivate func ownHint(of entry: SignUpForm.Entry) -> Phrase? {
    entry.attribute.flatMap { words(.hint(ofAttribute: $0)) }
  }

  private func words(_ key: PhraseKey) -> Phrase? { hasWords(key) ? .message(key) : nil }
}

extension FormField {
  /// A field of a sign-up form.
  ///
  /// - Parameters:
  ///   - entry: The field, and whether it may be left empty.
  ///   - value: The value typed before.
  ///   - isTicked: Whether the box of the terms is ticked.
  ///   - rules: The rules of the password.
  ///   - documents: The documents that the box of the terms is about.
  ///   - emailIsLogin: Whether people later sign in with the email address.
  ///   - frame: The frame of the page, whose language may have words for the field.
  /// - Returns: The field with its purpose tokens.
  static func detail(
    _ entry: SignUpForm.Entry,
    value: String?,
    isTicked: Bool,
    rules: PasswordRules,
    documents: [LegalDocument] = [],
    emailIsLogin: Bool,
    in frame: PageFrame
  ) -> FormField {
    let field = entry.field
    func marked(_ label: Phrase) -> Phrase {
      entry.isRequired ? label : .field(.fieldOptional, ["label": .phrase(label)])
    }
    let label = marked(.label(frame.label(of: entry) ?? Words.name(of: field, in: Setting())))
    var made = FormField(
      field,
      kind: .text,
      label: label,
      hint: frame.ownHint(of: entry)
        ?? entry.format.map { _ in Phrase.field(.fieldHintWholeNumber) },
      // Some keyboards for digits have no minus sign.
      inputMode: entry.format == .natural ? "numeric" : nil,
      isRequired: entry.isRequired,
      value: value,
      isVerbatim: entry.format != nil
    )
    made.autocomplete = purposeTokens[field]
    if !entry.choices.isEmpty {
      made.kind = .select
      made.choices =
        entry.choices == SignUpForm.Entry.truthValues
        ? zip(entry.choices, [.fieldYes, .fieldNo]).map { .init($0, label: .field($1)) }
        : entry.choices.map { .init($0, label: .verbatim($0)) }
      return made
    }
    switch field.known {
    case .password?:
      return .newPassword(rules, label: label, isRequired: entry.isRequired)
    case .legalAccepted?:
      made.kind = .checkbox
      made.label = marked(Words.acceptance(of: documents))
      made.value = "true"
      made.isChecked = isTicked
    case .emailAddress?:
      made.kind = .email
      made.autocomplete = emailIsLogin ? "username" : "email"
      made.isVerbatim = true
    case .phoneNumber?:
      made.kind = .tel
      made.autocomplete = "tel"
      made.hint = Words.phoneHint
    case .username?:
      made.autocomplete = "username"
      made.isVerbatim = true
    // A plain line of text, as is any field that the auth API defines itself.
    case .firstName?, .lastName?, .streetAddress?, .postalCode?, .state?, .city?, .country?,
      .jobTitle?, .displayName?, nil:
      break
    // No sign-up asks for these.
    case .identifier?, .code?, .organization?, .organizationName?, .organizationSlug?, .factor?,
      .secondFactorMethod?, .contact?, .scopes?, .claims?:
      break
    }
    return made
  }

  /// The `autocomplete` tokens of fields that do not depend on how they are asked for (WCAG 1.3.5).
  private static let purposeTokens: [Field: String] = [
    .firstName: "given-name", .lastName: "family-name", .organizationName: "organization",
    .displayName: "name", .jobTitle: "organization-title", .streetAddress: "address-line1",
    .postalCode: "postal-code", .city: "address-level2", .state: "address-level1",
    .country: "country-name",
  ]
}
