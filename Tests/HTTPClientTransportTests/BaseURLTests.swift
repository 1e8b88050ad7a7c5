import Testing

@testable import HTTPClientTransport

@Suite struct BaseURLTests {
  @Test(
    "https to anywhere and http to this machine are accepted (S26)",
    arguments: [
      ("https://clerk.example.com", "https://clerk.example.com"),
      ("HTTPS://Clerk.Example.COM:8443/", "https://clerk.example.com:8443"),
      ("https://example.com/tenant/v1/", "https://example.com/tenant/v1"),
      ("https://10.0.0.1", "https://10.0.0.1"),
      ("https://auth_api:8443", "https://auth_api:8443"),
      ("http://localhost:4010", "http://localhost:4010"),
      ("http://team-a.localhost:4010", "http://team-a.localhost:4010"),
      ("http://127.0.0.1:80", "http://127.0.0.1:80"),
      ("http://127.255.1.2", "http://127.255.1.2"),
      ("http://[::1]:9", "http://[::1]:9"),
    ]
  )
  func accepted(text: String, description: String) throws {
    #expect(try BaseURL(text).description == description)
  }

  @Test(
    "everything else is refused, each with its reason (S26)",
    arguments: [
      ("", BaseURLError.neitherHTTPNorHTTPS),
      ("example.com", .neitherHTTPNorHTTPS),
      ("ftp://example.com", .neitherHTTPNorHTTPS),
      ("file:///etc/passwd", .neitherHTTPNorHTTPS),
      ("http://example.com", .plainHTTPBeyondThisMachine(host: "example.com")),
      ("http://10.0.0.1", .plainHTTPBeyondThisMachine(host: "10.0.0.1")),
      ("http://0.0.0.0", .plainHTTPBeyondThisMachine(host: "0.0.0.0")),
      ("http://[::2]", .plainHTTPBeyondThisMachine(host: "[::2]")),
      ("http://[::ffff:127.0.0.1]", .plainHTTPBeyondThisMachine(host: "[::ffff:127.0.0.1]")),
      ("http://127.0.0.1.evil.com", .plainHTTPBeyondThisMachine(host: "127.0.0.1.evil.com")),
      ("http://localhost.evil.com", .plainHTTPBeyondThisMachine(host: "localhost.evil.com")),
      ("http://evillocalhost", .plainHTTPBeyondThisMachine(host: "evillocalhost")),
      ("http://127.1", .notAHost("127.1")),
      ("http://127.0.0.01", .notAHost("127.0.0.01")),
      ("http://0x7f.0.0.1", .notAHost("0x7f.0.0.1")),
      ("http://2130706433", .notAHost("2130706433")),
      ("http://127.0.0.256", .notAHost("127.0.0.256")),
      ("https://user@example.com", .userInformation),
      ("https://user:word@example.com", .userInformation),
      ("http://localhost:1@evil.com", .userInformation),
      ("https://example.com?a=b", .queryOrFragment),
      ("https://example.com/#a", .queryOrFragment),
      ("https://exa mple.com", .forbiddenCharacters),
      ("https://example.com\\@evil.com", .forbiddenCharacters),
      ("https://ex\u{E4}mple.com", .forbiddenCharacters),
      ("https://example.com\r\nHost: evil", .forbiddenCharacters),
      ("https://", .notAHost("")),
      ("https://.example.com", .notAHost(".example.com")),
      ("https://exam+ple.com", .notAHost("exam+ple.com")),
      ("https://[example]", .notAHost("[example]")),
      ("https://example.com:", .notAPort("")),
      ("https://example.com:0", .notAPort("0")),
      ("https://example.com:65536", .notAPort("65536")),
      ("https://example.com:+80", .notAPort("+80")),
      ("https://example.com//a", .notAPath("//a")),
      ("https://example.com/../a", .notAPath("/../a")),
      ("https://example.com/%2e%2e/a", .notAPath("/%2e%2e/a")),
    ]
  )
  func refused(text: String, expected: BaseURLError) {
    #expect(throws: expected) { try BaseURL(text) }
  }
}
