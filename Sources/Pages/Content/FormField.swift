public import AuthFlow

/// One field of a form, complete but for its errors.
public struct FormField: Hashable, Sendable {
  /// The raw values are those of HTML's `type` and of the twin's.
  public enum Kind: String, Sendable {
    case text, email, tel, password, checkbox, radio, select, hidden
    /// A hidden user name for password managers (F12); the twin calls it `hidden`.
    case usernameHelper
  }

  /// One of a few answers.
  public struct Choice: Hashable, Sendable {
    public var value: String
    public var label: Phrase

    public init(_ value: String, label: Phrase) {
      self.value = value
      self.label = label
    }
  }

  public var field: Field
  public var kind: Kind
  /// Nil for fields that nobody sees.
  public var label: Phrase?
  public var hint: Phrase?
  public var autocomplete: String?
  public var inputMode: String?
  public var isRequired: Bool
  private var known: String?
  /// The typed text, which replaces the known value.
  var typed: TypedText?
  /// For a checkbox.
  public var isChecked: Bool
  /// Whether the keyboard must leave the spelling alone.
  public var isVerbatim: Bool
  /// For a new password.
  public var rules: PasswordRules?
  /// The options of radios and selects; `value` is the chosen one.
  public var choices: [Choice]

  public init(
    _ field: Field,
    kind: Kind,
    label: Phrase?,
    hint: Phrase? = nil,
    autocomplete: String? = nil,
    inputMode: String? = nil,
    isRequired: Bool = true,
    value: String? = nil,
    isChecked: Bool = false,
    isVerbatim: Bool = false,
    rules: PasswordRules? = nil,
    choices: [Choice] = []
  ) {
    self.field = field
    self.kind = kind
    self.label = label
    self.hint = hint
    self.autocomplete = autocomplete
    self.inputMode = inputMode
    self.isRequired = isRequired
    known = value
    self.isChecked = isChecked
    self.isVerbatim = isVerbatim
    self.rules = rules
    self.choices = choices
  }

  /// Whether it takes addresses, numbers and codes, which run from left to right in every language.
  var isWrittenLeftToRight: Bool {
    switch kind {
    case .email, .tel: true
    case .text, .password: isVerbatim
    case .checkbox, .radio, .select, .hidden, .usernameHelper: false
    }
  }

  /// What was typed or is known; never a secret (R9).
  public var value: String? {
    get { typed?.told ?? known }
    set { (known, typed) = (newValue, nil) }
  }

  /// Whether nothing has been typed or chosen there yet; a box that is not ticked is an answer.
  var isWaiting: Bool {
    kind != .checkbox && typed?.isEmpty ?? (known ?? "").isEmpty
  }

  /// The value to render in the field.
  var written: Value? { typed.map { _ in .stamp(.typed) } ?? known.map(Value.text) }

  /// Whether it is visible, so that errors can be shown at it.
  public var isVisible: Bool {
    switch kind {
    case .text, .email, .tel, .password, .checkbox, .radio, .select: true
    case .hidden, .usernameHelper: false
    }
  }
}

extension Field {
  /// The token that proves that the form was made by a page for this visit (R7); templates spell
  /// its name out.
  public static let formToken = Field(named: "form_token")
  static let identifierHint = Field(named: "identifier_hint")
  /// Whether all other sessions end, too.
  public static let signOutOfOtherSessions = Field(named: "sign_out_of_other_sessions")
}

extension FormField {
  /// What a person signs in with.
  static func identifier(_ kinds: [Identifier.Kind], typed: TypedText?) -> FormField {
    var field = FormField(
      .identifier,
      kind: .text,
      label: Words.label(of: kinds),
      hint: kinds == [.phoneNumber] ? Words.phoneHint : nil,
      autocomplete: "username",
      inputMode: kinds == [.phoneNumber] ? "tel" : "email",
      isVerbatim: true
    )
    field.typed = typed
    return field
  }

  static let currentPassword = FormField(
    .password,
    kind: .password,
    label: .field(.fieldLabelPassword),
    autocomplete: "current-password",
    isVerbatim: true
  )

  static func newPassword(
    _ rules: PasswordRules,
    label: Phrase = .field(.fieldLabelPassword),
    isRequired: Bool = true
  ) -> FormField {
    FormField(
      .password,
      kind: .password,
      label: label,
      hint: Words.hint(for: rules),
      autocomplete: "new-password",
      isRequired: isRequired,
      isVerbatim: true,
      rules: rules
    )
  }

  /// A code of digits that was sent or that an app shows.
  static func code(label: Phrase, hint: Phrase) -> FormField {
    FormField(
      .code,
      kind: .text,
      label: label,
      hint: hint,
      autocomplete: "one-time-code",
      inputMode: "numeric",
      isVerbatim: true
    )
  }

  static let backupCode = FormField(
    .code,
    kind: .text,
    label: .field(.fieldLabelBackupCode),
    hint: .field(.fieldHintBackupCode),
    autocomplete: "off",
    isVerbatim: true
  )

  static func hidden(_ field: Field, value: String) -> FormField {
    FormField(field, kind: .hidden, label: nil, isRequired: false, value: value)
  }

  /// Tells password managers whose password the page asks for (F12).
  static func usernameHelper(_ identifier: String) -> FormField {
    FormField(
      .identifierHint,
      kind: .usernameHelper,
      label: nil,
      autocomplete: "username",
      isRequired: false,
      value: identifier
    )
  }
}
