internal import AuthFlow
internal import HTTPExchange
internal import Pages

extension SeenStep {
  /// What a browser sees of an answer.
  init(_ answer: Answer, _ context: RequestContext) {
    let request = context.request
    let way =
      context.isPosted
      ? Way.posted : .opened(path: String(request.path), hasQuery: request.query != nil)
    guard let shown = context.page(shownBy: answer), let status = answer.status else {
      self.init(way, page: nil)
      return
    }
    var errors: [String] = []
    var fieldErrors: [String: [String]] = [:]
    for message in shown.messages(at: context) {
      if let field = message.field {
        fieldErrors[field.name, default: []].append(message.code)
      } else {
        errors.append(message.code)
      }
    }
    self.init(
      way,
      page: shown.page.name,
      step: shown.page.step,
      status: status,
      errors: errors,
      fieldErrors: fieldErrors,
      notices: context.flash?.notices.map(\.rawValue) ?? []
    )
  }
}

extension Answer {
  /// The status of the page; nil where none is shown.
  fileprivate var status: Int? {
    switch self {
    case .page(_, let status): status
    case .refused(let page, let error): error.status(on: page.fields)
    case .turnedAway: 403
    case .backupCodes, .seeOther: nil
    }
  }
}
