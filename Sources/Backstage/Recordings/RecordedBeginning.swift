internal import Emulators
internal import Foundation
internal import HTTPExchange

/// How the world of a recording differed from a fresh one when it began.
struct RecordedBeginning: Sendable {
  /// An account that a fresh world has not, or has otherwise.
  struct Account: Sendable {
    /// By which it can be named.
    var identifiers: [String]
    /// The keys that differ from the fresh world's account, or from an empty one.
    var changes: JSON
    var isNew: Bool
    var hasPassword: Bool
  }

  /// Those that differ.
  var settings: [JSON.Member] = []
  /// By the world's clock; nil where that is the machine's.
  var clock: String?
  var isFrozen = false
  var faults: [JSON] = []
  var accounts: [Account] = []
  /// By what those could be named that a fresh world has and this one has not.
  var missing: [[String]] = []

  /// A fresh world's.
  init() {}

  /// - Throws: `WorldsError`, or what SQLite reports.
  init(of world: World, among worlds: Worlds, id: String) async throws {
    guard let name = WorldName("recording-\(id.prefix(16))") else { return }
    let fresh = try await worlds.world(name)
    defer { worlds.drop(name) }
    settings = world.settings.json.members(besidesThoseOf: fresh.settings.json)
    let reading = world.clock.reading
    isFrozen = reading.isFrozen
    if isFrozen || abs(reading.offset) >= 1 { clock = Timestamp.inSeconds(reading.now) }
    faults = world.faults.all.map { $0.repeated(at: reading.now) }
    let known = try await fresh.accounts()?.accounts ?? []
    let accounts = try await world.accounts()?.accounts ?? []
    let withPassword = try await world.accountsWithPassword(accounts.compactMap(\.id))
    self.accounts = accounts.map { account in
      let before = known.first { !Set($0.names).isDisjoint(with: account.names) }
      return Account(
        identifiers: account.names,
        changes: .object(
          account.json.members(besidesThoseOf: (before ?? AccountDescription()).json)
            .filter { $0.name != "id" }
        ),
        isNew: before == nil,
        hasPassword: account.id.map(withPassword.contains) ?? false
      )
    }
    let there = Set(accounts.flatMap(\.names))
    missing = known.map(\.names).filter { there.isDisjoint(with: $0) }
  }

  /// The accounts that a walk needs, as a story makes them; and those to be changed, as its steps.
  ///
  /// - Parameters:
  ///   - identifiers: Who is named in the walk.
  ///   - passwords: Those that were accepted, by identifier.
  /// - Returns: Accounts as they are made, and steps.
  func people(
    named identifiers: [String],
    _ passwords: [String: String]
  ) -> (users: [JSON], changes: [JSON]) {
    var users: [JSON] = []
    var steps: [JSON] = []
    let named = Set(identifiers.map { $0.lowercased() })
    for account in accounts {
      guard let identifier = account.identifiers.first(where: { named.contains($0.lowercased()) })
      else { continue }
      let typed = identifiers.compactMap { typed in
        account.identifiers.contains { $0.lowercased() == typed.lowercased() }
          ? passwords[typed] : nil
      }.first
      var changes = account.changes
      if account.isNew {
        if account.hasPassword {
          changes["password"] = .string(typed ?? SignInShortcut.demoPassword)
        }
        users.append(changes)
      } else {
        if let typed, typed != SignInShortcut.demoPassword { changes["password"] = .string(typed) }
        guard changes != .object([]) else { continue }
        steps.append([
          "say": "Support has changed an account.",
          "user": ["identifier": .string(identifier), "change": changes],
        ])
      }
    }
    for identifiers in missing {
      guard let identifier = identifiers.first(where: { named.contains($0.lowercased()) })
      else { continue }
      steps.append([
        "say": "Support has deleted an account.", "delete": ["user": .string(identifier)],
      ])
    }
    return (users, steps)
  }
}

extension AccountDescription {
  /// By which it can be named.
  var names: [String] {
    emailAddresses + phoneNumbers + [username].compactMap(\.self)
  }
}

extension Fault {
  /// The fault as it would be made now.
  func repeated(at now: Date) -> JSON {
    var json = json
    json["id"] = nil
    json["ends_at"] = nil
    if let endsAt {
      json["seconds"] = .integer(Int64(max(1, endsAt.timeIntervalSince(now).rounded(.up))))
    }
    return json
  }
}

extension JSON {
  fileprivate func members(besidesThoseOf other: JSON) -> [Member] {
    guard case .object(let members) = self else { return [] }
    return members.filter { $0.value != other[$0.name] }
  }
}
