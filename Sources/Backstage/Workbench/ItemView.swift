internal import Pages

/// A list of things under a heading.
struct ListView: TemplateView {
  enum Name: String, CaseIterable { case heading, id, items, clearing }

  let list: WorkbenchContent.List

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .heading: .text { $0.list.heading }
    case .id: .text { $0.list.id }
    case .clearing: .view { $0.list.clearing.map(QuestionView.init) }
    case .items: .each { $0.list.items.map(ItemView.init) }
    }
  }
}

/// What `backstage/item` asks for.
struct ItemView: TemplateView {
  enum Name: String, CaseIterable {
    case purpose, channel, step, current, heading, address, about, code, link, details, forms
    case questions
  }

  let item: WorkbenchContent.Item

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .purpose: .text { $0.item.purpose }
    case .channel: .text { $0.item.channel }
    case .step: .text { $0.item.step }
    case .current: .flag { $0.item.isCurrent }
    case .heading: .text { $0.item.heading }
    case .address: .text { $0.item.address }
    case .about: .view { $0.item.about.map(AboutView.init) }
    case .code: .text { $0.item.code }
    case .link: .text { $0.item.link }
    case .details: .view { $0.item.details.map(DetailsView.init) }
    case .forms: .each { $0.item.forms.map(\.view) }
    case .questions: .each { $0.item.questions.map(QuestionView.init) }
    }
  }

  struct AboutView: TemplateView {
    enum Name: String, CaseIterable { case words, moment, rest }

    let about: WorkbenchContent.Item.About

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words: .text { $0.about.words }
      case .moment: .view { $0.about.moment }
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
