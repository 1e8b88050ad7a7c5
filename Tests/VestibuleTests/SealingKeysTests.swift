import Foundation
import Testing

@testable import Vestibule

@Suite("Sealing keys")
struct SealingKeysTests {
  private static let key = Data(repeating: 7, count: 32).base64EncodedString()

  /// A file of its own, with that text and those permissions.
  private static func withFile<Result>(
    _ text: String,
    mode: Int = 0o600,
    _ body: (String) throws -> Result
  ) throws -> Result {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("keys-\(UUID().uuidString)").path
    let made = FileManager.default.createFile(
      atPath: path,
      contents: Data(text.utf8),
      attributes: [.posixPermissions: mode]
    )
    #expect(made)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  @Test(
    "one key a line, in either alphabet, with remarks between (S12)",
    arguments: [
      key, "\(key)\n", "# first\n\n  \(key)  \n\(key)\n",
      Data(repeating: 0xFF, count: 33).base64EncodedString()
        .replacing("/", with: "_").replacing("+", with: "-"),
      String(key.filter { $0 != "=" }), Data(repeating: 1, count: 64).base64EncodedString(),
    ]
  )
  func reads(text: String) throws {
    try Self.withFile(text) { path in _ = try SealingKeys.read(path) }
  }

  @Test(
    "a line that is no key is named by its number, never by its text (S30)",
    arguments: [
      ("", "has no key"), ("# nothing\n", "has no key"), ("secret-passphrase!", "line 1"),
      ("\(key)\nshort", "line 2"), (Data(repeating: 7, count: 31).base64EncodedString(), "line 1"),
    ]
  )
  func refuses(text: String, reason: String) throws {
    try Self.withFile(text) { path in
      do throws(StartFailure) {
        _ = try SealingKeys.read(path)
        Issue.record("accepted: \(text)")
      } catch {
        #expect(error.kind == .configuration)
        #expect(error.description.contains(reason))
        #expect(!error.description.contains("passphrase"))
      }
    }
  }

  @Test(
    "a file that is open to others stops the start (S12)",
    arguments: [0o644, 0o640, 0o604, 0o660]
  )
  func openToOthers(mode: Int) throws {
    try Self.withFile(Self.key, mode: mode) { path in
      _ = #expect(throws: StartFailure.self) { try SealingKeys.read(path) }
    }
  }

  @Test("several processes that start at once make one key")
  func race() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("keys-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try SealingKeys.kept(in: folder)
    let path = "\(folder)/sealing-keys"
    let first = FileManager.default.contents(atPath: path)
    _ = try SealingKeys.kept(in: folder)
    #expect(FileManager.default.contents(atPath: path) == first)
    #expect(SealingKeys.mode(of: path) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["sealing-keys"])
  }
}

@Suite("Origins")
struct WebOriginTests {
  @Test(
    "an origin is written as browsers write it",
    arguments: [
      ("https://App.Example.com", "https://app.example.com"),
      ("https://app.example.com:443/", "https://app.example.com"),
      ("http://localhost:80", "http://localhost"), ("http://[::1]:8080", "http://[::1]:8080"),
      ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
    ]
  )
  func reads(text: String, written: String) throws {
    #expect(try WebOrigin(text, as: "origin").description == written)
  }

  @Test(
    "nothing else is one (S15, S30)",
    arguments: [
      "", "*", "https://*", "https://*.example.com", "null", "example.com", "ftp://example.com",
      "https://", "https:///", "https://example.com/path", "https://example.com?x",
      "https://example.com#x", "https://user@example.com", "https://example.com:0",
      "https://example.com:99999", "https://example.com:", "https://exa mple.com",
      "https://example..com", "javascript:alert(1)", "https://[::1", "https://ex\u{E4}mple.com",
    ]
  )
  func refuses(text: String) {
    #expect(throws: StartFailure.self) { try WebOrigin(text, as: "origin") }
  }

  @Test(
    "a name is answered at the port that is served, the public and the usual one; with a port, at that (S2, F4)"
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

@Suite("Who can reach it")
struct ExposureTests {
  @Test("an emulated API, or plain http, is for this machine alone (S24, S30)")
  func matrix() throws {
    let remote = try Configuration.AuthAPI.clerk(at: "https://clerk.example.com")
    let tls = Configuration.TLSFiles(certificate: "c", key: "k")
    for (host, isReal, hasTLS, hasProxy, isAllowed, starts) in [
      ("127.0.0.1", false, false, false, false, true),
      ("localhost", false, false, false, false, true),
      ("::1", false, false, false, false, true), ("127.9.9.9", true, false, false, false, true),
      ("0.0.0.0", false, false, false, false, false), ("0.0.0.0", false, true, false, false, false),
      ("0.0.0.0", false, true, true, false, false), ("0.0.0.0", false, false, false, true, true),
      ("0.0.0.0", true, false, false, false, false), ("0.0.0.0", true, true, false, false, true),
      ("0.0.0.0", true, false, true, false, true), ("::", true, false, false, true, true),
      ("192.0.2.1", true, false, false, false, false),
    ] {
      var configuration = Configuration()
      configuration.pages = Configuration.Address(host: host, port: 8080)
      configuration.authAPI = isReal ? remote : .emulatedClerk
      configuration.tls = hasTLS ? tls : nil
      configuration.trustedProxies =
        hasProxy ? [Configuration.proxyAddress("10.0.0.1")].compactMap(\.self) : []
      configuration.allowsNonLoopback = isAllowed
      let result = Result { try configuration.refuseExposure() }
      let hasStarted = (try? result.get()) != nil
      #expect(hasStarted == starts, "\(host) \(isReal) \(hasTLS) \(hasProxy)")
    }
  }
}
