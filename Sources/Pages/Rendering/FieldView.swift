import AuthFlow

/// What `partials/field` asks for.
final class FieldView: TemplateView {
  enum Name: String, CaseIterable {
    case id, fieldName = "name", type, label, hint, messages, describedBy, value, autocomplete
    case inputMode, rules, line, password, statement, checkbox, checked, radios, select, options
    case required, hinted, verbatim, again, focus, beside, leftToRight, blank
  }

  let field: FormField
  private let id: String
  private let messages: [MessageView]
  /// Whether a password has to be retyped (F5) and the field has no hint to say so.
  private let asksAgain: Bool
  private let takesFocus: Bool
  private let beside: LinkView?
  /// Left out where an error says the same.
  private let hint: Phrase?
  /// The ids of what describes the field: notices, the hint, errors, the end of the attempt (E7, F2,
  /// N6); nil if nothing does.
  private let describedBy: String?
  private let wording: Wording

  init(_ field: FormField, in form: String, on presentation: Presentation, takesFocus: Bool) {
    self.field = field
    self.takesFocus = takesFocus
    id = Self.id(of: field.field, in: form)
    let messages = field.isVisible ? presentation.messages(at: field.field) : []
    self.messages = MessageView.all(messages, in: presentation.wording)
    let isLost =
      field.kind == .password && messages.isEmpty && presentation.frame.losesPassword
      && (presentation.frame.error != nil || presentation.frame.refusal != nil)
    wording = presentation.wording
    let hint = Self.hint(of: field, besides: messages, in: wording)
    // Languages join sentences in their own ways.
    self.hint = isLost ? hint.map { Phrase.sentences($0, .field(.fieldPasswordAgain)) } : hint
    asksAgain = isLost && hint == nil
    beside =
      presentation.ways.first { link in
        if case .beside(field.field, _) = link.place { true } else { false }
      }.map { LinkView($0, in: presentation.wording) }
    describedBy = Self.explanations(
      of: id,
      news: takesFocus ? presentation.newsIDs : [],
      isHinted: hint != nil || asksAgain,
      isWrong: !messages.isEmpty,
      end: takesFocus ? presentation.endID : nil
    )
  }

  /// A field that is not on a page, and what is wrong with it; its words are verbatim.
  init(_ field: FormField, in form: String, wrong: [String]) {
    self.field = field
    id = Self.id(of: field.field, in: form)
    let messages = wrong.map {
      Message(code: "invalid_value", words: Prose($0), reference: .text(""))
    }
    self.messages = MessageView.all(messages, in: .none, stop: ".")
    asksAgain = false
    takesFocus = false
    beside = nil
    hint = Self.hint(of: field, besides: messages, in: .none)
    describedBy = Self.explanations(of: id, isHinted: hint != nil, isWrong: !messages.isEmpty)
    wording = .none
  }

  /// Unique on the page, as a form's name is.
  static func id(of field: Field, in form: String) -> String { "\(form)-\(field.name)" }

  static func word(for name: Name) -> Word<FieldView> {
    switch name {
    case .id: .text { $0.id }
    case .fieldName: .text { $0.field.field.name }
    case .type: .text { $0.field.kind.rawValue }
    case .label: .text { view in view.field.label.map(view.wording.text) }
    case .statement: .view { view in view.field.label.map { ProseView(view.wording.prose($0)) } }
    case .hint:
      .view { view in
        view.hint.map { ProseView(view.wording.prose($0), isRightToLeft: view.isRightToLeft) }
      }
    case .hinted: .flag { $0.isHinted }
    case .messages: .each { $0.messages }
    case .describedBy: .text { $0.describedBy }
    case .value: .value { $0.field.kind == .password ? nil : $0.field.written }
    case .autocomplete: .text { $0.field.autocomplete }
    case .inputMode: .text { $0.field.inputMode }
    case .rules: .view { $0.field.rules.map(Rules.init) }
    case .line: .flag { $0.isLine }
    case .password: .flag { $0.field.kind == .password }
    case .checkbox: .flag { $0.field.kind == .checkbox }
    case .checked: .flag { $0.field.isChecked }
    case .radios: .flag { $0.field.kind == .radio }
    case .select: .flag { $0.field.kind == .select }
    case .options: .each { $0.options }
    case .required: .flag { $0.field.isRequired }
    case .verbatim: .flag { $0.field.isVerbatim }
    case .again: .flag { $0.asksAgain }
    case .focus: .flag { $0.takesFocus }
    case .beside: .view { $0.beside }
    case .leftToRight: .flag { $0.isRightToLeft && $0.field.isWrittenLeftToRight }
    // If an empty answer is among the choices, it has words of its own.
    case .blank: .flag { !$0.field.choices.contains { $0.value.isEmpty } }
    }
  }

