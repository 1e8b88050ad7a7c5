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

  @Test("contacts keep their roles (primary, default second factor) when other contacts change")
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

  @Test(
    "metadata and attributes of the wrong shape are refused, and nothing changes",
    arguments: [
      (#"{"unsafe_metadata":[]}"#, "'unsafe_metadata': not an object"),
      (
        #"{"unsafe_metadata":{"x":"\#(String(repeating: "y", count: 9000))"}}"#,
        "'unsafe_metadata': more than 8192 bytes"
      ),
      (#"{"entra":{"attributes":["city"]}}"#, "'entra.attributes': not an object"),
      (#"{"entra":{"attributes":{"city":1}}}"#, "'entra.attributes.city': not a text"),
      (
        #"{"entra":{"attributes":{"city":""}}}"#,
        "'entra.attributes.city': empty: leave it out"
      ),
      (
        #"{"entra":{"attributes":{"surname":"Moss"}}}"#,
        "'entra.attributes.surname': this is the account's 'last_name'"
      ),
      (
        #"{"entra":{"methods":[{"channel":"email","target":"+12015550123"}]}}"#,
        "'entra.methods[0].target': '+12015550123' is not an email address"
      ),
      (
        #"{"entra":{"methods":[{"channel":"voice","target":"+12015550123"}]}}"#,
        "'entra.methods[0].channel': 'voice' is not one of email, sms"
      ),
      (
        #"{"entra":{"methods":[{"channel":"sms"}]}}"#,
        "'entra.methods[0]': 'target' is missing"
      ),
    ]
  )
  func refused(changes: String, message: String) async throws {
    let changes = try jsonText(changes)
    let before = try await world.world.account("user_mia")
    let error = await #expect(throws: DocumentError.self) {
      _ = try await world.world.change("user_mia", changes)
    }
    #expect(error?.description == message)
    #expect(try await world.world.account("user_mia") == before)
  }

  @Test("a method that is given twice is kept once, in its normal form")
  func methods() async throws {
    let changes = try jsonText(
      #"{"entra":{"methods":[{"target":"M@Example.com","channel":"email"},"#
        + #"{"channel":"email","target":"m@example.com"},"#
        + #"{"channel":"sms","target":"+1 201 555 0123"}]}}"#
    )
    let mia = try await world.world.change("user_mia", changes)
    #expect(
      mia?.entra.methods == [
        .init(channel: .email, target: "m@example.com"),
        .init(channel: .sms, target: "+12015550123"),
      ]
    )
  }

  @Test("a secret that is given again keeps its used codes used")
  func sameSecret() async throws {
    let code = try world.authenticatorCode()
    let first = world.client()
    let begun = try await first.signIn("mia@example.com")
    #expect(try await first.attemptSecond(begun.id, "totp", code: code).state == "complete")
    _ = try await world.world.change("user_mia", ["totp_secret": "JBSWY3DPEHPK3PXP"])
    let second = world.client()
    let again = try await second.signIn("mia@example.com")
    let replayed = try await second.attemptSecond(again.id, "totp", code: code)
    #expect(replayed.refusal == "422 form_code_incorrect code")
  }

  @Test("an organization gets the name that an account gives it, for all its members")
  func renamed() async throws {
    let organizations: JSON = [["name": "Harbour & Sons", "slug": "harbour-books"]]
    _ = try await world.world.change("user_ada", ["organizations": organizations])
    let otto = try await world.world.account("user_otto")
    #expect(otto?.organizations.map(\.name) == ["Harbour & Sons", "Pine Street"])
  }

  @Test("a new account may have suggestions alone")
  func suggestionsAlone() async throws {
    var ivy = AccountDescription()
    ivy.emailAddresses = ["ivy@example.com"]
    ivy.organizationSuggestions = [.init(name: "Harbour Books", slug: "harbour-books")]
    let added = try await world.world.add(ivy)
    #expect(added.organizationSuggestions.map(\.slug) == ["harbour-books"])
    #expect(added.organizations == [])
  }

  @Test("an email address has at most 254 bytes", arguments: [(57, true), (58, false)])
  func addressLength(last: Int, isOne: Bool) {
    // 64 bytes, an at sign, two labels of the greatest length, and a last one before `.com`.
    let label = String(repeating: "a", count: 63)
    let domain = "\(label).\(label).\(String(repeating: "a", count: last)).com"
    let address = "\(label)b@\(domain)"
    #expect(address.utf8.count == (isOne ? 254 : 255))
    #expect((Contact.Kind.emailAddress.normalized(address) != nil) == isOne)
  }

  @Test(
    "only a hash with the cost of one of ours is read",
    arguments: [
      (2, 8, 1, true), (131_072, 8, 1, true), (1, 8, 1, false), (262_144, 8, 1, false),
      (3, 8, 1, false), (16, 9, 1, false), (16, 8, 2, false),
    ]
  )
  func costs(rounds: Int, blockSize: Int, parallelism: Int, isRead: Bool) {
    let cost = PasswordHash.Cost(
      rounds: rounds,
      blockSize: blockSize,
      parallelism: parallelism
    )
    #expect((cost != nil) == isRead)
  }
}
