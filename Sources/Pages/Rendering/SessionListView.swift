/// What `partials/sessions` asks for.
struct SessionListView: TemplateView {
  enum Name: String, CaseIterable { case entries, link, forms, focus }

  /// The address to which the forms of the list are posted.
  static let action = Address.accountSessions.path

  private let list: SessionList
  private let ownForms: [FormView]
  private let link: LinkView?
  private let takesFocus: Bool
  private let wording: Wording

  /// - Parameters:
  ///   - list: The sessions.
  ///   - link: The link that lists the sessions, if they are not listed here.
  ///   - forms: All forms of the page.
  ///   - takesFocus: Whether the heading takes the focus when the page opens, if the sessions are
  ///     listed.
  ///   - wording: Renders their words in a language.
  init(
    _ list: SessionList,
    link: LinkView?,
    forms: [FormView],
    takesFocus: Bool,
    in wording: Wording
  ) {
    self.list = list
    self.link = link
    self.takesFocus = takesFocus
    self.wording = wording
    ownForms = forms.filter { $0.action == Self.action }
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .entries: .each { $0.entries }
    case .link: .view { $0.link }
    case .forms: .each { $0.formsOfNoEntry }
    case .focus: .flag { $0.takesFocus && !$0.list.entries.isEmpty }
    }
  }

  private var entries: [Entry] {
    list.entries.map { entry in
      Entry(
        entry: entry,
        form: ownForms.first { $0.id == entry.formName },
        wording: wording
      )
    }
  }

  private var formsOfNoEntry: [FormView] {
    let taken = list.entries.compactMap(\.formName)
    return ownForms.filter { !taken.contains($0.id) }
  }

  struct Entry: TemplateView {
    enum Name: String, CaseIterable { case device = "name", current, detail, form }

    let entry: SessionList.Entry
    let form: FormView?
    let wording: Wording

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .device: .text { $0.wording.text($0.entry.name) }
      case .current: .flag { $0.entry.isCurrent }
      case .detail: .view { view in view.entry.detail.map { ProseView($0, in: view.wording) } }
      case .form: .view { $0.form }
      }
    }
  }
}
