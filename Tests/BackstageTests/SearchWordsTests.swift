@testable import Backstage
import Testing

@Suite("What is typed into a search box")
struct SearchWordsTests {
  private static let texts = ["ada@example.com", "Your code is 424242", "Ä. Iłła"]

  @Test(
    "every word must occur in one of the texts, in upper or lower case",
    arguments: [
      ("ada", true), ("ADA code", true), ("code\tada@EXAMPLE", true), ("ä iŁŁa", true),
      ("ada cody", false), ("com your", true), ("comyour", false), ("example.com Your", true),
    ]
  )
  func stand(typed: String, areFound: Bool) {
    #expect(SearchWords(typed).stand(in: Self.texts) == areFound)
  }

  @Test(
    "blanks are not words, and an empty search finds everything",
    arguments: ["", " ", "\t \n"]
  )
  func nothing(typed: String) {
    #expect(SearchWords(typed).isEmpty)
    #expect(SearchWords(typed).stand(in: []))
  }
}
