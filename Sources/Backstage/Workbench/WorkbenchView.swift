internal import Emulators
internal import Pages

/// What `backstage/page` asks for: a page of the workbench in its frame.
struct WorkbenchView: TemplateView {
  enum Name: String, CaseIterable {
    case title, page, refusedAt, unsent, now, frame, tools, problem, faulty, problems, heading
    case purpose, lead, inbox, users, errors, gallery, charts, traces, stories, groups, facts
    case lists, forms, questions, previews, importing
  }

  static let template = "backstage/page"

  let document: WorkbenchDocument

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .title: .text(\.title)
    case .page: .text { $0.document.name }
    case .refusedAt: .text { $0.document.addressToOpen }
    case .unsent: .text { $0.document.unsentFormID }
    case .now: .text { $0.document.frame.map { Timestamp.text($0.context.moments.now) } }
    case .frame: .view { $0.document.frame.map(FrameView.init) }
    case .tools: .each(\.tools)
    case .problem: .text { $0.document.problem?.words }
    case .faulty: .text { $0.document.problem?.fieldID }
    case .problems: .each { $0.document.problems.map(ProblemView.init) }
    case .heading: .text { $0.document.title }
    case .purpose: .text { $0.document.tool?.purpose }
    case .inbox: .view { $0.document.content.inbox.map(InboxView.init) }
    case .users: .view { $0.document.content.users.map(UsersView.init) }
    case .errors: .view { $0.document.content.errors.map(ErrorsView.init) }
    case .gallery: .view { $0.document.content.gallery.map(GalleryView.init) }
    case .charts: .each { $0.document.content.charts.map(ChartView.init) }
    case .traces: .view { $0.document.content.traces.map(TracesView.init) }
    case .stories: .view { $0.document.content.stories.map(StoriesView.init) }
    case .groups: .each { $0.document.content.groups.map(GroupView.init) }
    case .lead: .each { $0.document.content.lead.map(Paragraph.init) }
    case .facts: .each { $0.document.content.facts.map(FactView.init) }
    case .lists: .each { $0.document.content.lists.map(ListView.init) }
    case .forms: .each { $0.document.content.forms.map(\.view) }
    case .questions: .each { $0.document.content.questions.map(QuestionView.init) }
    case .importing: .text { $0.document.tool == .world ? "/backstage/api/import" : nil }
    case .previews: .each { $0.document.content.previews.map(PreviewView.init) }
    }
  }

  private var title: String {
    let names = [document.content.openedName, document.title, "Vestibule"].compactMap(\.self)
    return "\(document.refusal == nil ? "" : "Error: ")\(names.joined(separator: " – "))"
  }

  private var tools: [ToolView] {
    WorkbenchTool.rail.map { tool in
      ToolView(
        tool: tool,
        isCurrent: tool == document.tool,
        count: document.frame?.counts[tool],
        recordedSteps: tool == .recordings ? document.frame?.recordedSteps : nil
      )
    }
  }

  struct ToolView: TemplateView {
    enum Name: String, CaseIterable { case path, title, current, count, recorded, tool = "name" }

    let tool: WorkbenchTool
    let isCurrent: Bool
    let count: Int?
    let recordedSteps: Int?

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .path: .text { $0.tool.path }
      case .title: .text { $0.tool.title }
      case .tool: .text { $0.tool.rawValue }
      case .current: .flag(\.isCurrent)
      case .count: .text { $0.count.map(String.init) }
      case .recorded: .text { $0.recordedSteps.map(String.init) }
      }
    }
  }

  struct ProblemView: TemplateView {
    enum Name: String, CaseIterable { case words, field }

    let problem: WorkbenchDocument.ToldProblem

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words: .text { $0.problem.words }
      case .field: .text { $0.problem.fieldID }
      }
    }
  }

  struct PreviewView: TemplateView {
    enum Name: String, CaseIterable { case title, address }

    let preview: WorkbenchContent.Preview

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .title: .text { $0.preview.title }
      case .address: .text { $0.preview.address }
      }
    }
  }

  struct Paragraph: TemplateView {
    enum Name: String, CaseIterable { case words }

    let words: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words: .text(\.words)
      }
    }
  }

  struct FactView: TemplateView {
    enum Name: String, CaseIterable { case name, value }

    let fact: WorkbenchContent.Fact

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .name: .text { $0.fact.name }
      case .value: .text { $0.fact.value }
      }
    }
  }
}

/// What `backstage/question` asks for.
struct QuestionView: TemplateView {
  enum Name: String, CaseIterable { case opening, words, form }

  let question: WorkbenchQuestion

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .opening: .text { $0.question.opening }
    case .words: .text { $0.question.words }
    case .form: .view { $0.question.form.view }
    }
  }
}
