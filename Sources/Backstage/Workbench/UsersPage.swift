internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Pages

/// A page of a world's accounts, one account, or the form for a new one.
enum UsersPage {
  case table(UsersTable)
  case one(UserPage)
  case new(WorkbenchForm)

  /// - Throws: What SQLite reports.
  init(_ context: WorkbenchContext) async throws {
    let query = context.request.queryParameters
    let sent = context.refused?.form
    if query["new"] != nil || sent?["action"] == "add" {
      self = .new(UserForm.new(context))
      return
    }
    if let id = query["user"] ?? sent?["id"],
      let account = try await context.world.account(id)
    {
      self = .one(try await UserPage(account, context))
      return
    }
    self = .table(try await UsersTable(context))
  }

  /// The heading of the account or form that is open; nil for the table.
  var openedName: String? {
    switch self {
    case .table: nil
    case .one(let page): page.account.fullName
    case .new: "Add a user"
    }
  }

  static func address(_ query: FormData) -> String {
    query.address(at: WorkbenchTool.users.path)
  }

  static func address(of account: AccountDescription) -> String {
    address(["user": account.id ?? ""])
  }
}

extension WorkbenchContent {
  /// The accounts or the one that is looked for; if that is gone, all with the reason.
  ///
  /// - Throws: What SQLite reports.
  static func users(_ context: WorkbenchContext) async throws -> Self {
    let page = try await UsersPage(context)
    guard case .table(let table) = page else { return Self(users: page) }
    guard let id = context.request.queryParameters["user"] else {
      return Self(refusal: table.refusal, users: page)
    }
    return Self(refusal: .missing("account", id), users: page)
  }
}

/// One account with all that can be done with it.
struct UserPage {
  var account: AccountDescription
  var prediction: SignInPrediction
  /// The code of its authenticator app; nil if it has none.
  var reading: AuthenticatorReading?
  /// The form that signs this browser in; nil if nothing can, or there is nothing to sign in with.
  var entering: WorkbenchForm?
  var actions: [WorkbenchForm]
  var editing: WorkbenchForm
  var deleting: WorkbenchQuestion
  let context: WorkbenchContext

  /// - Throws: What SQLite reports.
  init(_ account: AccountDescription, _ context: WorkbenchContext) async throws {
    let id = account.id ?? ""
    self.account = account
    self.context = context
    reading = try await context.world.authenticatorReading(of: id)
    let hasPassword = try await !context.world.accountsWithPassword([id]).isEmpty
    prediction = SignInPrediction(
      of: account,
      hasPassword: hasPassword,
      behind: context.worlds.api,
      under: context.world.settings,
      context.moments
    )
    actions = Self.actions(on: account, hasPassword: hasPassword, context)
    entering =
      context.canEnter && !account.names.isEmpty
      ? context.form(
        "enter",
        on: .users,
        hidden: ["id": id],
        button: "Sign in as \(account.shortName)",
        weight: .primary
      ) : nil
    editing = UserForm.editing(account, context)
    deleting = context.question(
      "delete",
      on: .users,
      hidden: ["id": id],
      opening: "Delete…",
      words: "The account is deleted with its sessions.",
      button: "Delete \(account.shortName)"
    )
  }

  private static func actions(
    on account: AccountDescription,
    hasPassword: Bool,
    _ context: WorkbenchContext
  ) -> [WorkbenchForm] {
    func form(_ action: UserAction, _ button: String, _ weight: Form.Weight = .quiet)
      -> WorkbenchForm
    {
      context.form(
        action.rawValue,
        on: .users,
        hidden: ["id": account.id ?? "", "back": UsersPage.address(of: account)],
        button: button,
        weight: weight
      )
    }
    var forms: [WorkbenchForm] = []
    if account.locked == nil {
      forms += [form(.lock, "Lock for 30 minutes"), form(.lockForGood, "Lock until unlocked")]
    } else {
      forms.append(form(.unlock, "Unlock"))
    }
    forms.append(account.banned ? form(.unban, "Lift the ban") : form(.ban, "Ban"))
    if hasPassword {
      forms.append(
        account.passwordState == .ok
          ? form(.compromise, "Mark the password as compromised")
          : form(.trustPassword, "Trust the password again")
      )
    }
    return forms
  }
}

/// What one press does to an account.
enum UserAction: String {
  case lock, unlock, ban, unban, compromise
  case lockForGood = "lock-for-good"
  case trustPassword = "trust-password"

  /// The change as JSON has it.
  var changes: JSON {
    switch self {
    case .lock: ["locked": ["seconds": 1800]]
    case .lockForGood: ["locked": .object([])]
    case .unlock: ["locked": .null]
    case .ban: ["banned": true]
    case .unban: ["banned": false]
    case .compromise: ["password_state": "compromised"]
    case .trustPassword: ["password_state": "ok"]
    }
  }

  /// The notice of what has happened to the account.
  func notice(_ name: String) -> String {
    switch self {
    case .lock: "\(name) is locked for 30 minutes."
    case .lockForGood: "\(name) is locked until you unlock it."
    case .unlock: "\(name) is unlocked."
    case .ban: "\(name) is banned."
    case .unban: "\(name) is no longer banned."
    case .compromise: "The password of \(name) is marked as compromised."
    case .trustPassword: "The password of \(name) is trusted again."
    }
  }
}
