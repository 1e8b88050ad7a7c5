import AuthFlow

/// What the page has to tell: errors, news and ways on.
extension Inspection {
  /// A field in error says so in text and state and is linked from the summary; no other field is
  /// marked (E1, F3).
  var fieldMessages: [Finding] {
    presentation.content.forms.flatMap { form -> [Finding] in
      guard let element = html.element(id: form.name) else { return [] }
      return form.fields.filter(\.isVisible).flatMap { field -> [Finding] in
        guard let input = element.inputs(named: field.field.name).first else { return [] }
        return state(of: field.field, input, in: element)
      }
    }
  }

  private func state(
    of field: Field,
    _ input: HTML.Element,
    in form: HTML.Element
  ) -> [Finding] {
    let codes = presentation.messages(at: field).map(\.code)
    let whole = self.whole(of: input, in: form)
    guard !codes.isEmpty else {
      return whole["aria-invalid"] == nil
        ? [] : [Finding("F3", "the field \(field.name) is marked invalid without an error")]
    }
    var findings: [Finding] = []
    if whole["aria-invalid"] != "true" {
      findings.append(
        Finding("F3", "the field \(field.name) is in error without aria-invalid=\"true\"")
      )
    }
    let explanation =
      whole["aria-describedby"]?.split(separator: " ")
      .compactMap { html.element(id: String($0)) } ?? []
    let group = form.all.first { $0["data-field"] == field.name && $0.contains(input) } ?? form
    let shown = group.all.filter { $0["data-error-code"] != nil }
    for code in codes {
      guard let message = shown.first(where: { $0["data-error-code"] == code }) else {
        findings.append(
          Finding("E1", "the message \(code) is not shown at the field \(field.name)")
        )
        continue
      }
      if !explanation.contains(where: { $0.contains(message) }) {
        findings.append(Finding("F2", "the field \(field.name) is not described by its error"))
      }
    }
    let leads = html.all("a").contains { $0["href"] == input["id"].map { "#\($0)" } }
    if !leads { findings.append(Finding("E5", "no summary leads to the field \(field.name)")) }
    return findings
  }

  /// What has the state of a field: the input, or the group that a radio button is in.
  private func whole(of input: HTML.Element, in form: HTML.Element) -> HTML.Element {
    guard input["type"] == "radio" else { return input }
    return form.all.first { $0["role"] == "radiogroup" && $0.contains(input) } ?? input
  }

  /// No general message, notice or link is lost (E2, N1), and at most one element takes the focus
  /// (E7).
  var generalMessages: [Finding] {
    var findings: [Finding] = []
    let general = html.all.filter { $0["data-error-scope"] == "general" }
    for message in presentation.general
    where !general.contains(where: { $0["data-error-code"] == message.code }) {
      findings.append(Finding("E2", "the message \(message.code) is not shown"))
    }
    for (notice, _) in presentation.notices
    where !html.all.contains(where: { $0["data-notice"] == notice.rawValue }) {
      findings.append(Finding("N1", "the notice \(notice.rawValue) is not shown"))
    }
    let places = html.all("a").map { $0["href"] }
    for link in presentation.links where !places.contains(presentation.text(of: link.href)) {
      findings.append(Finding("hook", "no link leads to \(presentation.text(of: link.href))"))
    }
    if html.all(having: "autofocus").count > 1 {
      findings.append(Finding("E7", "more than one element has autofocus"))
    }
    return findings
  }
}
