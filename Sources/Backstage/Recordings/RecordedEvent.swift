internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// What happens in a world while a walk is recorded, beside the pages.
enum RecordedEvent {
  /// What a step of a story does, by its key, and the sentence that tells it; with those accounts,
  /// named as the step names them.
  case deed(String, key: String, JSON, accounts: [String] = [])
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
    let keys = [
      "clock", "settings", "fault", "faults", "user", "new_user", "invitation", "world", "delete",
    ]
    guard let say = step["say"]?.string, let key = keys.first(where: { step[$0] != nil }),
      let value = step[key]
    else { return nil }
    let account = value["identifier"]?.string ?? value["user"]?.string
    self = .deed(say, key: key, value, accounts: [account].compactMap(\.self))
  }
}

extension BackstageContext {
  /// What recordings of the world are to be told of a call once it has been carried out; nil for what
  /// changes nothing, and where nobody is recorded.
  func recordedEvent(of call: BackstageCall) async -> RecordedEvent? {
    guard let recordings = recorder?.recordings, recordings.hasRecording(in: world.name) else {
      return nil
    }
    let id = call.path.count > 1 ? call.path[1] : nil
    switch (call.method, call.path.first ?? "") {
    case (.delete, "faults"): return deletedFaults(id)
    case (.delete, "messages"): return await deletedMessages(id)
    case (.delete, "traces"):
      return .deed("The traces are deleted.", key: "delete", "traces")
    case (.patch, "users"), (.delete, "users"): return await changedUser(id ?? "", by: call)
    case (.delete, "worlds"):
      // What is dropped is fresh when it is asked for next.
      return id == world.name.text
        ? .reset : .told("Another world is dropped; here there is none.")
    case (.post, "reset"): return .reset
    case (.get, "export"): return .exported
    case (.post, "import"): return imported(call)
    case (.put, "brand"): return .brandWritten
    case (.post, let name): return posted(to: name, call)
    case (.patch, "instance"):
      return .deed("The settings change.", key: "settings", body(of: call))
    default: return nil
    }
  }

  private func body(of call: BackstageCall) -> JSON { (try? call.requiredBody()) ?? .object([]) }

  private func posted(to name: String, _ call: BackstageCall) -> RecordedEvent? {
    let body = body(of: call)
    switch name {
    case "clock": return .deed("The clock is moved.", key: "clock", body)
    case "faults":
      return .deed("Something is to go wrong.", key: "fault", body.endingInSeconds(world.clock.now))
    case "users": return .deed("An account is made.", key: "new_user", body)
    case "invitations": return .deed("Somebody is invited.", key: "invitation", body)
    default: return nil
    }
  }

  private func deletedFaults(_ id: String?) -> RecordedEvent {
    let now = world.clock.now
    let all = world.faults.all
    let group = all.first { $0.id == id }?.group
    let rest = id == nil ? [] : all.filter { $0.id != id && (group == nil || $0.group != group) }
    let words =
      rest.isEmpty ? "Nothing goes wrong any more." : "One thing does not go wrong any more."
    return .deed(words, key: "faults", .array(rest.map { $0.repeated(at: now) }))
  }

  private func deletedMessages(_ id: String?) async -> RecordedEvent? {
    guard let id else { return .deed("The inbox is emptied.", key: "delete", "messages") }
    // What cannot be read is not deleted either.
    guard let messages = try? await world.outbox.messages(),
      let message = messages.first(where: { $0.id == id })
    else { return nil }
    guard let latest = message.latest(among: messages) else {
      return .told("An old message is deleted; nobody asks for it.")
    }
    return .deed("A message is deleted.", key: "delete", latest)
  }

  private func changedUser(_ id: String, by call: BackstageCall) async -> RecordedEvent? {
    // What cannot be read is not changed either.
    guard let account = try? await world.account(id) else { return nil }
    guard let identifier = account.username ?? account.names.first else {
      return .unrepeatable("An account without address, number and username was changed.")
    }
    let name = JSON.string(identifier)
    if call.method == .delete {
      return .deed(
        "Support deletes an account.",
        key: "delete",
        ["user": name],
        accounts: [identifier]
      )
    }
    return .deed(
      "Support changes an account.",
      key: "user",
      ["identifier": name, "change": body(of: call)],
      accounts: [identifier]
    )
  }

  private func imported(_ call: BackstageCall) -> RecordedEvent? {
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

extension JSON {
  /// A fault as it is sent, with its end counted from now.
  fileprivate func endingInSeconds(_ now: Date) -> JSON {
    guard let end = self["ends_at"]?.string.flatMap(Timestamp.date) else { return self }
    return ending(at: end, countedFrom: now)
  }
}
