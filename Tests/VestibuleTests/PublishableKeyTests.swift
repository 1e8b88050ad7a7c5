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
    "what is no key is refused",
    arguments: [
      "", "pk_test_", "sk_test_abc", key("no-dollar.example.com"), key("two.example.com$$"),
      key("nodot$"), key("a.example.com/path$"), "pk_test_%%%",
    ]
  )
  func refuses(text: String) {
    #expect(throws: PublishableKey.Invalid.self) { try PublishableKey(text) }
  }
}
