public import Foundation
public import HTTPExchange
internal import GRDB
internal import Locking

/// The worlds of one process, each a complete universe that knows nothing of the others.
///
/// `main` is there from the start, on disk if a folder is given; every other world lives in memory
/// from its first use. Their number is limited, so that made-up names cannot fill the memory. At
/// the limit, the world that has been idle longest makes room if it has been idle long enough, but
/// never `main`; otherwise no world is made, since a world in use must not disappear unasked.
public final class Worlds: Sendable {
  public enum Storage: Sendable, Hashable {
    case memory
    /// The path of a folder, made if there is none.
    case folder(String)
  }

  /// The database has not accepted a write in time, as when another process holds it.
  public struct Busy: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String { "the database is busy" }
  }

  /// The file of the database is not where it was: what is written now would be lost.
  public struct Gone: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// Whether another file is in its place, such as a backup.
    public var isReplaced: Bool

    public var description: String {
      isReplaced
        ? "\(file) in the data folder has been replaced: restart the program"
        : "\(file) is no longer in the data folder"
    }
  }

  /// The upgrade of an older database on disk: the last migration before it and after it.
  public struct Upgrade: Hashable, Sendable {
    public var from: String
    public var to: String
  }

  fileprivate typealias Opening = Task<Result<World, WorldsError>, Never>

  fileprivate struct State: Sendable {
    var worlds: [WorldName: World] = [:]
    var lastUse: [WorldName: ContinuousClock.Instant] = [:]
    /// The worlds that are being made.
    var openings: [WorldName: Opening] = [:]
    /// Made with the first world in memory.
    var template: WorldTemplate?
    /// Whether waiting has ended, for messages and of delayed calls.
    var isWaitingOver = false
  }

  /// The world in which a task answers a request.
  private struct AtWork: Sendable {
    var worlds: Worlds
    var world: World
  }

  @TaskLocal private static var atWork: AtWork?

  private let settings: InstanceSettings
  private let application: ApplicationSource
  private let words: MessageWords
  let machineClock: @Sendable () -> Date
  private let monotonicNow: @Sendable () -> ContinuousClock.Instant
  let random: RandomSource
  private let worldLimit: Int
  private let traceRoom = TraceRoom()
  private let restTime: Duration
  private let hasher = PasswordHasher()
  private let memorySeed: Seed
  /// The world `main`, if it is on disk.
  private let main: World?
  /// The folder of its database; nil if all worlds are in memory.
  public let folder: String?
  /// The upgrade of that database when it was opened; nil if it was current, or new.
  public let upgrade: Upgrade?
  /// Whether the stored `main` had begun with other accounts than the given ones: it keeps its own
  /// until a reset.
  public let keptOtherAccounts: Bool
  private let state = Locked(State())
  /// The key that signs the tokens of all worlds, once it is known.
  let signingKey = Locked<SigningKey?>(nil)
  /// The auth API of the worlds.
  public let api: EmulatedAPI
  /// Opens one world after the other.
  private let opener = WorkQueue(label: "vestibule.worlds", width: 1)
  /// Reads one document after the other.
  private let reader = WorkQueue(label: "vestibule.documents", width: 1)

  /// Opens the worlds.
  ///
  /// - Parameters:
  ///   - storage: Where `main` is kept.
  ///   - api: The auth API that is emulated.
  ///   - settings: What every world starts with.
  ///   - application: The application that people sign in to.
  ///   - words: The texts of messages.
  ///   - users: The accounts of a fresh world; nil for the API's own demo users.
  ///   - machineClock: The clock that each world's own clock is based on.
  ///   - monotonicNow: The clock that measures how long a world is idle: changes of the machine's
  ///     date do not affect it.
  ///   - random: The source of codes and tokens.
  ///   - worldLimit: How many worlds live in memory at once; an idle one takes about 0.5 MB.
  ///   - restTime: How long, in real time, a world must be idle before it may make room.
  /// - Throws: `WorldsError` if the folder cannot be used or the accounts contradict each other.
  public init(
    storage: Storage,
    behind api: EmulatedAPI = .usual,
    settings: InstanceSettings = InstanceSettings(),
    application: ApplicationSource = .fixed(EmulatedApplication()),
    words: MessageWords = .builtIn,
    users: [AccountDescription]? = nil,
    machineClock: @escaping @Sendable () -> Date = { Date() },
    monotonicNow: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    random: RandomSource = .system,
    worldLimit: Int = 2000,
    restTime: Duration = .seconds(1800)
  ) throws(WorldsError) {
    let arePublished = users == nil
    let users = users ?? api.demoUsers
    self.api = api
    self.settings = settings
    self.application = application
    self.words = words
    self.machineClock = machineClock
    self.monotonicNow = monotonicNow
    self.random = random
    self.worldLimit = worldLimit
    self.restTime = restTime
    memorySeed = Seed(users: users, arePublished: arePublished, cost: .memory, random: random)
    switch storage {
    case .memory:
      main = nil
      folder = nil
      upgrade = nil
      keptOtherAccounts = false
      let main = try made(.main)
      state.withLock { $0.keep(main, at: monotonicNow()) }
    case .folder(let folder):
      self.folder = folder
      var upgrade: Upgrade?
      let database = try WorldDatabase.inFolder(folder, named: api.databaseName) { upgrade = $0 }
      self.upgrade = upgrade
      let seed = Seed(users: users, arePublished: arePublished, cost: .disk, random: random)
      // Nobody asked for the demo users, and another version may have others.
      keptOtherAccounts =
        try arePublished ? false : Self.hasBegun(database, in: folder, otherwiseThan: seed)
      main = try World.opened(
        .main,
        database: database,
        settings: settings,
        application: application,
        words: words,
        seed: seed,
        clock: WorldClock(machineClock: machineClock),
        random: random,
        hasher: hasher
      )
    }
  }

  private static func hasBegun(
    _ database: any DatabaseWriter,
    in folder: String,
    otherwiseThan seed: Seed
  ) throws(WorldsError) -> Bool {
    do {
      return try database.read(Seed.mark(in:)).map(seed.isOther(than:)) ?? false
    } catch {
      throw WorldsError(error, in: folder)
    }
  }

  /// Whether the `main` stored in a folder had begun with other accounts; false if that is unknown.
  ///
  /// The folder is not changed; this process must not have it open. Errors are left to the opening.
  ///
  /// - Parameters:
  ///   - folder: The path of a folder; there need be none.
  ///   - users: The accounts that are given.
  ///   - api: The auth API that they are for.
  /// - Returns: Whether it had.
  public static func keepsOtherAccounts(
    in folder: String,
    than users: [AccountDescription],
    behind api: EmulatedAPI
  ) -> Bool {
    do {
      let mark = try WorldDatabase.seenInFolder(folder, named: api.databaseName, Seed.mark(in:))
      let seed = Seed(users: users, arePublished: false, cost: .disk, random: .system)
      return try mark.map(seed.isOther(than:)) ?? false
    } catch {
      return false
    }
  }

  /// Why a start could not use the `main` that is stored in a folder, as far as can be seen: the
  /// database is damaged, or is a newer version's or another program's; nil if nothing is wrong.
  ///
  /// The folder is not changed; this process must not have the database open.
  ///
  /// - Parameters:
  ///   - folder: The path of a folder, which need not exist.
  ///   - api: The auth API that is emulated.
  /// - Returns: What the start would throw.
  public static func obstacle(in folder: String, behind api: EmulatedAPI) -> WorldsError? {
    WorldDatabase.obstacle(in: folder, named: api.databaseName)
  }

  /// The world of that name, made from the seed if it is used for the first time.
  ///
  /// - Throws: `WorldsError` if it cannot be made, or if the task works in the world of that name
  ///   and that one has been dropped.
  public func world(_ name: WorldName) async throws(WorldsError) -> World {
    let known = opened(name)
    if let atWork = Self.atWork, atWork.worlds === self, atWork.world.name == name,
      atWork.world !== known
    {
      throw .dropped
    }
    if let known { return known }
    return try await opening(of: name).value.get()
  }

  /// Answers a request in a world; if that is dropped meanwhile, the rest of the work does not get
  /// another one of its name.
  ///
  /// - Parameters:
  ///   - world: The world of the request.
  ///   - answer: Answers it; it may make further requests in process, which name their world.
  /// - Returns: The answer.
  public func working<Answer>(in world: World, _ answer: () async -> Answer) async -> Answer {
    await Self.$atWork.withValue(AtWork(worlds: self, world: world), operation: answer)
  }

  /// The world of that name, if it has been used.
  public func opened(_ name: WorldName) -> World? {
    if name == .main, let main { return main }
    return state.withLock { $0.use(name, at: monotonicNow()) }
  }

  /// Reads a document, which may be as long as a world, on a thread that serves no calls.
  ///
  /// - Throws: What the reading throws; `CancellationError` if the task was cancelled before its turn
  ///   came.
  public func reading<Value: Sendable>(
    _ read: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await reader.run(read)
  }

  /// The names of the worlds that live now, sorted.
  public var names: [WorldName] {
    let inMemory = state.withLock { Array($0.worlds.keys) }
    return ((main == nil ? [] : [.main]) + inMemory).sorted { $0.text < $1.text }
  }

  /// The worlds that live now, sorted by their names; this does not count as use.
  public var living: [World] {
    let inMemory = state.withLock { Array($0.worlds.values) }
    return ((main.map { [$0] } ?? []) + inMemory).sorted { $0.name.text < $1.name.text }
  }

  /// Forgets a world that lives in memory; its next use makes a fresh one.
  ///
  /// - Returns: Whether there was such a world.
  @discardableResult
  public func drop(_ name: WorldName) -> Bool { state.withLock { $0.remove(name) } }

  /// Writes to the database on disk, if there is one, and waits until it is stored.
  ///
  /// Once the disk has refused something, this needs room for as much as a whole call writes.
  ///
  /// - Parameter patience: How long to wait, at most; another process may hold the database for
  ///   longer.
  /// - Throws: `Busy` if that takes longer, `Gone` if the file is no longer there,
  ///   `WorldsError.damaged`, what the system reports about the folder, or what SQLite reports.
  public func checkWritable(within patience: Duration = .seconds(2)) async throws {
    guard let main else { return }
    let check = Task<Result<Void, any Error>, Never> {
      do {
        return .success(try await main.checkWritable())
      } catch {
        return .failure(error)
      }
    }
    // Repeated checks must not pile up.
    defer { check.cancel() }
    guard let result = await check.value(within: patience) else { throw Busy() }
    try result.get()
  }

  /// Ends the waiting for messages of any world, and the delays of its calls, now and from now on,
  /// since the program is stopping and must not be held up.
  public func endWaiting() {
    main?.endWaiting(because: .stopping)
    state.withLock { state in
      state.isWaitingOver = true
      for world in state.worlds.values { world.endWaiting(because: .stopping) }
    }
  }

  /// Closes the database on disk and writes its log into it; no world may be used any more.
  ///
  /// If that fails, nothing is lost: the log stays, as after a process is killed.
  ///
  /// - Returns: What SQLite reports if it fails.
  @discardableResult
  public func close() -> (any Error)? {
    do {
      try main?.database.closeInOrder()
      return nil
    } catch {
      return error
    }
  }

  /// The opening of a world, which all callers that wait for it share.
  private func opening(of name: WorldName) throws(WorldsError) -> Opening {
    let opening: Result<Opening, WorldsError> = state.withLock { state in
      if let opening = state.openings[name] { return .success(opening) }
      let now = monotonicNow()
      if let world = state.use(name, at: now) { return .success(Opening { .success(world) }) }
      guard name == .main || state.makeRoom(worldLimit, restedSince: now - restTime) else {
        return .failure(.tooManyWorlds(limit: worldLimit))
      }
      let opening = Opening.detached { await self.open(name) }
      state.openings[name] = opening
      return .success(opening)
    }
    return try opening.get()
  }

  private func open(_ name: WorldName) async -> Result<World, WorldsError> {
    let result: Result<World, WorldsError>
    do {
      result = .success(try await opener.run { try self.made(name) })
    } catch let error as WorldsError {
      result = .failure(error)
    } catch {
      result = .failure(.unusable(folder: ":memory:", reason: String(describing: error)))
    }
    state.withLock { state in
      state.openings[name] = nil
      if case .success(let world) = result { state.keep(world, at: monotonicNow()) }
    }
    return result
  }

  /// Makes a world; it takes a while, so it belongs on the opener's thread.
  private func made(_ name: WorldName) throws(WorldsError) -> World {
    let clock = WorldClock(machineClock: machineClock)
    let now = EpochMilliseconds(clock.now)
    let known = state.withLock { $0.template }
    let template = if let known { known } else { try newTemplate(at: now) }
    let database: any DatabaseWriter
    do {
      database = try template.copy(at: now)
    } catch {
      throw .unusable(folder: ":memory:", reason: String(describing: error))
    }
    return try World.opened(
      name,
      database: database,
      settings: settings,
      application: application,
      words: words,
      seed: memorySeed,
      clock: clock,
      random: random,
      hasher: hasher,
      traces: Traces(in: traceRoom)
    )
  }

  private func newTemplate(at now: EpochMilliseconds) throws(WorldsError) -> WorldTemplate {
    let template = try WorldTemplate(memorySeed, at: now, random: random)
    state.withLock { $0.template = template }
    return template
  }
}

