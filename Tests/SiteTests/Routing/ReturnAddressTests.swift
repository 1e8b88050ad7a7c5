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
  func accepts(text: String) throws {
    #expect(try addresses.accepted(text, askedAt: nil) == text)
  }

  @Test(
    "an address of the origin that was asked counts as its path, and only as that (S15)",
    arguments: [
      ("http://localhost:8080/after?x=1#y", "/after?x=1#y"), ("http://LOCALHOST:8080", "/"),
      ("http://localhost:8080/", "/"),
    ]
  )
  func ownOrigin(text: String, path: String) throws {
    #expect(try addresses.accepted(text, askedAt: "http://Localhost:8080") == path)
    #expect(throws: ReturnAddresses.Dropped.origin("http://localhost:8080")) {
      try addresses.accepted(text, askedAt: "http://team-a.localhost:8080")
    }
  }

  @Test(
    "blanks and what is not ASCII are escaped",
    arguments: [
      ("/café", "/caf%C3%A9"), ("/caf%C3%A9", "/caf%C3%A9"), ("/a b", "/a%20b"),
      (#"/"<>^`{|}"#, "/%22%3C%3E%5E%60%7B%7C%7D"),
      ("https://app.example.com/ü", "https://app.example.com/%C3%BC"), ("/\u{338}", "/%CC%B8"),
    ]
  )
  func escapes(text: String, address: String) throws {
    #expect(try addresses.accepted(text, askedAt: nil) == address)
  }

  @Test("an origin that is not allowed is named, but no person in front of it (S28)")
  func namedOrigin() {
    for (text, dropped) in [
      ("https://evil.example/canary", .origin("https://evil.example")),
      ("http://127.0.0.1:3000", .origin("http://127.0.0.1:3000")),
      ("https://canary@evil.example/", .malformed), ("https://evil.example?canary", .malformed),
      ("ftp://evil.example/", .malformed), ("//evil.example/", .malformed),
    ] as [(String, ReturnAddresses.Dropped)] {
      #expect(throws: dropped) { try addresses.accepted(text, askedAt: nil) }
    }
  }

  @Test(
    "any other return address is refused (S15)",
    arguments: [
      "", "//evil.example", "/\\evil.example", "\\/evil.example", "https:evil.example",
      "https://evil.example", "https://app.example.com.evil.example/",
      "https://app.example.com@evil.example/", "https://app.example.com:444/",
      "http://app.example.com/", "javascript:alert(1)", "data:text/html,x", " /account",
      "/\taccount", "/\naccount", "/\u{7F}", "account", "https:///app.example.com", "?x=1",
      // Browsers skip what is missing, and go to the first name.
      "https:/evil.example/app.example.com", "https:/evil.example/app.example.com/",
      "http://localhost:8080//evil.example", "http://localhost:8080/\\evil.example",
      "http://localhost:8080@evil.example/", "http://localhost:8080.evil.example/",
    ]
  )
  func refuses(text: String) {
    #expect(throws: ReturnAddresses.Dropped.self) {
      try addresses.accepted(text, askedAt: "http://localhost:8080")
    }
  }

  @Test("an address of 2,000 bytes is followed, a longer one is not (S15)")
  func length() throws {
    for beginning in ["/reports?x=", "https://app.example.com/"] {
      let longest = beginning + String(repeating: "x", count: 2_000 - beginning.utf8.count)
      #expect(try addresses.accepted(longest, askedAt: nil) == longest)
      #expect(throws: ReturnAddresses.Dropped.malformed) {
        try addresses.accepted(longest + "x", askedAt: nil)
      }
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
