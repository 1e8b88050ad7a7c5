import Testing
import VestibuleTesting

@Suite("Messages in the language of their reader", .inTurn)
struct MessageJourneys {
  @Test("codes come in the language in which the pages are read", arguments: Stage.both)
  func codes(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      func message() async throws -> String {
        try await scene.backstage.latestMessage(to: "ada@example.com").text
      }
      try await browser.open("/forgot-password?language=de")
      try await browser.submit(["identifier": "ada@example.com"])
      #expect(try await message().contains("ist Ihr Code für Vestibule"))
      try await browser.open("/forgot-password?language=ja")
      try await browser.submit(["identifier": "ada@example.com"])
      #expect(try await message().contains("のコードは"))
    }
  }
}
