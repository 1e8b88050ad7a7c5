internal import AuthFlow
internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// A page of the workbench, from its frame to its links.
struct WorkbenchDocument {
  /// Nil if the page is not a tool's.
  var tool: WorkbenchTool?
  /// Nil if no world could be opened.
  var frame: WorkbenchFrame?
  /// What went wrong.
  var refusal: BackstageRefusal?
  /// Whether the problems are those of the content's fields, and listed as such.
  var listsProblems = false
  var content = WorkbenchContent()
  /// What the content shows, for programs.
  var facts: JSON = .object([])

  /// The page in the rendering that the client prefers.
  func response(for request: Request, by templates: Templates<WorkbenchView>) -> Response {
    var response =
      request.prefersJSON
      ? Response.json(json, status: refusal?.status ?? 200)
      : html(by: templates)
    response.headerFields[.vary] = "Accept"
    response.headerFields[.contentSecurityPolicy] = policy
    response.headerFields[.allow] = refusal?.response.headerFields[.allow]
    return response
  }

  private func html(by templates: Templates<WorkbenchView>) -> Response {
    do throws(TemplateFault) {
      let html = try templates.render(WorkbenchView(document: self), by: WorkbenchView.template)
      return Self.html(html, status: refusal?.status ?? 200)
    } catch {
      return Self.html(PageRenderer.document(about: error), status: 500)
    }
  }

  /// The content security policy: forms may lead to other worlds, and some pages embed others.
  private var policy: String {
    let targets = frame?.context.addresses.formTargets ?? "'self'"
    let frames = content.hasFrames ? "frame-src 'self'; " : ""
    return """
      default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
      font-src 'self'; connect-src 'self'; \(frames)form-action \(targets); base-uri 'none'; \
      object-src 'none'; frame-ancestors 'none'
      """
  }

  private static func html(_ body: [UInt8], status: Int) -> Response {
    Response(
      status: .init(code: status),
      headerFields: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: body
    )
  }

  private var json: JSON {
    [
      "page": .string(name), "title": .string(title),
      "world": frame.map { .string($0.context.world.name.text) } ?? .null,
      "errors": refusal.flatMap { JSON(decoding: $0.response.body)?["errors"] } ?? [],
      "facts": facts,
    ]
  }

  var title: String {
    tool?.title ?? (refusal?.code == .notFound ? "Page not found" : "Backstage")
  }

  var name: String { tool.map { "backstage-\($0.rawValue)" } ?? "backstage" }

  /// The address at which to open a page that is the response to a form; nil for a page that was
  /// opened.
  ///
  /// It keeps Back and reload from sending that form again.
  var addressToOpen: String? {
    guard let tool, frame?.context.request.method == .post else { return nil }
    if let gallery = content.gallery { return gallery.query.address(state: gallery.opened?.name) }
    if let errors = content.errors { return ErrorsPage.address(errors.words) }
    return switch content.users {
    case .one(let page): UsersPage.address(of: page.account)
    case .new: UsersPage.address(["new": ""])
    case .table, nil: tool.path
    }
  }

  /// The id of the form with typed values that have not taken effect yet; nil if there is none.
  var unsentFormID: String? { content.allForms.first(where: \.isUnsent)?.name }

  /// A problem as the top of the page tells it.
  struct ToldProblem {
    /// In words that name a field by its label.
    var words: String
    /// The id of the field at fault; nil if it is not on the page.
    var fieldID: String?
  }

  /// The problem; the first of several.
  var problem: ToldProblem? { refusal.map(told) }

  /// The problems if they are listed; a single one is told in a line.
  var problems: [ToldProblem] {
    if let refusal, !refusal.others.isEmpty { return refusal.all.map(told) }
    return listsProblems ? fieldProblems : []
  }

  /// The problems of the content's fields; that of several fields only at the first of them.
  private var fieldProblems: [ToldProblem] {
    var listed: Set<String> = []
    return content.allForms.flatMap { form in
      form.lines.flatMap { line -> [ToldProblem] in
        guard line.isVisible, case .verbatim(let label)? = line.label else { return [] }
        return (form.wrong[line.field.name] ?? [])
          .filter { listed.insert($0).inserted }
          .map { ToldProblem(words: "\(label): \($0)", fieldID: form.id(of: line)) }
      }
    }
  }

  private func told(_ refusal: BackstageRefusal) -> ToldProblem {
    guard let fault = refusal.fault else { return ToldProblem(words: refusal.message) }
    for form in content.allForms {
      if let line = form.line(filling: fault.place), form.wrong[line.field.name] != nil,
        case .verbatim(let label)? = line.label
      {
        return ToldProblem(words: "\(label): \(fault.words)", fieldID: form.id(of: line))
      }
    }
    return ToldProblem(words: refusal.message)
  }
}
