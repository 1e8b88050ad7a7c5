import AuthFlow

/// What `partials/form` asks for.
package struct FormView: TemplateView {
  package enum Name: String, CaseIterable, Sendable {
    case id, action, token, hidden, helpers, fields, button, weight, emphasis, purpose, wait, face
  }

  let id: String
  let action: String
  let token: Value
  let fields: [FieldView]
  let button: String
  let weight: Form.Weight
  /// How much the button stands out just now.
  private(set) var emphasis: Form.Weight
  private(set) var purpose: String?
  private(set) var wait: Wait?
  private(set) var face: Face?

  /// A form of no page.
  ///
  /// - Parameters:
  ///   - id: Unique in the document.
  ///   - action: Where it is posted to.
  ///   - token: Against forgery.
  ///   - fields: Hidden ones and others.
  ///   - button: The words on it.
  ///   - weight: How much the button stands out.
  package init(
    _ id: String,
    action: String,
    token: String,
    fields: [FormField],
    button: String,
    weight: Form.Weight
  ) {
    self.id = id
    self.action = action
    self.token = .text(token)
    self.fields = fields.map { FieldView($0, in: id) }
    self.button = button
    self.weight = weight
    emphasis = weight
  }

  /// One form of a page.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - presentation: The page it is on.
  ///   - takesFocus: Whether its first field has the focus when the page opens.
  init(_ form: Form, in presentation: Presentation, takesFocus: Bool) {
    let first = takesFocus ? form.fields.first(where: \.isVisible)?.field : nil
    id = form.name
    action = form.action.path
    token = .stamp(.formToken(form.action))
    fields = form.fields.map { field in
      FieldView(field, in: form.name, on: presentation, takesFocus: field.field == first)
    }
    button = form.button
    weight = form.weight
    emphasis = Self.emphasis(of: form, in: presentation)
    purpose = form.purpose
    wait = form.availableAt.map {
      Wait(timestamp: $0.timestamp, clock: presentation.times.shortly($0))
    }
    face = form.face.map(Face.init)
  }

  package static func word(for name: Name) -> Word<Self> {
    switch name {
    case .id: .text(\.id)
    case .action: .text(\.action)
    case .token: .value(\.token)
    case .hidden: .each { $0.fields.filter { $0.field.kind == .hidden } }
    case .helpers: .each { $0.fields.filter { $0.field.kind == .usernameHelper } }
    case .fields: .each { $0.fields.filter(\.field.isVisible) }
    case .button: .text(\.button)
    case .weight: .text { $0.weight.rawValue }
    case .emphasis: .text { $0.emphasis.rawValue }
    case .purpose: .text(\.purpose)
    case .wait: .view(\.wait)
    case .face: .view(\.face)
    }
  }

  /// Where only another message leads on, that is the one thing to do.
  private static func emphasis(of form: Form, in presentation: Presentation) -> Form.Weight {
    guard presentation.needsNewMessage,
      presentation.content.forms.contains(where: { $0.purpose == "resend" })
    else { return form.weight }
    if form.purpose == "resend" { return .primary }
    return form.weight == .primary ? .choice : form.weight
  }

  /// What stands beside the words of a button.
  struct Face: TemplateView {
    enum Name: String, CaseIterable { case icon, outline, detail, lastUsed }

    let face: Form.Face

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .icon: .text { $0.face.icon.rawValue }
      case .outline: .text { $0.face.icon.outline }
      case .detail: .text { $0.face.detail }
      case .lastUsed: .flag { $0.face.isLastUsed }
      }
    }
  }

  /// Whether it stands beside the main form and has no place of its own.
  var isBeside: Bool { weight == .quiet && !["resend", "restart", "sign-out"].contains(id) }

  /// From when on the form may be used.
  struct Wait: TemplateView {
    enum Name: String, CaseIterable { case timestamp, clock }

    let timestamp: String
    let clock: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .timestamp: .text(\.timestamp)
      case .clock: .text(\.clock)
      }
    }
  }
}

/// What `partials/field` asks for.
struct FieldView: TemplateView {
  enum Name: String, CaseIterable {
    case id, fieldName = "name", type, label, hint, messages, describedBy, value, autocomplete
    case inputMode, rules, line, password, statement, checkbox, checked, radios, select, options
    case required, hinted, verbatim, again, focus, beside
  }

  let field: FormField
  private let id: String
  private let messages: [Message]
  /// Whether a password was typed that does not come back (F5).
  private let asksAgain: Bool
  private let takesFocus: Bool
  /// What is told elsewhere on the page and belongs to the field that waits.
  private let news: [String]
  private let beside: Link?

  init(_ field: FormField, in form: String, on presentation: Presentation, takesFocus: Bool) {
    self.field = field
    self.takesFocus = takesFocus
    id = Self.id(of: field.field, in: form)
    messages = field.isVisible ? presentation.messages(at: field.field) : []
    asksAgain =
      field.kind == .password && messages.isEmpty
      && (presentation.frame.error != nil || presentation.frame.refusal != nil)
    news = takesFocus ? presentation.newsIDs : []
    beside = presentation.ways.first { link in
      if case .beside(field.field, _) = link.place { true } else { false }
    }
  }

