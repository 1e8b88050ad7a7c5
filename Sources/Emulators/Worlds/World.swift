public import HTTPExchange
internal import Foundation
internal import GRDB

/// A complete, separate universe: its accounts, outbox, clock, faults, traces and settings.
public final class World: Sendable {
  public let name: WorldName
  public let clock: WorldClock
  public let outbox: Outbox
  public let faults = Faults()
  public let traces = Traces()
  let rateLimits = RateLimits()
  let retention = Retention()
  let freshTokens = FreshTokens()

  let database: any DatabaseWriter
  let random: RandomSource
  let hasher: PasswordHasher
  let seed: Seed
  private let initialSettings: InstanceSettings
  private let currentSettings: Locked<RevisedSettings>
  let environment = Locked<CachedEnvironment?>(nil)

  /// How the instance is set up now.
  ///
  /// A change lasts as long as the process, or until a reset.
  public var settings: InstanceSettings {
    get { currentSettings.withLock { $0.settings } }
    set { currentSettings.withLock { $0 = RevisedSettings(newValue) } }
  }

  /// Another number for other settings, of this world or of any; nil while a fault is rehearsed,
  /// which may be about the settings themselves.
  public var instanceRevision: Int? {
    faults.all.isEmpty ? currentSettings.withLock { $0.revision } : nil
  }

  private init(
    name: WorldName,
    database: any DatabaseWriter,
    settings: InstanceSettings,
    seed: Seed,
    clock: WorldClock,
    random: RandomSource,
    hasher: PasswordHasher
  ) {
    self.name = name
    self.database = database
    self.clock = clock
    self.random = random
    self.hasher = hasher
    self.seed = seed
    outbox = Outbox(database: database)
    initialSettings = settings
    currentSettings = Locked(RevisedSettings(settings))
  }

  /// Opens a world over its database, and plants the seed if it is fresh.
  static func opened(
    _ name: WorldName,
    database: any DatabaseWriter,
    settings: InstanceSettings,
    seed: Seed,
    clock: WorldClock,
    random: RandomSource,
    hasher: PasswordHasher
  ) throws(WorldsError) -> World {
    do {
      try plantIfFresh(seed, at: Instant(clock.now), random: random, in: database)
    } catch let error as WorldsError {
      throw error
    } catch {
      throw .seedRefused(String(describing: error))
    }
    return World(
      name: name,
      database: database,
      settings: settings,
      seed: seed,
      clock: clock,
      random: random,
      hasher: hasher
    )
  }

  /// Plants the seed in a database that was never used.
  ///
  /// - Throws: `WorldsError` where the accounts contradict each other, or what SQLite reports.
  static func plantIfFresh(
    _ seed: Seed,
    at now: Instant,
    random: RandomSource,
    in database: any DatabaseWriter
  ) throws {
    try database.write { db in
      let count = try Int.fetchOne(db, sql: "SELECT count FROM heartbeat")
      guard count == nil else { return }
      try seed.plant(at: now, random: random, db)
      try db.execute(sql: "INSERT INTO heartbeat (id, count) VALUES (1, 0)")
    }
  }

  /// Puts the world back to its seed: accounts, sessions, outbox, clock, faults, traces, settings.
  ///
  /// - Throws: What SQLite reports; then nothing has changed.
  public func reset() async throws {
    let machineNow = Instant(clock.now.addingTimeInterval(-clock.reading.offset))
    try await database.write { [seed, random] db in
      try WorldTables.empty(db)
      try seed.plant(at: machineNow, random: random, db)
    }
    clock.reset()
    faults.removeAll()
    traces.removeAll()
    rateLimits.removeAll()
    settings = initialSettings
  }

  func checkWritable() async throws {
    try await database.write { db in
      try db.execute(sql: "UPDATE heartbeat SET count = count + 1")
    }
  }
}

/// Settings with a number that no others have had in this process.
private struct RevisedSettings: Sendable {
  private static let last = Locked(0)
  let settings: InstanceSettings
  let revision: Int

  init(_ settings: InstanceSettings) {
    self.settings = settings
    revision = Self.last.withLock { last in
      last += 1
      return last
    }
  }
}
