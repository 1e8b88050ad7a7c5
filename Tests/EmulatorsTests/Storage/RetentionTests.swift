@testable import Emulators
import Foundation
import GRDB
import HTTPExchange
import Testing
import TestSupport

@Suite("What a world forgets")
struct RetentionTests {
  private func counts(_ world: TestWorld) async throws -> [String: Int] {
    try await world.world.database.read { db in
      var counts: [String: Int] = [:]
      for table in ["client", "signIn", "session", "device", "lockout", "developmentBrowser"] {
        counts[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
      }
      return counts
    }
  }

  private static func insertClient(
    _ id: String,
    updatedAt: EpochMilliseconds,
    _ db: GRDB.Database
  ) throws -> ClerkClient {
    let client = ClerkClient(
      id: id,
      tokenHash: Data(id.utf8),
      createdAt: updatedAt,
      updatedAt: updatedAt
    )
    try client.insert(db)
    return client
  }

  /// Inserts a session of Ada's that lasts a minute.
  private static func insertSession(
    _ id: String,
    of clientID: String,
    at now: EpochMilliseconds,
    _ db: GRDB.Database
  ) throws {
    try ClerkSession(
      id: id,
      clientID: clientID,
      accountID: "user_ada",
      createdAt: now,
      updatedAt: now,
      expireAt: now.adding(seconds: 60),
      abandonAt: now.adding(seconds: 60),
      lastActiveAt: now
    ).insert(db)
  }

  /// Inserts an attempt that lasts a minute and in which nothing has happened.
  private static func insertSignIn(
    _ id: String,
    of clientID: String,
    at now: EpochMilliseconds,
    _ db: GRDB.Database
  ) throws {
    try ClerkSignIn(
      id: id,
      clientID: clientID,
      createdAt: now,
      abandonAt: now.adding(seconds: 60),
      state: ClerkSignIn.State()
    ).insert(db)
  }

  @Test("expired clients, attempts and sessions go; live ones, accounts and locks stay")
  func goes() async throws {
    let world = try TestWorld { $0.enumerationProtection = true }
    let accounts = try await world.world.accountCount()
    let stranger = world.client()
    let begun = try await stranger.begin("nobody@example.com")
    try await stranger.attemptFirst(begun.id, "password", ["password": "wrong"])
    try await world.client().begin("ada@example.com")
    try await world.client().signIn("ada@example.com")
    #expect(try await counts(world)["client"] == 3)
    #expect(try await counts(world)["lockout"] == 1 + 2)
    world.clock.advance(2 * 86_400 + 60)
    try await world.client().begin("ada@example.com")
    // The signed-in client stays, and so does the one that came just now.
    #expect(try await counts(world)["client"] == 2)
    #expect(try await counts(world)["signIn"] == 1)
    #expect(try await counts(world)["session"] == 1)
    world.clock.advance(40 * 86_400)
    try await world.client().begin("ada@example.com")
    #expect(try await counts(world)["session"] == 0)
    // lou and lena are locked as before.
    #expect(try await counts(world)["lockout"] == 2)
    #expect(try await world.world.accountCount() == accounts)
  }

  @Test("a live attempt outlasts thousands of other clients")
  func outlasts() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("ada@example.com")
    try await world.world.database.write { db in
      let now = EpochMilliseconds(world.clock.now)
      for index in 0..<5000 {
        _ = try Self.insertClient("client_\(index)", updatedAt: now, db)
      }
    }
    for _ in 0..<300 { try await world.client().begin("ada@example.com") }
    let answer = try await client.attemptFirst(
      begun.id,
      "password",
      ["password": "walk-right-in-42"]
    )
    #expect(answer.state == "complete")
  }

