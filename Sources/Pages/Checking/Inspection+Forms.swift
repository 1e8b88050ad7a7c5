import AuthFlow

/// The forms and their fields.
extension Inspection {
  /// Each form is present, posts to its action and has its fields (R7).
  var forms: [Finding] {
    presentation.content.forms.flatMap { form -> [Finding] in
      guard let element = html.element(id: form.name), element.tag == "form" else {
        return [Finding("R7", "the form \(form.name) is missing")]
      }
      return posting(form, element) + form.fields.flatMap { self.field($0, of: form, in: element) }
    }
  }

  private func posting(_ form: Form, _ element: HTML.Element) -> [Finding] {
    var findings: [Finding] = []
    if element["method"]?.lowercased() != "post" || element["action"] != form.action.path {
      findings.append(Finding("R7", "the form \(form.name) does not post to \(form.action.path)"))
    }
    if element["novalidate"] == nil {
      findings.append(Finding("R7", "the form \(form.name) has no novalidate"))
    }
    let token = presentation.text(of: .stamp(.formToken(form.action)))
    let name = Field.formToken.name
    if element.all.filter({ $0["name"] == name }).map({ $0["value"] }) != [token] {
      findings.append(Finding("R7", "the form \(form.name) does not have its token as \(name)"))
    }
    if html.submitButtons(of: element).count != 1 {
      findings.append(
        Finding("R7", "the form \(form.name) does not have exactly one submit button")
      )
    }
    if element["data-action"] != form.purpose {
      findings.append(Finding("hook", "the form \(form.name) has no data-action"))
    }
    return findings
  }

  private func field(_ field: FormField, of form: Form, in element: HTML.Element) -> [Finding] {
    let name = field.field.name
    let inputs = element.inputs(named: name)
    guard let first = inputs.first else {
      return [Finding("F11", "the field \(name) is missing from the form \(form.name)")]
    }
    var findings: [Finding] = []
    if field.kind == .password, inputs.contains(where: { $0["type"] != "password" }) {
      findings.append(Finding("R9", "the field \(name) shows what is typed"))
    }
    if inputs.contains(where: { $0["disabled"] != nil }) {
      findings.append(Finding("F6", "the field \(name) is disabled"))
    }
    guard field.isVisible else { return findings }
    if inputs.contains(where: { !isLabelled($0) }) {
      findings.append(Finding("F1", "the field \(name) has no label"))
    }
    if !element.all.contains(where: { $0["data-field"] == name && $0.contains(first) }) {
      findings.append(Finding("hook", "the field \(name) has no data-field=\"\(name)\" around it"))
    }
    if inputs.contains(where: { $0["readonly"] != nil }) {
      findings.append(Finding("F6", "the field \(name) is read-only"))
    }
    if inputs.contains(where: { $0["maxlength"] != nil || $0["type"] == "number" }) {
      findings.append(Finding("F7", "the field \(name) cuts or refuses what is pasted"))
    }
    if first["autocomplete"] != field.autocomplete {
      findings.append(
        Finding("F7", "the field \(name) has no autocomplete=\"\(field.autocomplete ?? "")\"")
      )
    }
    return findings + value(of: field, first)
  }

  /// Secrets are never shown again; everything else that was typed is (R9, F5).
  private func value(of field: FormField, _ input: HTML.Element) -> [Finding] {
    switch field.kind {
    case .text, .email, .tel, .password:
      if field.kind == .password || field.field == .code {
        return input["value"] == nil
          ? [] : [Finding("R9", "the field \(field.field.name) has a value")]
      }
      return (input["value"] ?? "") == (field.written.map(presentation.text) ?? "")
        ? [] : [Finding("F5", "what was typed as \(field.field.name) is not shown again")]
    case .checkbox, .radio, .select, .hidden, .usernameHelper: return []
    }
  }

  /// Fields, buttons, links and pictures that a template adds have an accessible name (F1; WCAG
  /// 1.1.1, 4.1.2).
  var names: [Finding] {
    let asked = Set(presentation.content.forms.flatMap(\.fields).map(\.field.name))
    return html.all.compactMap { element in
      switch element.tag {
      case "input", "select", "textarea":
        let name = element["name"] ?? ""
        let isShown = !HTML.Element.unlabelledTypes.contains(element["type"]?.lowercased() ?? "")
        guard isShown, !asked.contains(name), !isLabelled(element), !hasOwnName(element) else {
          return nil
        }
        return Finding("F1", "the added field \(name) has no label")
      case "button", "a":
        guard element["href"] != nil || element.tag == "button", !hasName(element) else {
          return nil
        }
        return Finding("F1", "<\(element.tag)> has no words and no aria-label")
      case "img":
        return element["alt"] == nil
          ? Finding("F1", "the picture \(element["src"] ?? "") has no alt") : nil
      default: return nil
      }
    }
  }

  /// Words, or what stands for them on it or on something in it, as a picture's.
  private func hasName(_ element: HTML.Element) -> Bool {
    !element.text.isEmpty || element.all.contains(where: hasOwnName)
  }

  private func hasOwnName(_ element: HTML.Element) -> Bool {
    ["aria-label", "aria-labelledby", "title", "alt"].contains { element[$0]?.isEmpty == false }
  }

  private func isLabelled(_ input: HTML.Element) -> Bool {
    html.all("label").contains { label in
      !label.text.isEmpty
        && (label["for"] == input["id"] && input["id"] != nil || label.contains(input))
    }
  }
}

extension HTML.Element {
  fileprivate static let inputTags: Set = ["input", "select", "textarea"]
  /// The types of inputs that are invisible or carry their own label.
  fileprivate static let unlabelledTypes: Set = ["hidden", "submit", "reset", "button", "image"]

  /// The controls whose `name` is `name`.
  func inputs(named name: String) -> [HTML.Element] {
    all.filter { Self.inputTags.contains($0.tag) && $0["name"] == name }
  }
}
