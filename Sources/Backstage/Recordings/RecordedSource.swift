internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Pages

/// Where a code or link came from if it differs each time: from a message or an app.
struct RecordedSource: Sendable {
  /// The sources of codes as values of a story, by field.
  var codes: [String: JSON] = [:]
  /// The message with the link that was opened.
  var message: Message?
  /// That link as a place in a story; nil if a newer message hides it.
  var link: JSON?
  /// Whether a code was typed that is in no message and no app, and so does not exist in another
  /// world.
  var isGone = false

  /// No source but the person.
  init() {}

  /// - Parameters:
  ///   - request: The request.
  ///   - world: The world with the outbox and the accounts.
  ///   - identifiers: The identifiers that were named before.
  init(of request: SeenRequest, in world: World, known identifiers: [String]) async {
    switch request.step.way {
    case .opened:
      guard let query = request.query, !query.isEmpty else { return }
      let target = "\(request.path)?\(query)"
      let messages = await Self.messages(of: world)
      message = messages.first { $0.link?.hasSuffix(target) == true }
      link = message?.latest(among: messages)
    case .posted:
      let sent = request.form.filter { $0.name == "code" && !$0.value.isEmpty }
      guard !sent.isEmpty else { return }
      let messages = await Self.messages(of: world)
      for (name, value) in sent {
        guard let typed = VerificationCode(typed: value)?.secret else { continue }
        let message = messages.first { $0.code == typed }
        // The message was not sent: its code is the fixed one of test contacts.
        if message?.sent == false { continue }
        codes[name] = message?.latest(among: messages)
        if codes[name] == nil { codes[name] = await Self.app(showing: typed, identifiers, world) }
        isGone = codes[name] == nil
      }
    }
  }

  /// If the outbox cannot be read there is no source; the request itself has been answered.
  private static func messages(of world: World) async -> [Message] {
    (try? await world.outbox.messages()) ?? []
  }

  /// The authenticator app that shows a code now, or did so within 30 seconds of now.
  private static func app(
    showing code: String,
    _ identifiers: [String],
    _ world: World
  ) async -> JSON? {
    let now = world.clock.now
    // A browser that was brought to a page has typed no identifier.
    let others = ((try? await world.accounts())?.accounts ?? []).filter { $0.totpSecret != nil }
      .compactMap { $0.names.first }
    var asked: Set<String> = []
    for identifier in identifiers.reversed() + others where asked.insert(identifier).inserted {
      guard let account = try? await world.account(identifiedBy: identifier), let id = account.id
      else { continue }
      for date in [now, now.addingTimeInterval(-30), now.addingTimeInterval(30)] {
        let reading = try? await world.authenticatorReading(of: id, at: date)
        if reading?.code == code { return ["totp": .string(identifier)] }
      }
    }
    return nil
  }
}

extension Message {
  /// The message as a story refers to it; nil if a newer one to the same person for the same
  /// purpose hides it.
  func latest(among messages: [Message]) -> JSON? {
    let newest = messages.first { $0.to == to && $0.purpose == purpose }
    guard newest?.id == id else { return nil }
    return ["latest": ["to": .string(to), "purpose": .string(purpose.rawValue)]]
  }
}
