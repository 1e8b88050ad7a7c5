@testable import Emulators
import Testing

@Suite("A search among accounts")
struct AccountSearchTests {
  private let world: TestWorld

  init() throws {
    var anna = AccountDescription()
    anna.id = "user_Anna"
    anna.firstName = "Anna"
    anna.lastName = "Lee"
    anna.emailAddresses = ["a.smith@example.com"]
    anna.phoneNumbers = ["+12015550142"]
    var kurt = AccountDescription()
    kurt.id = "user_k"
    kurt.firstName = "Ömer"
    kurt.username = "kurt_1"
    var carl = AccountDescription()
    carl.id = "user_c"
    carl.emailAddresses = ["5%off@example.com"]
    carl.secondFactorPhoneNumbers = ["+12015550199"]
    world = try TestWorld(users: [anna, kurt, carl])
  }

  @Test(
    "finds each word in an address, a number, the username, the name or the ID, in any case",
    arguments: [
      ("ANNA", ["user_Anna"]), ("lee anna", ["user_Anna"]), ("anna kurt", []),
      ("Smith@EXAMPLE", ["user_Anna"]), ("example.com", ["user_Anna", "user_c"]),
      ("R_K", ["user_k"]), ("kurt", ["user_k"]), ("ÖMER", ["user_k"]), ("mer", ["user_k"]),
      ("+1201555", ["user_Anna", "user_c"]), ("201 555", ["user_Anna", "user_c"]),
      (" +1 (201) 555-0199 ", ["user_c"]), ("555 201", []), ("nobody", []),
      (" ", ["user_Anna", "user_k", "user_c"]),
    ] as [(String, [String])]
  )
  func finds(typed: String, ids: [String]) async throws {
    let search = try #require(AccountSearch(typed))
    let page = try #require(try await world.world.accounts(matching: search))
    #expect(page.accounts.compactMap(\.id) == ids)
    #expect(try await world.world.accountCount(matching: search) == ids.count)
  }

  @Test(
    "takes every character for itself, also those that mean more to SQL",
    arguments: [
      ("%", ["user_c"]), ("5%o", ["user_c"]), ("e%m", []), ("t_1", ["user_k"]), ("t_", ["user_k"]),
      ("a_smith", []), ("'", []), ("\\", []), ("?", []),
    ] as [(String, [String])]
  )
  func literally(typed: String, ids: [String]) async throws {
    let search = try #require(AccountSearch(typed))
    let page = try #require(try await world.world.accounts(matching: search))
    #expect(page.accounts.compactMap(\.id) == ids)
  }

  @Test("goes on after an account, which it need not have found")
  func goesOn() async throws {
    let search = try #require(AccountSearch("example.com"))
    let first = try #require(try await world.world.accounts(matching: search, limit: 1))
    #expect(first.accounts.compactMap(\.id) == ["user_Anna"] && first.hasMore)
    for id in ["user_Anna", "user_k"] {
      let rest = try #require(try await world.world.accounts(matching: search, after: id))
      #expect(rest.accounts.compactMap(\.id) == ["user_c"] && !rest.hasMore, "\(id)")
    }
  }

  @Test("is bounded; the digits of a number are one word, however they are divided")
  func bounds() {
    #expect(AccountSearch("a b c d e f g h") != nil)
    #expect(AccountSearch("a b c d e f g h i") == nil)
    #expect(AccountSearch("+1 2 0 1 5 5 5 0 1 4 2") != nil)
    #expect(AccountSearch(String(repeating: "a", count: 254)) != nil)
    #expect(AccountSearch(String(repeating: "a", count: 255)) == nil)
    #expect(AccountSearch(" ")?.isEmpty == true)
    #expect(AccountSearch("-")?.isEmpty == false)
  }
}
