import Foundation
import Testing
import Vestibule

@Suite("Publishable keys")
struct PublishableKeyTests {
  private static func key(_ host: String, prefix: String = "pk_test_") -> String {
    prefix
      + Data(host.utf8).base64EncodedString().trimmingCharacters(
        in: CharacterSet(charactersIn: "=")
      )
  }

  @Test("a key says where the instance is, with or without padding")
  func reads() throws {
    let key = try PublishableKey(Self.key("brave-otter-7.clerk.accounts.dev$"))
    #expect(key.frontendAPIHost == "brave-otter-7.clerk.accounts.dev")
    #expect(!key.isProduction)
    #expect(try PublishableKey(Self.key("clerk.example.com$", prefix: "pk_live_")).isProduction)
    let padded = "pk_test_" + Data("a.example.com$".utf8).base64EncodedString()
    #expect(padded.hasSuffix("="))
    #expect(try PublishableKey(padded).frontendAPIHost == "a.example.com")
  }

  @Test(
    "a text that is not a key is refused with the reason",
    arguments: [
      ("", .noPrefix), ("pk_test_", .noHost), ("sk_test_abc", .secretKey),
      ("\"sk_live_abc\"", .secretKey), (key("no-dollar.example.com"), .noHost),
      (key("two.example.com$$"), .noHost), (key("nodot$"), .noHost),
      (key("a.example.com/path$"), .noHost), ("pk_test_%%%", .noHost),
      (key("a.example.com$", prefix: ""), .noPrefix),
      (key("a.example.com$", prefix: " pk_test_"), .wrapped),
      (key("a.example.com$") + "\n", .wrapped), ("'\(key("a.example.com$"))'", .wrapped),
    ] as [(String, PublishableKey.Invalid)]
  )
  func refuses(text: String, reason: PublishableKey.Invalid) {
    let error = #expect(throws: PublishableKey.Invalid.self) { try PublishableKey(text) }
    #expect(error == reason)
    #expect(text.count < 10 || error?.description.contains(text) == false)
  }
}
