internal import Emulators
internal import Pages

/// What `backstage/page` asks for: a page of the workbench in its frame.
struct WorkbenchView: TemplateView {
  enum Name: String, CaseIterable {
    case language, direction, title, page, applicationName, world, tools, problem, heading, lead
    case facts, lists, further, forms
  }

  static let template = "backstage/page"

  let document: WorkbenchDocument

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .language: .text { _ in "en" }
    case .direction: .text { _ in "ltr" }
    case .title: .text(\.title)
    case .page: .text { $0.document.name }
    case .applicationName: .text { _ in "Vestibule" }
    case .world: .text { $0.document.world }
    case .tools: .each(\.tools)
    case .problem: .text { $0.document.refusal?.message }
    case .heading: .text { $0.document.title }
    case .lead: .each { $0.document.content.lead.map(Paragraph.init) }
    case .facts: .each { $0.document.content.facts.map(FactView.init) }
    case .lists: .each { $0.document.content.lists.map(ListView.init) }
    case .further: .text { $0.document.content.further }
    case .forms: .each { $0.document.content.forms.map(\.view) }
    }
  }

  private var title: String {
    "\(document.refusal == nil ? "" : "Error: ")\(document.title) – Vestibule"
  }

  private var tools: [ToolView] {
    WorkbenchTool.allCases.map { tool in
      ToolView(path: tool.path, title: tool.title, isCurrent: tool == document.tool)
    } + [ToolView(path: "/backstage/atlas", title: "Atlas", isCurrent: false)]
  }

  struct ToolView: TemplateView {
    enum Name: String, CaseIterable { case path, title, current }

    let path: String
    let title: String
    let isCurrent: Bool

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .path: .text(\.path)
      case .title: .text(\.title)
      case .current: .flag(\.isCurrent)
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

    let fact: JSON.Member

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .name: .text { $0.fact.name }
      case .value: .text { $0.fact.value.shown }
      }
    }
  }

  struct ListView: TemplateView {
    enum Name: String, CaseIterable { case heading, items }

    let list: WorkbenchContent.List

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .heading: .text { $0.list.heading }
      case .items: .each { $0.list.items.map(ItemView.init) }
      }
    }
  }
}

/// What `backstage/item` asks for.
struct ItemView: TemplateView {
  enum Name: String, CaseIterable {
    case purpose, channel, step, current, heading, about, code, link, details, forms
  }

  let item: WorkbenchContent.Item

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .purpose: .text { $0.item.purpose }
    case .channel: .text { $0.item.channel }
    case .step: .text { $0.item.step }
    case .current: .flag { $0.item.isCurrent }
    case .heading: .text { $0.item.heading }
    case .about: .view { $0.item.about.map(AboutView.init) }
    case .code: .text { $0.item.code }
    case .link: .text { $0.item.link }
    case .details: .view { $0.item.details.map(DetailsView.init) }
    case .forms: .each { $0.item.forms.map(\.view) }
    }
  }

  struct AboutView: TemplateView {
    enum Name: String, CaseIterable { case words, moment, time, rest }

    let about: WorkbenchContent.Item.About

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words: .text { $0.about.words }
      case .moment: .text { $0.about.moment }
      case .time: .text { $0.about.time }
      case .rest: .text { $0.about.rest }
      }
    }
  }

  struct DetailsView: TemplateView {
    enum Name: String, CaseIterable { case summary, text, prose }

    let details: WorkbenchContent.Item.Details

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .summary: .text { $0.details.summary }
      case .text: .text { $0.details.text }
      case .prose: .flag { $0.details.isProse }
      }
    }
  }
}