extension Worlds.State {
  fileprivate mutating func keep(_ world: World, at now: ContinuousClock.Instant) {
    worlds[world.name] = world
    lastUse[world.name] = now
    if isWaitingOver { world.endWaiting(because: .stopping) }
  }

  /// Forgets a world, and ends the waiting in it.
  ///
  /// - Returns: Whether there was one.
  fileprivate mutating func remove(_ name: WorldName) -> Bool {
    lastUse[name] = nil
    guard let world = worlds.removeValue(forKey: name) else { return false }
    world.endWaiting(because: .worldGone)
    return true
  }

  /// The world of that name, which counts as used now.
  fileprivate mutating func use(_ name: WorldName, at now: ContinuousClock.Instant) -> World? {
    guard let world = worlds[name] else { return nil }
    lastUse[name] = now
    return world
  }

  /// Forgets the world that has been idle longest, if there are too many.
  ///
  /// - Parameters:
  ///   - limit: How many there may be.
  ///   - latest: The time since which a world must have been unused to be forgotten.
  /// - Returns: False if there are too many and none has been idle long enough.
  fileprivate mutating func makeRoom(
    _ limit: Int,
    restedSince latest: ContinuousClock.Instant
  ) -> Bool {
    let count = worlds.count + openings.count - (worlds[.main] == nil ? 0 : 1)
    guard count >= limit else { return true }
    let oldest = lastUse.filter { $0.key != .main && $0.value <= latest }
      .min { $0.value < $1.value }?.key
    return oldest.map { remove($0) } ?? false
  }
}
