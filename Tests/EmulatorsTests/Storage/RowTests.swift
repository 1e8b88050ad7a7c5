@testable import Emulators
import Foundation
import GRDB
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Records that are written and read without a coder")
struct RowTests {
  private static let now = EpochMilliseconds(rawValue: 1_767_225_600_000)

  /// The moment that many seconds later, different for each column.
  private static func later(_ seconds: Int64) -> EpochMilliseconds {
    EpochMilliseconds(rawValue: now.rawValue + seconds * 1_000)
  }

  /// Writes a record, and reads it again.
  ///
  /// - Returns: What was read, and the names of the columns that have no value.
  private static func again<Record: FetchableRecord & PersistableRecord>(
    _ record: Record,
    _ db: GRDB.Database
  ) throws -> (record: Record?, empty: [String]) {
    try record.insert(db)
    let sql = "SELECT * FROM \"\(Record.databaseTableName)\" ORDER BY rowid DESC LIMIT 1"
    let row = try #require(try Row.fetchOne(db, sql: sql))
    let empty = row.filter { $0.1.isNull }.map(\.0).sorted()
    return (try Record.fetchOne(db, sql: sql), empty)
  }

  @Test("a session comes back with every column, and with only the required ones")
  func session() async throws {
    let world = try TestWorld()
    var request = Request(method: .get, target: "/", peerAddress: "127.0.0.1")
    request.headerFields[.userAgent] = "Mozilla/5.0 (Linux; Android 15) Chrome/1.2 Mobile"
    let activity = SessionActivity(CallingDevice(request), id: "sess_activity_1")
    try await world.world.database.write { db in
      try ClerkClient(id: "c", tokenHash: Data([1]), createdAt: Self.now, updatedAt: Self.now)
        .insert(db)
      var session = ClerkSession(
        id: "s",
        clientID: "c",
        accountID: "user_ada",
        createdAt: Self.later(1),
        updatedAt: Self.later(2),
        expireAt: Self.later(3),
        abandonAt: Self.later(4),
        lastActiveAt: Self.later(5)
      )
      let bare = try Self.again(session, db)
      #expect(bare.record == session)
      #expect(bare.empty.count == 5)
      session.id = "s2"
      session.ending = .removed
      session.organizationID = "org_1"
      session.firstFactorAt = Self.later(6)
      session.secondFactorAt = Self.later(7)
      session.isPersonal = true
      session.activity = activity
      let full = try Self.again(session, db)
      #expect(full.record == session)
      #expect(full.empty == [])
    }
  }

  @Test("a client comes back with every column, and its strategy is stored by its wire name")
  func client() async throws {
    let world = try TestWorld()
    try await world.world.database.write { db in
      var client = ClerkClient(
        id: "c",
        tokenHash: Data([1, 0, 255]),
        createdAt: Self.later(1),
        updatedAt: Self.later(2)
      )
      let bare = try Self.again(client, db)
      #expect(bare.record == client)
      #expect(bare.empty == ["lastActiveSessionID", "lastStrategy", "signInID", "signUpID"])
      client.id = "c2"
      client.tokenHash = Data([2])
      client.signInID = "sia_1"
      client.signUpID = "sua_1"
      client.lastActiveSessionID = "sess_1"
      client.lastStrategy = .emailCode
      let full = try Self.again(client, db)
      #expect(full.record == client)
      #expect(full.empty == [])
      let strategy = try String.fetchOne(db, sql: "SELECT lastStrategy FROM client WHERE id = 'c2'")
      #expect(strategy == "email_code")
    }
  }

  @Test("an account and a contact come back with every column")
  func account() async throws {
    let world = try TestWorld()
    try await world.world.database.write { db in
      var account = try #require(try Account.fetchOne(db, key: "user_ada"))
      account.id = "user_full"
      account.firstName = "A"
      account.lastName = "B"
      account.passwordState = .compromised
      account.passwordUpdatedAt = Self.later(1)
      account.totpSecret = "C"
      account.pendingTOTPSecret = "D"
      account.totpUsedSteps = [1, 2]
      account.backupCodes = [.init(code: "E", isUsed: true), .init(code: "\"\\", isUsed: false)]
      account.hasEmailSecondFactor = true
      account.needsClientTrust = true
      account.isBanned = true
      account.isEnterprise = true
      account.usesEmailLink = true
      account.tasks = [.chooseOrganization]
      account.entra.declinedScopes = ["F"]
      account.entra.attributes = ["city": "H"]
      account.entra.methods = [
        .init(channel: .email, target: "i@example.com"),
        .init(channel: .sms, target: "+12015550123"),
      ]
      account.unsafeMetadata = #"{"g":1}"#
      account.createdAt = Self.later(2)
      account.updatedAt = Self.later(3)
      account.lastSignInAt = Self.later(4)
      account.legalAcceptedAt = Self.later(5)
      account.lastActiveAt = Self.later(6)
      account.mfaEnabledAt = Self.later(7)
      account.mfaDisabledAt = Self.later(8)
      account.totpCreatedAt = Self.later(9)
      let full = try Self.again(account, db)
      #expect(full.record == account)
      #expect(full.empty == [])
      let contact = Contact(
        id: "i",
        accountID: "user_full",
        kind: .phoneNumber,
        value: "+15555550123",
        isPrimary: true,
        isSecondFactor: true,
        isDefaultSecondFactor: true,
        createdAt: Self.later(1),
        position: 3
      )
      let read = try Self.again(contact, db)
      #expect(read.record == contact)
      // A column that has a record of its own.
      #expect(read.empty == ["verification"])
    }
  }

  @Test("a refresh token comes back with its session, and a method only with a known channel")
  func entra() async throws {
    let world = try TestWorld()
    try await world.world.database.write { db in
      let token = EntraRefreshToken(
        tokenHash: Data([1]),
        session: EntraSession(
          id: "s",
          accountID: "user_ada",
          clientID: "c",
          contexts: ["c1"],
          policies: ["p"],
          hasSecondFactor: true,
          passwordUpdatedAt: Self.later(1),
          createdAt: Self.later(2)
        ),
        scope: "openid",
        expireAt: Self.later(3)
      )
      let read = try Self.again(token, db)
      #expect(read.record == token)
      #expect(read.empty == [])
    }
  }
}
