internal import Emulators
internal import HTTPExchange
internal import Pages

/// The accounts of a world, or those that a search finds, in parts.
struct UsersTable {
  /// The number of accounts on a page.
  static let limit = 25

  struct Row {
    var account: AccountDescription
    var prediction: SignInPrediction
  }

  /// What somebody looks for.
  struct Search {
    private static let words = "q"

    /// The words as they were typed.
    var words: String
    /// Nil if they are too many.
    var accounts: AccountSearch?

    init(_ query: FormData) {
      words = query[Self.words] ?? ""
      accounts = AccountSearch(words)
    }

    var isEmpty: Bool { accounts?.isEmpty ?? false }

    /// The query of the same search that goes on after an account.
    func query(after id: String) -> FormData {
      var query: FormData = isEmpty ? [:] : [Self.words: words]
      query.append(UsersTable.after, id)
      return query
    }
  }

  private static let after = "after"

  var rows: [Row]
  /// The address of what follows; nil if nothing does.
  var further: String?
  var search: Search
  /// The number of accounts that are found.
  var foundCount: Int
  /// The number of all accounts, whatever the search.
  var count: Int

  /// Why not only what was looked for is shown; nil if it is.
  var refusal: BackstageRefusal? {
    guard search.accounts == nil else { return nil }
    return BackstageRefusal.invalid(
      "That is too long: \(AccountSearch.limits). These are all users."
    )
  }

  /// Whether there is anything to search, or a search under way.
  var isSearchable: Bool { count > Self.limit || !search.isEmpty }

  /// - Throws: What SQLite reports.
  init(_ context: WorkbenchContext) async throws {
    let (world, query) = (context.world, context.request.queryParameters)
    search = Search(query)
    let accounts = search.accounts
    var page = try await world.accounts(
      matching: accounts,
      limit: Self.limit,
      after: query[Self.after]
    )
    if page == nil { page = try await world.accounts(matching: accounts, limit: Self.limit) }
    count = try await world.accountCount()
    if let accounts, !accounts.isEmpty {
      foundCount = try await world.accountCount(matching: accounts)
    } else {
      foundCount = count
    }
    let shown = page?.accounts ?? []
    let passwords = try await world.accountsWithPassword(shown.compactMap(\.id))
    rows = shown.map { account in
      Row(
        account: account,
        prediction: SignInPrediction(
          of: account,
          hasPassword: passwords.contains(account.id ?? ""),
          behind: context.worlds.api,
          under: context.world.settings,
          context.moments
        )
      )
    }
    let last = page?.hasMore == true ? shown.last?.id : nil
    if let last { further = UsersPage.address(search.query(after: last)) }
  }

  /// The same accounts for programs.
  ///
  /// - Throws: What SQLite reports.
  static func json(_ context: WorkbenchContext) async throws -> JSON {
    let query = context.request.queryParameters
    let page = try await context.world.accounts(
      matching: Search(query).accounts,
      after: query[after]
    )
    return .array(page?.accounts.map(\.json) ?? [])
  }
}

/// What `backstage/users` asks for about the search.
struct UserSearchView: TemplateView {
  enum Name: String, CaseIterable { case words, searched, count, nothing }

  let table: UsersTable

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .words: .text(\.table.search.words)
    case .searched: .flag { !$0.table.search.isEmpty }
    case .count:
      .text { view in
        let all = "\(view.table.count) users"
        return view.table.search.isEmpty ? all : "\(view.table.foundCount) of \(all)"
      }
    case .nothing: .text { $0.table.foundCount == 0 ? "No user matches all of that." : nil }
    }
  }
}
