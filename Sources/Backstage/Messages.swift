internal import Emulators
internal import Foundation
internal import HTTPExchange

extension BackstageContext {
  /// The longest that a call waits for a message, in real seconds.
  static var waitLimitSeconds: Int { 30 }

  func messages(_ call: BackstageCall) async throws -> Response {
    let messages = try await world.outbox.messages(filter(of: call))
    return .json(.array(messages.map(\.json)))
  }

  func deleteMessages() async throws -> Response {
    try await world.outbox.removeAll()
    return .noContent
  }

  func message(_ id: String) async throws -> Response {
    guard let message = try await world.outbox.message(id) else {
      throw BackstageRefusal.missing("message", id)
    }
    return .json(message.json)
  }

  func deleteMessage(_ id: String) async throws -> Response {
    guard try await world.outbox.remove(id) else { throw BackstageRefusal.missing("message", id) }
    return .noContent
  }

  func latestMessage(_ call: BackstageCall) async throws -> Response {
    let filter = try filter(of: call)
    // A deleted message matches all others, but an `after` that is not a message id at all is a
    // mistake.
    if let after = filter.after, !Message.isID(after),
      try await world.outbox.message(after) == nil
    {
      throw BackstageRefusal.invalid(
        "'after' must be the ID of a message: msg_ and 27 letters or digits."
      )
    }
    let message = try await world.outbox.latest(filter, wait: wait(of: call))
    guard let message else { throw try await noMessage(filter) }
    return .json(message.json)
  }

  /// How many messages the refusal of a missing one names.
  private static let namedCount = 10

  /// Says which message is missing, and for whom the newest ones are, without their contents.
  private func noMessage(_ filter: Outbox.Filter) async throws -> BackstageRefusal {
    let newest = try await world.outbox.newest(Self.namedCount)
    let count = try await world.outbox.count()
    var named = newest.map { "to \($0.to) (\($0.purpose.rawValue))" }
    if count > newest.count { named.append("and \(count - newest.count) more") }
    let inbox =
      named.isEmpty ? "the inbox is empty" : "the newest are \(named.joined(separator: ", "))"
    return BackstageRefusal(.noMessage, "There is no message\(filter.words): \(inbox).")
  }

  private func wait(of call: BackstageCall) throws(BackstageRefusal) -> Duration {
    guard let text = call.filled("wait") else { return .zero }
    guard let seconds = Double(text), (0...Double(Self.waitLimitSeconds)).contains(seconds) else {
      throw .invalid("'wait' must be 0 to \(Self.waitLimitSeconds) seconds.")
    }
    return .seconds(seconds)
  }

  /// An empty `after` does not filter: a client that has seen no message yet waits for the first.
  private func filter(of call: BackstageCall) throws(BackstageRefusal) -> Outbox.Filter {
    for name in ["to", "purpose", "channel"] { try call.refuseEmpty(name) }
    return Outbox.Filter(
      to: call.contact("to"),
      purpose: try value(call.filled("purpose"), of: "purpose"),
      channel: try value(call.filled("channel"), of: "channel"),
      after: call.filled("after")
    )
  }

  private func value<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String?,
    of name: String
  ) throws(BackstageRefusal) -> Value? {
    guard let text else { return nil }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid("'\(name)' must be one of \(known).")
    }
    return value
  }
}

extension Outbox.Filter {
  /// What it matches, to be said after "message".
  fileprivate var words: String {
    let kind = [purpose?.rawValue, channel?.rawValue].compactMap(\.self).joined(separator: ", ")
    var text = ""
    if let to { text += " to \(to.prefix(100))" }
    if !kind.isEmpty { text += " (\(kind))" }
    if let after { text += " after \(after.prefix(100))" }
    return text
  }
}

extension Message {
  var json: JSON {
    [
      "id": .string(id),
      "to": .string(to),
      "channel": .string(channel.rawValue),
      "sent": .bool(sent),
      "purpose": .string(purpose.rawValue),
      "code": .optional(code),
      "link": .optional(link),
      "subject": .optional(subject),
      "text": .string(text),
      "created_at": .string(Timestamp.text(createdAt)),
    ]
  }
}
