internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

extension WorkbenchCommand {
  /// The command of a form about accounts.
  ///
  /// - Throws: A refusal for an unknown form, for an account that does not exist, for every value
  ///   that was changed elsewhere meanwhile or cannot be had, or if nobody could sign in to the
  ///   account then.
  static func users(
    _ form: FormData,
    in world: World,
    behind api: EmulatedAPI
  ) async throws -> WorkbenchCommand {
    let action = form["action"] ?? ""
    if action == "add" {
      let json = try await UserForm.json(of: form, over: nil, in: world)
      var faults = BackstageRefusal.faults(in: json) { value throws(DocumentError) in
        _ = try AccountDescription(json: value)
      }
      if !UserForm.namesSomebody(json) {
        let words = "An account that nobody could sign in to is not added."
        faults.insert(namelessRefusal(words), at: 0)
      }
      if let refusal = BackstageRefusal(of: faults) { throw refusal }
      return Self(.post, ["users"], json, told: "The user is added.")
    }
    let id = form["id"] ?? ""
    guard let account = try await world.account(id) else {
      throw BackstageRefusal.missing("account", id)
    }
    let name = account.shortName
    if let action = UserAction(rawValue: action) {
      return Self(.patch, ["users", id], action.changes, told: action.notice(name))
    }
    switch action {
    case "edit":
      let form = try form.changes(over: UserForm.lines(of: account, behind: api))
      let json = try await UserForm.json(of: form, over: account, in: world)
      guard json != .object([]) else { return .nothing }
      var after = account
      var faults = BackstageRefusal.faults(in: json) { value throws(DocumentError) in
        after = try after.merging(value)
      }
      // One that never had any, as the API allows, can be changed in other ways.
      if after.names.isEmpty, !account.names.isEmpty {
        faults.insert(namelessRefusal("Then nobody could sign in to the account."), at: 0)
      }
      if let refusal = BackstageRefusal(of: faults) { throw refusal }
      return Self(.patch, ["users", id], json, told: "\(after.shortName) is saved.")
    case "delete": return Self(.delete, ["users", id], told: "\(name) is deleted.")
    default: throw BackstageRefusal.malformed("There is no such form here.")
    }
  }

  private static func namelessRefusal(_ message: String) -> BackstageRefusal {
    .invalid(
      message,
      at: "email_addresses",
      "an address, a phone number or a username is expected"
    )
  }
}
