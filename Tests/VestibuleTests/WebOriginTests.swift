import Testing

@testable import Vestibule

@Suite("Origins")
struct WebOriginTests {
  @Test(
    "an origin is written as browsers write it",
    arguments: [
      ("https://App.Example.com", "https://app.example.com"),
      ("https://app.example.com:443/", "https://app.example.com"),
      ("http://localhost:80", "http://localhost"), ("http://[::1]:8080", "http://[::1]:8080"),
      ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
      ("http://sign_in:8080", "http://sign_in:8080"),
    ]
  )
  func reads(text: String, written: String) throws {
    #expect(try WebOrigin(text, as: "origin").description == written)
  }

  @Test(
    "any other text is refused as an origin (S15, S30)",
    arguments: [
      "", "*", "https://*", "https://*.example.com", "null", "example.com", "ftp://example.com",
      "https://", "https:///", "https://example.com/path", "https://example.com?x",
      "https://example.com#x", "https://user@example.com", "https://example.com:0",
      "https://example.com:99999", "https://example.com:", "https://exa mple.com",
      "https://example..com", "https://127.1", "https://-a.example.com", "javascript:alert(1)",
      "https://[::1", "https://ex\u{E4}mple.com",
      // The kelvin sign, whose lower-case letter is an ordinary k.
      "https://\u{212A}ey.example.com",
      // Marks that combine with a letter and with a digit.
      "https://b\u{301}.example.com", "https://example.com:1\u{301}",
    ]
  )
  func refuses(text: String) {
    #expect(throws: StartFailure.self) { try WebOrigin(text, as: "origin") }
  }

  @Test("if HTTPS is served, the public URL must be https: browsers would name another origin")
  func publicScheme() throws {
    var configuration = Configuration()
    configuration.publicURL = "http://localhost:8080"
    let address = Configuration.Address(port: 8080)
    #expect(try configuration.checkedPublicOrigin(at: address).scheme == "http")
    configuration.tls = Configuration.TLSFiles(certificate: "c.pem", key: "k.pem")
    #expect(throws: StartFailure.self) { try configuration.checkedPublicOrigin(at: address) }
    configuration.publicURL = "https://localhost:8080"
    #expect(try configuration.checkedPublicOrigin(at: address).scheme == "https")
  }

  @Test(
    "the reason says what is wrong, and shows nothing that may hold a password",
    arguments: [
      ("", "is empty"), ("https://", "has no valid host: https://"),
      ("http://a.test:24022/path", "must end after host and port: http://a.test:24022/path"),
      ("http://a.test?x", "must end after host and port: http://a.test?x"),
      ("http://a.test:0", "has no port from 1 to 65535: http://a.test:0"),
      ("http://user:secret@a.test", "must not carry a user name or a password"),
      ("http://user:secret@a.test/path", "must not carry a user name or a password"),
      ("http://a.test/user:secret@b.test", "must end after host and port"),
      ("http://user:secret@\u{301}a.test", "must not carry a user name or a password"),
      ("user:secret@a.test", "does not begin with http:// or https://"),
    ]
  )
  func reasons(text: String, reason: String) {
    let failure = #expect(throws: StartFailure.self) { try WebOrigin(text, as: "origin") }
    #expect(failure?.description == "The origin \(reason)")
  }

  @Test("an allowed host that is empty or has a user name is refused for that")
  func allowedHostReasons() {
    for (host, reason) in [
      ("", "is empty"), ("user:secret@a.test", "must not carry a user name or a password"),
    ] {
      var configuration = Configuration()
      configuration.allowedHosts = [host]
      let failure = #expect(throws: StartFailure.self) {
        try configuration.namedAuthorities(port: 8080)
      }
      #expect(failure?.description == "The allowed host \(reason)")
    }
  }

  @Test("an allowed host with a scheme is refused for that")
  func allowedHost() {
    var configuration = Configuration()
    configuration.allowedHosts = ["http://door.test"]
    do {
      _ = try configuration.namedAuthorities(port: 8080)
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains("host name, without http:// or https://: http://door.test"))
    }
  }

  @Test(
    "a host is answered at the served, public and usual ports; with a port, only at that (S2)"
  )
  func authorities() throws {
    func authorities(_ hosts: String..., port: Int, publicURL: String? = nil) throws -> Set<String>
    {
      var configuration = Configuration()
      configuration.allowedHosts = hosts
      let origin = try publicURL.map { try WebOrigin($0, as: "public URL") }
      return Set(try configuration.namedAuthorities(port: port, publicOrigin: origin))
    }
    #expect(try authorities("door.test:80", port: 4010) == ["door.test", "door.test:80"])
    #expect(try authorities("Other.test:9000", port: 4010) == ["other.test:9000"])
    #expect(
      try authorities("door.test", port: 8080) == ["door.test:8080", "door.test", "door.test:80"]
    )
    #expect(
      try authorities("[::2]", port: 8080, publicURL: "https://id.example.test")
        == ["[::2]:8080", "[::2]", "[::2]:80", "[::2]:443"]
    )
  }
}
