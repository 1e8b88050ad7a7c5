import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Logging
import Synchronization
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("A real instance, over HTTPS", .inTurn)
struct CheckJourneys {
  /// The emulated API served as a real one would be: over TLS, at a host of its own.
  private static func instance(
    _ port: Int,
    answering change: @escaping @Sendable (Request, Response) -> Response = { $1 }
  ) throws -> any HTTPHandler {
    var configuration = Configuration()
    configuration.service = .emulatorOnly(.clerk, at: Configuration.Address(port: port))
    configuration.dataFolder = nil
    let emulator = try Composition(
      configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ).handler
    return FunctionHandler { change($0, await emulator.respond(to: $0)) }
  }

  private static func key(_ host: String, _ prefix: String = "pk_test_") -> String {
    prefix + Data("\(host)$".utf8).base64EncodedString()
  }

  /// Runs `check` against an instance behind a test's own authority.
  private static func check(
    names: String = "DNS:localhost,IP:127.0.0.1",
    trusts: Bool = true,
    prefix: String = "pk_test_",
    answering change: @escaping @Sendable (Request, Response) -> Response = { $1 }
  ) async throws -> (status: Int32, output: String, error: String) {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder, names: names)
      return try await withSecureServer(authority, { try instance($0, answering: change) }) {
        port in
        let program = try Program(
          ["check", "--port", "0", "--publishable-key", key("127.0.0.1:\(port)", prefix)],
          environment: trusts ? ["SSL_CERT_FILE": authority.authority] : [:]
        )
        let output = await program.output().joined(separator: "\n")
        return (program.exitStatus(), output, program.said)
      }
    }
  }

  /// An answer with one text in it replaced.
  private static func replacing(
    _ old: String,
    with new: String,
    in response: Response
  ) -> Response {
    var response = response
    let text = String(decoding: response.body, as: UTF8.self).replacing(old, with: new)
    response.body = Array(text.utf8)
    return response
  }

  @Test(
    "check and the log report a TLS certificate that has expired or expires soon",
    arguments: [
      (-1, 1, "has expired: it was valid until "), (2, 0, "expires soon: it is valid until "),
    ]
  )
  func ownCertificate(days: Int, status: Int32, words: String) async throws {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder, days: days)
      let files = ["--tls-certificate", authority.certificate, "--tls-key", authority.key]
      let check = try Program(["check", "--in-memory", "--port", "0"] + files)
      let output = await check.output().joined(separator: "\n")
      #expect(check.exitStatus() == status, "\(output)")
      #expect(output.contains("the TLS certificate \(words)"))
      #expect(output.contains("In the way: ") == (status == 1))
      #expect(output.contains("Ready.") == (status == 0))
      let serving = try Program(["--in-memory", "--port", "0"] + files)
      _ = try await serving.addresses(1)
      serving.end()
      #expect(serving.said.contains("warning the TLS certificate \(words)"), "\(serving.said)")
    }
  }

  @Test("check reports a TLS key that is open to others, and ends with 0")
  func openKey() async throws {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder)
      let files = ["--tls-certificate", authority.certificate, "--tls-key", authority.key]
      for (mode, isTold) in [(0o644, true), (0o600, false)] as [(mode_t, Bool)] {
        try #require(chmod(authority.key, mode) == 0)
        let check = try Program(["check", "--in-memory", "--port", "0"] + files)
        let output = await check.output().joined(separator: "\n")
        #expect(check.exitStatus() == 0, "\(output)")
        let words = "it is open to others: run chmod 600 \(authority.key)"
        #expect(output.contains(words) == isTold, "\(output)")
      }
    }
  }

  /// The answer with other first factors, if it is the environment.
  private static func offering(
    _ firstFactors: String,
    insteadOf pattern: Regex<Substring>,
    to request: Request,
    _ response: Response
  ) -> Response {
    guard request.path == "/v1/environment" else { return response }
    var response = response
    let text = String(decoding: response.body, as: UTF8.self)
      .replacing(pattern, with: #""first_factors":[\#(firstFactors)"#)
    response.body = Array(text.utf8)
    return response
  }

  @Test("social accounts alone make check end with 1; beside other ways they are a note")
  func socialAccounts() async throws {
    let alone = try await Self.check { request, response in
      let social = Self.offering(
        #""oauth_google"]"#,
        insteadOf: #/"first_factors":\[[^\]]*\]/#,
        to: request,
        response
      )
      return Self.replacing(
        #""used_for_first_factor":true"#,
        with: #""used_for_first_factor":false"#,
        in: social
      )
    }
    #expect(alone.status == 1)
    #expect(alone.output.contains("In the way: nobody can identify themselves on these pages"))
    #expect(!alone.output.contains("Ready."))
    let beside = try await Self.check { request, response in
      Self.offering(
        #""oauth_google","passkey","#,
        insteadOf: #/"first_factors":\[(?=")/#,
        to: request,
        response
      )
    }
    #expect(beside.status == 0)
    for fact in [
      "Note: no form here asks for oauth_google: anyone with no other way to sign in is sent to",
      "Note: no form here asks for passkey: anyone with no other way to sign in is told so",
      "Ready.",
    ] { #expect(beside.output.contains(fact), "\(beside.output)") }
  }

  @Test("several accounts in one browser are a note, and check ends with 0")
  func severalSessions() async throws {
    let (status, output, _) = try await Self.check { _, response in
      Self.replacing(
        #""single_session_mode":true"#,
        with: #""single_session_mode":false"#,
        in: response
      )
    }
    #expect(status == 0)
    #expect(output.contains("Note: the instance lets one browser be signed in to"), "\(output)")
    #expect(output.contains("Ready."))
  }

  @Test("check reports what the instance is and offers, and ends with 0")
  func ready() async throws {
    let (status, output, error) = try await Self.check()
    #expect(status == 0)
    #expect(error.isEmpty)
    for fact in [
      "Clerk Frontend API at https://127.0.0.1:", "name            Vestibule",
      "environment     development", "email_address", "email_code", "totp", "reset-password",
      "Ready.",
    ] { #expect(output.contains(fact), "\(fact)") }
  }

  @Test("a Native API that is off is named as the obstacle, and check ends with 1")
  func nativeAPIOff() async throws {
    let (status, output, _) = try await Self.check { _, response in
      Self.replacing(#""api_enabled":true"#, with: #""api_enabled":false"#, in: response)
    }
    #expect(status == 1)
    #expect(output.contains("In the way: the instance's Native API is off"))
    let refused = try await Self.check { request, response in
      guard request.path == "/v1/client" else { return response }
      return Response(
        status: .badRequest,
        body: Array(#"{"errors":[{"code":"native_api_disabled","message":"x"}]}"#.utf8)
      )
    }
    #expect(refused.status == 1)
    #expect(refused.output.contains("native_api_disabled"))
  }

  @Test(
    "an instance that describes itself but refuses the call behind every sign-in is not ready",
    arguments: [
      (
        403, #"{"errors":[{"code":"authorization_invalid","message":"no"}]}"#, 1,
        "In the way: the auth API refuses: authorization_invalid, no"
      ),
      (200, "<html>Hello</html>", 1, "In the way: no Clerk instance answers at this address"),
      (503, "", 69, "the auth API is out of reach: it answers with the status 503"),
      (
        500, "<html>Oops</html>", 69, "the auth API is out of reach: it answers with the status 500"
      ),
      (429, "", 69, "the auth API is out of reach: it answers with the status 429"),
    ]
  )
  func refusesClients(code: Int, body: String, status: Int32, words: String) async throws {
    let checked = try await Self.check { request, response in
      guard request.path == "/v1/client" else { return response }
      return Response(status: HTTPResponse.Status(code: code), body: Array(body.utf8))
    }
    #expect(checked.status == status)
    #expect(checked.output.contains(words))
    #expect(!checked.output.contains("Ready."))
  }

  @Test("check refuses, as a start does, a key open to others and a certificate without its key")
  func whatAStartRefuses() async throws {
    try await withTemporaryFolder { folder in
      let keys = "\(folder)/sealing-keys"
      try Data(repeating: 7, count: 32).base64EncodedString()
        .write(toFile: keys, atomically: true, encoding: .utf8)
      chmod(keys, 0o644)
      let others = "\(folder)/others"
      try FileManager.default.createDirectory(atPath: others, withIntermediateDirectories: true)
      let (own, other) = (try TestAuthority(in: folder), try TestAuthority(in: others))
      for (options, complaint) in [
        (["--data", folder], "The key file is open to others"),
        (["--tls-certificate", own.certificate, "--tls-key", other.key], "HTTPS cannot be served"),
      ] {
        let program = try Program(["check"] + options)
        _ = await program.output()
        #expect(program.exitStatus() == 78, "\(options)")
        #expect(program.said.contains(complaint), "\(options)")
      }
    }
  }

  @Test("a key of another type of instance is questioned, and check ends with 1")
  func wrongKey() async throws {
    let (status, output, _) = try await Self.check(prefix: "pk_live_")
    #expect(status == 1)
    #expect(output.contains("is it the right key?"))
  }

  @Test(
    "check says that no Clerk instance answers at the address, and ends with 1",
    arguments: [
      (404, #"{"errors":[{"code":"resource_not_found","message":"not found"}]}"#),
      (400, #"{"errors":[{"code":"host_invalid","message":"Invalid host"}]}"#),
      (200, "<html>Hello</html>"), (404, "not found"),
    ]
  )
  func noInstance(code: Int, body: String) async throws {
    let (status, output, _) = try await Self.check { _, _ in
      Response(status: HTTPResponse.Status(code: code), body: Array(body.utf8))
    }
    #expect(status == 1)
    #expect(output.contains("In the way: no Clerk instance answers at this address"))
  }

  @Test("a certificate that is not trusted, or is for another name, makes check end with 69 (S26)")
  func certificates() async throws {
    let untrusted = try await Self.check(trusts: false)
    #expect(untrusted.status == 69)
    #expect(untrusted.error.contains("not signed by an authority that is trusted here"))
    let other = try await Self.check(names: "DNS:elsewhere.test")
    #expect(other.status == 69)
    #expect(other.error.contains("a certificate for another name"))
  }

  @Test("if nothing listens, check says in one line that the API is out of reach: 69")
  func unreachable() async throws {
    let program = try Program(["check", "--port", "0", "--frontend-api-url", "https://127.0.0.1:9"])
    _ = await program.output()
    #expect(program.exitStatus() == 69)
    #expect(
      program.said == "vestibule: The auth API is out of reach: nothing listens at 127.0.0.1:9\n"
    )
  }

  @Test("check says how an answer fails: one that breaks off ends it with 69, one too large with 1")
  func brokenAnswers() async throws {
    for (fault, status, line) in [
      ("truncated", 69, "the auth API is out of reach: %@ breaks off its answer before the end"),
      ("huge", 1, "the answer of %@ is too large"),
    ] as [(String, Int32, String)] {
      let emulator = try Program(["emulate", "--port", "0", "--in-memory"])
      defer { emulator.end() }
      let address = try await emulator.addresses(1)[0]
      let (code, _) = try Command.run([
        "curl", "-sf", "-H", "X-Vestibule-Backstage: 1", "-H", "Content-Type: application/json",
        "-d", #"{"fault":"\#(fault)"}"#, "\(address)backstage/api/faults",
      ])
      try #require(code == 0)
      let check = try Program(["check", "--port", "0", "--frontend-api-url", address])
      let output = await check.output()
      #expect(check.exitStatus() == status, "\(output)")
      let authority = address.dropFirst("http://".count).dropLast()
      let words = line.replacing("%@", with: authority)
      #expect(output.contains("In the way: \(words)"), "\(output)")
    }
  }

  @Test("a proxy is used if an option names it, and proxy variables are not read (S26)")
  func proxy() async throws {
    let proxy = "http://127.0.0.1:1"
    let named = try Program(
      ["check", "--frontend-api-url", "https://x.invalid", "--upstream-proxy", proxy]
    )
    _ = await named.output()
    #expect(named.exitStatus() == 69)
    #expect(named.said.contains("nothing listens at the proxy 127.0.0.1:1\n"))
    let variables = ["https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"]
    let unread = try Program(
      ["check", "--port", "0", "--frontend-api-url", "https://127.0.0.1:9"],
      environment: Dictionary(uniqueKeysWithValues: variables.map { ($0, proxy) })
    )
    _ = await unread.output()
    #expect(unread.said.contains("nothing listens at 127.0.0.1:9\n"))
  }

  @Test("a redirect is not followed, whatever it leads to (S26)")
  func redirect() async throws {
    let canary = Atomic(0)
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder)
      try await withSecureServer(
        authority,
        { _ in
          FunctionHandler { _ in
            canary.add(1, ordering: .relaxed)
            return Response(status: .ok)
          }
        }
      ) { canaryPort in
        try await withSecureServer(
          authority,
          { _ in
            FunctionHandler { request in
              Response(
                status: .temporaryRedirect,
                headerFields: [.location: "https://127.0.0.1:\(canaryPort)\(request.target)"]
              )
            }
          }
        ) { port in
          let program = try Program(
            ["check", "--port", "0", "--frontend-api-url", "https://127.0.0.1:\(port)"],
            environment: ["SSL_CERT_FILE": authority.authority]
          )
          let output = await program.output()
          #expect(program.exitStatus() == 1)
          let line =
            "In the way: the address answers with a redirect (status 307), which is not followed"
          #expect(output.contains(line), "\(output)")
        }
      }
    }
    #expect(canary.load(ordering: .relaxed) == 0)
  }

  @Test("given the key alone, the pages relay to it: ada signs in over TLS")
  func relay() async throws {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder)
      try await withSecureServer(authority, { try Self.instance($0) }) { port in
        let program = try Program(
          [
            "--publishable-key", Self.key("127.0.0.1:\(port)"), "--port", "0", "--in-memory",
          ],
          environment: ["SSL_CERT_FILE": authority.authority]
        )
        defer { program.end() }
        let pages = try HTTPClientTransport(to: BaseURL(try await program.addresses(1)[0]))
        let result = await Result {
          let ada = FormSession(over: recorded(pages))
          let account = try await ada.signIn("ada@example.com")
          #expect(account.page == "account")
          let signedOut = try await ada.signOut()
          #expect(signedOut.page == "sign-in")
          // With a real API there is no workbench, and only one world.
          let backstage = try await ada.send(.get, "/backstage")
          #expect(backstage.status == .notFound)
        }
        await pages.shutdown()
        try result.get()
      }
    }
  }

  @Test("the files that options name may be pipes")
  func pipes() async throws {
    let script = """
      exec "$0" check --in-memory --port 0 --instance <(echo '{"code_attempts": 4}') \
        --users <(echo '[{"email_addresses": ["quay@example.com"]}]') \
        --brand <(echo '{"name": "Quay"}') --key-file <(head -c 32 /dev/zero | base64)
      """
    let program = try Program(
      ["-c", script, Program.executable().path],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    let output = await program.output()
    #expect(program.exitStatus() == 0, "\(program.said)")
    #expect(output.contains("Ready."))
  }

  @Test("a certificate and its key may come through pipes, for however many ports")
  func pipedCertificate() async throws {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder)
      let script = """
        exec "$0" --port 0 --in-memory --emulator-port 0 \
          --tls-certificate <(cat "$1") --tls-key <(cat "$2")
        """
      let program = try Program(
        ["-c", script, Program.executable().path, authority.certificate, authority.key],
        executable: URL(fileURLWithPath: "/bin/bash")
      )
      defer { program.end() }
      #expect(try await program.addresses(2).count == 2)
    }
  }

  @Test("check says what the start says about a data folder, and leaves the folder as it is")
  func dataFolder() async throws {
    try await withTemporaryFolder { folder in
      let (damaged, filed) = ("\(folder)/damaged", "\(folder)/filed")
      try writeFile(String(repeating: "garbage ", count: 1000), to: "\(damaged)/main.sqlite")
      try writeFile("", to: "\(filed)/main.sqlite/file")
      var folders = [
        damaged, filed, "\(damaged)/main.sqlite", "\(damaged)/main.sqlite/below",
        // The system makes no folders there, even for the superuser.
        "/proc/vestibule", "/proc/vestibule/below",
      ]
      // A mode does not stop the superuser.
      if geteuid() != 0 {
        let closed = "\(folder)/closed"
        try writeFile("", to: "\(folder)/locked/main.sqlite")
        try FileManager.default.createDirectory(
          atPath: closed,
          withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o500]
        )
        try #require(chmod("\(folder)/locked/main.sqlite", 0o400) == 0)
        folders += [closed, "\(closed)/a/b", "\(folder)/locked"]
      }
      for data in folders {
        let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        let check = try Program(["check", "--port", "0", "--data", data])
        _ = await check.output()
        #expect(check.exitStatus() == 78, "\(data)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
        let start = try Program(["--port", "0", "--data", data])
        if await !start.output(1).isEmpty { start.end() }
        #expect(start.exitStatus() == 78, "\(data)")
        #expect(check.said == start.said)
      }
    }
  }

  @Test("a proxy that no call goes through is noted, and not listed as one in use")
  func unusedProxy() async throws {
    let proxy = ["--upstream-proxy", "http://127.0.0.1:1"]
    let emulated = try Program(["check", "--in-memory", "--port", "0"] + proxy)
    let output = await emulated.output()
    #expect(emulated.exitStatus() == 0)
    let note = "Note: --upstream-proxy has no effect: the auth API is emulated"
    #expect(output.contains(note) && output.last == "Ready.", "\(output)")
    let instance = try Program(["emulate", "--in-memory", "--port", "0"])
    defer { instance.end() }
    let address = try await instance.addresses(1)[0]
    let near = try Program(
      ["check", "--in-memory", "--port", "0", "--frontend-api-url", address] + proxy
    )
    let lines = await near.output()
    #expect(near.exitStatus() == 0, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Note: --upstream-proxy has no effect: an auth API on") })
    #expect(!lines.contains { $0.hasPrefix("  through ") })
  }

  @Test("the emulated API is checked too, without a port or a folder")
  func emulated() async throws {
    try await withTemporaryFolder { folder in
      let program = try Program(["check", "--port", "0", "--data", "\(folder)/data"])
      let output = await program.output().joined(separator: "\n")
      #expect(program.exitStatus() == 0)
      #expect(output.contains("emulated Clerk"))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/data"))
    }
  }
}
