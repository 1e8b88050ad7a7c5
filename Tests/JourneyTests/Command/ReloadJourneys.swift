import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import VestibuleTesting

@Suite("Files that are read again on SIGHUP", .inTurn)
struct ReloadJourneys {
  struct Failure: Error, CustomStringConvertible { var description: String }

  /// Sends SIGHUP and waits until the program says what came of it.
  ///
  /// - Returns: The one line that it says.
  @discardableResult
  private static func reload(_ program: Program) async throws -> String {
    func told() -> [String] {
      program.said.split(separator: "\n").map(String.init).filter { $0.contains("reloaded") }
    }
    let before = told().count
    kill(program.id, SIGHUP)
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      let lines = told()
      if lines.count > before {
        #expect(lines.count == before + 1)
        return lines[before]
      }
      await Task.yield()
    }
    throw Failure(description: "nothing came of SIGHUP: \(program.said)")
  }

  private static func write(_ keys: [String], to path: String) throws {
    // Replaced as a whole: a reader meanwhile gets either the old file or the new one.
    try keys.joined(separator: "\n").write(
      toFile: path + ".new",
      atomically: false,
      encoding: .utf8
    )
    chmod(path + ".new", 0o600)
    rename(path + ".new", path)
  }

  /// The marks of the keys in a line, beginning with that of the key that seals.
  private static func marks(in line: String) -> [Substring] {
    line.firstMatch(of: /\bkeys=([0-9a-f,]+)/)?.output.1.split(separator: ",") ?? []
  }

  private static func key(_ byte: UInt8) -> String {
    Data(repeating: byte, count: 32).base64EncodedString()
  }

  @Test(
    "a flow goes on as long as its key is in the file; a broken key file changes nothing (S12, S33)"
  )
  func keys() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/keys"
      let (old, new) = (Self.key(1), Self.key(2))
      try Self.write([old], to: path)
      try await RunningJourneys.withPages(RunningJourneys.plain(["--key-file", path])) {
        program,
        transport in
        let ezra = FormSession(over: transport)
        let asked = try await ezra.signIn("ezra@example.com")
        #expect(asked.page == "sign-in-second-factor")
        let tess = FormSession(over: transport)
        _ = try await tess.signIn("tess@example.com")

        try Self.write([new, old], to: path)
        let both = try await Self.reload(program)
        #expect(both.contains(" info reloaded"))
        // Marks allow replicas to be compared: the start's only key is now the second one.
        let started = program.said.split(separator: "\n").filter { $0.contains(" info started ") }
        let marks = Self.marks(in: both)
        #expect(started.count == 1 && marks.count == 2)
        #expect(started.map { Self.marks(in: String($0)) } == [Array(marks.suffix(1))])
        // The form is from before the reload: its token is of the old key, and so is the visit.
        let wrong = try await ezra.submit(["code": "000000"])
        #expect(wrong.status == 422)
        let reloaded = try await ezra.open("/sign-in/second-factor")
        #expect(reloaded.status == 200)

        try Self.write(["no key"], to: path)
        let line = try await Self.reload(program)
        #expect(line.contains(" error not reloaded "))
        #expect(line.contains("line 1 is not base64"))
        #expect(try await ezra.open("/sign-in/second-factor").status == 200)

        // Only what has been sealed again outlives the old key.
        try Self.write([new], to: path)
        let last = try await Self.reload(program)
        #expect(Self.marks(in: last) == Array(marks.prefix(1)))
        #expect(!program.said.contains("visit unreadable"))
        #expect(try await ezra.open("/sign-in/second-factor").page == "sign-in-second-factor")
        #expect(try await tess.open("/tasks/setup-mfa").page == "sign-in")
        let lost = "visit unreadable count=1 reason=it was sealed with a key that is unknown here"
        #expect(program.said.contains(" notice \(lost)"), "\(program.said)")
        #expect(program.isRunning)
      }
    }
  }

  @Test("without a file of keys, every visit outlives a reload")
  func keptKeys() async throws {
    try await RunningJourneys.withPages(RunningJourneys.plain([])) { program, transport in
      let ada = FormSession(over: transport)
      #expect(try await ada.signIn("ada@example.com").page == "account")
      try await Self.reload(program)
      #expect(try await ada.open("/account").page == "account")
    }
  }

  @Test("if the key of the data folder is gone, a reload makes no new one and changes nothing")
  func lostKey() async throws {
    try await withTemporaryFolder { folder in
      let data = "\(folder)/data"
      try await RunningJourneys.withPages(["--port", "0", "--data", data]) { program, transport in
        let ada = FormSession(over: transport)
        #expect(try await ada.signIn("ada@example.com").page == "account")
        for lost in ["\(data)/sealing-keys", data] {
          try FileManager.default.removeItem(atPath: lost)
          let line = try await Self.reload(program)
          #expect(line.contains(" error not reloaded "))
          #expect(line.contains("\(data)/sealing-keys: No such file or directory"))
          #expect(!FileManager.default.fileExists(atPath: lost))
          if lost != data { #expect(try await ada.open("/account").page == "account") }
        }
      }
    }
  }

  @Test("a reload says that a pipe cannot be read again, and does not wait for it")
  func pipe() async throws {
    let program = try Program(
      [
        "-c", #"exec "$0" --port 0 --in-memory --key-file <(echo "$1")"#,
        Program.executable().path, Self.key(1),
      ],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    defer { program.end() }
    _ = try await program.addresses(1)
    let line = try await Self.reload(program)
    #expect(line.contains(" error not reloaded "), "\(line)")
    #expect(line.contains(": only a regular file can be read again"), "\(line)")
    #expect(program.isRunning)
  }

  @Test("a new certificate is used from the next connection on; one without its key is refused")
  func certificate() async throws {
    try await withTemporaryFolder { folder in
      let folders = ["\(folder)/first", "\(folder)/second"]
      for folder in folders {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      let (first, second) = (try TestAuthority(in: folders[0]), try TestAuthority(in: folders[1]))
      let (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
      func install(_ certificateFile: String, _ keyFile: String) throws {
        for (source, target) in [(certificateFile, certificate), (keyFile, key)] {
          let bytes = try Data(contentsOf: URL(fileURLWithPath: source))
          try bytes.write(to: URL(fileURLWithPath: target))
          chmod(target, 0o600)
        }
      }
      func isAnswered(_ program: Program, _ address: String, trusting authority: TestAuthority)
        throws -> Bool
      {
        let (status, _) = try Command.run([
          "curl", "-s", "-o", "/dev/null", "--max-time", "20", "--cacert", authority.authority,
          "\(address)sign-in",
        ])
        return status == 0
      }
      try install(first.certificate, first.key)
      let program = try Program(
        RunningJourneys.plain(["--tls-certificate", certificate, "--tls-key", key])
      )
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      // This one keeps its connection, and trusts the first authority alone.
      let kept = try HTTPClientTransport(
        to: try BaseURL(address.replacing("127.0.0.1", with: "localhost")),
        additionalTrustRoots: [first.authority]
      )
      let result: Result<Void, any Error> = await Result {
        let ada = FormSession(over: kept)
        #expect(try await ada.open("/sign-in").status == 200)
        #expect(try isAnswered(program, address, trusting: first))

        try install(second.certificate, first.key)
        let line = try await Self.reload(program)
        #expect(line.contains(" error not reloaded ") && line.contains("HTTPS cannot be served"))
        #expect(try isAnswered(program, address, trusting: first))

        try install(second.certificate, second.key)
        #expect(try await Self.reload(program).contains(" info reloaded"))
        #expect(try isAnswered(program, address, trusting: second))
        #expect(try !isAnswered(program, address, trusting: first))
        #expect(try await ada.signIn("ada@example.com").page == "account")
      }
      await kept.shutdown()
      try result.get()
    }
  }

  @Test("brand, templates and words are read again, all or none")
  func look() async throws {
    try await withTemporaryFolder { folder in
      let brand = "\(folder)/brand.json"
      let templates = "\(folder)/templates"
      let template = "\(templates)/sign-in.mustache"
      try FileManager.default.createDirectory(atPath: templates, withIntermediateDirectories: true)
      func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
      try write(#"{"name": "Harbour"}"#, to: brand)
      try await RunningJourneys.withPages(
        RunningJourneys.plain(["--brand", brand, "--templates", templates])
      ) { program, transport in
        func page() async throws -> String {
          let request = Request(
            method: .get,
            target: "/sign-in",
            headerFields: [.accept: "text/html"]
          )
          return String(decoding: try await transport.send(request).body, as: UTF8.self)
        }
        #expect(try await page().contains("Harbour"))

        try write(#"{"name": "Lighthouse"}"#, to: brand)
        try write("{{#broken}}", to: template)
        let line = try await Self.reload(program)
        #expect(line.contains(" error not reloaded ") && line.contains("sign-in.mustache"))
        #expect(try await page().contains("Harbour"))

        try FileManager.default.removeItem(atPath: template)
        let german = "\(templates)/messages/de.json"
        try FileManager.default.createDirectory(
          atPath: "\(templates)/messages",
          withIntermediateDirectories: true
        )
        try write(#"{"sign-in.heading": "Willkommen",}"#, to: german)
        let told = try await Self.reload(program)
        #expect(told.contains(" error not reloaded ") && told.contains("messages/de.json:1:"))
        #expect(try await page().contains("Harbour"))

        try FileManager.default.removeItem(atPath: german)
        try await Self.reload(program)
        let renamed = try await page()
        #expect(renamed.contains("Lighthouse") && !renamed.contains("Harbour"))
        let ezra = FormSession(over: transport)
        _ = try await ezra.signIn("ezra@example.com")
        let mail = try await TestBackstage(over: transport).latestMessage(to: "ezra@example.com")
        #expect(mail.text.contains("Lighthouse"))
      }
    }
  }

  @Test("a reload reports broken words, even if files are watched (S33)")
  func watchedWords() async throws {
    try await withTemporaryFolder { folder in
      let messages = "\(folder)/messages"
      try FileManager.default.createDirectory(
        atPath: messages,
        withIntermediateDirectories: true
      )
      try await RunningJourneys.withPages(
        RunningJourneys.plain(["--templates", folder, "--reload-templates"])
      ) { program, _ in
        try #"{"sign-in.heading": "Hallo {x}"}"#
          .write(toFile: "\(messages)/de.json", atomically: true, encoding: .utf8)
        let told = try await Self.reload(program)
        #expect(told.contains(" error not reloaded ") && told.contains("messages/de.json:1:"))
        try FileManager.default.removeItem(atPath: "\(messages)/de.json")
        let mended = try await Self.reload(program)
        #expect(!mended.contains("not reloaded"))
      }
    }
  }

  @Test("a service manager is told when files are read again, and then what came of it")
  func supervised() async throws {
    try await withTemporaryFolder { folder in
      let socket = try NotificationSocket(at: "\(folder)/notify")
      let path = "\(folder)/keys"
      try Self.write([Self.key(1)], to: path)
      let program = try Program(
        RunningJourneys.plain(["--key-file", path]),
        environment: ["NOTIFY_SOCKET": socket.path]
      )
      defer { program.end() }
      _ = try await program.addresses(1)
      #expect(try await socket.message() == "READY=1")
      for (key, status) in [
        (Self.key(2), "reloaded"), ("no key", "not reloaded: The key file's line 1 is not base64"),
      ] {
        try Self.write([key], to: path)
        kill(program.id, SIGHUP)
        let message = try await socket.message()
        #expect(message.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+/) != nil, "\(message)")
        let outcome = try await socket.message()
        #expect(outcome.hasPrefix("READY=1\nSTATUS=\(status)"), "\(outcome)")
      }
    }
  }

  @Test("a service manager hears of a stop after the reload that it comes in, not before")
  func stoppedMeanwhile() async throws {
    try await withTemporaryFolder { folder in
      let socket = try NotificationSocket(at: "\(folder)/notify")
      let program = try Program(
        RunningJourneys.plain([]),
        environment: ["NOTIFY_SOCKET": socket.path]
      )
      defer { program.end() }
      _ = try await program.addresses(1)
      #expect(try await socket.message() == "READY=1")
      kill(program.id, SIGHUP)
      #expect(try await socket.message().hasPrefix("RELOADING=1\n"))
      kill(program.id, SIGTERM)
      #expect(try await socket.message() == "READY=1\nSTATUS=reloaded")
      #expect(try await socket.message() == "STOPPING=1")
      #expect(program.exitStatus() == 0)
    }
  }

  @Test("a request that runs while files are read again is answered")
  func running() async throws {
    try await RunningJourneys.withPages(RunningJourneys.plain([])) { program, transport in
      let sessions = (0..<20).map { FormSession(over: transport, world: "w\($0)") }
      try await withThrowingTaskGroup(of: String.self) { group in
        for session in sessions {
          group.addTask { try await session.signIn("ada@example.com").page }
        }
        for _ in 0..<3 { try await Self.reload(program) }
        for try await page in group { #expect(page == "account") }
      }
    }
  }
}
