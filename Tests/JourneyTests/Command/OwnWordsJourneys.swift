import Testing
import VestibuleTesting

@Suite("Whose words a refusal uses", .inTurn)
struct OwnWordsJourneys {
  @Test(
    "our own words, or the auth API's if an option or a variable switches ours off",
    arguments: [
      ([], [:], ours),
      (["--own-words", "on"], ["VESTIBULE_OWN_WORDS": "off"], ours),
      (["--own-words", "off"], [:], theirs),
      ([], ["VESTIBULE_OWN_WORDS": "off"], theirs),
    ] as [([String], [String: String], String)]
  )
  func words(options: [String], variables: [String: String], message: String) async throws {
    try await RunningJourneys.withPages(
      RunningJourneys.plain(options),
      environment: variables
    ) { _, pages in
      let browser = FormSession(over: recorded(pages))
      let refused = try await browser.signIn("ada@example.com", "not-the-password-1")
      #expect(refused.status == 422)
      #expect(refused.form?.field("password")?.errors?.map(\.message) == [message])
    }
  }

  @Test(
    "the auth API's words also on the page that a refusal leads to, over Entra",
    arguments: [
      ("pia", "AADSTS50142: "), ("lou", "AADSTS50053: "), ("bann", "AADSTS50057: "),
      ("pola", "AADSTS53005: "),
    ]
  )
  func wordsElsewhere(name: String, beginning: String) async throws {
    try await RunningJourneys.withPages(
      RunningJourneys.plain(["--api", "entra", "--own-words", "off"])
    ) { _, pages in
      let browser = FormSession(over: recorded(pages))
      let refused = try await browser.signIn("\(name)@example.com")
      let message = try #require(refused.errors.first?.message)
      #expect(message.hasPrefix(beginning), "\(refused.path): \(message)")
    }
  }

  private static let ours = "That password is not right. Try again, or use another method."
  private static let theirs = "The password is wrong. Try again or choose another method."
}
