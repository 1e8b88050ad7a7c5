internal import Emulators
internal import Pages

/// What `backstage/users` asks for.
struct UsersView: TemplateView {
  enum Name: String, CaseIterable { case search, rows, further, one, new }

  let page: UsersPage

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .search:
      .view { view -> UserSearchView? in
        guard let table = view.table, table.isSearchable else { return nil }
        return UserSearchView(table: table)
      }
    case .rows:
      .each { view in
        (view.table?.rows ?? []).map { UserRow(account: $0.account, prediction: $0.prediction) }
      }
    case .further: .text { $0.table?.further }
    case .one:
      .view { view in if case .one(let page) = view.page { UserView(page: page) } else { nil } }
    case .new: .view { view in if case .new(let form) = view.page { form.view } else { nil } }
    }
  }

  private var table: UsersTable? { if case .table(let table) = page { table } else { nil } }

  struct BadgeView: TemplateView {
    enum Name: String, CaseIterable { case words, kind }

    let badge: SignInPrediction.Badge

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words: .text { $0.badge.words }
      case .kind: .text { $0.badge.kind.rawValue }
      }
    }
  }

  struct UserRow: TemplateView {
    enum Name: String, CaseIterable { case address, name, identifiers, badges, words }

    let account: AccountDescription
    let prediction: SignInPrediction

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .address: .text { UsersPage.address(of: $0.account) }
      case .name: .text { $0.account.fullName }
      case .identifiers: .text { $0.account.identifiers }
      case .badges: .each { $0.prediction.badges.map(BadgeView.init) }
      case .words: .text { $0.prediction.words }
      }
    }
  }
}

/// What `backstage/user` asks for.
struct UserView: TemplateView {
  enum Name: String, CaseIterable {
    case name, identifiers, badges, words, code, until, backupCodes, organizations
    case entering, actions, deleting, editing, json
  }

  let page: UserPage

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .name: .text { $0.page.account.fullName }
    case .identifiers: .text { $0.page.account.identifiers }
    case .badges: .each { $0.page.prediction.badges.map(UsersView.BadgeView.init) }
    case .words: .text { $0.page.prediction.words }
    case .code: .text { $0.page.reading?.code }
    case .until:
      .view { view in view.page.reading.map { view.page.context.moments.lasting($0.validUntil) } }
    case .backupCodes: .text { list($0.page.account.backupCodes) }
    case .organizations: .text { list($0.page.account.organizations.map(\.name)) }
    case .entering: .view { $0.page.entering?.view }
    case .actions: .each { $0.page.actions.map(\.view) }
    case .deleting: .view { QuestionView(question: $0.page.deleting) }
    case .editing: .view { $0.page.editing.view }
    case .json: .text { $0.page.account.json.shown }
    }
  }

  private static func list(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}

extension AccountDescription {
  /// A person's name, or else an identifier.
  var fullName: String {
    let names = [firstName, lastName].compactMap(\.self)
    return names.isEmpty ? shortName : names.joined(separator: " ")
  }

  fileprivate var identifiers: String { names.joined(separator: ", ") }
}
