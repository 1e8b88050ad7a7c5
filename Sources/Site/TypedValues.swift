internal import AuthFlow
internal import HTTPExchange

/// What a person typed, as they typed it, to be shown again; secrets are left out by who shows it.
struct TypedValues: Sendable {
  /// No identifier and no contact is longer, in bytes; a longer one is refused unasked.
  static let lengthLimit = 320

  private let form: FormData
  private let query: FormData
  private let rememberedIdentifier: String?
  /// What was typed into a sign-up before, which has ended.
  let rememberedDetails: [Field: String]

  /// - Parameters:
  ///   - form: What was posted; empty where the page is only looked at.
  ///   - query: What the address says.
  ///   - identifier: What the person said before.
  ///   - details: What they typed into a sign-up before.
  init(form: FormData, query: FormData, identifier: String?, details: [Field: String]) {
    self.form = form
    self.query = query
    rememberedIdentifier = identifier
    rememberedDetails = details
  }

  subscript(_ field: Field) -> String? { form[field.name] }

  /// What is in the identifier's field: just typed, asked for by the address, or said before.
  var identifier: String? { form["identifier"] ?? query["identifier"] ?? rememberedIdentifier }

  /// The address for which a new account is to be made, where the page's address names it.
  var prefilledEmailAddress: String? { query["email_address"] ?? query["identifier"] }

  /// Whether the page's address asks for that variant of it.
  func asks(for variant: String) -> Bool { query[variant] != nil }

  /// Whether that came along which a hidden field or a button says.
  func says(_ field: Field) -> Bool { form[field.name] != nil }

  func isTicked(_ field: Field) -> Bool { form.isTicked(field) }

  /// Whether a box is ticked that is ticked from the start: only a posted form can say otherwise.
  func staysTicked(_ field: Field) -> Bool { form.fields.isEmpty || isTicked(field) }

  /// The values of those fields, without secrets and boxes.
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
  /// Blanks around a value do not count, and one of blanks alone is none.
  func trimmed(_ field: AuthFlow.Field) -> String? {
    let text = (self[field.name] ?? "").trimmed
    return text.isEmpty ? nil : text
  }

  /// Whether a box is ticked: a browser then sends the value that the page has given it.
  ///
  /// What scripts send for a box without a value is as good; nobody is taken to agree by a `false`.
  func isTicked(_ field: AuthFlow.Field) -> Bool {
    ["true", "on", "1"].contains(self[field.name])
  }

  func isTooLong(_ field: AuthFlow.Field) -> Bool {
    (self[field.name]?.utf8.count ?? 0) > TypedValues.lengthLimit
  }
}