  /// A field that nothing has been said of.
  init(_ field: FormField, in form: String) {
    self.field = field
    id = Self.id(of: field.field, in: form)
    messages = []
    asksAgain = false
    takesFocus = false
    news = []
    beside = nil
  }

  /// Unique on the page, as a form's name is.
  static func id(of field: Field, in form: String) -> String { "\(form)-\(field.name)" }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .id: .text(\.id)
    case .fieldName: .text { $0.field.field.name }
    case .type: .text { $0.field.kind.rawValue }
    case .label: .text { $0.field.label }
    case .statement: .view { ProseView(prose: $0.field.statement ?? Prose($0.field.label ?? "")) }
    case .hint: .view { $0.field.hint.map(ProseView.init) }
    case .hinted: .flag(\.isHinted)
    case .messages: .each { $0.messages.map(MessageView.init) }
    case .describedBy: .text(\.describedBy)
    case .value: .text { $0.field.kind == .password ? nil : $0.field.value }
    case .autocomplete: .text { $0.field.autocomplete }
    case .inputMode: .text { $0.field.inputMode }
    case .rules: .view { $0.field.rules.map(Rules.init) }
    case .line: .flag(\.isLine)
    case .password: .flag { $0.field.kind == .password }
    case .checkbox: .flag { $0.field.kind == .checkbox }
    case .checked: .flag { $0.field.isChecked }
    case .radios: .flag { $0.field.kind == .radio }
    case .select: .flag { $0.field.kind == .select }
    case .options: .each(\.options)
    case .required: .flag { $0.field.isRequired }
    case .verbatim: .flag { $0.field.isVerbatim }
    case .again: .flag(\.asksAgain)
    case .focus: .flag(\.takesFocus)
    case .beside: .view { $0.beside.map(LinkView.init) }
    }
  }

  private var options: [OptionView] {
    field.choices.enumerated().map { index, choice in
      OptionView(
        choice,
        at: index,
        of: field,
        id: id,
        describedBy: index == 0 ? describedBy : nil,
        isWrong: index == 0 && !messages.isEmpty,
        takesFocus: index == 0 && takesFocus
      )
    }
  }

  private var isLine: Bool {
    switch field.kind {
    case .text, .email, .tel, .password: true
    case .checkbox, .radio, .select, .hidden, .usernameHelper: false
    }
  }

  /// What a password has to keep, and that it has to be typed anew, are one hint.
  private var isHinted: Bool { field.hint != nil || asksAgain }

  /// The ids of what explains the field, news first, then the hint (E7, F2); nil where nothing does.
  private var describedBy: String? {
    var ids = news
    if isHinted { ids.append("\(id)-hint") }
    if !messages.isEmpty { ids.append("\(id)-error") }
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }

  /// The rules of a new password, as password managers read them.
  struct Rules: TemplateView {
    enum Name: String, CaseIterable { case minimumLength, notation }

    let rules: PasswordRules

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .minimumLength: .text { String($0.rules.minimumLength) }
      case .notation: .text(\.notation)
      }
    }

    private var notation: String {
      let maximum = rules.maximumLength.map { " maxlength: \($0);" } ?? ""
      let classes = rules.required.map { rule in
        switch rule {
        case .upper: " required: upper;"
        case .lower: " required: lower;"
        case .number: " required: digit;"
        case .special: " required: special;"
        }
      }
      return "minlength: \(rules.minimumLength);\(maximum)\(classes.joined())"
    }
  }
}

/// One answer of a radio group or a select.
struct OptionView: TemplateView {
  enum Name: String, CaseIterable {
    case id, fieldName = "name", value, label, chosen, required, describedBy, wrong, focus
  }

  private let choice: FormField.Choice
  private let field: FormField
  private let id: String
  private let describedBy: String?
  private let isWrong: Bool
  private let takesFocus: Bool

  /// One answer; the first speaks for the whole field.
  ///
  /// - Parameters:
  ///   - choice: The answer.
  ///   - index: Where it stands; the first has the field's own id, to which the summary leads.
  ///   - field: The field that it answers.
  ///   - id: The field's id.
  ///   - describedBy: The ids of what explains the field.
  ///   - isWrong: Whether to mark it as being in error.
  ///   - takesFocus: Whether it has the focus when the page opens.
  init(
    _ choice: FormField.Choice,
    at index: Int,
    of field: FormField,
    id: String,
    describedBy: String?,
    isWrong: Bool,
    takesFocus: Bool
  ) {
    self.choice = choice
    self.field = field
    self.id = index == 0 ? id : "\(id)-\(index + 1)"
    self.describedBy = describedBy
    self.isWrong = isWrong
    self.takesFocus = takesFocus
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .id: .text(\.id)
    case .fieldName: .text { $0.field.field.name }
    case .value: .text { $0.choice.value }
    case .label: .text { $0.choice.label }
    case .chosen: .flag { $0.choice.value == $0.field.value }
    case .required: .flag { $0.field.isRequired }
    case .describedBy: .text(\.describedBy)
    case .wrong: .flag(\.isWrong)
    case .focus: .flag(\.takesFocus)
    }
  }
}
