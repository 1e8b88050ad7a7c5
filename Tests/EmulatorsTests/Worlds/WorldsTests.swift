import Dispatch
@testable import Emulators
import Foundation
import GRDB
import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport

@Suite("Worlds")
struct WorldsTests {
  @Test("an account that was acknowledged is there after a restart (S25)")
  func durable() async throws {
    try await withTemporaryFolder { folder in
      do {
        let world = try TestWorld(storage: .folder(folder))
        let client = world.client()
        let begun = try await client.post(
          "/v1/client/sign_ups",
          ["email_address": "new@example.com", "password": "walk-right-in-42"]
        )
        try await client.prepareSignUp(begun.id)
        let code = try await world.code(to: "new@example.com")
        #expect(try await client.attemptSignUp(begun.id, code: code).state == "complete")
        try await world.worlds.checkWritable(within: .seconds(60))
      }
      let reopened = try TestWorld(storage: .folder(folder))
      #expect(try await reopened.client().signIn("new@example.com").state == "complete")
      #expect(try await reopened.client().signIn("ada@example.com").state == "complete")
      #expect(try await reopened.world.outbox.messages().count == 1)
    }
  }

  @Test("the database has a write-ahead log and syncs at every commit (S25)")
  func pragmas() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      let pragmas = try await world.world.database.writeWithoutTransaction { db in
        try ["journal_mode", "synchronous", "foreign_keys"].map { name in
          try Row.fetchOne(db, sql: "PRAGMA \(name)")?[0] as DatabaseValue?
        }
      }
      #expect(pragmas == ["wal".databaseValue, 2.databaseValue, 1.databaseValue])
    }
  }

  @Test("no password, token or client secret is in the file (S22)")
  func noSecrets() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      let client = world.client()
      let canary = "canary-password-1"
      let begun = try await client.post(
        "/v1/client/sign_ups",
        ["email_address": "new@example.com", "password": canary]
      )
      try await client.prepareSignUp(begun.id)
      try await client.attemptSignUp(begun.id, code: world.code(to: "new@example.com"))
      let token = try #require(client.token)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let path = (folder as NSString).appendingPathComponent(file)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for secret in [canary, token, "walk-right-in-42"] {
          #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) in \(file)")
        }
      }
    }
  }

  @Test("a damaged file stops the start, and so does a folder that cannot be created")
  func damaged() async throws {
    try await withTemporaryFolder { folder in
      _ = try TestWorld(storage: .folder(folder))
      let path = (folder as NSString).appendingPathComponent("main.sqlite")
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try Data("this is not a database, but it is long enough".utf8)
        .write(to: URL(fileURLWithPath: path))
      #expect(throws: WorldsError.self) { try TestWorld(storage: .folder(folder)) }
    }
    #expect(throws: WorldsError.self) { try TestWorld(storage: .folder("/dev/null/x")) }
  }

  @Test("a new database is its owner's alone, and an existing one its group's at most (S22, S30)")
  func strangers() async throws {
    try await withTemporaryFolder { folder in
      func modes() throws -> [String: Int] {
        try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) {
          modes,
          name in
          let path = (folder as NSString).appendingPathComponent(name)
          let attributes = try FileManager.default.attributesOfItem(atPath: path)
          modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
      }
      chmod(folder, 0o755)
      let world = try TestWorld(storage: .folder(folder))
      try await world.client().signIn("ada@example.com")
      #expect(
        try modes() == ["main.sqlite": 0o600, "main.sqlite-wal": 0o600, "main.sqlite-shm": 0o600]
      )
      world.worlds.close()
      chmod("\(folder)/main.sqlite", 0o644)
      let again = try TestWorld(storage: .folder(folder))
      #expect(
        try modes() == ["main.sqlite": 0o640, "main.sqlite-wal": 0o640, "main.sqlite-shm": 0o640]
      )
      again.worlds.close()
    }
  }

  @Test("closing a world leaves a single file without a log (S25)")
  func closed() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      #expect(try await world.client().signIn("ada@example.com").state == "complete")
      world.worlds.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["main.sqlite"])
    }
  }

  @Test("an index that has lost its entries stops the start (S25)")
  func garbled() async throws {
    try await withTemporaryFolder { folder in
      let (root, size) = try await {
        let world = try TestWorld(storage: .folder(folder))
        return try await world.world.database.writeWithoutTransaction { db in
          try db.checkpoint(.truncate)
          let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'contact_on_accountID'"
          return (
            try #require(try Int.fetchOne(db, sql: sql)),
            try #require(try Int.fetchOne(db, sql: "PRAGMA page_size"))
          )
        }
      }()
      let path = (folder as NSString).appendingPathComponent("main.sqlite")
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.seek(toOffset: UInt64((root - 1) * size))
      // An index leaf without cells (SQLite's file format, "B-tree Pages"): valid, but empty.
      try file.write(contentsOf: [10, 0, 0, 0, 0, UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF), 0])
      try file.close()
      #expect(throws: WorldsError.self) { try TestWorld(storage: .folder(folder)) }
    }
  }

  @Test("accounts that contradict each other stop the start")
  func contradiction() async throws {
    try await withTemporaryFolder { folder in
      var user = AccountDescription()
      user.emailAddresses = ["twin@example.com"]
      let users = [user, user]
      let error = #expect(throws: WorldsError.self) {
        try TestWorld(storage: .folder(folder), users: users)
      }
      #expect(error?.description.contains("twin@example.com") == true)
    }
  }

  @Test(
    "a start that the disk or another process is in the way of says what to do about it",
    arguments: [
      (.SQLITE_BUSY, "another process holds the database: end it, or use another data folder"),
      (.SQLITE_FULL, "the disk is full: make room, or use another data folder"),
      (.SQLITE_IOERR_WRITE, "files may not grow that far (ulimit -f)"),
    ] as [(ResultCode, String)]
  )
  func remedies(code: ResultCode, words: String) {
    let error = WorldsError(DatabaseError(resultCode: code), in: "data")
    #expect(error.description.hasPrefix("cannot use the data folder 'data': SQLite error "))
    #expect(error.description.contains(words))
    let isPassing = if case .unavailable = error { true } else { false }
    #expect(isPassing)
  }

  @Test("a disk that is full when the accounts are written is not taken for a fault of theirs")
  func unplanted() async throws {
    try await withTemporaryFolder { folder in
      let database = try WorldDatabase.inFolder(folder, named: "main.sqlite")
      try await database.writeWithoutTransaction { db in
        // Pages that the migrations have freed would hold the accounts.
        try db.execute(sql: "VACUUM")
        try db.execute(sql: "PRAGMA max_page_count = 1")
      }
      let refused = #expect(throws: WorldsError.self) {
        try World.opened(
          .main,
          database: database,
          settings: InstanceSettings(),
          application: .fixed(EmulatedApplication()),
          words: .builtIn,
          seed: Seed(
            users: EmulatedAPI.clerk.demoUsers,
            arePublished: true,
            cost: .memory,
            random: .system
          ),
          clock: WorldClock(machineClock: { Date() }),
          random: .system,
          hasher: PasswordHasher()
        )
      }
      #expect(refused?.description.hasPrefix("cannot use the data folder '\(folder)': ") == true)
      #expect(refused?.description.contains("the disk is full: make room") == true)
      try database.closeInOrder()
    }
  }

  @Test("reopening a folder does not make its world fresh: a removed account stays removed")
  func openedAnew() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      #expect(try await world.world.remove("user_ada"))
      world.worlds.close()
      let again = try TestWorld(storage: .folder(folder))
      #expect(try await again.world.account("user_ada") == nil)
      #expect(try await again.world.account("user_mia") != nil)
      again.worlds.close()
    }
  }

  @Test("when nothing can be written the answer is 503, and reads go on (S25)")
  func writeError() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      let client = world.client()
      try await client.begin("ada@example.com")
      try await refuseWrites(true, in: world)
      let refused = try await client.begin("ada@example.com")
      #expect(refused.refusal == "503 internal_clerk_error")
      await #expect(throws: (any Error).self) { try await world.worlds.checkWritable() }
      #expect(try await client.get("/v1/environment").status == 200)
      try await refuseWrites(false, in: world)
      #expect(try await client.begin("ada@example.com").status == 200)
    }
  }

  @Test("after a refused write a check succeeds only once a whole call could be stored")
  func fullDisk() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      let (client, storage) = (world.client(), try world.world.database)
      func limit(pageCount: Int) async throws {
        try await storage.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA max_page_count = \(pageCount)")
        }
      }
      try await storage.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
      // SQLite takes that as the present number: what fits into pages that are there is stored.
      try await limit(pageCount: 1)
      try await world.worlds.checkWritable(within: .seconds(60))
      var answers: [Int] = []
      repeat {
        answers.append(try await world.client().begin("ada@example.com").status)
      } while answers.last == 200 && answers.count < 500
      #expect(answers.last == 503)
      let pageCount = try await storage.read { db in
        try #require(try Int.fetchOne(db, sql: "PRAGMA page_count"))
      }
      for room in [0, 0, 3] {
        try await limit(pageCount: pageCount + room)
        await #expect(throws: DatabaseError.self) {
          try await world.worlds.checkWritable(within: .seconds(60))
        }
      }
      try await limit(pageCount: pageCount + 1000)
      try await world.worlds.checkWritable(within: .seconds(60))
      #expect(try await client.begin("ada@example.com").status == 200)
      // The proof itself is not kept.
      let count = try await storage.read { db in
        try String.fetchOne(db, sql: "SELECT typeof(count) FROM heartbeat")
      }
      #expect(count == "integer")
      world.worlds.close()
    }
  }

  @Test("a readiness check does not wait for a database that another process holds")
  func busy() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      try await world.worlds.checkWritable(within: .seconds(60))
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(
        path: (folder as NSString).appendingPathComponent("main.sqlite"),
        configuration: configuration
      )
      try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
      // Asking again and again leaves nothing behind that waits.
      for _ in 0..<3 {
        let refused = await #expect(throws: Worlds.Busy.self) {
          try await world.worlds.checkWritable(within: .milliseconds(50))
        }
        #expect(refused?.description == "the database is busy")
      }
      try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
      try await world.worlds.checkWritable(within: .seconds(60))
      try other.close()
      world.worlds.close()
    }
  }

  @Test(
    "if the database's file is missing or replaced, writes are refused until it is back"
  )
  func gone() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      try await world.worlds.checkWritable(within: .seconds(60))
      let (path, aside) = ("\(folder)/main.sqlite", "\(folder)/aside.sqlite")
      try FileManager.default.moveItem(atPath: path, toPath: aside)
      try await refused(in: world, "main.sqlite is no longer in the data folder")
      try FileManager.default.copyItem(atPath: aside, toPath: path)
      try await refused(
        in: world,
        "main.sqlite in the data folder has been replaced: restart the program"
      )
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: aside, toPath: path)
      try await world.worlds.checkWritable(within: .seconds(60))
      #expect(try await world.client().begin("ada@example.com").status == 200)
      world.worlds.close()
    }
  }

  private func refused(in world: TestWorld, _ reason: String) async throws {
    let gone = await #expect(throws: Worlds.Gone.self) {
      try await world.worlds.checkWritable(within: .seconds(60))
    }
    #expect(gone?.description == reason)
    let answer = try await world.client().begin("ada@example.com")
    #expect(answer.refusal == "503 internal_clerk_error")
    #expect(gone.flatMap(world.worlds.blamedFolder(for:)) == world.worlds.folder)
  }

  @Test("a database found to be damaged is not written to until it is reopened")
  func damagedMeanwhile() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      try await world.worlds.checkWritable(within: .seconds(60))
      let malformed = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "malformed")
      let storage = try world.world.database
      await #expect(throws: DatabaseError.self) {
        try await storage.readBriefly { _ in throw malformed }
      }
      await #expect(
        throws: WorldsError.damaged(path: "\(folder)/main.sqlite", findings: ["malformed"])
      ) { try await world.worlds.checkWritable(within: .seconds(60)) }
      let answer = try await world.client().begin("ada@example.com")
      #expect(answer.refusal == "503 internal_clerk_error")
      world.worlds.close()
      let again = try TestWorld(storage: .folder(folder))
      try await again.worlds.checkWritable(within: .seconds(60))
      again.worlds.close()
    }
  }

  @Test(
    "a folder that keeps worlds is blamed for a full or failing disk or a damaged database",
    arguments: [
      (.SQLITE_FULL, true), (.SQLITE_IOERR, true), (.SQLITE_IOERR_FSYNC, true),
      (.SQLITE_READONLY, true), (.SQLITE_CORRUPT, true), (.SQLITE_NOTADB, true),
      (.SQLITE_ERROR, false), (.SQLITE_CONSTRAINT, false),
    ] as [(ResultCode, Bool)]
  )
  func blamedFolder(code: ResultCode, isBlamed: Bool) async throws {
    let error = DatabaseError(resultCode: code)
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      #expect(world.worlds.blamedFolder(for: error) == (isBlamed ? folder : nil))
      #expect(world.worlds.blamedFolder(for: CancellationError()) == nil)
    }
    #expect(try TestWorld().worlds.blamedFolder(for: error) == nil)
  }

  @Test("if nothing can be written, setting the clock back fails and leaves it as it was")
  func clockGoesOn() async throws {
    let world = try TestWorld()
    try await refuseWrites(true, in: world)
    let inner = try world.world
    await #expect(throws: (any Error).self) {
      try await inner.moveClock(.advance(-3600))
    }
    #expect(inner.clock.reading.offset == 0)
    try await refuseWrites(false, in: world)
    #expect(try await inner.moveClock(.advance(-3600)).offset.rounded() == -3600)
  }

  /// Makes every write fail, as a full disk would.
  private func refuseWrites(_ areRefused: Bool, in world: TestWorld) async throws {
    try await world.world.database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA query_only = \(areRefused ? "ON" : "OFF")")
    }
  }

  @Test("a try counts even if the world breaks before the code is compared (S20)")
  func countedBeforeCompared() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      let client = world.client()
      let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
      try await world.world.database.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER breaks BEFORE INSERT ON lockout
            BEGIN SELECT RAISE(ABORT, 'broken'); END
            """
        )
      }
      let broken = try await client.attemptFirst(begun.id, "email_code", ["code": "x"])
      #expect(broken.status == 503)
      let signIn = try await client.get("/v1/client/sign_ins/\(begun.id)")
      #expect(signIn.resource?["first_factor_verification"]?["attempts"] == 1)
    }
  }

  @Test("worlds share neither accounts nor clients nor clocks")
  func separate() async throws {
    var one = try TestWorld()
    one.name = try #require(WorldName("one"))
    var two = one
    two.name = try #require(WorldName("two"))
    let client = one.client()
    try await client.signIn("ada@example.com")
    let stranger = two.client()
    stranger.token = client.token
    #expect(try await stranger.get("/v1/client").json["client"] == .null)
    #expect(try await one.world.remove("user_ada"))
    #expect(try await two.world.account("user_ada") != nil)
    try one.world.clock.advance(60)
    #expect(try one.world.clock.now != two.world.clock.now)
    #expect(try one.world.life != two.world.life)
  }

  @Test("the number of worlds beside main is limited; the one unused for longest makes room")
  func bounded() async throws {
    let worlds = try Worlds(storage: .memory, worldLimit: 3, restTime: .zero)
    let names = try ["a", "b", "c", "d"].map { try #require(WorldName($0)) }
    let first = try await worlds.world(names[0])
    _ = try await worlds.world(names[1])
    _ = try await worlds.world(names[2])
    #expect(try await worlds.world(names[0]) === first)
    _ = try await worlds.world(names[3])
    #expect(worlds.names == [names[0], names[2], names[3], .main])
    let main = try await worlds.world(.main)
    for name in names { _ = try await worlds.world(name) }
    #expect(try await worlds.world(.main) === main)
  }

  @Test("work in a world that is dropped meanwhile gets no other one of its name")
  func droppedAtWork() async throws {
    let worlds = try Worlds(storage: .memory)
    let name = try #require(WorldName("a"))
    let world = try await worlds.world(name)
    await worlds.working(in: world) {
      #expect(worlds.drop(name))
      await #expect(throws: WorldsError.dropped) { try await worlds.world(name) }
    }
    #expect(worlds.names == [.main])
    // Somebody else may make it again.
    let fresh = try await worlds.world(name)
    await worlds.working(in: world) {
      _ = await #expect(throws: WorldsError.dropped) { try await worlds.world(name) }
    }
    #expect(worlds.opened(name) === fresh)
  }

  @Test("a world that is in use never makes room for another, and main always has room")
  func inUse() async throws {
    let worlds = try Worlds(storage: .memory, worldLimit: 2)
    let names = try ["a", "b", "c"].map { try #require(WorldName($0)) }
    let first = try await worlds.world(names[0])
    _ = try await worlds.world(names[1])
    await #expect(throws: WorldsError.tooManyWorlds(limit: 2)) { try await worlds.world(names[2]) }
    #expect(try await worlds.world(names[0]) === first)
    worlds.drop(.main)
    _ = try await worlds.world(.main)
    worlds.drop(names[1])
    _ = try await worlds.world(names[2])
  }

  @Test("a world makes room once its rest time is over, and not a second before")
  func rested() async throws {
    let start = ContinuousClock.now
    let passed = Locked(Duration.zero)
    let worlds = try Worlds(
      storage: .memory,
      monotonicNow: { start + passed.withLock { $0 } },
      worldLimit: 1,
      restTime: .seconds(1800)
    )
    let names = try ["a", "b"].map { try #require(WorldName($0)) }
    let first = try await worlds.world(names[0])
    passed.withLock { $0 = .seconds(1799) }
    await #expect(throws: WorldsError.tooManyWorlds(limit: 1)) { try await worlds.world(names[1]) }
    // Each use starts its rest time again.
    #expect(try await worlds.world(names[0]) === first)
    passed.withLock { $0 = .seconds(1799 + 1799) }
    await #expect(throws: WorldsError.tooManyWorlds(limit: 1)) { try await worlds.world(names[1]) }
    passed.withLock { $0 = .seconds(1799 + 1800) }
    _ = try await worlds.world(names[1])
    #expect(worlds.names == [names[1], .main])
  }

  @Test("simultaneous first uses of a name make one world")
  func madeOnce() async throws {
    let worlds = try Worlds(storage: .memory)
    let names = try ["a", "b"].map { try #require(WorldName($0)) }
    let made = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
      for index in 0..<40 {
        group.addTask { ObjectIdentifier(try await worlds.world(names[index % 2])) }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(made.count == 2)
  }

  @Test("calls to other worlds are answered while a world is made on its first use")
  func madeBeside() async throws {
    let (reached, reach) = AsyncStream.makeStream(of: Void.self)
    let end = DispatchSemaphore(value: 0)
    let (isHeld, isLate) = (Locked(false), Locked(false))
    let worlds = try Worlds(
      storage: .memory,
      machineClock: {
        // The next call to ask for the time is the one that makes the world.
        let holds = isHeld.withLock { isHeld in
          defer { isHeld = false }
          return isHeld
        }
        if holds {
          reach.finish()
          let outcome = end.wait(timeout: .now() + 60)
          isLate.withLock { $0 = outcome == .timedOut }
        }
        return Date()
      }
    )
    let names = try ["a", "b"].map { try #require(WorldName($0)) }
    let known = try await worlds.world(names[0])
    let clerk = ClerkEmulator(worlds: worlds, address: "http://127.0.0.1:4010")
    isHeld.withLock { $0 = true }
    let making = Task.immediate { try await worlds.world(names[1]) }
    for await _ in reached {}
    let answer = await clerk.respond(
      to: Request(method: .get, target: "/v1/environment?_is_native=1")
    )
    #expect(answer.status == .ok)
    #expect(try await worlds.world(names[0]) === known)
    #expect(worlds.names == [names[0], .main])
    end.signal()
    #expect(try await making.value.name == names[1])
    #expect(!isLate.withLock { $0 }, "the call waited until the world was made")
  }

  @Test("a new world copies accounts that were planted once, with times moved to its beginning")
  func copied() async throws {
    let machine = Locked(Date(timeIntervalSince1970: 1_767_225_600))
    let worlds = try Worlds(storage: .memory, machineClock: { machine.withLock(\.self) })
    func planted(_ name: WorldName) async throws -> [String: Int64] {
      try await worlds.world(name).database.read { db in
        let contacts = try Contact.fetchAll(db)
        return Dictionary(uniqueKeysWithValues: contacts.map { ($0.id, $0.createdAt.rawValue) })
      }
    }
    let first = try await planted(.main)
    machine.withLock { $0 += 90 }
    let second = try await planted(try #require(WorldName("a")))
    // Planted again, they would have other identifiers.
    #expect(!first.isEmpty && second == first.mapValues { $0 + 90_000 })
  }

  @Test("dropping a world ends waiting in it; ending all waiting refuses it in old and new worlds")
  func endOfWaiting() async throws {
    let worlds = try Worlds(storage: .memory)
    let name = try #require(WorldName("a"))
    let dropped = try await worlds.world(name)
    let waiting = Task { try await dropped.outbox.latest(.init(), wait: .seconds(60)) }
    worlds.drop(name)
    await #expect(throws: Outbox.WaitingEnd.worldGone) { try await waiting.value }
    worlds.endWaiting()
    for name in [name, .main] {
      let world = try await worlds.world(name)
      await #expect(throws: Outbox.WaitingEnd.stopping) {
        try await world.outbox.latest(.init(), wait: .seconds(60))
      }
      // A call that does not wait is answered as ever.
      #expect(try await world.outbox.latest(.init()) == nil)
    }
  }

  @Test("a world that begins later has its own times: lou is locked for half an hour from then")
  func beginsLater() async throws {
    let world = try TestWorld()
    world.clock.advance(3600)
    let late = try await world.worlds.world(try #require(WorldName("late")))
    #expect(try await late.account("user_lou")?.locked?.seconds == 1800)
    #expect(try await world.world.account("user_lou")?.locked == nil)
  }

  @Test("the outbox keeps the newest thousand messages")
  func outboxIsBounded() async throws {
    let world = try TestWorld { $0.resendCooldownSeconds = 0 }
    let client = world.client()
    let begun = try await client.begin("cody@example.com")
    for _ in 0..<5 { try await client.prepareFirst(begun.id, "email_code") }
    let oldest = Set(try await world.world.outbox.messages().map(\.id))
    #expect(oldest.count == 5)
    for _ in 0..<1000 { try await client.prepareFirst(begun.id, "email_code") }
    // As many are stored as are read.
    #expect(try await world.world.outbox.count() == 1000)
    let kept = Set(try await world.world.outbox.messages().map(\.id))
    #expect(kept.count == 1000)
    #expect(kept.isDisjoint(with: oldest))
  }
}

@Suite("A world that is replaced as a whole")
struct ReplacedWorldTests {
  /// Waits on a thread that serves no calls.
  private func wait(for semaphore: DispatchSemaphore, count: Int = 1) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        for _ in 0..<count { semaphore.wait() }
        continuation.resume()
      }
    }
  }

  /// What a call finds that waited while the world was changed.
  private func found<Value: Sendable>(
    in world: World,
    behind change: @escaping @Sendable () async throws -> Void,
    _ look: @escaping @Sendable (GRDB.Database) throws -> Value
  ) async throws -> Value {
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let before = Task {
      try await world.database.write { _ in
        begun.signal()
        end.wait()
      }
    }
    await wait(for: begun)
    // Immediate: both now wait for their turn, since the seed's passwords are hashed already.
    let changing = Task.immediate { try await change() }
    let looking = Task.immediate { try await world.database.write(look) }
    end.signal()
    try await before.value
    try await changing.value
    return try await looking.value
  }

  @Test("a call that waits for an import uses its clock and settings, and sweeps nothing away")
  func imported() async throws {
    let source = try TestWorld { $0.codeAttempts = 9 }
    try await source.client().begin("ada@example.com")
    let pieces = try await source.world
      .export(behind: .clerk, faults: { _ in [] }, traces: { _ in [] }).pieces
    var bytes: [UInt8] = []
    while let piece = try await pieces.next() { bytes += piece }
    let document = try WorldDocument(.whole(bytes))
    let world = try TestWorld().world
    let life = world.life
    world.clock.advance(3 * 86_400)
    let found = try await found(in: world) {
      try await world.replace(with: document, faults: [], traces: [])
    } _: { db in
      try world.retention.sweepIfDue(at: EpochMilliseconds(world.clock.now), db)
      return [try ClerkSignIn.fetchCount(db), world.settings.codeAttempts]
    }
    #expect(found == [1, 9])
    #expect(world.life != life)
  }

  @Test("a call that waits for a reset uses the machine's clock and the first settings")
  func reset() async throws {
    let world = try TestWorld().world
    let first = world.settings.codeAttempts
    let life = world.life
    world.clock.advance(3600)
    world.settings.codeAttempts = first + 1
    let found = try await found(in: world) {
      try await world.reset()
    } _: { _ in
      [Int(world.clock.reading.offset), world.settings.codeAttempts]
    }
    #expect(found == [0, first])
    #expect(world.life != life)
  }

  @Test("a refused import leaves clock and settings as they were")
  func refused() async throws {
    let world = try TestWorld().world
    world.clock.advance(3600)
    let document: JSON = [
      "vestibule_world": 1, "schema": .strings(Schema.names), "instance": ["code_attempts": 9],
      "clock": ["now": 1_767_225_600_000, "offset_seconds": 0, "frozen": true], "tables": [:],
    ]
    let settings = world.settings
    await #expect(throws: DocumentError.self) {
      try await world.replace(
        with: WorldDocument(.whole(document.encoded)),
        faults: [],
        traces: []
      )
    }
    #expect(world.clock.reading.offset == 3600)
    #expect(world.settings.json == settings.json)
  }

  @Test("a reset hashes the passwords of its seed before it holds up the world (S22)")
  func resetOnDisk() async throws {
    try await withTemporaryFolder { folder in
      try TestWorld(storage: .folder(folder)).worlds.close()
      // Reopened, it has hashed none yet.
      let opened = try TestWorld(storage: .folder(folder))
      let world = try opened.world
      #expect(try await world.remove("user_ada"))
      let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let others = (0..<2).map { _ in
        Task {
          try await world.hasher.queue.run {
            begun.signal()
            end.wait()
          }
        }
      }
      await wait(for: begun, count: 2)
      // Both hashing threads are busy: the reset waits for one, and the world goes on.
      let reset = Task.immediate { try await world.reset() }
      let isBack = try await world.database.write { db in try Account.exists(db, key: "user_ada") }
      #expect(!isBack)
      for _ in others { end.signal() }
      for other in others { try await other.value }
      try await reset.value
      #expect(try await world.account("user_ada") != nil)
      opened.worlds.close()
    }
  }
}

@Suite("The clock of a world")
struct WorldClockTests {
  private let machine = MovableClock()

  @Test("a moved clock runs on, and a frozen one stands still")
  func moves() {
    let machine = machine
    let clock = WorldClock { machine.now }
    let start = clock.now
    clock.advance(60)
    machine.advance(5)
    #expect(clock.now == start + 65)
    clock.freeze(true)
    machine.advance(5)
    #expect(clock.now == start + 65)
    clock.set(start)
    machine.advance(5)
    #expect(clock.now == start)
    #expect(clock.reading.isFrozen)
    clock.freeze(false)
    machine.advance(5)
    #expect(clock.now == start + 5)
    #expect(clock.reading.offset == -15)
    clock.reset()
    #expect(clock.now == machine.now)
    clock.reset(at: start, isFrozen: true)
    machine.advance(5)
    #expect(clock.now == start && clock.reading.isFrozen)
    clock.reset(at: start)
    machine.advance(5)
    #expect(clock.now == start + 5 && !clock.reading.isFrozen)
    clock.reset(at: WorldClock.dates.upperBound + 1)
    #expect(clock.now == WorldClock.dates.upperBound)
  }

  @Test("moves forward add up, and neither moves back nor a frozen clock take anything off")
  func skipped() {
    let machine = machine
    let clock = WorldClock { machine.now }
    clock.advance(60)
    machine.advance(5)
    clock.advance(-3600)
    clock.freeze(true)
    machine.advance(5)
    clock.set(clock.now + 40)
    clock.freeze(false)
    #expect(clock.skipped == 100)
    clock.set(WorldClock.dates.lowerBound - 1)
    #expect(clock.skipped == 100)
  }

  @Test("a clock stays within its range of dates, also while it runs")
  func endOfYears() {
    let machine = machine
    let clock = WorldClock { machine.now }
    clock.set(WorldClock.dates.upperBound + 1)
    #expect(clock.now == WorldClock.dates.upperBound)
    clock.set(WorldClock.dates.upperBound - 3)
    machine.advance(5)
    #expect(clock.now == WorldClock.dates.upperBound)
    clock.advance(-10)
    #expect(clock.now == WorldClock.dates.upperBound - 10)
    clock.set(WorldClock.dates.lowerBound - 1)
    #expect(clock.now == WorldClock.dates.lowerBound)
    clock.continue(.running(offset: WorldClock.offsets.lowerBound))
    #expect(clock.now == WorldClock.dates.lowerBound)
  }

  @Test("a move that would set the clock back is told from others, and not made")
  func forward() {
    let machine = machine
    let clock = WorldClock { machine.now }
    clock.advance(60)
    let present = clock.now
    for move in [.advance(-1), .set(present - 1), .reset()] as [WorldClock.Move] {
      #expect(clock.makeForward(move) == nil)
      #expect(clock.reading.offset == 60)
    }
    for move in [.advance(0), .set(present), .freeze(true), .freeze(false)] as [WorldClock.Move] {
      #expect(clock.makeForward(move)?.now == present)
    }
    #expect(clock.makeForward(.set(present + 1))?.offset == 61)
    clock.set(machine.now - 60)
    #expect(clock.makeForward(.reset())?.offset == 0)
  }

  @Test("a move back whose turn never comes leaves the clock as another move has set it")
  func turnNeverComes() async throws {
    let world = try TestWorld().world
    let end = DispatchSemaphore(value: 0)
    // Immediate: both have taken their places in the queue.
    let before = Task.immediate { try await world.database.write { _ in end.wait() } }
    let back = Task.immediate { try await world.moveClock(.advance(-60)) }
    #expect(try await world.moveClock(.advance(3600)).offset == 3600)
    back.cancel()
    end.signal()
    try await before.value
    await #expect(throws: CancellationError.self) { try await back.value }
    #expect(world.clock.reading.offset == 3600)
  }

  @Test("a move back that fails takes back no move that another has made since")
  func movedSince() async throws {
    let world = try TestWorld().world
    try await world.database.writeWithoutTransaction { db in
      let advance = DatabaseFunction("advance", argumentCount: 0) { _ in
        world.clock.advance(7200)
        return nil
      }
      db.add(function: advance)
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER fails BEFORE UPDATE ON lockout
          BEGIN SELECT advance(); SELECT RAISE(ABORT, 'full'); END
          """
      )
    }
    // So far that the locks of the seed lie in the future.
    await #expect(throws: DatabaseError.self) { try await world.moveClock(.advance(-3600)) }
    #expect(world.clock.reading.offset == 3600)
  }

  @Test("a clock moved back keeps nobody waiting (S34)")
  func movedBack() async throws {
    let world = try TestWorld()
    try world.world.clock.advance(86_400)
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    try world.world.clock.reset()
    #expect(try await client.prepareFirst(begun.id, "email_code").status == 200)
    let mia = world.client()
    let id = try await mia.signIn("mia@example.com").id
    #expect(
      try await mia.attemptSecond(id, "totp", code: world.authenticatorCode()).state == "complete"
    )
  }

  @Test("a lock is over when the clock is moved back well before it began (S34)")
  func lockOfTheFuture() async throws {
    let world = try TestWorld { $0.lockoutAttempts = 1 }
    try world.world.clock.advance(86_400)
    let client = world.client()
    let refused = try await client.signIn("ada@example.com", password: "wrong")
    #expect(refused.codes.contains("user_locked"))
    try world.world.clock.advance(-30)
    #expect(try await client.signIn("ada@example.com").codes == ["user_locked"])
    try world.world.clock.advance(-86_400)
    #expect(try await client.signIn("ada@example.com").state == "complete")
  }

  @Test("far dates crash nothing", arguments: [-1e12, 1e12, 1e17, 1e300, -1e300, .infinity, .nan])
  func farDates(seconds: Double) async throws {
    let world = try TestWorld()
    try world.world.clock.advance(seconds)
    let answer = try await world.client().begin("cody@example.com", ["strategy": "email_code"])
    #expect(answer.status == 200)
  }

  @Test(
    "a full disk or a busy database is temporary, unlike one that cannot be opened or written",
    arguments: [
      (.SQLITE_BUSY, true), (.SQLITE_LOCKED, true), (.SQLITE_FULL, true), (.SQLITE_IOERR, true),
      (.SQLITE_READONLY, false), (.SQLITE_CANTOPEN, false), (.SQLITE_PERM, false),
    ] as [(ResultCode, Bool)]
  )
  func passing(code: ResultCode, isPassing: Bool) {
    let error = WorldsError(DatabaseError(resultCode: code), in: "data")
    let isOccupied = if case .unavailable = error { true } else { false }
    #expect(isOccupied == isPassing)
    #expect(error.description.contains("'data'"))
  }
}
