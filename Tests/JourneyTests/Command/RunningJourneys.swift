import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import VestibuleTesting

@Suite("A running program", .inTurn)
struct RunningJourneys {
  static func plain(_ arguments: [String]) -> [String] {
    ["--port", "0", "--in-memory"] + arguments
  }

  /// Runs the program and a browser in front of its pages.
  static func withPages(
    _ arguments: [String],
    environment: [String: String] = [:],
    trusting roots: [String] = [],
    _ body: (Program, HTTPClientTransport) async throws -> Void
  ) async throws {
    let program = try Program(arguments, environment: environment)
    defer { program.end() }
    let address = try await program.addresses(1)[0]
    let transport = try HTTPClientTransport(
      to: try BaseURL(address.replacing("127.0.0.1", with: "localhost")),
      additionalTrustRoots: roots
    )
    let result = await Result { try await body(program, transport) }
    await transport.shutdown()
    try result.get()
  }

  /// The status for each host, asked by curl.
  private static func statuses(_ address: String, _ hosts: [String]) throws -> [String] {
    try hosts.map { host in
      try Command.run([
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", address,
      ]).output
    }
  }

  @Test("a world's host is answered at the port of the public address, too (S2)")
  func publicPort() async throws {
    let program = try Program(
      Self.plain([
        "--public-url", "http://localhost:9000", "--emulator-port", "0",
        "--emulator-public-url", "http://localhost:4444",
      ])
    )
    defer { program.end() }
    let addresses = try await program.addresses(2)
    let pages = ["team-a.localhost:9000", "localhost:9000", "team-a.localhost:4444"]
    #expect(try Self.statuses("\(addresses[0])sign-in", pages) == ["200", "200", "400"])
    let api = ["team-a.localhost:4444", "localhost:4444", "team-a.localhost:9000"]
    #expect(try Self.statuses("\(addresses[1])v1/environment", api) == ["200", "200", "400"])
  }

  @Test("an emulated API is served at the address that it names")
  func otherLoopback() async throws {
    let program = try Program(["emulate", "--host", "127.0.0.2", "--port", "0", "--in-memory"])
    defer { program.end() }
    let address = try await program.addresses(1)[0]
    let host = String(address.dropFirst("http://".count).dropLast())
    #expect(host.hasPrefix("127.0.0.2:"))
    #expect(try Self.statuses("\(address)v1/environment", [host]) == ["200"])
  }

  @Test("a service manager is told when it is ready, and when it stops")
  func supervised() async throws {
    try await withTemporaryFolder { folder in
      let socket = try NotificationSocket(at: "\(folder)/notify")
      let program = try Program(Self.plain([]), environment: ["NOTIFY_SOCKET": socket.path])
      let address = try await program.addresses(1)[0]
      #expect(try await socket.message() == "READY=1")
      #expect(address.hasPrefix("http://"))
      #expect(program.end() == 0)
      #expect(try await socket.message() == "STOPPING=1")
    }
  }

  @Test("it says where it listens, pages first, and ends with 0", arguments: [SIGINT, SIGTERM])
  func readyLines(signal: Int32) async throws {
    let program = try Program(Self.plain(["--emulator-port", "0"]))
    let lines = await program.output(2)
    #expect(lines[0].wholeMatch(of: #/Listening on http://127\.0\.0\.1:\d+/ \(pages\)/#) != nil)
    #expect(
      lines[1].wholeMatch(of: #/Listening on http://127\.0\.0\.1:\d+/ \(emulated clerk\)/#) != nil
    )
    #expect(program.end(signal) == 0)
  }

  private static func status(_ path: String, _ transport: HTTPClientTransport) async throws -> Int {
    try await transport.send(Request(method: .get, target: path)).status.code
  }

  /// Asks whether it is ready until it says that it is not.
  private static func untilNotReady(_ transport: HTTPClientTransport) async throws {
    let end = ContinuousClock.now + .seconds(8)
    while try await status("/readyz", transport) == 200 {
      try #require(ContinuousClock.now < end)
    }
  }

