internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPExchange

/// How the world of a recording differed from a fresh one when it began.
struct RecordedBeginning: Sendable {
  /// An account, and how it differs from its counterpart in a fresh world.
  struct Account: Sendable {
    /// Its addresses, numbers and username.
    var identifiers: [String]
    /// Those of its counterpart; empty if the account is new.
    var formerIdentifiers: [String]
    /// The keys that differ from the counterpart's, or from an empty account's.
    var changes: JSON
    var hasPassword: Bool
    /// Whether the counterpart has a password.
    var hadPassword = false
  }

  /// The settings that differ.
  var settings: [JSON.Member] = []
  /// The world's time; nil if it is the machine's.
  var clock: String?
  var isFrozen = false
  var faults: [JSON] = []
  var accounts: [Account] = []
  /// The identifiers of each account that a fresh world has and this one does not.
  var missing: [[String]] = []
  /// The ids of the messages that were there: no fresh world has them.
  var messages: Set<String> = []

  /// The beginning in a fresh world.
  init() {}

  /// The beginning in a world that was reset.
  ///
  /// - Parameter body: The body of the call, which may have a clock.
  init(ofReset body: JSON) {
    clock = body["clock"]?["set"]?.string
    isFrozen = body["clock"]?["freeze"]?.bool ?? false
  }

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
    let known = try await fresh.allAccounts()
    let accounts = try await world.allAccounts()
    let withPassword = try await world.accountsWithPassword(accounts.compactMap(\.id))
    let withFormerPassword = try await fresh.accountsWithPassword(known.compactMap(\.id))
    let byName = Dictionary(
      known.flatMap { account in account.names.map { ($0, account) } },
      uniquingKeysWith: { first, _ in first }
    )
    self.accounts = accounts.map { account in
      let former = account.names.lazy.compactMap { byName[$0] }.first
      let before = former ?? AccountDescription()
      // Most accounts are unchanged, so their JSON is not built.
      let changes = account == before ? [] : account.json.members(besidesThoseOf: before.json)
      return Account(
        identifiers: account.names,
        formerIdentifiers: former?.names ?? [],
        changes: .object(changes.filter { $0.name != "id" }),
        hasPassword: account.id.map(withPassword.contains) ?? false,
        hadPassword: former?.id.map(withFormerPassword.contains) ?? false
      )
    }
    let there = Set(accounts.flatMap(\.names))
    missing = known.map(\.names).filter { there.isDisjoint(with: $0) }
    messages = Set(try await world.outbox.messages().map(\.id))
  }

  /// Whether an account has that address, number or username.
  func hasAccount(_ identifier: String) -> Bool {
    accounts.contains { $0.identifiers.contains(identifier) }
  }

  /// The accounts that a walk needs: new ones, and changes to existing ones as steps.
  ///
  /// - Parameters:
  ///   - identifiers: The identifiers that the walk names.
  ///   - passwords: The accepted passwords, by identifier.
  ///   - refused: The identifiers for which the demo users' password was refused.
  /// - Returns: The accounts to add, and the steps.
  func people(
    named identifiers: [String],
    _ passwords: [String: String],
    refusedDemoPassword refused: Set<String> = []
  ) -> (users: [JSON], changes: [JSON]) {
    var users: [JSON] = []
    var steps: [JSON] = []
    let named = Set(identifiers.compactMap(\.spelling))
    let isNamed = { (identifier: String) in identifier.spelling.map(named.contains) ?? false }
    let there = Set(accounts.flatMap(\.identifiers))
    for account in accounts {
      // A former identifier that somebody else has now refers to them.
      let formerNames = account.formerIdentifiers.filter { !there.contains($0) }
      guard (account.identifiers + formerNames).contains(where: isNamed) else { continue }
      let spellings = Set(account.identifiers.compactMap(\.spelling))
      let typed = identifiers.filter { $0.spelling.map(spellings.contains) ?? false }
      let isRefused = typed.contains(where: refused.contains)
      let password =
        typed.lazy.compactMap { passwords[$0] }.first
        ?? (isRefused ? Self.otherPassword : AccountDescription.demoPassword)
      var changes = account.changes
      guard
        // The change applies to the account in the fresh world, which only has its former
        // identifiers.
        let identifier = account.formerIdentifiers.first(where: isNamed)
          ?? account.formerIdentifiers.first
      else {
        // An account without a password signs in whatever was typed.
        if account.hasPassword { changes["password"] = .string(password) }
        users.append(changes)
        continue
      }
      if account.hasPassword, password != AccountDescription.demoPassword {
        changes["password"] = .string(password)
      } else if !account.hasPassword, account.hadPassword {
        changes["password"] = .null
      }
      guard changes != .object([]) else { continue }
      steps.append([
        "say": "Support has changed an account.",
        "user": ["identifier": .string(identifier), "change": changes],
      ])
    }
    for identifiers in missing {
      guard let identifier = identifiers.first(where: isNamed) else { continue }
      steps.append([
        "say": "Support has deleted an account.", "delete": ["user": .string(identifier)],
      ])
    }
    return (users, steps)
  }

  /// The password for an account whose own is unknown, except that it is not the demo users'.
  private static let otherPassword = "another-one-than-was-typed-0"
}

extension World {
  fileprivate func allAccounts() async throws -> [AccountDescription] {
    var accounts: [AccountDescription] = []
    while let page = try await self.accounts(after: accounts.last?.id) {
      accounts += page.accounts
      guard page.hasMore else { break }
    }
    return accounts
  }
}

extension String {
  /// The identifier as it is looked up, however it was typed; nil if nothing was.
  fileprivate var spelling: String? { Identifier(typed: self)?.text.lowercased() }
}

extension AccountDescription {
  /// The identifiers of the account.
  var names: [String] {
    emailAddresses + phoneNumbers + [username].compactMap(\.self)
  }
}

extension Fault {
  /// The body of `POST faults` that would create the fault as it is now.
  func repeated(at now: Date) -> JSON {
    var json = json
    json["id"] = nil
    json["applied"] = nil
    guard let endsAt else { return json }
    return json.ending(at: endsAt, countedFrom: now)
  }
}

extension JSON {
  /// The body of a fault with its end counted in seconds from now.
  ///
  /// Ends that are too far away for that are brought forward.
  func ending(at end: Date, countedFrom now: Date) -> JSON {
    let seconds = Int(end.timeIntervalSince(now).rounded(.up))
    let range = Fault.Limits.seconds
    var fault = self
    fault["ends_at"] = nil
    fault["seconds"] = .integer(Int64(min(max(seconds, range.lowerBound), range.upperBound)))
    return fault
  }

  fileprivate func members(besidesThoseOf other: JSON) -> [Member] {
    guard case .object(let members) = self else { return [] }
    return members.filter { $0.value != other[$0.name] }
  }
}