  private var options: [OptionView] {
    field.choices.enumerated().map { index, choice in
      OptionView(
        choice,
        at: index,
        of: field,
        id: id,
        label: wording.text(choice.label),
        takesFocus: index == 0 && takesFocus
      )
    }
  }

  private var isRightToLeft: Bool { wording.isRightToLeft }

  private var isLine: Bool {
    switch field.kind {
    case .text, .email, .tel, .password: true
    case .checkbox, .radio, .select, .hidden, .usernameHelper: false
    }
  }

  /// Whether there is a hint: the field's own, that a password has to be retyped, or both.
  private var isHinted: Bool { hint != nil || asksAgain }

  private static func hint(
    of field: FormField,
    besides messages: [Message],
    in wording: Wording
  ) -> Phrase? {
    guard let hint = field.hint, !messages.isEmpty else { return field.hint }
    let words = wording.text(hint).withoutStop
    return messages.contains { $0.words.text.withoutStop.hasSuffix(words) } ? nil : hint
  }

  /// The ids of what describes a field: notices elsewhere on the page, its hint, its errors, and
  /// when the attempt ends.
  private static func explanations(
    of id: String,
    news: [String] = [],
    isHinted: Bool,
    isWrong: Bool,
    end: String? = nil
  ) -> String? {
    var ids = news
    if isHinted { ids.append("\(id)-hint") }
    if isWrong { ids.append("\(id)-error") }
    if let end { ids.append(end) }
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }

  /// The rules of a new password, as password managers read them.
  struct Rules: TemplateView {
    enum Name: String, CaseIterable { case minimumLength, notation }

    let rules: PasswordRules

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .minimumLength: .text { String($0.rules.minimumLength) }
      case .notation: .text { $0.notation }
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

extension String {
  /// Without what ends a sentence.
  fileprivate var withoutStop: Substring {
    let end = lastIndex { !$0.isPunctuation }.map(index(after:)) ?? startIndex
    return self[..<end]
  }
}

/// One answer of a radio group or a select.
struct OptionView: TemplateView {
  enum Name: String, CaseIterable {
    case id, fieldName = "name", value, label, chosen, required, focus
  }

  private let choice: FormField.Choice
  private let label: String
  private let field: FormField
  private let id: String
  private let takesFocus: Bool

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - choice: The answer.
  ///   - index: Its index; the first answer has the field's own id, to which the summary links.
  ///   - field: The field that it answers.
  ///   - id: The field's id.
  ///   - label: The words of the answer.
  ///   - takesFocus: Whether it takes the focus when the page opens.
  init(
    _ choice: FormField.Choice,
    at index: Int,
    of field: FormField,
    id: String,
    label: String,
    takesFocus: Bool
  ) {
    self.choice = choice
    self.label = label
    self.field = field
    self.id = index == 0 ? id : "\(id)-\(index + 1)"
    self.takesFocus = takesFocus
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .id: .text { $0.id }
    case .fieldName: .text { $0.field.field.name }
    case .value: .text { $0.choice.value }
    case .label: .text { $0.label }
    case .chosen: .flag { $0.choice.value == $0.field.value }
    case .required: .flag { $0.field.isRequired }
    case .focus: .flag { $0.takesFocus }
    }
  }
}