  @Test("/readyz says that the program is stopping before it stops (S33)")
  func stoppingIsTold() async throws {
    try await Self.withPages(Self.plain([])) { program, transport in
      for _ in 0..<2 { #expect(try await Self.status("/readyz", transport) == 200) }
      kill(program.id, SIGTERM)
      try await Self.untilNotReady(transport)
      for _ in 0..<2 {
        #expect(try await Self.status("/sign-in", transport) == 200)
        #expect(try await Self.status("/readyz", transport) == 503)
      }
      #expect(program.exitStatus() == 0)
    }
  }

  /// Waits until the program works on a request.
  private static func untilInWork(at metrics: String) async throws {
    let isInWork = try await eventually {
      try MetricsJourneys.figures(at: metrics).sum("vestibule_http_requests_in_work") == 1
    }
    #expect(isInWork)
  }

  @Test("a stop does not wait for a call that waits for a message")
  func stoppingEndsWaiting() async throws {
    try await Self.withPages(Self.plain(["--metrics-port", "0"])) { program, transport in
      let metrics = try await program.addresses(1)[0]
      async let latest = transport.send(
        Request(
          method: .get,
          target: "/backstage/api/messages/latest?to=nobody@example.com&wait=30",
          headerFields: [.vestibuleBackstage: "1"]
        )
      )
      try await Self.untilInWork(at: metrics)
      #expect(program.end() == 0)
      // At the end of the grace period the server would have refused it itself, in other words.
      let answer = try await latest
      #expect(answer.status.code == 503)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.contains(#""code":"stopping""#))
      #expect(text.contains("no longer waits for messages"))
    }
  }

  @Test("a stop does not wait for a call that a fault delays, which is carried out at once")
  func stoppingEndsDelays() async throws {
    try await Self.withPages(Self.plain(["--metrics-port", "0"])) { program, transport in
      let metrics = try await program.addresses(1)[0]
      let slow = #"{"match": {"path": "/v1/client/sign_ins"}, "delay_ms": 60000}"#
      _ = try await TestBackstage(over: transport).call(.post, "faults", json: slow)
      let browser = FormSession(over: transport)
      try await browser.open("/sign-in")
      let signIn = try await browser.filled([
        "identifier": "ada@example.com", "password": password,
      ])
      async let answer = browser.send(.post, signIn.form.action, body: signIn.body)
      try await Self.untilInWork(at: metrics)
      #expect(program.end() == 0)
      // Held for longer than a page waits, it would have been answered with an error.
      #expect(try await answer.headerFields[.location] == "/account")
    }
  }

  /// Whether a port takes no connections any more, in the end.
  static func isClosed(_ address: String) async throws -> Bool {
    let port = try #require(URL(string: address)?.port)
    return try await eventually {
      do {
        close(try LoopbackSocket.connect(to: port))
        return false
      } catch {
        return true
      }
    }
  }

  @Test("during a stop, a request on a kept connection is told that the service is stopping")
  func stoppingIsSaid() async throws {
    let program = try Program(Self.plain(["--metrics-port", "0"]))
    defer { program.end(SIGKILL) }
    let addresses = try await program.addresses(2)
    let pages = try BaseURL(addresses[0].replacing("127.0.0.1", with: "localhost"))
    let (page, probe) = (try HTTPClientTransport(to: pages), try HTTPClientTransport(to: pages))
    let result = await Result {
      #expect(try await Self.status("/sign-in", page) == 200)
      #expect(try await Self.status("/readyz", probe) == 200)
      let port = try #require(Int(addresses[0].dropLast().split(separator: ":").last ?? ""))
      // The stop waits for a form that has begun to arrive.
      let form = LoopbackConnection(descriptor: try LoopbackSocket.connect(to: port))
      defer { close(form.descriptor) }
      let head = [
        "POST /sign-in HTTP/1.1", "Host: localhost:\(port)",
        "Content-Type: application/x-www-form-urlencoded", "Content-Length: 99", "", "form_token=",
      ]
      #expect(form.write(head.joined(separator: "\r\n")))
      try await Self.untilInWork(at: addresses[1])
      kill(program.id, SIGTERM)
      #expect(try await Self.isClosed(addresses[0]))
      let ready = try await probe.send(Request(method: .get, target: "/readyz"))
      #expect(ready.status.code == 503)
      #expect(String(decoding: ready.body, as: UTF8.self) == "stopping")
      var request = Request(method: .get, target: "/sign-in")
      request.headerFields[.accept] = "application/json"
      let refused = try await page.send(request)
      #expect(refused.status.code == 503)
      #expect(String(decoding: refused.body, as: UTF8.self).contains(#""code":"stopping""#))
    }
    for transport in [page, probe] { await transport.shutdown() }
    try result.get()
  }

  @Test("/readyz and the log say when the data file has been removed")
  func removedData() async throws {
    try await withTemporaryFolder { folder in
      let data = "\(folder)/data"
      let gone = "main.sqlite is no longer in the data folder"
      try await Self.withPages(["--port", "0", "--data", data]) { program, transport in
        #expect(try await Self.status("/readyz", transport) == 200)
        try FileManager.default.removeItem(atPath: data)
        for _ in 0..<2 {
          let answer = try await transport.send(Request(method: .get, target: "/readyz"))
          #expect(answer.status.code == 503)
          #expect(String(decoding: answer.body, as: UTF8.self) == gone)
        }
        let told = program.said.split(separator: "\n").filter { $0.contains(" error not ready ") }
        #expect(told.count == 1, "\(program.said)")
        #expect(told.first?.hasSuffix(" folder=\(data) reason=\(gone)") == true)
      }
    }
  }

  /// Sets how large the program's files may grow, in bytes; nil lifts the limit.
  private static func limitFiles(of program: Program, to size: Int?) throws {
    let limit = size.map { "\($0)" } ?? "unlimited"
    let (status, _) = try Command.run([
      "prlimit", "--pid", "\(program.id)", "--fsize=\(limit):",
    ])
    try #require(status == 0)
  }

  @Test("after a refused write /readyz is 503 until a whole call could be stored, as the log says")
  func noRoom() async throws {
    try await withTemporaryFolder { folder in
      try await Self.withPages(["--port", "0", "--data", folder]) { program, transport in
        let account = Request(
          method: .post,
          target: "/backstage/api/users",
          headerFields: [.vestibuleBackstage: "1", .contentType: "application/json"],
          body: Array(#"{"email_addresses":["new@example.com"]}"#.utf8)
        )
        #expect(try await Self.status("/readyz", transport) == 200)
        let log = try FileManager.default.attributesOfItem(atPath: "\(folder)/main.sqlite-wal")
        let size = try #require(log[.size] as? Int)
        // Room for three more pages of 4 KB with their heads: a probe needs one, an account six.
        try Self.limitFiles(of: program, to: size + 3 * 4120)
        #expect(try await Self.status("/readyz", transport) == 200)
        #expect(try await transport.send(account).status.code == 503)
        for _ in 0..<2 { #expect(try await Self.status("/readyz", transport) == 503) }
        try Self.limitFiles(of: program, to: nil)
        #expect(try await Self.status("/readyz", transport) == 200)
        #expect(try await transport.send(account).status.code == 200)
        let told = program.said.split(separator: "\n").filter { $0.contains(" ready") }
        #expect(told.count == 2, "\(program.said)")
        #expect(told.first?.contains(" error not ready ") == true)
        #expect(told.first?.contains("reason=the database cannot be written") == true)
        #expect(told.last?.hasSuffix(" notice ready again") == true)
      }
    }
  }

  @Test("the log says at the start what is running and where it listens")
  func started() async throws {
    let program = try Program(Self.plain(["--emulator-port", "0"]))
    let addresses = try await program.addresses(2)
    #expect(program.end() == 0)
    let lines = program.said.split(separator: "\n")
    let line = try #require(lines.first { $0.contains(" info started ") }, "\(lines)")
    #expect(line.contains(" listening=\(addresses[0]) (pages), \(addresses[1]) (emulated clerk) "))
    #expect(line.contains(#/ version=0\.[0-9]+\.[0-9]+$/#))
    #expect(line.contains(#/ keys=[0-9a-f]{8} /#))
  }

  @Test(
    "in the log of programs each address has a field of its own",
    arguments: [
      ([], ["pages"]),
      (["--emulator-port", "0", "--metrics-port", "0"], ["pages", "emulator", "metrics"]),
      (["emulate", "--api", "entra", "--metrics-port", "0"], ["emulator", "metrics"]),
    ] as [([String], [String])]
  )
  func startedForPrograms(arguments: [String], roles: [String]) async throws {
    let program = try Program(
      arguments + ["--port", "0", "--in-memory", "--log-format", "json"]
    )
    let addresses = try await program.addresses(roles.count)
    #expect(program.end() == 0)
    let lines = program.said.split(separator: "\n")
    let line = try #require(lines.first { $0.contains(#""message":"started""#) }, "\(lines)")
    let object = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    #expect(roles.compactMap { object[$0] } == addresses)
    let others = Set(["pages", "emulator", "metrics"]).subtracting(roles)
    #expect(others.allSatisfy { object[$0] == nil })
  }

  @Test("an older program's database is brought up to date, and the log says so, once")
  func upgrade() async throws {
    try await withTemporaryFolder { folder in
      let (status, _) = try Command.run([
        "python3", "-c",
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())",
        "\(folder)/main.sqlite", "\(ProjectFolder.schemas)/1-1.sql",
      ])
      try #require(status == 0)
      for count in [1, 0] {
        let program = try Program(["--port", "0", "--data", folder])
        defer { program.end() }
        _ = try await program.addresses(1)
        let told = program.said.split(separator: "\n").filter {
          $0.contains(" notice database upgraded folder=\(folder) from=1 to=")
        }
        #expect(told.count == count, "\(program.said)")
      }
    }
  }

  @Test("a stop leaves the database on disk as one file, without a write-ahead log (S25)")
  func stoppingCloses() async throws {
    try await withTemporaryFolder { folder in
      try await Self.withPages(["--port", "0", "--data", folder]) { program, transport in
        #expect(try await Self.status("/sign-in", transport) == 200)
        #expect(program.end() == 0)
        let files = try Self.databaseFiles(in: folder)
        #expect(files == ["main.sqlite"])
      }
    }
  }

  @Test("a stop that cannot write the log into the database warns of it, and nothing is lost")
  func stoppingWithoutRoom() async throws {
    try await withTemporaryFolder { folder in
      let program = try Program(["--port", "0", "--data", folder])
      defer { program.end() }
      _ = try await program.addresses(1)
      // Far less than the database needs, and more than the program's own log.
      try Self.limitFiles(of: program, to: 16 * 1024)
      #expect(program.end() == 0)
      let warnings = program.said.split(separator: "\n").filter {
        $0.contains(" warning the database's log could not be written into it ")
      }
      #expect(warnings.count == 1, "\(program.said)")
      #expect(warnings.first?.contains(" folder=\(folder)") == true)
      #expect(try Self.databaseFiles(in: folder).contains("main.sqlite-wal"))
      try await Self.withPages(["--port", "0", "--data", folder]) { again, transport in
        let status = try await Self.status("/readyz", transport)
        #expect(status == 200)
        #expect(again.end() == 0)
        #expect(!again.said.contains(" warning "), "\(again.said)")
      }
      let files = try Self.databaseFiles(in: folder)
      #expect(files == ["main.sqlite"])
    }
  }

  static func databaseFiles(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasPrefix("main.sqlite")
    }
  }

  @Test("a second signal stops the program without waiting for running requests, in an orderly way")
  func stoppingWithoutGrace() async throws {
    try await withTemporaryFolder { folder in
      let program = try Program(["--port", "0", "--data", folder])
      defer { program.end(SIGKILL) }
      let addresses = try await program.addresses(1)
      let held = try HeldForm(at: addresses[0])
      defer { held.end() }
      let asked = ContinuousClock.now
      kill(program.id, SIGTERM)
      let isStopping = try await eventually { program.said.contains(" info stopping") }
      #expect(isStopping)
      kill(program.id, SIGINT)
      #expect(program.exitStatus() == 0)
      // The grace is ten seconds.
      #expect(ContinuousClock.now - asked < .seconds(8))
      #expect(try Self.databaseFiles(in: folder) == ["main.sqlite"])
    }
  }

  @Test("a second signal stops the program without waiting for others to hear of the stop")
  func stoppingAtOnce() async throws {
    try await Self.withPages(Self.plain([])) { program, transport in
      // A probe every three seconds is waited for twice as long, unless the stop is hurried.
      #expect(try await Self.status("/readyz", transport) == 200)
      let nothing = try await transport.send(
        Request(
          method: .get,
          target: "/backstage/api/messages/latest?to=nobody@example.com&wait=3",
          headerFields: [.vestibuleBackstage: "1"]
        )
      )
      #expect(nothing.status == .notFound)
      #expect(try await Self.status("/readyz", transport) == 200)
      let asked = ContinuousClock.now
      kill(program.id, SIGTERM)
      let isStopping = try await eventually { program.said.contains(" info stopping") }
      #expect(isStopping)
      kill(program.id, SIGTERM)
      #expect(program.exitStatus() == 0)
      #expect(ContinuousClock.now - asked < .seconds(5))
    }
  }

  @Test("variables set what options set, and an option wins")
  func variables() async throws {
    let variables = [
      "VESTIBULE_PORT": "1", "VESTIBULE_IN_MEMORY": "1", "VESTIBULE_EMULATOR_PORT": "0",
      "VESTIBULE_LOG_LEVEL": "",
    ]
    let program = try Program(["--port", "0"], environment: variables)
    let addresses = try await program.addresses(2)
    #expect(!addresses[0].hasSuffix(":1/"))
    #expect(program.end() == 0)
  }

  @Test("certificate authorities are not read for an emulated API, which has no use for them")
  func inheritedAuthorities() async throws {
    let program = try Program(Self.plain([]), environment: ["SSL_CERT_FILE": "/nonexistent"])
    _ = try await program.addresses(1)
    #expect(program.end() == 0)
  }

  @Test("only its owner can read the sealing key, which outlives a restart")
  func key() async throws {
    try await withTemporaryFolder { folder in
      let data = "\(folder)/data"
      let arguments = ["--data", data]
      var cookies: [String: String] = [:]
      // Cookies are named after the public address: the same one for both runs.
      let address = ["--public-url", "http://localhost:8080", "--port", "0"]
      try await Self.withPages(arguments + address) { _, transport in
        let ada = FormSession(over: recorded(transport))
        let account = try await ada.signIn("ada@example.com")
        #expect(account.page == "account")
        cookies = await ada.cookies
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(data)/sealing-keys")
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: data).count(where: {
          $0.hasPrefix("sealing-keys")
        }) == 1
      )
      try await Self.withPages(arguments + address) { [cookies] _, transport in
        let ada = FormSession(over: recorded(transport))
        await ada.replaceCookies(cookies)
        let afterRestart = try await ada.open("/account")
        #expect(afterRestart.page == "account")
      }
    }
  }

