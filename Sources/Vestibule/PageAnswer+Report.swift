internal import AuthFlow
internal import Emulators
internal import Site

extension PageAnswer {
  /// A page's entry in a trace; it masks what was posted.
  init(_ report: PageReport, took duration: Duration) {
    self.init(
      query: report.query,
      form: report.form,
      status: report.status,
      page: report.page,
      location: report.location,
      messages: report.messages.map { message in
        Message(
          code: message.code,
          field: message.field?.name,
          detail: message.detail.map(JSON.init) ?? .null
        )
      },
      notices: report.notices,
      droppedReturnAddress: report.droppedReturnAddress?.rawValue,
      byteCount: report.byteCount,
      duration: duration
    )
  }
}

extension JSON {
  /// What the auth API said of a problem, and whether it or our client found it.
  fileprivate init(_ detail: ErrorDetail) {
    self = .object(
      [Member("kind", .string(detail.kind.rawValue))]
        + detail.facts.map { Member($0.name, JSON($0.value)) }
    )
  }

  fileprivate init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let number): self = .integer(Int64(number))
    case .decimal(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map(JSON.init))
    case .object(let members): self = .object(members.map { Member($0.name, JSON($0.value)) })
    }
  }
}
