internal import Emulators
internal import Foundation
internal import Headless
internal import HTTPExchange
internal import HTTPTypes

/// An event in a world, beside the pages, while a walk is recorded.
enum RecordedEvent {
  /// A step of a story: its sentence, its key and value; and the accounts that it is about, named
  /// as in the step.
  case deed(String, key: Story.Deed.Key, JSON, accounts: [String] = [])
  /// Something that a walk can do without, in a sentence that replaces it.
  case told(String)
  /// The world was exported, so somebody may import its present state later.
  case exported
  /// Another world replaces this one.
  case imported(JSON)
  /// The world was reset, to a fresh one with this beginning.
  case reset(RecordedBeginning)
  /// Something that no story can repeat, in words.
  case unrepeatable(String)

  /// The size limit of an imported world that is kept with a walk.
  static let importLimitBytes = 512 * 1024

  /// A step of the story that is told in the world.
  init?(step: JSON) {
    let told = Story.Deed.Key.allCases.lazy.compactMap { key in
      step[key.rawValue].map { (key: key, value: $0) }
    }
    guard let say = step["say"]?.string, let (key, value) = told.first else { return nil }
    let account = value["identifier"]?.string ?? value["user"]?.string
    self = .deed(say, key: key, value, accounts: [account].compactMap(\.self))
  }
}

/// What recordings of a world note about a call that has been carried out.
enum RecordedCall: Sendable {
  /// Nothing: the call does not change the world, or its implementation notes it.
  case nothing
  /// The event that it causes in the world; nil if it causes none after all.
  case event(@Sendable (BackstageContext, BackstageCall) async -> RecordedEvent?)

  static let reset = Self.event { _, call in
    RecordedEvent.reset(RecordedBeginning(ofReset: call.recordedBody))
  }
  static let exported = Self.event { _, _ in RecordedEvent.exported }
  static let imported = Self.event { $0.imported($1) }
  static let brandWritten = Self.event { _, _ in RecordedEvent.brandWritten }
  static let rotatedKeys = Self.event { _, _ in RecordedEvent.rotatedKeys }
  static let newFault = Self.event { $0.addedFault($1) }
  static let deletedFaults = Self.event { context, _ in context.deletedFaults(nil) }
  static let deletedFault = Self.event { $0.deletedFaults($1.path[1]) }
  static let deletedMessage = Self.event { await $0.deletedMessage($1.path[1]) }
  static let changedUser = Self.event { await $0.changedUser($1.path[1], by: $1) }
  static let droppedWorld = Self.event { $0.droppedWorld($1.path[1]) }

  /// A step of a story that does the same as the call, with its body or with the given value.
  static func deed(_ say: String, key: Story.Deed.Key, _ value: JSON? = nil) -> Self {
    .event { _, call in RecordedEvent.deed(say, key: key, value ?? call.recordedBody) }
  }
}

extension BackstageContext {
  /// The event to note in recordings of the world once the call has been carried out; nil if it
  /// changes nothing, or no browser is being recorded.
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
      "A fault is added.",
      key: .fault,
      call.recordedBody.endingInSeconds(world.clock.now)
    )
  }

  fileprivate func droppedWorld(_ name: String) -> RecordedEvent {
    // A dropped world is fresh when it is next used.
    name == world.name.text
      ? .reset(RecordedBeginning()) : .told("Another world is dropped; it does not exist here.")
  }

  fileprivate func deletedFaults(_ id: String?) -> RecordedEvent {
    let now = world.clock.now
    let all = world.faults.all
    let group = all.first { $0.id == id }?.group
    let rest = id == nil ? [] : all.filter { $0.id != id && (group == nil || $0.group != group) }
    let words = rest.isEmpty ? "All faults are removed." : "A fault is removed."
    return .deed(words, key: .faults, .array(rest.map { $0.repeated(at: now) }))
  }

  fileprivate func deletedMessage(_ id: String) async -> RecordedEvent? {
    // A message that cannot be read is not deleted either.
    guard let messages = try? await world.outbox.messages(),
      let message = messages.first(where: { $0.id == id })
    else { return nil }
    guard let latest = message.latest(among: messages) else {
      return .told("An old message is deleted; nobody asks for it.")
    }
    return .deed("A message is deleted.", key: .delete, latest)
  }

  fileprivate func changedUser(_ id: String, by call: BackstageCall) async -> RecordedEvent? {
    // An account that cannot be read is not changed either.
    guard let account = try? await world.account(id) else { return nil }
    guard let identifier = account.username ?? account.names.first else {
      return .unrepeatable("An account without an address, number or username was changed.")
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
    // What happened in that world before is not part of this walk.
    document["traces"] = []
    document["story"] = nil
    return .imported(document)
  }
}

extension RecordedEvent {
  static let brandWritten = Self.told(
    "The brand is written to its file, which all worlds share; here it stays as it is."
  )
  fileprivate static let rotatedKeys = Self.told(
    "The signing key is replaced, which all worlds share; here it stays as it is."
  )
}

extension BackstageCall {
  /// The body of the call; an unreadable one is refused, and so not recorded.
  fileprivate var recordedBody: JSON { (try? requiredBody()) ?? .object([]) }
}

extension JSON {
  /// The body of a fault with its end counted in seconds from now.
  fileprivate func endingInSeconds(_ now: Date) -> JSON {
    guard let end = self["ends_at"]?.string.flatMap(Timestamp.date) else { return self }
    return ending(at: end, countedFrom: now)
  }
}
