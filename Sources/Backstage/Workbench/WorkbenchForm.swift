internal import AuthFlow
internal import Pages

/// A form of the workbench; all of them carry the same unguessable token (S23).
struct WorkbenchForm {
  /// Its id, unique on the page.
  var name: String
  var tool: WorkbenchTool
  var token: String
  /// What the server is to do.
  var action: String
  var hidden: [String: String] = [:]
  var lines: [FormField] = []
  var button: String

  /// The form as the pages' template writes forms; what is filled in is what the page is for.
  var view: FormView {
    let fixed = [("action", action)] + hidden.sorted { $0.key < $1.key }
    return FormView(
      name,
      action: tool.path,
      token: token,
      fields: fixed.map { FormField(Field(named: $0), kind: .hidden, label: nil, value: $1) }
        + lines,
      button: button,
      weight: lines.isEmpty ? .quiet : .primary
    )
  }
}

extension FormField {
  /// One line to fill in.
  static func line(
    _ name: String,
    label: String,
    value: String = "",
    hint: Prose? = nil,
    inputMode: String? = nil
  ) -> FormField {
    FormField(
      Field(named: name),
      kind: .text,
      label: label,
      hint: hint,
      inputMode: inputMode,
      isRequired: false,
      value: value,
      isVerbatim: true
    )
  }

  /// One of a few to choose from; the first is chosen already, unless another is.
  static func choice(
    _ name: String,
    label: String,
    among values: [String],
    chosen: String? = nil
  ) -> FormField {
    FormField(
      Field(named: name),
      kind: .select,
      label: label,
      isRequired: false,
      value: chosen ?? values.first,
      choices: values.map { Choice($0, label: $0) }
    )
  }
}
