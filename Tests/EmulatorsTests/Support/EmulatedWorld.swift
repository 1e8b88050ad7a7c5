import Emulators
import Foundation
import HTTPExchange
import Testing
import TestSupport

/// One world behind an emulated API, in process.
struct EmulatedWorld<Emulator: Sendable>: Sendable {
  let clock = MovableClock()
  let worlds: Worlds
  let emulator: Emulator
  var name = WorldName.main

  fileprivate init(
    _ emulator: (Worlds, _ address: String) -> Emulator,
    behind api: EmulatedAPI,
    storage: Worlds.Storage,
    users: [AccountDescription]?,
    words: MessageWords,
    settings change: (inout InstanceSettings) -> Void
  ) throws {
    var settings = InstanceSettings()
    change(&settings)
    worlds = try Worlds(
      storage: storage,
      behind: api,
      settings: settings,
      words: words,
      users: users,
      machineClock: { [clock] in clock.now }
    )
    self.emulator = emulator(worlds, "http://127.0.0.1:4010")
  }

  var world: World { get throws { try #require(worlds.opened(name)) } }

  /// The newest code that went to an address.
  func code(to address: String, for purpose: Message.Purpose? = nil) async throws -> String {
    let filter = Outbox.Filter(to: address, purpose: purpose)
    let message = try await world.outbox.latest(filter)
    return try #require(message?.code)
  }

  func messageCount() async throws -> Int { try await world.outbox.messages().count }
}

typealias TestWorld = EmulatedWorld<ClerkEmulator>
typealias EntraWorld = EmulatedWorld<EntraEmulator>

extension TestWorld {
  init(
    storage: Worlds.Storage = .memory,
    users: [AccountDescription]? = nil,
    words: MessageWords = .builtIn,
    settings change: (inout InstanceSettings) -> Void = { _ in }
  ) throws {
    try self.init(
      { ClerkEmulator(worlds: $0, address: $1) },
      behind: .clerk,
      storage: storage,
      users: users,
      words: words,
      settings: change
    )
  }

  func client() -> ScriptedClient { ScriptedClient(emulator: emulator, world: name) }

  /// The code that an authenticator app shows now.
  func authenticatorCode(_ step: Int64 = 0) throws -> String {
    let now = Int64(try world.clock.now.timeIntervalSince1970)
    return DocumentedTOTP.code(step: now / 30 + step)
  }
}

extension EntraWorld {
  init(
    storage: Worlds.Storage = .memory,
    users: [AccountDescription]? = nil,
    words: MessageWords = .builtIn,
    settings change: (inout InstanceSettings) -> Void = { _ in }
  ) throws {
    try self.init(
      { EntraEmulator(worlds: $0, address: $1) },
      behind: .entra,
      storage: storage,
      users: users,
      words: words,
      settings: change
    )
  }

  func client() -> EntraClient { EntraClient(emulator: emulator, world: name) }
}
