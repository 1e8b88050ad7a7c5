internal import Emulators
internal import HTTPExchange
internal import Pages

/// The visits of a world, newest first, and the story of one of them.
struct TracesPage {
  /// The query parameter that opens a visit, and its value for the requesting browser's own.
  static let visit = "visit"
  static let ownVisit = "current"
  /// The query parameter that marks the newest request for a page.
  static let path = "path"
  /// The query parameter with the visit after which the list goes on.
  static let after = "after"

  let stories: TraceStories
  let visits: ListPart<(visit: Int?, traces: [Trace])>
  /// Nil if there is none.
  let opened: (visit: Int?, traces: [Trace])?
  /// Whether the query asked for that visit.
  let isChosen: Bool
  /// Why no visit is opened although the query names one; nil if it is opened.
  let refusal: BackstageRefusal?
  /// The request that is marked.
  let marked: Int?
  let context: WorkbenchContext

  init(_ context: WorkbenchContext) {
    let query = context.request.queryParameters
    let stories = TraceStories(context.world.traces.all)
    let visits = stories.byVisit
    let asked = query[Self.visit]
    let own = context.visitName.flatMap { context.world.traces.visit(named: $0) }
    let chosen = asked.flatMap { id in
      visits.first { story in
        id == Self.ownVisit ? own != nil && story.visit == own : Self.id(of: story.visit) == id
      }
    }
    self.context = context
    self.stories = stories
    let last = query[Self.after]
    let shown = ListPart(of: visits, after: visits.firstIndex { Self.id(of: $0.visit) == last })
    self.visits = shown
    opened = asked == nil ? shown.elements.first : chosen
    isChosen = chosen != nil
    // A browser may have had no visit yet.
    refusal = asked.flatMap { id -> BackstageRefusal? in
      chosen == nil && id != Self.ownVisit ? BackstageRefusal.missing("visit", id) : nil
    }
    marked = query[Self.path].flatMap { path in
      chosen?.traces.last { $0.page?.path == path }?.number
    }
  }

  /// `visit_3`; `others` for the calls of other clients.
  static func id(of visit: Int?) -> String { visit.map { "visit_\($0)" } ?? "others" }

  /// The address of a visit of the list.
  func address(of visit: Int?) -> String {
    var query: FormData = [Self.visit: Self.id(of: visit)]
    if visits.isLater, let last = context.request.queryParameters[Self.after] {
      query.append(Self.after, last)
    }
    return query.address(at: WorkbenchTool.traces.path) + "#story"
  }

  /// The address of what follows in the list; nil if nothing does.
  var further: String? {
    guard visits.hasMore, let last = visits.elements.last else { return nil }
    let query: FormData = [Self.after: Self.id(of: last.visit)]
    return query.address(at: WorkbenchTool.traces.path)
  }

  /// The address of the list's beginning; nil if that is what is shown.
  var first: String? { visits.isLater ? WorkbenchTool.traces.path : nil }

  /// The heading of a visit, with the last identifier that was typed in it, if any.
  static func name(of story: (visit: Int?, traces: [Trace])) -> String {
    guard let visit = story.visit else { return "Calls of other clients" }
    let names = ["identifier", "email_address", "phone_number", "username"]
    let typed = story.traces.reversed().lazy.compactMap { trace in
      trace.answer?.form.first { names.contains($0.name) && !$0.value.isEmpty }?.value
    }.first
    return typed.map { "Visit \(visit): \($0)" } ?? "Visit \(visit)"
  }

  static func summary(of traces: [Trace]) -> String {
    let pages = traces.count { $0.page != nil }
    let calls = traces.reduce(0) { $0 + $1.calls.count }
    let errors = traces.reduce(0) { $0 + $1.calls.reduce(0) { $0 + $1.errorCodes.count } }
    return [
      pages == 0 ? nil : "\(pages) page request\(pages == 1 ? "" : "s")",
      "\(calls) API call\(calls == 1 ? "" : "s")",
      errors == 0 ? nil : "\(errors) error\(errors == 1 ? "" : "s")",
    ].compactMap(\.self).joined(separator: ", ")
  }
}

/// What `backstage/traces` asks for.
struct TracesView: TemplateView {
  enum Name: String, CaseIterable { case chosen, nothing, visits, first, further, clearing, opened }

  let page: TracesPage

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .chosen: .flag(\.page.isChosen)
    case .nothing:
      .text { $0.page.visits.elements.isEmpty ? "No page has been asked for yet." : nil }
    case .visits:
      .each { view in
        view.page.visits.elements.map { VisitRow(story: $0, page: view.page) }
      }
    case .first: .text(\.page.first)
    case .further: .text(\.page.further)
    case .clearing:
      .view { view in
        view.page.visits.elements.isEmpty
          ? nil : QuestionView(question: WorkbenchContent.clearing(.traces, view.page.context))
      }
    case .opened:
      .view { view in view.page.opened.map { StoryView(story: $0, page: view.page) } }
    }
  }

  struct VisitRow: TemplateView {
    enum Name: String, CaseIterable { case address, current, name, summary, moment }

    let story: (visit: Int?, traces: [Trace])
    let page: TracesPage

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .address: .text { $0.page.address(of: $0.story.visit) }
      case .current:
        .flag { view in view.page.opened.map { $0.visit == view.story.visit } ?? false }
      case .name: .text { TracesPage.name(of: $0.story) }
      case .summary: .text { TracesPage.summary(of: $0.story.traces) }
      case .moment:
        .view { view in
          view.story.traces.last.map { view.page.context.moments.past($0.startedAt) }
        }
      }
    }
  }
}

/// What `backstage/visit` asks for.
struct StoryView: TemplateView {
  enum Name: String, CaseIterable { case name, summary, archive, requests, list }

  let story: (visit: Int?, traces: [Trace])
  let page: TracesPage

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .list: .text { _ in WorkbenchTool.traces.path }
    case .name: .text { TracesPage.name(of: $0.story) }
    case .summary: .text { TracesPage.summary(of: $0.story.traces) }
    case .archive:
      .text { view in
        let id = view.story.visit.map { TracesPage.id(of: $0) } ?? HTTPArchive.everything
        return "\(WorkbenchTool.traces.path)/\(id)\(HTTPArchive.ending)"
      }
    case .requests:
      .each { view in
        view.story.traces.map { RequestView(trace: $0, page: view.page) }
      }
    }
  }
}