  @Test("a program warns that another one serves from its data folder, and serves")
  func sharedFolder() async throws {
    try await withTemporaryFolder { folder in
      let arguments = ["--data", folder, "--port", "0"]
      let first = try Program(arguments)
      defer { first.end() }
      _ = try await first.addresses(1)
      let second = try Program(arguments)
      defer { second.end() }
      _ = try await second.addresses(1)
      #expect(second.said.contains("warning data folder shared folder=\(folder)"))
      #expect(!first.said.contains("data folder shared"))
      first.end()
      second.end()
      let third = try Program(arguments)
      defer { third.end() }
      _ = try await third.addresses(1)
      #expect(!third.said.contains("data folder shared"))
    }
  }

  @Test("several processes that start at once in one folder make a single key")
  func sharedKey() async throws {
    try await withTemporaryFolder { folder in
      let emulator = try Program(["emulate", "--port", "0", "--in-memory"])
      defer { emulator.end() }
      let arguments = [
        "--data", folder, "--port", "0", "--public-url", "http://localhost:8080",
        "--frontend-api-url", try await emulator.addresses(1)[0],
      ]
      let programs = try (0..<4).map { _ in try Program(arguments) }
      defer { for program in programs { program.end() } }
      var account: [String: String] = [:]
      for program in programs {
        let address = try await program.addresses(1)[0]
        let transport = try HTTPClientTransport(
          to: try BaseURL(address.replacing("127.0.0.1", with: "localhost"))
        )
        let ada = FormSession(over: recorded(transport))
        let result: Result<PageSnapshot, any Error> = await Result {
          guard account.isEmpty else {
            await ada.replaceCookies(account)
            return try await ada.open("/account")
          }
          return try await ada.signIn("ada@example.com")
        }
        account = await ada.cookies
        await transport.shutdown()
        #expect(try result.get().page == "account")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
          $0.hasPrefix("sealing-keys")
        } == ["sealing-keys"]
      )
    }
  }

  @Test("it serves HTTPS: Secure cookies with their prefix, and HSTS (S8, S11)")
  func https() async throws {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder)
      let arguments = ["--tls-certificate", authority.certificate, "--tls-key", authority.key]
      try await Self.withPages(Self.plain(arguments), trusting: [authority.authority]) {
        program,
        transport in
        let ada = FormSession(over: recorded(transport))
        let page = try await ada.send(.get, "/sign-in")
        #expect(page.headerFields[.strictTransportSecurity] == "max-age=31536000")
        let cookie = try #require(page.headerFields[.setCookie])
        #expect(cookie.hasPrefix("__Host-vestibule-"))
        #expect(cookie.contains("; Secure"))
        let account = try await ada.signIn("ada@example.com")
        #expect(account.page == "account")
        for target in ["/sign-in?language=de", "/sign-in?present", "/backstage/users?present"] {
          let answer = try await ada.send(.get, target)
          let cookies = answer.headerFields[values: .setCookie]
          #expect(!cookies.isEmpty, "\(target)")
          #expect(
            cookies.allSatisfy { $0.hasPrefix("__Host-vestibule") && $0.contains("; Secure") }
          )
        }
        _ = try await ada.beginRecording()
        #expect(await ada.cookies.keys.contains("__Host-vestibule-recording"))
        #expect(await ada.cookies.keys.allSatisfy { $0.hasPrefix("__Host-vestibule") })
      }
    }
  }

  @Test("the emulated API serves HTTPS too, and names its https address in its documents")
  func emulatorOverHTTPS() async throws {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder)
      let program = try Program([
        "emulate", "--port", "0", "--in-memory", "--tls-certificate", authority.certificate,
        "--tls-key", authority.key,
      ])
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      #expect(address.hasPrefix("https://"))
      let (_, document) = try Command.run([
        "curl", "-s", "--cacert", authority.authority,
        "\(address).well-known/openid-configuration",
      ])
      #expect(
        document.replacing("\\/", with: "/").contains(#""issuer":"\#(address.dropLast())""#)
      )
    }
  }

  /// The issuer that the emulator's own document names, and the host that was asked.
  private static func issuer(
    _ arguments: [String],
    fields: [String] = []
  ) async throws -> (issuer: String, host: String) {
    let program = try Program(["emulate", "--port", "0", "--in-memory"] + arguments)
    defer { program.end() }
    let address = try await program.addresses(1)[0]
    let (_, text) = try Command.run(
      ["curl", "-s"] + fields.flatMap { ["-H", $0] }
        + ["\(address).well-known/openid-configuration"]
    )
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let issuer = try #require(document?["issuer"] as? String)
    let keys = try #require(document?["jwks_uri"] as? String)
    #expect(keys.hasPrefix("\(issuer)/"))
    return (issuer, String(address.dropFirst(7).dropLast()))
  }

  @Test("behind a proxy the emulated API names its public address")
  func emulatorPublicURL() async throws {
    let named = try await Self.issuer(["--public-url", "https://id.example.test"])
    #expect(named.issuer == "https://id.example.test")
    let host = ["Host: id.example.test"]
    let asked = try await Self.issuer(["--public-url", "https://id.example.test"], fields: host)
    #expect(asked.issuer == "https://id.example.test")
  }

  @Test(
    "the emulated instance leads to the pages, wherever they are",
    arguments: [nil, "https://login.example.test"]
  )
  func pagesOfInstance(publicURL: String?) async throws {
    let program = try Program(
      Self.plain(["--emulator-port", "0"] + (publicURL.map { ["--public-url", $0] } ?? []))
    )
    defer { program.end() }
    let addresses = try await program.addresses(2)
    for (world, host) in [("main", "127.0.0.1"), ("team-a", "team-a.localhost")] {
      let (_, text) = try Command.run([
        "curl", "-s", "-H", "X-Vestibule-World: \(world)", "\(addresses[1])v1/environment",
      ])
      let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let display = document?["display_config"] as? [String: Any]
      let pages = publicURL.map { "\($0)/" } ?? addresses[0].replacing("127.0.0.1", with: host)
      #expect(display?["sign_in_url"] as? String == "\(pages)sign-in")
      #expect(display?["home_url"] as? String == pages)
    }
  }

  @Test("the scheme that a trusted proxy forwards is the one that the emulated API names")
  func forwardedScheme() async throws {
    let fields = ["X-Forwarded-Proto: https"]
    let trusted = try await Self.issuer(["--trusted-proxy", "127.0.0.1"], fields: fields)
    #expect(trusted.issuer == "https://\(trusted.host)")
    let foreign = try await Self.issuer(["--trusted-proxy", "10.0.0.1"], fields: fields)
    #expect(foreign.issuer == "http://\(foreign.host)")
  }

  @Test("a certificate and a key that do not belong together stop the start")
  func foreignKey() async throws {
    try await withTemporaryFolder { folder in
      let authority = try TestAuthority(in: folder)
      let program = try Program(
        Self.plain([
          "--tls-certificate", authority.authority, "--tls-key", authority.key,
        ])
      )
      #expect(program.exitStatus() == 78)
      #expect(program.said.split(separator: "\n").last?.hasPrefix("vestibule: HTTPS can") == true)
    }
  }

  @Test("an allowed host is answered with the port that is served, or without a port (S2)")
  func allowedHost() async throws {
    let program = try Program(Self.plain(["--allow-host", "door.test"]))
    defer { program.end() }
    let address = try await program.addresses(1)[0]
    let port = try #require(address.dropLast().split(separator: ":").last)
    for (host, status) in [
      ("door.test:\(port)", "200"), ("door.test", "200"), ("door.test:1", "400"),
      ("other.test:\(port)", "400"),
    ] {
      let (_, code) = try Command.run([
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)",
        "\(address)sign-in",
      ])
      #expect(code == status, "\(host)")
    }
  }

  @Test("the emulated API's refusal of a host has the reference that its SDK looks for (E7)")
  func refusedHost() async throws {
    let program = try Program(["emulate"] + Self.plain([]))
    defer { program.end() }
    let address = try await program.addresses(1)[0]
    let (_, text) = try Command.run([
      "curl", "-s", "-H", "Host: other.test", "\(address)v1/environment",
    ])
    let refusal = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let errors = refusal?["errors"] as? [[String: Any]]
    #expect(errors?.first?["code"] as? String == "host_invalid")
    #expect((refusal?["clerk_trace_id"] as? String)?.count == 32)
  }

  @Test("if few open files are allowed, it says so and serves fewer connections")
  func fewFiles() async throws {
    let program = try Program(
      ["-c", "ulimit -n 300 && exec \"$0\" --port 0 --in-memory", Program.executable().path],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    _ = try await program.addresses(1)
    #expect(program.said.contains("few connections"))
    #expect(program.said.contains("connections=140 wanted=1024"))
    #expect(program.end() == 0)
  }

  @Test("a soft limit on open files is raised to what is needed, and core dumps are off")
  func softLimit() async throws {
    let program = try Program(
      [
        "-c", "ulimit -S -n 256 && exec \"$0\" --port 0 --in-memory --log-level debug",
        Program.executable().path,
      ],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    _ = try await program.addresses(1)
    let limits = try String(contentsOfFile: "/proc/\(program.id)/limits", encoding: .utf8)
    let line = try #require(
      limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    )
    let soft = try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) })
    #expect(soft >= 1_184)
    let cores = try #require(
      limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    )
    #expect(cores.split(separator: " ")[4] == "0")
    #expect(!program.said.contains("few connections"))
    #expect(program.end() == 0)
  }

  @Test("stopping runs no finaliser of a library, which threads may still be using")
  func finalizers() async throws {
    // The loader reports which libraries it initialises and finalises.
    let program = try Program(
      ["--port", "0", "--in-memory"],
      environment: ["LD_DEBUG": "files"]
    )
    _ = try await program.addresses(1)
    #expect(program.end() == 0)
    let said = program.said
    #expect(said.contains("calling init"))
    #expect(!said.contains("calling fini"))
  }
}