  @Test("in a crowd, attempts beyond the limit go after ten minutes, and clients go with them")
  func surplusAttempts() async throws {
    let world = try TestWorld()
    try await world.client().signIn("ada@example.com")
    let now = EpochMilliseconds(world.clock.now)
    let surplus = 5
    try await world.world.database.write { db in
      for index in 0..<Retention.attemptLimit + surplus {
        let client = try Self.insertClient("client_\(index)", updatedAt: now, db)
        try Self.insertSignIn("sia_\(index)", of: client.id, at: now, db)
      }
      // The first client has since begun another attempt.
      try Self.insertSignIn("sia_again", of: "client_0", at: now, db)
    }
    func sweep(after seconds: Int) async throws -> [String: Int] {
      try await world.world.database.write { db in
        _ = try Retention.sweep(at: now.adding(seconds: seconds), db)
      }
      return try await counts(world)
    }
    // A crowd alone ends no attempt while a person may still be typing.
    let young = try await sweep(after: Retention.crowdedAttemptSeconds - 1)
    #expect(young["signIn"] == Retention.attemptLimit + surplus + 1 + 1)
    let kept = try await sweep(after: Retention.crowdedAttemptSeconds)
    #expect(kept["signIn"] == Retention.attemptLimit)
    // The clients with an attempt, and the one that is signed in.
    #expect(kept["client"] == Retention.attemptLimit + 1)
    #expect(kept["session"] == 1)
    let first = try await world.world.database.read { db in
      try ClerkClient.fetchOne(db, key: "client_0")
    }
    #expect(first != nil)
  }

  @Test("the newest Entra flows are kept, up to a limit; of young ones twice as many")
  func surplusFlows() async throws {
    let world = try EntraWorld()
    try await world.client().initiate("ada@example.com")
    let (young, late) = try await world.world.database.write { db in
      func kept() throws -> [String] {
        try String.fetchAll(db, sql: "SELECT id FROM entraFlow ORDER BY rowid")
      }
      let flow = try #require(try EntraFlow.fetchOne(db, sql: "SELECT * FROM entraFlow"))
      for index in 0..<Retention.attemptCeiling + 3 {
        var other = flow
        other.id = "flow_\(index)"
        other.tokenHash = Data("\(index)".utf8)
        try other.insert(db)
      }
      _ = try Retention.sweep(at: flow.createdAt, db)
      let young = try kept()
      let later = flow.createdAt.adding(seconds: Retention.crowdedAttemptSeconds)
      while try Retention.sweep(at: later, db) {}
      return (young, try kept())
    }
    #expect(young.count == Retention.attemptCeiling)
    #expect(young.first == "flow_3")
    #expect(late.count == Retention.attemptLimit)
    #expect(late.first == "flow_\(Retention.attemptCeiling + 3 - Retention.attemptLimit)")
  }

  @Test("the newest ended invitations are kept, up to a limit; pending ones all stay")
  func invitations() async throws {
    let world = try TestWorld()
    let now = EpochMilliseconds(world.clock.now)
    let surplus = 7
    let (counts, oldest) = try await world.world.database.write { db in
      try Organization(id: "org_1", slug: "one", name: "One", createdAt: now, updatedAt: now)
        .insert(db)
      for index in 0..<Retention.anybodyLimit + surplus {
        try OrganizationInvitee(
          id: "orginv_\(index)",
          organizationID: "org_1",
          emailAddress: "\(index)@example.com",
          role: "org:member",
          createdAt: now,
          revokedAt: index < 3 ? nil : now
        ).insert(db)
        try OrganizationOffer(
          id: "orginv_of_ada_\(index)",
          kind: .invitation,
          organizationID: "org_1",
          accountID: "user_ada",
          role: "org:member",
          status: index < 3 ? .pending : index < 5 ? .accepted : .revoked,
          createdAt: now,
          updatedAt: now
        ).insert(db)
      }
      let before = try OrganizationOffer.fetchCount(db) - Retention.anybodyLimit - surplus
      while try Retention.sweep(at: now, db) {}
      let oldest = try [
        "SELECT id FROM organizationInvitee WHERE revokedAt IS NOT NULL ORDER BY rowid",
        "SELECT id FROM organizationOffer WHERE status <> 'pending' ORDER BY rowid",
      ].map { sql in try String.fetchOne(db, sql: sql) }
      let counts = try [
        OrganizationInvitee.fetchCount(db), OrganizationOffer.fetchCount(db) - before,
      ]
      return (counts, oldest)
    }
    #expect(counts == [Retention.anybodyLimit + 3, Retention.anybodyLimit + 3])
    #expect(oldest == ["orginv_\(surplus)", "orginv_of_ada_\(surplus)"])
  }

