public import AuthFlow
public import HTTPExchange
internal import HTTPTypes
internal import Pages

/// What happened to a request for a page, for those who watch from outside the pages.
///
/// The form is as it was posted, including passwords and codes: a watcher has to mask what it
/// keeps.
public struct PageReport: Sendable {
  /// An error that the page shows.
  public struct Message: Sendable {
    public var code: String
    /// Its field; nil for the banner.
    public var field: Field?
    public var detail: ErrorDetail?
  }

  /// Why a return address is not followed.
  public enum DroppedReturnAddress: String, Sendable {
    case malformed
    /// No `--allow-redirect-origin` names its origin.
    case originNotAllowed = "origin_not_allowed"
  }

  /// The visit's id and its earlier ones, newest first.
  ///
  /// It is renewed whenever somebody gets in or out; by itself it grants nothing.
  public var visit: [String]
  public var query: FormData
  public var form: FormData
  public var status: Int
  /// Nil where the answer is a redirect or a file.
  public var page: String?
  public var location: String?
  public var messages: [Message]
  /// The codes of the notices that the page shows.
  public var notices: [String]
  /// What is wrong with the return address that came; nil where nothing is, or where none came.
  public var droppedReturnAddress: DroppedReturnAddress?
  public var byteCount: Int
}

extension RequestContext {
  /// The report about its answer.
  func report(of answer: Answer, _ response: Response) -> PageReport {
    let shown = page(shownBy: answer)
    return PageReport(
      visit: visit.ids,
      query: request.query == nil ? FormData() : request.queryParameters,
      form: form,
      status: response.status.code,
      page: shown?.page.name,
      location: answer.location,
      messages: shown?.messages(at: self) ?? [],
      notices: shown == nil ? [] : flash?.notices.map(\.rawValue) ?? [],
      droppedReturnAddress: droppedReturnAddress.map { PageReport.DroppedReturnAddress($0) },
      byteCount: response.body.count
    )
  }

  /// The page that an answer shows, with its error; nil where it shows none.
  func page(shownBy answer: Answer) -> ShownPage? {
    switch answer {
    case .page(let page, _): ShownPage(page: page, error: flash?.error)
    case .refused(let page, let error): ShownPage(page: page, error: error)
    case .turnedAway(let page, let refusal): ShownPage(page: page, refusal: refusal)
    case .backupCodes, .seeOther: nil
    }
  }
}

/// A page with the errors that it shows.
struct ShownPage {
  var page: any Page
  var error: AuthError?
  var refusal: SiteRefusal?

  /// The messages with their places: at a field that the page has, otherwise in the banner (E1,
  /// E2).
  func messages(at context: RequestContext) -> [PageReport.Message] {
    let content = contentAboutErrors(at: context)
    var messages = content?.concerns.flatMap(PageReport.Message.all) ?? []
    if let refusal { messages.append(.init(code: refusal.rawValue)) }
    guard let error, let error = content.map({ $0.untold(of: error) }) ?? error else {
      return messages
    }
    let fields = page.fields
    for problem in error.problems {
      messages.append(.init(problem, at: problem.field.flatMap { fields.contains($0) ? $0 : nil }))
    }
    return messages
  }

  /// The content of a page that is itself about errors; nil for most pages.
  private func contentAboutErrors(at context: RequestContext) -> PageContent? {
    guard page.mayBeAboutErrors else { return nil }
    return page.content(in: PageFrame(reference: context.reference, now: context.now) { _ in "" })
  }
}

extension PageReport.DroppedReturnAddress {
  fileprivate init(_ dropped: ReturnAddresses.Dropped) {
    switch dropped {
    case .malformed: self = .malformed
    case .origin: self = .originNotAllowed
    }
  }
}

extension PageReport.Message {
  fileprivate static func all(_ concern: PageContent.Concern) -> [Self] {
    switch concern {
    case .error(let error): error.problems.map { Self($0, at: nil) }
    case .refusal(let refusal): [Self(code: refusal.rawValue)]
    }
  }

  fileprivate init(code: String) { self.init(code: code, field: nil, detail: nil) }

  fileprivate init(_ problem: Problem, at field: Field?) {
    self.init(code: problem.code, field: field, detail: problem.detail)
  }
}
