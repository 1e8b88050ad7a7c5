internal import Emulators
internal import Foundation
internal import Headless
internal import Pages

extension Recording {
  /// The walk as a story: what every form of export is written from.
  ///
  /// - Throws: A refusal where nothing was walked yet, or what was walked cannot be walked again.
  func story() throws(BackstageRefusal) -> (story: Story, document: JSON) {
    if let obstacle { throw BackstageRefusal(.notRepeatable, obstacle) }
    guard !steps.isEmpty else {
      throw BackstageRefusal(.nothingRecorded, "Nothing has been walked yet.")
    }
    let document = document
    return (try Story(document, over: api), document)
  }

  private var document: JSON {
    let accounts = beginning.people(
      named: people.identifiers + people.accounts,
      people.passwords,
      refusedDemoPassword: people.refusedDemoPassword
    )
    var members: [JSON.Member] = [
      .init("name", .string(name)), .init("title", .string(title)),
      .init("summary", "A walk that was recorded."), .init("api", .string(api.rawValue)),
    ]
    if !beginning.settings.isEmpty {
      members.append(.init("settings", .object(beginning.settings)))
    }
    if !accounts.users.isEmpty { members.append(.init("users", .array(accounts.users))) }
    if let clock = beginning.clock { members.append(.init("clock", .string(clock))) }
    if !beginning.faults.isEmpty { members.append(.init("faults", .array(beginning.faults))) }
    let standing: [JSON] =
      beginning.isFrozen ? [["say": "The clock stands still.", "clock": ["freeze": true]]] : []
    members.append(.init("steps", .array(standing + accounts.changes + invitations + steps)))
    return .object(members)
  }

  /// The title as stories are named.
  private var name: String {
    let name = title.asciiWords.joined(separator: "-").prefix(32)
    return name.isEmpty ? "recorded-walk" : String(name)
  }
}
