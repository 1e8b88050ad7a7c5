internal import AuthFlow
internal import HTTPExchange

/// What a person typed, as they typed it, to be shown again; the pages that show it leave out
/// secrets.
struct TypedValues: Sendable {
  /// The longest identifier or contact, in bytes; a longer one is refused without a call.
  static let lengthLimit = 320

  private let form: FormData
  private let query: FormData
  private let rememberedIdentifier: String?
  /// What was typed into an earlier sign-up, which was refused or has ended.
  let rememberedDetails: [Field: String]

  /// - Parameters:
  ///   - form: What was posted; empty where the page is only looked at.
  ///   - query: The query of the address.
  ///   - identifier: The identifier that was typed before.
  ///   - details: What was typed into a sign-up before.
  init(form: FormData, query: FormData, identifier: String?, details: [Field: String]) {
    self.form = form
    self.query = query
    rememberedIdentifier = identifier
    rememberedDetails = details
  }

  subscript(_ field: Field) -> String? { form[field.name] }

  /// The value of the identifier field: just typed, given in the address, or typed before.
  var identifier: String? { form["identifier"] ?? query["identifier"] ?? rememberedIdentifier }

  /// The address for which a new account is to be made, where the page's address names it.
  var prefilledEmailAddress: String? { query["email_address"] ?? query["identifier"] }

  /// Whether the page's address asks for that variant of it.
  func asks(for variant: String) -> Bool { query[variant] != nil }

  /// Whether the form has the value of that hidden field or button.
  func says(_ field: Field) -> Bool { form[field.name] != nil }

  func isTicked(_ field: Field) -> Bool { form.isTicked(field) }

  /// Whether a checkbox is ticked that is ticked at first: only a posted form can say otherwise.
  func staysTicked(_ field: Field) -> Bool { form.fields.isEmpty || isTicked(field) }

  /// The values of those fields, without secrets and checkboxes.
  func values(of fields: [Field]) -> [Field: String] {
    fields.reduce(into: [:]) { values, field in
      if field != .password, field != .legalAccepted { values[field] = self[field] }
    }
  }
}

extension Problem {
  static func tooLong(_ field: Field) -> Problem {
    Problem(
      .tooLong(limit: TypedValues.lengthLimit),
      at: field,
      code: OwnCode.tooLong
    )
  }
}

extension FormData {
  /// The trimmed value; nil where nothing but blanks is left.
  func trimmed(_ field: AuthFlow.Field) -> String? {
    let text = (self[field.name] ?? "").trimmed
    return text.isEmpty ? nil : text
  }

  /// Whether a checkbox is ticked: a browser then sends the value that the page has given it.
  ///
  /// What scripts send for a checkbox without a value counts as well; `false` does not count as
  /// consent.
  func isTicked(_ field: AuthFlow.Field) -> Bool {
    ["true", "on", "1"].contains(self[field.name])
  }

  func isTooLong(_ field: AuthFlow.Field) -> Bool {
    (self[field.name]?.utf8.count ?? 0) > TypedValues.lengthLimit
  }
}
