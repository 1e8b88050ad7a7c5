import AuthFlow

/// A page as JSON, for scripts and tests.
///
/// Source: <doc:PagesAsJSON#Shape>.
extension Presentation {
  func json() -> Still {
    var writer = JSONWriter(capacity: 2048)
    writer.object { json in
      json.name("page")
      json.string(page)
      json.name("step")
      json.string(step)
      json.name("flow")
      json.string(orNull: flow?.rawValue)
      json.name("title")
      json.string(title.text)
      json.name("forms")
      json.array(content.forms) { write($1, to: &$0) }
      json.name("errors")
      json.array(general) { json, message in
        json.object { json in
          json.name("code")
          json.string(message.code)
          json.name("message")
          json.string(message.text)
          json.name("reference")
          json.value(message.reference)
          json.name("until")
          json.string(orNull: message.until?.timestamp)
          writeDetail(of: message, to: &json)
        }
      }
      json.name("notices")
      json.array(notices) { json, item in
        json.object { json in
          json.name("code")
          json.string(item.notice.rawValue)
          json.name("message")
          json.string(item.words.text)
        }
      }
      json.name("links")
      json.array(links) { write($1, to: &$0) }
      json.name("facts")
      json.value(.object(content.facts))
    }
    return writer.still
  }

  private func write(_ link: Link, to json: inout JSONWriter) {
    json.object { json in
      json.name("name")
      json.string(link.name)
      json.name("href")
      json.value(link.href)
    }
  }

  private func write(_ form: Form, to json: inout JSONWriter) {
    json.object { json in
      json.name("name")
      json.string(form.name)
      json.name("action")
      json.string(form.action.path)
      json.name("method")
      json.string("post")
      json.name("token")
      json.value(.stamp(.formToken(form.action)))
      if let availableAt = form.availableAt {
        json.name("available_at")
        json.string(availableAt.timestamp)
      }
      json.name("fields")
      json.array(form.fields) { write($1, to: &$0) }
    }
  }

  private func write(_ field: FormField, to json: inout JSONWriter) {
    json.object { json in
      json.name("name")
      json.string(field.field.name)
      json.name("label")
      json.string(orNull: field.label.map(wording.plainText))
      if let hint = field.hint {
        json.name("hint")
        json.string(wording.plainText(hint))
      }
      json.name("type")
      json.string((field.kind == .usernameHelper ? .hidden : field.kind).rawValue)
      if let autocomplete = field.autocomplete {
        json.name("autocomplete")
        json.string(autocomplete)
      }
      if let inputMode = field.inputMode {
        json.name("inputmode")
        json.string(inputMode)
      }
      json.name("required")
      json.bool(field.isRequired)
      json.name("value")
      json.value(orNull: field.written)
      if field.kind == .checkbox {
        json.name("checked")
        json.bool(field.isChecked)
      }
      let links = field.label?.documents ?? []
      if !links.isEmpty {
        json.name("links")
        json.array(links) { write($1, to: &$0) }
      }
      if field.kind == .radio || field.kind == .select {
        json.name("options")
        json.array(field.choices) { json, choice in
          json.object { json in
            json.name("value")
            json.string(choice.value)
            json.name("label")
            json.string(wording.plainText(choice.label))
          }
        }
      }
      json.name("errors")
      json.array(field.isVisible ? messages(at: field.field) : []) { json, message in
        json.object { json in
          json.name("code")
          json.string(message.code)
          json.name("message")
          json.string(message.words.text)
          writeDetail(of: message, to: &json)
        }
      }
    }
  }

  /// Writes what the auth API itself said; omitted if it said nothing.
  private func writeDetail(of message: Message, to json: inout JSONWriter) {
    guard let detail = message.detail else { return }
    json.name("detail")
    json.object { json in
      json.name("kind")
      json.string(detail.kind.rawValue)
      for fact in detail.facts {
        json.name(fact.name)
        switch message.value(of: fact) {
        case .written(let value): json.value(value)
        case .json(let value): json.value(value)
        }
      }
    }
  }
}
