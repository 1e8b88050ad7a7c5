import Foundation
import GRDB
import HTTPExchange
import Locking
import Testing

@testable import Emulators

@Suite("Protection against enumeration (S19)")
struct EnumerationTests {
  private func world() throws -> TestWorld {
    var user = AccountDescription()
    user.emailAddresses = ["known@example.com"]
    user.phoneNumbers = ["+12015550110"]
    user.password = ScriptedClient.password
    user.firstName = "Known"
    return try TestWorld(users: [user]) { $0.enumerationProtection = true }
  }

  /// The body without what is different in every answer.
  private func shape(_ answer: Answer, _ identifier: String) -> String {
    var text = String(decoding: answer.json.encoded, as: UTF8.self)
    text = text.replacingOccurrences(of: identifier, with: "IDENTIFIER")
    text = text.replacing(/(client|sia|sua|idn|ver)_[0-9A-Za-z]{27}/) { "\($0.1)_ID" }
    return text.replacing(/"clerk_trace_id":"[0-9a-f]{32}"/, with: "TRACE")
  }

  private static let identifiers = ["known@example.com", "nobody@example.com"]

  @Test("signing in: the same answers for an account and for none")
  func signIn() async throws {
    let world = try world()
    var shapes: [[String]] = []
    for identifier in Self.identifiers {
      let client = world.client()
      let begun = try await client.begin(identifier)
      #expect(begun.state == "needs_first_factor")
      var answers = [begun]
      for _ in 0..<2 { answers.append(try await client.signIn(identifier, password: "wrong")) }
      let id = try #require(answers.last?.client?["sign_in"]?["id"]?.string)
      answers.append(try await client.prepareFirst(id, "email_code"))
      answers.append(try await client.attemptFirst(id, "email_code", ["code": "x"]))
      answers.append(try await client.prepareFirst(id, "reset_password_email_code"))
      answers.append(try await client.attemptFirst(id, "reset_password_email_code", ["code": "x"]))
      answers.append(try await client.prepareFirst(id, "email_code", ["email_address_id": "idn_x"]))
      answers.append(try await client.prepareFirst(id, "phone_code"))
      shapes.append(answers.map { "\($0.status) \(shape($0, identifier))" })
    }
    #expect(shapes[0] == shapes[1])
    let answer = try await world.client().signIn("known@example.com", password: "wrong")
    #expect(answer.refusal == "422 form_password_or_identifier_incorrect")
    #expect(try await world.client().signIn("known@example.com").state == "complete")
  }

  @Test("both lock alike")
  func locks() async throws {
    let world = try world()
    var codes: [[String]] = []
    for identifier in Self.identifiers {
      let client = world.client()
      var mine: [String] = []
      for _ in 0..<11 {
        mine += try await client.signIn(identifier, password: "wrong").codes
      }
      codes.append(mine)
    }
    #expect(codes[0] == codes[1])
    #expect(codes[0].last == "user_locked")
  }

  @Test("as much is read and written for nobody as for somebody, so that it takes as long")
  func work() async throws {
    let world = try world()
    let log = Locked<[String]>([])
    try await world.world.database.write { database in
      database.trace { event in
        guard case .statement(let statement) = event else { return }
        log.withLock { $0.append(statement.sql) }
      }
    }
    var work: [[String]] = []
    // The first round looks up what the tables are like, once for all.
    for identifier in Self.identifiers + Self.identifiers {
      let client = world.client()
      _ = try await client.begin(identifier)
      log.withLock { $0 = [] }
      _ = try await client.signIn(identifier, password: "wrong")
      _ = try await client.begin(identifier, ["strategy": "reset_password_email_code"])
      let id = try await client.begin(identifier).id
      _ = try await client.attemptFirst(id, "password", ["password": "wrong"])
      for strategy in ["email_code", "reset_password_email_code"] {
        _ = try await client.prepareFirst(id, strategy)
        _ = try await client.attemptFirst(id, strategy, ["code": "x"])
      }
      // A message to nobody is taken back within its savepoint.
      work.append(log.withLock { $0.filter { !$0.hasPrefix("ROLLBACK TRANSACTION TO SAVEPOINT") } })
    }
    #expect(work[2] == work[3])
    for table in ["account", "contact", "device", "lockout", "message", "signIn"] {
      let word = try Regex("\\b\(table)\\b")
      #expect(work[2].contains { $0.contains(word) }, "nothing was asked of \(table)")
    }
  }

  @Test("no message goes to nobody, and no code is right for nobody")
  func noMessage() async throws {
    let world = try world()
    _ = try await world.client().begin("nobody@example.com", ["strategy": "email_code"])
    #expect(try await world.world.outbox.messages().isEmpty)
  }

  @Test("signing up: the same answers for a taken address and a free one")
  func signUp() async throws {
    let world = try world()
    var shapes: [[String]] = []
    for identifier in Self.identifiers {
      let client = world.client()
      let begun = try await client.post(
        "/v1/client/sign_ups",
        ["email_address": identifier, "password": "walk-right-in-42"]
      )
      let answers = [
        begun, try await client.prepareSignUp(begun.id),
        try await client.attemptSignUp(begun.id, code: "x"),
      ]
      shapes.append(answers.map { "\($0.status) \(shape($0, identifier))" })
    }
    #expect(shapes[0] == shapes[1])
    #expect(try await world.world.outbox.messages().map(\.to) == ["nobody@example.com"])
  }
}
