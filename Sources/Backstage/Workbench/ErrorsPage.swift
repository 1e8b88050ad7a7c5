internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// Every error that the API is known to give, and how the pages show it.
struct ErrorsPage {
  var words: String
  var errors: [RehearsedError]
  /// The number of all errors, whatever the search.
  var count: Int
  let context: WorkbenchContext

  init(_ context: WorkbenchContext, _ rehearsal: ErrorRehearsal?) async {
    let all = await rehearsal?.all(behind: context.worlds.api) ?? []
    let typed =
      (context.request.method == .get
        ? context.request.queryParameters["q"] : context.refused?.form["q"]) ?? ""
    self.context = context
    words = typed
    count = all.count
    let search = SearchWords(typed)
    errors = all.filter { search.stand(in: [$0.error.id, $0.shown?.words ?? ""]) }
  }

  /// The address of the errors that contain these words.
  static func address(_ words: String) -> String {
    let query: FormData = words.isEmpty ? [:] : ["q": words]
    return query.address(at: WorkbenchTool.errors.path)
  }
}

/// What `backstage/errors` asks for.
struct ErrorsView: TemplateView {
  enum Name: String, CaseIterable { case words, searched, count, nothing, rows }

  let page: ErrorsPage

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .words: .text(\.page.words)
    case .searched: .flag { !SearchWords($0.page.words).isEmpty }
    case .count: .text { "\($0.page.errors.count) of \($0.page.count)" }
    case .nothing:
      .text { view in
        view.page.errors.isEmpty && !SearchWords(view.page.words).isEmpty
          ? "No error matches all of that." : nil
      }
    case .rows:
      .each { view in view.page.errors.enumerated().map { Row($1, number: $0, view.page) } }
    }
  }

  /// The id of a row on the page.
  static func rowID(_ number: Int) -> String { "error-\(number)" }

  struct Row: TemplateView {
    enum Name: String, CaseIterable { case id, code, api, told, place, provoking }

    let id: String
    let rehearsed: RehearsedError
    let provoking: WorkbenchForm

    init(_ rehearsed: RehearsedError, number: Int, _ page: ErrorsPage) {
      id = ErrorsView.rowID(number)
      self.rehearsed = rehearsed
      var hidden = ["id": rehearsed.error.id, "row": String(number)]
      if !page.words.isEmpty { hidden["q"] = page.words }
      provoking = page.context.form(
        "provoke-\(number)",
        on: .errors,
        action: "provoke",
        hidden: hidden,
        button: "Provoke",
        weight: .quiet,
        describedBy: id
      )
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .id: .text(\.id)
      case .code: .text(\.rehearsed.error.id)
      case .api: .text(\.api)
      case .told: .text { $0.rehearsed.shown?.words ?? "Moves on without a message" }
      case .place: .text(\.place)
      case .provoking: .view(\.provoking.view)
      }
    }

    /// What the API says about it.
    private var api: String {
      let parameter = rehearsed.error.parameter.map { " at \($0)" } ?? ""
      return "\(rehearsed.error.status)\(parameter): \(rehearsed.error.longMessage ?? "")"
    }

    private var place: String {
      guard let shown = rehearsed.shown else { return "sent from \(rehearsed.error.state)" }
      return "\(shown.page), \(shown.field.map { "field \($0)" } ?? "banner"), \(shown.status)"
    }
  }
}