  @Test("of what strangers leave behind, the newest is kept, up to a limit, even if no time passes")
  func strangers() async throws {
    let world = try TestWorld { $0.enumerationProtection = true }
    let somebody = world.client()
    try await somebody.signIn("ada@example.com")
    try await somebody.signIn("lena@example.com", password: "wrong")
    let before = try await counts(world)
    let surplus = 7
    try await world.world.database.write { db in
      let now = EpochMilliseconds(world.clock.now)
      for index in 0..<Retention.anybodyLimit + surplus {
        _ = try Self.insertClient("client_\(index)", updatedAt: now, db)
        try DevelopmentBrowser(tokenHash: Data("\(index)".utf8), createdAt: now).insert(db)
        try Lockout(subject: "nobody_\(index)", updatedAt: now).insert(db)
      }
      while try Retention.sweep(at: now, db) {}
    }
    let after = try await counts(world)
    for (table, count) in [("client", 1), ("developmentBrowser", 0), ("lockout", 2)] {
      #expect(before[table] == count, "\(table)")
      #expect(after[table] == Retention.anybodyLimit + count, "\(table)")
    }
    let oldest = try await world.world.database.read { db in
      try [
        "SELECT id FROM client WHERE id NOT IN (SELECT clientID FROM session) ORDER BY rowid",
        "SELECT CAST(tokenHash AS TEXT) FROM developmentBrowser ORDER BY rowid",
        "SELECT subject FROM lockout WHERE subject NOT IN (SELECT id FROM account) ORDER BY rowid",
      ].map { sql in try String.fetchOne(db, sql: sql) }
    }
    #expect(oldest == ["client_\(surplus)", "\(surplus)", "nobody_\(surplus)"])
    // A signed-in person's session stays, however many strangers follow.
    #expect(try await somebody.get("/v1/client").resource?["sessions"]?.array?.count == 1)
  }

