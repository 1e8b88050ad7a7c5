import Pages
import Testing

@testable import Site

@Suite("Where forms may lead")
struct ReturnAddressTests {
  private let addresses = ReturnAddresses(allowedOrigins: ["https://app.example.com"])

  @Test(
    "a path of this site or an allowed origin is followed (S15)",
    arguments: [
      "/account", "/", "/a?b=c#d", "https://app.example.com", "https://app.example.com/",
      "https://APP.example.com/deep?x=1",
    ]
  )
  func accepts(text: String) {
    #expect(addresses.accepted(text) == text)
  }

  @Test(
    "any other return address is refused (S15)",
    arguments: [
      "", "//evil.example", "/\\evil.example", "\\/evil.example", "https:evil.example",
      "https://evil.example", "https://app.example.com.evil.example/",
      "https://app.example.com@evil.example/", "https://app.example.com:444/",
      "http://app.example.com/", "javascript:alert(1)", "data:text/html,x", " /account",
      "/\taccount", "/\naccount", "/ä", "account", "https:///app.example.com", "?x=1",
      // Browsers skip what is missing, and go to the first name.
      "https:/evil.example/app.example.com", "https:/evil.example/app.example.com/",
    ]
  )
  func refuses(text: String) {
    #expect(addresses.accepted(text) == nil)
  }

  @Test("an address of 2,000 bytes is followed, a longer one is not (S15)")
  func length() {
    for beginning in ["/reports?x=", "https://app.example.com/"] {
      let longest = beginning + String(repeating: "x", count: 2_000 - beginning.utf8.count)
      #expect(addresses.accepted(longest) == longest)
      #expect(addresses.accepted(longest + "x") == nil)
    }
  }

  @Test("every route is found by its own path, and only by that (S3)")
  func routes() {
    for path in ["/sign-in", "/sign-in/second-factor/methods", "/tasks/setup-mfa", "/"] {
      #expect(Address(path: path) != nil)
    }
    for path in ["/sign-in/", "//sign-in", "/Sign-in", "/sign%2din", "/sign-in/../account", ""] {
      #expect(Address(path: path) == nil)
    }
  }
}
