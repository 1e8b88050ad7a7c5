public import Foundation
internal import GRDB
public import HTTPExchange
package import Locking

/// A complete, separate universe: its accounts, outbox, clock, faults, traces and settings.
public final class World: Sendable {
  public let name: WorldName
  public let clock: WorldClock
  public let outbox: Outbox
  public let faults: Faults
  public let traces: Traces
  /// The story that it tells, and how far; nil for most worlds.
  package let story = Locked<(any WorldStory)?>(nil)
  let rateLimits = RateLimits()
  let retention = Retention()
  let freshTokens = FreshTokens()

  let database: WorldStorage
  let random: RandomSource
  let hasher: PasswordHasher
  let seed: Seed
  private let applicationSource: ApplicationSource
  public var application: EmulatedApplication { applicationSource.current() }
  let words: MessageWords
  /// How the instance was set up when the world began.
  private let initialSettings: InstanceSettings
  private let currentSettings: Locked<RevisedSettings>
  let environment = Locked<CachedEnvironment?>(nil)
  /// Given when another life begins; the calls that a fault delays wait for it.
  let beginnings = ArrivalSignal()

  /// The number of its present life, unique in this process: a reset and an import begin another.
  ///
  /// An answer from one life is not true in another.
  public var life: Int { currentLife.withLock(\.self) }
  private let currentLife = Locked(World.newLife())
  private static let lastLife = Locked(0)

  /// How the instance is set up now.
  ///
  /// A change lasts as long as the process, or until a reset.
  public var settings: InstanceSettings {
    get { currentSettings.withLock { $0.settings } }
    set { changeSettings { _ in newValue } }
  }

  /// Changes the settings atomically.
  ///
  /// - Parameter change: Makes the new settings from the present ones.
  /// - Returns: The new settings.
  /// - Throws: What the change throws; then nothing has changed.
  @discardableResult
  public func changeSettings<Failure: Error>(
    _ change: (InstanceSettings) throws(Failure) -> InstanceSettings
  ) throws(Failure) -> InstanceSettings {
    let application = applicationSource.revision()
    return try currentSettings.withLock { current throws(Failure) in
      current = RevisedSettings(try change(current.settings), of: application)
      return current.settings
    }
  }

  /// The revision of the instance's settings and application, unique among all worlds; nil while
  /// there are faults, which may affect the call that reads them.
  public var instanceRevision: Int? {
    guard faults.all.isEmpty else { return nil }
    let application = applicationSource.revision()
    return currentSettings.withLock { current in
      if current.application != application {
        current = RevisedSettings(current.settings, of: application)
      }
      return current.revision
    }
  }

  private init(
    name: WorldName,
    database: any DatabaseWriter,
    settings: InstanceSettings,
    application: ApplicationSource,
    words: MessageWords,
    seed: Seed,
    clock: WorldClock,
    random: RandomSource,
    hasher: PasswordHasher,
    traces: Traces
  ) {
    self.name = name
    self.traces = traces
    let storage = WorldStorage(database)
    self.database = storage
    self.clock = clock
    faults = Faults(clock: clock)
    self.random = random
    self.hasher = hasher
    self.seed = seed
    applicationSource = application
    self.words = words
    outbox = Outbox(database: storage)
    initialSettings = settings
    currentSettings = Locked(RevisedSettings(settings, of: application.revision()))
  }

  /// Opens a world over its database, and plants the seed if it is fresh.
  static func opened(
    _ name: WorldName,
    database: any DatabaseWriter,
    settings: InstanceSettings,
    application: ApplicationSource,
    words: MessageWords,
    seed: Seed,
    clock: WorldClock,
    random: RandomSource,
    hasher: PasswordHasher,
    traces: Traces = Traces()
  ) throws(WorldsError) -> World {
    do {
      try plantIfFresh(seed, at: EpochMilliseconds(clock.now), random: random, in: database)
    } catch let error as WorldsError {
      throw error
    } catch let error as DatabaseError where error.remedy != nil {
      throw WorldsError(error, in: (database.path as NSString).deletingLastPathComponent)
    } catch {
      throw .seedRefused(String(describing: error))
    }
    return World(
      name: name,
      database: database,
      settings: settings,
      application: application,
      words: words,
      seed: seed,
      clock: clock,
      random: random,
      hasher: hasher,
      traces: traces
    )
  }