  @Test("an Entra flow outlasts thousands of others")
  func entraFlowOutlasts() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.initiate("ada@example.com")
    let stored = try await world.world.database.read { db in try EntraFlow.fetchAll(db) }
    let flow = try #require(stored.first)
    try await world.world.database.write { db in
      for index in 0..<5000 {
        var other = flow
        other.id = "flow_\(index)"
        other.tokenHash = Data("\(index)".utf8)
        try other.insert(db)
      }
    }
    for _ in 0..<300 {
      try await world.client().initiate("mia@example.com")
    }
    let kept = try await world.world.database.read { db in
      try EntraFlow.fetchOne(db, key: flow.id)
    }
    #expect(kept != nil)
  }

  @Test("an account keeps its newest thousand sessions and devices; other accounts keep theirs")
  func surplus() async throws {
    let world = try TestWorld()
    try await world.client().signIn("+12015550142")
    let now = EpochMilliseconds(world.clock.now)
    let surplus = 7
    try await world.world.database.write { db in
      for index in 0..<Retention.accountLimit + surplus {
        let client = try Self.insertClient("client_\(index)", updatedAt: now, db)
        try client.remember("user_ada", db)
        try Self.insertSession("sess_\(index)", of: client.id, at: now, db)
      }
      // A new attempt has begun in the oldest browser.
      try Self.insertSignIn("sia_0", of: "client_0", at: now, db)
    }
    let before = try await counts(world)
    try await world.world.database.write { db in _ = try Retention.sweep(at: now, db) }
    let after = try await counts(world)
    let gone = before.merging(after, uniquingKeysWith: -)
    #expect(gone["session"] == surplus)
    #expect(gone["device"] == surplus)
    #expect(gone["client"] == surplus - 1)
    #expect(gone["signIn"] == 0)
    let kept = try await world.world.database.read { db in
      try String.fetchAll(db, sql: "SELECT id FROM session WHERE id LIKE 'sess\\_%' ESCAPE '\\'")
    }
    #expect(!kept.contains("sess_6") && kept.contains("sess_7") && kept.contains("sess_1006"))
  }

  @Test("a client without a device goes with its last session, unless it is used again")
  func surplusInTurn() async throws {
    let world = try TestWorld()
    let now = EpochMilliseconds(world.clock.now)
    let surplus = 7
    try await world.world.database.write { db in
      // The first clients have no device, as after signing out elsewhere; one is used again.
      for index in 0..<Retention.accountLimit + surplus {
        let client = try Self.insertClient("client_\(index)", updatedAt: now, db)
        if index >= surplus { try client.remember("user_ada", db) }
        try Self.insertSession("sess_\(index)", of: client.id, at: now, db)
      }
      try Self.insertSession("sess_again", of: "client_0", at: now, db)
    }
    let before = try await counts(world)
    try await world.world.database.write { db in _ = try Retention.sweep(at: now, db) }
    let gone = before.merging(try await counts(world), uniquingKeysWith: -)
    #expect(gone["session"] == surplus + 1)
    #expect(gone["client"] == surplus - 1)
    #expect(gone["device"] == 0)
    let kept = try await world.world.database.read { db in
      try String.fetchAll(
        db,
        sql: "SELECT id FROM client WHERE id IN ('client_0', 'client_1', 'client_7')"
      )
    }
    #expect(Set(kept) == ["client_0", "client_7"])
  }

  @Test("a client without a session goes when no account knows it as a device any more")
  func surplusDevices() async throws {
    let world = try TestWorld()
    let now = EpochMilliseconds(world.clock.now)
    let surplus = 7
    try await world.world.database.write { db in
      // The first clients have no session, as after signing out; one is known to another account.
      for index in 0..<Retention.accountLimit + surplus {
        let client = try Self.insertClient("client_\(index)", updatedAt: now, db)
        try client.remember("user_ada", db)
        if index == 0 { try client.remember("user_mia", db) }
        if index >= surplus { try Self.insertSession("sess_\(index)", of: client.id, at: now, db) }
      }
    }
    let before = try await counts(world)
    try await world.world.database.write { db in _ = try Retention.sweep(at: now, db) }
    let gone = before.merging(try await counts(world), uniquingKeysWith: -)
    #expect(gone["device"] == surplus)
    #expect(gone["client"] == surplus - 1)
    #expect(gone["session"] == 0)
    let kept = try await world.world.database.read { db in
      try String.fetchAll(
        db,
        sql: "SELECT id FROM client WHERE id IN ('client_0', 'client_1', 'client_7')"
      )
    }
    #expect(Set(kept) == ["client_0", "client_7"])
  }

  @Test("many calls make a world sweep before its minute is over")
  func frequent() async throws {
    let world = try TestWorld()
    let now = EpochMilliseconds(world.clock.now)
    try await world.client().begin("ada@example.com")
    try await world.world.database.write { db in
      _ = try Self.insertClient("client_old", updatedAt: now.adding(seconds: -2 * 86_400), db)
    }
    let client = world.client()
    for _ in 0..<300 { try await client.begin("ada@example.com") }
    let old = try await world.world.database.read { db in
      try ClerkClient.fetchOne(db, key: "client_old")
    }
    #expect(old == nil)
  }

  @Test("a sweep removes a limited number of rows, and says whether there are more")
  func bounded() async throws {
    let world = try TestWorld()
    let now = EpochMilliseconds(world.clock.now)
    let hasMore = try await world.world.database.write { db in
      for index in 0..<Retention.rowLimit + 1 {
        _ = try Self.insertClient("client_\(index)", updatedAt: now, db)
      }
      let late = now.adding(seconds: 2 * 86_400)
      return try [Retention.sweep(at: late, db), Retention.sweep(at: late, db)]
    }
    #expect(hasMore == [true, false])
    #expect(try await counts(world)["client"] == 0)
  }

  @Test("what a sweep looks for, an account's devices and a contact are found by an index")
  func indexed() async throws {
    let plans = try await TestWorld().world.database.read { db in
      try [
        "SELECT rowid FROM signIn WHERE abandonAt <= 1",
        "SELECT rowid FROM client WHERE updatedAt <= 1",
        "SELECT rowid FROM session WHERE expireAt <= 1",
        "SELECT rowid FROM entraFlow WHERE expireAt <= 1",
        "SELECT rowid FROM entraSession WHERE expireAt <= 1",
        "SELECT rowid FROM lockout WHERE updatedAt <= 1",
        "SELECT rowid FROM device WHERE accountID = 'x'",
        "SELECT * FROM contact WHERE kind = 'username' AND value = 'x'",
      ].map { sql in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
      }
    }
    for plan in plans {
      #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
    }
  }
}
