internal import Emulators
internal import Foundation
internal import Headless
internal import Pages

extension Recording {
  /// The walk as a story, from which every export format is written.
  ///
  /// - Throws: A refusal if nothing has been walked yet, or the walk cannot be repeated.
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
      .init("summary", "A recorded walk."), .init("api", .string(api.rawValue)),
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

  /// The title as the name of a story.
  private var name: String {
    let name = title.asciiWords.joined(separator: "-").prefix(32)
    return name.isEmpty ? "recorded-walk" : String(name)
  }
}