  /// Plants the seed in a database that was never used.
  ///
  /// In a used one, locks that lie in the future are restarted: a clock that was moved is the
  /// machine's again.
  ///
  /// - Throws: `WorldsError` if the accounts contradict each other, or what SQLite reports.
  static func plantIfFresh(
    _ seed: Seed,
    at now: EpochMilliseconds,
    random: RandomSource,
    in database: any DatabaseWriter
  ) throws {
    try database.write { db in
      let count = try Int.fetchOne(db, sql: "SELECT count FROM heartbeat")
      guard count == nil else { return try Lockout.beginAnew(at: now, db) }
      try db.execute(sql: "INSERT INTO heartbeat (id, count) VALUES (1, 0)")
      try seed.plant(at: now, random: random, db)
    }
  }

  /// Moves the clock, also back without unlocking anybody: locks that then lie in the future are
  /// restarted.
  ///
  /// Whether it goes back is decided when it is moved: others may move it meanwhile.
  ///
  /// - Parameter move: What to do; while it sets the clock back, no call of the emulated API is
  ///   answered.
  /// - Returns: What the clock shows then.
  /// - Throws: What SQLite reports, or `CancellationError`; then the clock runs on as it would have
  ///   without this move, or with the moves that others have made since.
  public func moveClock(_ move: WorldClock.Move) async throws -> WorldClock.Reading {
    if let reading = clock.makeForward(move) { return reading }
    let made = Locked<WorldClock.Moved?>(nil)
    do {
      return try await database.write { [clock] db in
        let moved = clock.make(move)
        made.withLock { $0 = moved }
        try Lockout.beginAnew(at: EpochMilliseconds(moved.reading.now), db)
        return moved.reading
      }
    } catch {
      // Its turn may never have come.
      if let moved = made.withLock(\.self) { clock.undo(moved) }
      throw error
    }
  }

  /// Resets the world to its seed: accounts, sessions, outbox, clock, faults, traces, settings; a
  /// story ends.
  ///
  /// - Parameters:
  ///   - start: When the world begins by its clock, and with it the locks of the seed; nil is the
  ///     machine's time.
  ///   - isFrozen: Whether the clock stands still there.
  /// - Throws: What SQLite reports, or `CancellationError`; then nothing has changed.
  public func reset(at start: Date? = nil, isFrozen: Bool = false) async throws {
    try await seed.deriveHashes(by: hasher)
    let begin = start ?? clock.now.addingTimeInterval(-clock.reading.offset)
    try await database.write { [seed, random] db in
      try WorldTables.empty(db)
      try seed.plant(at: EpochMilliseconds(begin), random: random, db)
    } then: { [self] in
      // No call that waited may see the old time or settings, or meet an old fault.
      clock.reset(at: isFrozen ? begin : start, isFrozen: isFrozen)
      settings = initialSettings
      faults.removeAll()
      traces.removeAll()
      rateLimits.removeAll()
      story.withLock { $0 = nil }
      beginLife()
    }
    outbox.announce()
  }

  /// Begins another life; called before any other work finds what it began with.
  func beginLife() {
    let life = Self.newLife()
    currentLife.withLock { $0 = life }
    beginnings.give()
  }

  /// Ends all waits, present and future: for messages, and of delayed calls.
  func endWaiting(because end: Outbox.WaitingEnd) {
    outbox.endWaiting(because: end)
    beginnings.end(because: end)
  }

  private static func newLife() -> Int {
    lastLife.withLock { last in
      last += 1
      return last
    }
  }

  /// Reads and writes in one transaction, with the time when its turn has come: earlier work may
  /// have moved the clock.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Database, EpochMilliseconds) throws -> Value
  ) async throws -> Value {
    try await database.write { [clock] db in try work(db, EpochMilliseconds(clock.now)) }
  }

  /// - Throws: As `WorldStorage.checkWritable`.
  func checkWritable() async throws { try await database.checkWritable() }
}
