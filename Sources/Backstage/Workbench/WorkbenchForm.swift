internal import AuthFlow
internal import HTTPExchange
internal import Pages

/// A form of the workbench; all of them carry the same unguessable token (S23).
struct WorkbenchForm {
  /// Its id, unique on the page.
  var name: String
  var tool: WorkbenchTool
  var token: String
  /// The value of `action`, which tells the server what to do.
  var action: String
  var hidden: [String: String] = [:]
  var lines: [FormField] = []
  var button: String
  /// The problems of fields, by field name.
  var wrong: [String: [String]] = [:]
  /// Whether it has typed values that have not taken effect yet.
  var isUnsent = false
  var weight: Form.Weight?
  /// The id of the element that distinguishes it from similar forms; the element with that id and
  /// `-seen` appended says more.
  var describedBy: String?

  /// The form for the pages' template.
  ///
  /// By default its button is primary if there is something to fill in.
  var view: FormView {
    let fixed = [("action", action)] + hidden.sorted { $0.key < $1.key }
    return FormView(
      name,
      action: tool.path,
      token: token,
      fields: fixed.map { FormField(Field(named: $0), kind: .hidden, label: nil, value: $1) }
        + lines,
      button: button,
      weight: weight ?? (lines.isEmpty ? .quiet : .primary),
      wrong: wrong,
      describedBy: describedBy
    )
  }

  /// The id of one of its visible fields on the page.
  func id(of line: FormField) -> String { "\(name)-\(line.field.name)" }

  /// The visible field that fills that place in the request; nil if there is none.
  func line(filling place: String) -> FormField? {
    lines.first { $0.isVisible && $0.isSource(of: place) }
  }

  /// Whether the form data came from this form.
  func isSource(of sent: FormData) -> Bool {
    sent["action"] == action && hidden["id"] == sent["id"]
  }

  /// Fills in what was typed, except secrets (R9), and shows what is wrong at the field concerned.
  ///
  /// Fields that nobody has touched show their present values, since those go along as `before` when
  /// the form is sent again.
  mutating func refill(with sent: FormData, _ refusal: BackstageRefusal) {
    let before = FilledValues(carriedBy: sent)
    for index in lines.indices where lines[index].isVisible {
      let line = lines[index]
      if let before, !before.isTouched(line.field.name, in: sent) { continue }
      let typed = sent.values(of: line.field.name)
      if line.kind == .checkbox {
        lines[index].isChecked = typed.contains(line.value ?? "")
      } else if line.isSecret {
        if typed.last?.isEmpty == false { lines[index].askAgain() }
      } else if let last = typed.last {
        lines[index].value = last
      }
      if lines[index].isChecked != line.isChecked || lines[index].value != line.value {
        isUnsent = true
      }
    }
    for fault in refusal.all.compactMap(\.fault) {
      guard let line = line(filling: fault.place) else { continue }
      wrong[line.field.name, default: []].append(Self.sentence(fault.words))
    }
  }

  private static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension FormField {
  /// A text field of one line.
  static func line(
    _ name: String,
    label: String,
    value: String = "",
    hint: String? = nil,
    inputMode: String? = nil
  ) -> FormField {
    FormField(
      Field(named: name),
      kind: .text,
      label: .verbatim(label),
      hint: hint.map(Phrase.verbatim),
      inputMode: inputMode,
      isRequired: false,
      value: value,
      isVerbatim: true
    )
  }

  /// A text field of one line that neither the browser nor a page keeps (R9); its text is visible
  /// while it is typed.
  static func secret(_ name: String, label: String, hint: String? = nil) -> FormField {
    var field = line(name, label: label, hint: hint)
    field.autocomplete = "off"
    return field
  }

  /// Whether this field fills that place in the request: it is named after the place, or after a
  /// member that contains it.
  fileprivate func isSource(of place: String) -> Bool {
    guard place.hasPrefix(field.name) else { return false }
    let rest = place.dropFirst(field.name.count)
    return rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
  }

  /// Whether what is typed there is not kept (R9).
  var isSecret: Bool { autocomplete == "off" }

  /// Puts before the hint that what was typed has to be typed again.
  fileprivate mutating func askAgain() {
    let again = "It is not kept: type it again"
    if case .verbatim(let words)? = hint {
      hint = .verbatim("\(again). \(words)")
    } else {
      hint = .verbatim(again)
    }
  }

  /// A switch, after a hidden field for its off state, since browsers send only switches that are
  /// on.
  static func checkbox(
    _ name: String,
    label: String,
    isChecked: Bool,
    hint: String? = nil
  ) -> [FormField] {
    [
      FormField(Field(named: name), kind: .hidden, label: nil, value: "false"),
      FormField(
        Field(named: name),
        kind: .checkbox,
        label: .verbatim(label),
        hint: hint.map(Phrase.verbatim),
        isRequired: false,
        value: "true",
        isChecked: isChecked
      ),
    ]
  }

  /// A choice among values with labels; the first is selected unless another is given.
  static func choice(
    _ name: String,
    label: String,
    among choices: [(value: String, words: String)],
    chosen: String? = nil,
    hint: String? = nil
  ) -> FormField {
    FormField(
      Field(named: name),
      kind: .select,
      label: .verbatim(label),
      hint: hint.map(Phrase.verbatim),
      isRequired: false,
      value: chosen ?? choices.first?.value,
      choices: choices.map { Choice($0.value, label: .verbatim($0.words)) }
    )
  }
}
