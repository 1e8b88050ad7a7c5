import Testing
import VestibuleTesting

@Suite("Whose words a refusal is told in (C5)", .inTurn)
struct OwnWordsJourneys {
  @Test(
    "our own, unless they are switched off by option or variable: then the auth API's, as they came",
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

  private static let ours = "That password is not right. Try again, or use another method."
  private static let theirs = "The password is wrong. Try again or choose another method."
}
