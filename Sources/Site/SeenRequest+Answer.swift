internal import HTTPExchange
internal import HTTPTypes
internal import Pages

extension SeenRequest {
  /// What a browser has asked for, and sees of the answer.
  init(_ answer: Answer, _ response: Response, _ context: RequestContext) {
    // Some forms depend on the messages beside them.
    let frame = PageFrame(
      error: context.page(shownBy: answer)?.error,
      notices: context.flash?.notices ?? [],
      reference: context.reference,
      now: context.now
    ) { _ in "" }
    self.init(
      step: SeenStep(answer, context),
      path: String(context.request.path),
      query: context.request.query.map(String.init),
      form: context.form.fields.map { ($0.name, $0.value) },
      cookies: context.request.cookies.map { (String($0.name), String($0.value)) },
      visit: context.visit.ids,
      forms: answer.page?.content(in: frame).forms ?? [],
      location: response.headerFields[.location]
    )
  }
}
