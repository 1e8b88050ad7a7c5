@testable import Emulators
import GRDB
import HTTPExchange
import Testing

@Suite("An account that is changed from outside")
struct AccountChangeTests {
  private let world: TestWorld

  init() throws { world = try TestWorld() }

  /// Mia's primary contacts and default second factor.
  private func chosen() async throws -> [String] {
    try await world.world.database.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT value FROM contact
          WHERE accountID = 'user_mia' AND (isDefaultSecondFactor OR isPrimary) ORDER BY value
          """
      )
    }
  }

  @Test("what an address or a number is to it stays as it is where others are changed")
  func primaryStays() async throws {
    let contacts: JSON = [
      "email_addresses": ["mia@example.com", "m@example.com"],
      "second_factor_phone_numbers": ["+12015550123", "+12015550124"],
    ]
    _ = try await world.world.change("user_mia", contacts)
    try await world.world.database.write { db in
      try db.execute(
        sql: """
          UPDATE contact SET isPrimary = value IN ('m@example.com', '+12015550123'),
            isDefaultSecondFactor = value = '+12015550124' WHERE accountID = 'user_mia'
          """
      )
    }
    let before = ["+12015550123", "+12015550124", "m@example.com"]
    #expect(try await chosen() == before)
    _ = try await world.world.change("user_mia", ["username": "mia_42"])
    #expect(try await chosen() == before + ["mia_42"])
    _ = try await world.world.change("user_mia", contacts)
    #expect(try await chosen() == before + ["mia_42"])
    _ = try await world.world.change(
      "user_mia",
      [
        "email_addresses": ["mia@example.com"], "second_factor_phone_numbers": ["+12015550123"],
      ]
    )
    #expect(try await chosen() == ["+12015550123", "mia@example.com", "mia_42"])
  }
}
