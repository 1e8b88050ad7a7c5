import Foundation
import Testing
import TestSupport

@Suite("A start that is refused", .inTurn)
struct RefusedStartJourneys {
  struct Row: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var variables: [String: String] = [:]
    var status: Int32
    /// What the one line names.
    var names: String

    init(
      _ arguments: [String],
      _ status: Int32,
      _ names: String,
      _ variables: [String: String] = [:]
    ) {
      self.arguments = arguments
      self.variables = variables
      self.status = status
      self.names = names
    }

    var testDescription: String {
      (arguments + variables.map { "\($0)=\($1)" }).joined(separator: " ")
    }
  }

  static let rows = [
    Row(["--bogus"], 64, "see vestibule serve --help"),
    Row(["run", "true"], 64, "the command goes after --: vestibule run [options] -- COMMAND"),
    Row(["check", "--bogus"], 64, "see vestibule check --help"),
    Row(["serve", "extra"], 64, "extra"),
    Row(["emulate", "--public", "Public"], 64, "--public"),
    Row(["help", "sevre"], 64, "There is no command sevre (see vestibule --help)"),
    Row(["help", "serve", "more"], 64, "There is no command serve more"),
    Row(["--port", "eighty"], 64, "--port"), Row(["--port", "65536"], 64, "--port"),
    Row(["--port", "-1"], 64, "--port"), Row(["--port"], 64, "--port"),
    Row(["--api", "saml"], 64, "--api"), Row(["--throttle", "maybe"], 64, "--throttle"),
    Row(["--language", "tlh"], 64, "--language"), Row(["--log-level", "loud"], 64, "--log-level"),
    Row(["--log-format", "xml"], 64, "--log-format"),
    Row(["--trusted-proxy", "proxy.local"], 64, "--trusted-proxy"),
    Row(["eject", "--out", ""], 64, "--out is empty"),
    Row(["atlas", "--out", ""], 64, "--out is empty"),
    Row(["atlas", "--out", "/tmp", "--language", "tlh"], 64, "--language is not a language"),
    Row(["--data", ""], 64, "--data is empty"),
    Row([], 78, "VESTIBULE_PORT", ["VESTIBULE_PORT": "eighty"]),
    Row([], 78, "VESTIBULE_LANGUAGE", ["VESTIBULE_LANGUAGE": "tlh"]),
    Row(["emulate", "--brand", "/nonexistent"], 78, "/nonexistent"),
    Row(["emulate", "--templates", "/nonexistent"], 78, "/nonexistent"),
    Row(["atlas", "--out", "/tmp", "--brand", "/nonexistent"], 78, "/nonexistent"),
    Row([], 78, "VESTIBULE_IN_MEMORY", ["VESTIBULE_IN_MEMORY": "perhaps"]),
    Row(
      [],
      78,
      "There is no setting VESTIBULE_PROT. Did you mean VESTIBULE_PORT?",
      ["VESTIBULE_PROT": "8080"]
    ),
    Row(
      ["--frontend-api-url", "http://127.0.0.1:9"],
      78,
      "SSL_CERT_FILE",
      ["SSL_CERT_FILE": "/nonexistent"]
    ),
    Row(
      ["--frontend-api-url", "https://x.example", "--upstream-proxy", "socks5://127.0.0.1:9"],
      78,
      "--upstream-proxy is invalid: a proxy must be http://HOST:PORT"
    ),
    Row(
      ["--upstream-proxy", "foo"],
      78,
      "--upstream-proxy is invalid: a proxy must be http://HOST:PORT"
    ),
    Row(["--publishable-key", "pk_test_x"], 78, "--publishable-key is invalid: what follows"),
    Row(["--frontend-api-url", "http://127.0.0.1:9/v1"], 78, "leave off /v1 at its end"),
    Row(["--frontend-api-url", "http://clerk.example.com"], 78, "https"),
    Row(["--frontend-api-url", "https://user@clerk.example.com"], 78, "user name"),
    Row(["--frontend-api-url", "ftp://localhost"], 78, "https"),
    Row(["--frontend-api-url", "http://127.0.0.1:9", "--emulator-port", "0"], 78, "emulator"),
    Row(
      ["--api", "entra", "--publishable-key", "x"],
      78,
      "--publishable-key is only for --api clerk"
    ),
    Row(["--api", "clerk", "--client-id", "x"], 78, "--client-id is only for --api entra"),
    Row(["--scopes", "openid"], 78, "--scopes is only for --api entra"),
    Row(
      ["check", "--api", "entra", "--scopes", "api://orders/Read api://billing/Write"],
      78,
      "--scopes names scopes of api://orders and of api://billing"
    ),
    Row(
      ["--frontend-api-url", "http://127.0.0.1:1", "--users", "u.json"],
      78,
      "--users is only for the emulated API"
    ),
    Row(["--in-memory", "--data", "d"], 78, "--in-memory and --data cannot be combined"),
    Row(["--api", "entra", "--authority", "https://x.example/t"], 78, "--authority is alone"),
    Row(["--port", "9", "--emulator-port", "9"], 78, "both the pages and the"),
    Row(["check", "--port", "9", "--metrics-port", "9"], 78, "Port 9 cannot serve both"),
    Row(["--host", "0.0.0.0"], 78, "--allow-non-loopback"),
    Row(["--host", "0.0.0.0", "--frontend-api-url", "https://x.example"], 78, "plain http"),
    Row(["emulate", "--host", "0.0.0.0"], 78, "--allow-non-loopback"),
    Row(["--host", "somewhere"], 78, "\"somewhere\" is not an address to listen on"),
    Row(["--host", "256.1.1.1"], 78, "\"256.1.1.1\" is not an address to listen on"),
    Row(["--host", ""], 78, "\"\" is not an address to listen on"),
    Row(["--host", "somewhere", "--allow-non-loopback"], 78, "not an address"),
    Row(["--public-url", "localhost:8080"], 78, "public URL"),
    Row(["--public-url", "http://localhost:8080/path"], 78, "public URL must end after"),
    Row(
      ["--public-url", "http://user:password@localhost"],
      78,
      "public URL must not carry a user name or a password\n"
    ),
    Row(["--public-url", "http://example.test"], 78, "or add --allow-non-loopback"),
    Row(["emulate", "--public-url", "id.example.test"], 78, "public URL"),
    Row(["--emulator-public-url", "https://id.example.test"], 78, "--emulator-port"),
    Row(["--allow-redirect-origin", "https://*.example.com"], 78, "wildcard"),
    Row(["--allow-redirect-origin", "https://app.example.com/path"], 78, "redirect origin"),
    Row(["--allow-host", "*.example.com"], 78, "wildcard"),
    Row(["--allow-host", ""], 78, "The allowed host is empty"),
    Row([], 78, "The allowed host is empty", ["VESTIBULE_ALLOW_HOST": "a.example, ,b.example"]),
    Row(["--templates", "/nonexistent"], 78, "/nonexistent"),
    Row(["--public", "/nonexistent"], 78, "/nonexistent"),
    Row(["--key-file", "/nonexistent"], 78, "/nonexistent: No such file or directory"),
    Row(["--key-file", "/tmp"], 78, "/tmp: Is a directory"),
    Row(["--data", "/etc/passwd"], 78, "created: /etc/passwd: it exists, but is not a folder"),
    Row(["--data", "/dev/null"], 78, ": --data names another, --in-memory keeps none\n"),
    Row(
      ["check", "--data", "/dev/null"],
      78,
      "created: /dev/null: it exists, but is not a folder"
    ),
    Row(["--data", "/dev/null"], 78, "created: /dev/null: it exists, but is not a folder"),
    Row(["--tls-key", "/nonexistent"], 78, "--tls-certificate"),
    Row(["--tls-key", "/nonexistent", "--tls-certificate", "/nonexistent"], 78, "/nonexistent"),
    Row(["--tls-key", "Makefile", "--tls-certificate", "Makefile"], 78, "PEM"),
    Row(["--users", "/nonexistent"], 78, "/nonexistent"),
    Row(["--instance", "/nonexistent"], 78, "/nonexistent"),
    Row(["--brand", "/nonexistent"], 78, "/nonexistent"),
    Row(["--brand", "templates/brands/harbour/logo.svg"], 78, "it is not JSON"),
  ]

  @Test("one clear line on standard error, nothing on standard output, the right code (S30)")
  func table() async throws {
    for row in Self.rows {
      let program = try Program(
        row.arguments,
        environment: ["VESTIBULE_PORT": "0"].merging(row.variables) { $1 }
      )
      // At most the first line: a program that starts after all is not waited for.
      let output = await program.output(1)
      if !output.isEmpty { program.end() }
      #expect(program.exitStatus() == row.status, "\(row.testDescription)")
      #expect(output.isEmpty, "\(row.testDescription)")
      let lines = program.said.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 2 && lines.last == "", "\(row.testDescription): \(lines)")
      #expect(program.said.hasPrefix("vestibule: "), "\(row.testDescription)")
      #expect(program.said.contains(row.names), "\(row.testDescription): \(program.said)")
    }
  }

  @Test(
    "if the log is JSON, the refusal is one line of JSON, with the same exit code",
    arguments: [
      ["serve"], ["emulate"], ["run"], ["check"],
      ["story", "ada", "--key-file", "/nonexistent"],
    ]
  )
  func json(command: [String]) async throws {
    let program = try Program(
      command + ["--in-memory", "--tls-certificate", "/nonexistent", "--tls-key", "/nonexistent"]
        + (command == ["run"] ? ["--", "true"] : []),
      environment: ["VESTIBULE_LOG_FORMAT": "json", "VESTIBULE_PORT": "0"]
    )
    #expect(program.exitStatus() == 78)
    let line = Data(program.said.utf8)
    let object = try JSONSerialization.jsonObject(with: line) as? [String: String]
    #expect(program.said.filter { $0 == "\n" }.count == 1)
    #expect(object?["message"] == "not started")
    #expect(object?["level"] == "error")
    #expect(object?["reason"]?.contains("/nonexistent") == true)
  }

  @Test(
    "a bad file is named, with the place of the mistake in it",
    arguments: [
      ("--users", #"[{"id":"a"},{"id":5}]"#, "[1].id"),
      ("--users", #"[{"username":"a"},{"username":"A"}]"#, "'[1].username': 'a' is taken"),
      ("--users", #"[{"email":"x"}]"#, "'email': known keys are id, email_addresses, "),
      ("--users", #"[{"#, "not JSON"),
      ("--users", #"{}"#, ""), ("--instance", #"{"code_attempts":"five"}"#, "code_attempts"),
      ("--instance", #"{"lockout":5}"#, "'lockout': known keys are sign_up_mode, "),
      ("--instance", #"[]"#, ""),
    ]
  )
  func files(option: String, text: String, place: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/bad.json"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let program = try Program([option, path, "--port", "0", "--in-memory"])
      #expect(program.exitStatus() == 78)
      #expect(program.said.contains(path))
      #expect(place.isEmpty || program.said.contains(place))
      #expect(program.said.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("a port in use ends the start with 69, and names the option that chooses another")
  func takenPort() async throws {
    let first = try Program(["--port", "0", "--in-memory"])
    defer { first.end() }
    let address = try await first.addresses(1)[0]
    let port = try #require(address.dropLast().split(separator: ":").last)
    for (arguments, option) in [
      (["serve", "--port", "\(port)"], "--port"), (["emulate", "--port", "\(port)"], "--port"),
      (["serve", "--port", "0", "--emulator-port", "\(port)"], "--emulator-port"),
      (["serve", "--port", "0", "--metrics-port", "\(port)"], "--metrics-port"),
      (["emulate", "--port", "0", "--metrics-port", "\(port)"], "--metrics-port"),
      (["run", "--port", "\(port)", "--", "true"], "--port"),
    ] {
      // `--in-memory` must not come after the command of `run`.
      let second = try Program([arguments[0], "--in-memory"] + arguments.dropFirst())
      #expect(await second.output().isEmpty)
      #expect(second.exitStatus() == 69)
      let words = "port \(port) on 127.0.0.1 is already in use: \(option) chooses another"
      #expect(second.said.contains(words), "\(second.said)")
    }
  }

  @Test("check only notes a port that is taken: the program may be serving there already")
  func checkedPort() async throws {
    let first = try Program(["--port", "0", "--in-memory"])
    defer { first.end() }
    let address = try await first.addresses(1)[0]
    let port = String(try #require(address.dropLast().split(separator: ":").last))
    for (arguments, option) in [
      (["--port", port], "--port"), (["--port", "0", "--metrics-port", port], "--metrics-port"),
    ] {
      let check = try Program(["check", "--in-memory"] + arguments)
      let output = await check.output()
      #expect(check.exitStatus() == 0)
      let note =
        "Note: port \(port) on 127.0.0.1 is already in use: \(option) chooses another (0: a free one)"
      #expect(output.suffix(2) == [note, "Ready."], "\(output)")
    }
    // The program that serves there has not noticed.
    #expect(first.isRunning)
  }

  @Test(
    "check of templates also refuses what a start refuses",
    arguments: [
      (["--key-file", "/nonexistent"], "/nonexistent"),
      (["--host", "0.0.0.0"], "--allow-non-loopback"),
      (["--port", "9", "--emulator-port", "9"], "both the pages and the"),
      (["--public-url", "ftp://x"], "public URL"),
      (["--tls-certificate", "/nonexistent", "--tls-key", "/nonexistent"], "/nonexistent"),
    ] as [([String], String)]
  )
  func checkedBesides(arguments: [String], reason: String) async throws {
    try await withTemporaryFolder { folder in
      let program = try Program(["check", "--in-memory", "--templates", folder] + arguments)
      _ = await program.output()
      #expect(program.exitStatus() == 78)
      #expect(program.said.contains(reason), "\(program.said)")
    }
  }

  @Test("without libcurl, a start over a real API ends with 69, but an emulated API is served")
  func withoutLibcurl() async throws {
    try await withTemporaryFolder { folder in
      // These are found before the installed ones, and cannot be loaded.
      for name in ["libcurl-gnutls.so.4", "libcurl.so.4"] {
        try Data().write(to: URL(filePath: "\(folder)/\(name)"))
      }
      let without = ["LD_LIBRARY_PATH": folder]
      let real = ["--frontend-api-url", "http://127.0.0.1:9"]
      for arguments in [real + ["--port", "0", "--in-memory"], ["check"] + real] {
        let program = try Program(arguments, environment: without)
        #expect(await program.output().isEmpty)
        #expect(program.exitStatus() == 69)
        #expect(program.said.contains("libcurl 7.87 or newer, which is not installed"))
        #expect(program.said.filter { $0 == "\n" }.count == 1)
      }
      let emulated = try Program(["--port", "0", "--in-memory"], environment: without)
      defer { emulated.end() }
      #expect(try await emulated.addresses(1).count == 1)
    }
  }

  @Test(
    "check refuses what a start refuses, and accepts what a start accepts",
    arguments: [
      (["--host", "example.com", "--allow-non-loopback"], 78, "not an address"),
      (["--emulator-port", "4444", "--emulator-public-url", "bad"], 78, "public URL"),
      (["--public-url", "http://example.test"], 78, "begin it with https://"),
      (["--public-url", "http://example.test", "--allow-non-loopback"], 0, ""),
      (["--port", "0"], 0, ""), (["--port", "0", "--emulator-port", "0"], 0, ""),
    ] as [([String], Int32, String)]
  )
  func checked(arguments: [String], status: Int32, reason: String) async throws {
    let program = try Program(
      ["check", "--in-memory"] + arguments,
      environment: ["VESTIBULE_PORT": "0"]
    )
    let output = await program.output()
    #expect(program.exitStatus() == status)
    #expect(reason.isEmpty ? program.said.isEmpty : program.said.contains(reason))
    #expect(output.contains("Ready.") == (status == 0))
  }

  @Test("an atlas that cannot be written is reported in one clear line")
  func unwritableAtlas() async throws {
    try await withTemporaryFolder { folder in
      let file = "\(folder)/file"
      try Data().write(to: URL(filePath: file))
      let program = try Program(["atlas", "--out", file])
      #expect(program.exitStatus() == 78)
      #expect(
        program.said == "vestibule: The atlas cannot be written to \(file): Not a directory\n"
      )
    }
  }

  /// Starts the program, or another of its commands, under a limit of the shell.
  private static func start(_ arguments: [String], under limit: String) throws -> Program {
    try Program(
      ["-c", #"ulimit \#(limit); exec "$0" "$@""#, Program.executable().path] + arguments,
      executable: URL(fileURLWithPath: "/bin/bash")
    )
  }

  @Test("a start without memory for its threads says so in one line, with 69, and does not hang")
  func littleMemory() async throws {
    let program = try Self.start(["--port", "0", "--in-memory"], under: "-v 250000 -s 8192")
    #expect(await program.output().isEmpty)
    #expect(program.exitStatus() == 69)
    #expect(program.said.hasPrefix("vestibule: The system cannot start"), "\(program.said)")
    #expect(program.said.contains("(ulimit -v, now 250000 KB)"), "\(program.said)")
    #expect(program.said.filter { $0 == "\n" }.count == 1)
  }

  @Test("a database that may not grow ends the start with 69, and the line says what to do")
  func limitedFiles() async throws {
    try await withTemporaryFolder { folder in
      let program = try Self.start(["--port", "0", "--data", folder], under: "-f 20")
      #expect(await program.output().isEmpty)
      #expect(program.exitStatus() == 69)
      #expect(program.said.contains("files may not grow that far (ulimit -f)"), "\(program.said)")
      #expect(program.said.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("a start that waits for a pipe ends when it is told to")
  func waiting() async throws {
    try await withTemporaryFolder { folder in
      let pipe = "\(folder)/keys"
      try #require(mkfifo(pipe, 0o600) == 0)
      let program = try Program(["--port", "0", "--in-memory", "--key-file", pipe])
      // It can be opened for writing once the program reads it; this does not block until then.
      var writing: CInt = -1
      defer { if writing >= 0 { close(writing) } }
      let isRead = try await eventually {
        writing = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return writing >= 0 || !program.isRunning
      }
      #expect(program.end() == SIGTERM && isRead, "\(program.said)")
    }
  }

  @Test("the command may be left out, and must come before its options")
  func command() async throws {
    let program = try Program(["serve", "--port", "0", "--in-memory"])
    defer { program.end() }
    #expect(try await program.addresses(1).count == 1)
    let refused = try Program(["--port", "0", "serve"])
    #expect(refused.exitStatus() == 64)
  }

  @Test(
    "help and version go to standard output, and the exit code is 0",
    arguments: ["--help", "--version"]
  )
  func asked(option: String) async throws {
    let program = try Program([option])
    let output = await program.output()
    #expect(program.exitStatus() == 0)
    #expect(program.said.isEmpty)
    #expect(output.first?.isEmpty == false)
    if option == "--version" {
      let parts =
        #/vestibule 0\.\d+\.\d+ \((commit [0-9a-f]+\+?, )?libmicrohttpd 0\.\d.*, SQLite 3\.\d.*\)/#
      #expect(output.first?.wholeMatch(of: parts) != nil, "\(output)")
    }
  }
}
