internal import Emulators
internal import Foundation
internal import Headless
internal import HTTPExchange
internal import HTTPTypes

/// What happens in a world while a walk is recorded, beside the pages.
enum RecordedEvent {
  /// What a step of a story does, by its key, and the sentence that tells it; with those accounts,
  /// named as the step names them.
  case deed(String, key: Story.Deed.Key, JSON, accounts: [String] = [])
  /// What a walk goes on without, in a sentence that stands in its place.
  case told(String)
  /// Somebody may bring this world back as it is now.
  case exported
  /// Another world takes the place of this one.
  case imported(JSON)
  /// The world is as fresh as at its beginning.
  case reset
  /// What no story can do again, in words.
  case unrepeatable(String)

  /// The longest document of a world that is kept with a walk.
  static let importLimitBytes = 512 * 1024

  /// A step of the story that the world tells.
  init?(step: JSON) {
    let told = Story.Deed.Key.allCases.lazy.compactMap { key in
      step[key.rawValue].map { (key: key, value: $0) }
    }
    guard let say = step["say"]?.string, let (key, value) = told.first else { return nil }
    let account = value["identifier"]?.string ?? value["user"]?.string
    self = .deed(say, key: key, value, accounts: [account].compactMap(\.self))
  }
}

/// What recordings of a world are told of a call, once it has been carried out.
enum RecordedCall: Sendable {
  /// It changes nothing there, or is noted by what carries it out.
  case nothing
  /// What it does to the world; nil where that is nothing after all.
  case event(@Sendable (BackstageContext, BackstageCall) async -> RecordedEvent?)

  static let reset = Self.event { _, _ in RecordedEvent.reset }
  static let exported = Self.event { _, _ in RecordedEvent.exported }
  static let imported = Self.event { $0.imported($1) }
  static let brandWritten = Self.event { _, _ in RecordedEvent.brandWritten }
  static let newFault = Self.event { $0.addedFault($1) }
  static let deletedFaults = Self.event { context, _ in context.deletedFaults(nil) }
  static let deletedFault = Self.event { $0.deletedFaults($1.path[1]) }
  static let deletedMessage = Self.event { await $0.deletedMessage($1.path[1]) }
  static let changedUser = Self.event { await $0.changedUser($1.path[1], by: $1) }
  static let droppedWorld = Self.event { $0.droppedWorld($1.path[1]) }

  /// A step of a story that does the same with what was sent, or with that value.
  static func deed(_ say: String, key: Story.Deed.Key, _ value: JSON? = nil) -> Self {
    .event { _, call in RecordedEvent.deed(say, key: key, value ?? call.recordedBody) }
  }
}

extension BackstageContext {
  /// What recordings of the world are to be told of a call once it has been carried out; nil for what
  /// changes nothing, and where nobody is recorded.
  func recordedEvent(
    of call: BackstageCall,
    to route: BackstageRouter.Route
  ) async -> RecordedEvent? {
    guard let recordings = recorder?.recordings, recordings.hasRecording(in: world.name) else {
      return nil
    }
    switch route.recorded {
    case .nothing: return nil
    case .event(let event): return await event(self, call)
    }
  }

  fileprivate func addedFault(_ call: BackstageCall) -> RecordedEvent {
    .deed(
      "Something is to go wrong.",
      key: .fault,
      call.recordedBody.endingInSeconds(world.clock.now)
    )
  }

  fileprivate func droppedWorld(_ name: String) -> RecordedEvent {
    // What is dropped is fresh when it is asked for next.
    name == world.name.text ? .reset : .told("Another world is dropped; here there is none.")
  }

  fileprivate func deletedFaults(_ id: String?) -> RecordedEvent {
    let now = world.clock.now
    let all = world.faults.all
    let group = all.first { $0.id == id }?.group
    let rest = id == nil ? [] : all.filter { $0.id != id && (group == nil || $0.group != group) }
    let words =
      rest.isEmpty ? "Nothing goes wrong any more." : "One thing does not go wrong any more."
    return .deed(words, key: .faults, .array(rest.map { $0.repeated(at: now) }))
  }

  fileprivate func deletedMessage(_ id: String) async -> RecordedEvent? {
    // What cannot be read is not deleted either.
    guard let messages = try? await world.outbox.messages(),
      let message = messages.first(where: { $0.id == id })
    else { return nil }
    guard let latest = message.latest(among: messages) else {
      return .told("An old message is deleted; nobody asks for it.")
    }
    return .deed("A message is deleted.", key: .delete, latest)
  }

  fileprivate func changedUser(_ id: String, by call: BackstageCall) async -> RecordedEvent? {
    // What cannot be read is not changed either.
    guard let account = try? await world.account(id) else { return nil }
    guard let identifier = account.username ?? account.names.first else {
      return .unrepeatable("An account without address, number and username was changed.")
    }
    let name = JSON.string(identifier)
    if call.method == .delete {
      return .deed(
        "Support deletes an account.",
        key: .delete,
        ["user": name],
        accounts: [identifier]
      )
    }
    return .deed(
      "Support changes an account.",
      key: .user,
      ["identifier": name, "change": call.recordedBody],
      accounts: [identifier]
    )
  }

  fileprivate func imported(_ call: BackstageCall) -> RecordedEvent? {
    guard call.content.count <= RecordedEvent.importLimitBytes else {
      return .unrepeatable("The world that was imported is larger than a recording keeps.")
    }
    let bytes: [UInt8]
    do {
      bytes =
        switch call.content {
        case .whole(let bytes): bytes
        case .spooled(let file): try file.bytes(in: 0..<file.count)
        }
    } catch {
      return .unrepeatable("The world that was imported could not be read again.")
    }
    guard var document = JSON(decoding: bytes) else { return nil }
    // What was seen there before is no part of the walk.
    document["traces"] = []
    document["story"] = nil
    return .imported(document)
  }
}

extension RecordedEvent {
  static let brandWritten = Self.told(
    "The brand is written to its file; that is every world's, and stays as it is here."
  )
}

extension BackstageCall {
  /// What it was sent with; what cannot be read is refused, and not recorded.
  fileprivate var recordedBody: JSON { (try? requiredBody()) ?? .object([]) }
}

extension JSON {
  /// A fault as it is sent, with its end counted from now.
  fileprivate func endingInSeconds(_ now: Date) -> JSON {
    guard let end = self["ends_at"]?.string.flatMap(Timestamp.date) else { return self }
    return ending(at: end, countedFrom: now)
  }
}
