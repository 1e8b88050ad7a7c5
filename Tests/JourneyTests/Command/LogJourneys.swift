import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing
import Vestibule
import VestibuleTesting

@Suite("What the program logs", .inTurn)
struct LogJourneys {
  @Test("each line is one JSON object with a time in UTC, and none has a secret (S28, S29)")
  func canaries() async throws {
    let program = try Program(
      ["--port", "0", "--in-memory", "--log-level", "trace", "--log-format", "json"]
    )
    defer { program.end() }
    let pages = try HTTPClientTransport(to: BaseURL(try await program.addresses(1)[0]))
    let played = await Result { try await play(over: pages) }
    await pages.shutdown()
    let secrets = try played.get()
    #expect(program.end() == 0)
    let log = program.said
    for secret in secrets { #expect(!log.contains(secret), "\(secret.prefix(20))") }
    var messages: [String] = []
    for line in log.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let time = try #require(object?["time"] as? String)
      #expect(time.hasSuffix("Z"))
      messages.append(object?["message"] as? String ?? "")
    }
    for event in ["refused", "signed in", "turned away", "stopping"] {
      #expect(messages.contains(event), "\(event)")
    }
  }

  @Test("a start warns of an emulated API at a public address, and check notes it, unless allowed")
  func openToAll() async throws {
    let words =
      "everybody who reaches the public address can use the emulated API and backstage, "
      + "and record what others type, passwords too"
    let options = [
      "--port", "0", "--in-memory", "--public-url", "https://sign-in.example.com",
      "--trusted-proxy", "127.0.0.1",
    ]
    for (meant, isTold) in [([], true), (["--allow-non-loopback"], false)] as [([String], Bool)] {
      let program = try Program(options + meant)
      _ = try await program.addresses(1)
      program.end()
      #expect(program.said.contains(" warning \(words) ") == isTold, "\(program.said)")
      let check = try Program(["check"] + options + meant)
      let output = await check.output()
      #expect(check.exitStatus() == 0)
      let note = "Note: \(words): https://sign-in.example.com: "
      #expect(output.contains { $0.hasPrefix(note) } == isTold, "\(output)")
    }
  }

  @Test(
    "a password that an auth API repeats in place of its own words is in no log and on no page (S28)",
    arguments: Stage.API.allCases
  )
  func repeated(api: Stage.API) async throws {
    // It could pass for the name of a call.
    let canary = "CANARYpw77"
    let log = LogRecorder()
    var configuration = try Stage.Setting().configuration(over: api)
    configuration.aroundEmulator = { RepeatingAPI(api: api, emulator: $0) }
    let vestibule = try TestVestibule(configuration, logger: log.logger)
    let browser = vestibule.session(world: "repeating")
    let page = try await browser.signIn("ada@example.com", canary)
    #expect(page.status >= 400)
    #expect(!String(decoding: page.body, as: UTF8.self).contains(canary))
    #expect(log.lines.contains { $0.hasPrefix("refused ") }, "\(log.lines)")
    #expect(!log.lines.contains { $0.contains(canary) }, "\(log.lines)")
  }

  @Test("if nobody reads the log, requests are still answered and the program still ends")
  func unread() async throws {
    try await withTemporaryFolder { folder in
      // These are more lines than a pipe holds. What it held is read at the end.
      let script = """
        exec 2>&1
        # The tests have settings of their own, which the program does not know.
        unset "${!VESTIBULE_@}"
        mkfifo log ready
        exec 3<> log
        "$1" --port 0 --in-memory > ready 2> log &
        read -r -t 120 _ _ address _ < ready || { echo "not ready: $?"; timeout 1 cat <&3; exit 1; }
        curl -s -m 60 -o /dev/null -w '%{http_code}\\n' "${address}nothing?[1-1200]" | sort | uniq -c
        kill $!
        timeout 60 tail --pid=$! -f /dev/null && echo ended
        timeout 5 cat <&3 | grep -c "turned away"
        """
      let run = try Command.run([
        "bash", "-c", "cd '\(folder)' && \(script)", "bash", try Program.executable().path,
      ])
      let lines = run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(lines.prefix(2) == ["1200 404", "ended"], "\(run.status): \(run.output)")
      let count = try #require(lines.last.flatMap { Int($0) })
      #expect((100..<1200).contains(count))
    }
  }

  @Test("a line for systemd's journal begins with its priority, but a line of JSON does not")
  func journal() async throws {
    for (format, begin) in [("text", "<6>2"), ("json", "{")] {
      let program = try Program(
        [
          "-c",
          #"JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$0" --port 0 --in-memory "$@""#,
          Program.executable().path, "--log-format", format,
        ],
        executable: URL(fileURLWithPath: "/bin/bash")
      )
      _ = try await program.addresses(1)
      #expect(program.end() == 0)
      let lines = program.said.split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(begin) }, "\(lines)")
    }
  }

  @Test("refusals on ports without pages are logged, too (S29)")
  func otherPorts() async throws {
    let program = try Program([
      "--port", "0", "--in-memory", "--emulator-port", "0", "--metrics-port", "0",
    ])
    defer { program.end() }
    for address in try await program.addresses(3).dropFirst() {
      let evil = try Command.run(["curl", "-s", "-H", "Host: evil", address])
      #expect(evil.output.contains("--allow-host"))
    }
    #expect(program.end() == 0)
    let events = program.said.split(separator: "\n").filter { $0.contains("turned away") }
    #expect(events.map { $0.contains("code=host_invalid") } == [true, true])
    #expect(events.allSatisfy { $0.contains("host=evil") })
    #expect(events.contains { $0.contains("listener=emulator") })
    #expect(events.contains { $0.contains("listener=metrics") })
  }

  @Test("errors that backstage rehearses are not logged (S29)")
  func rehearsal() async throws {
    let program = try Program(["--port", "0", "--in-memory", "--log-level", "trace"])
    defer { program.end() }
    let pages = try HTTPClientTransport(to: BaseURL(try await program.addresses(1)[0]))
    let played = await Result {
      var errors = Data()
      // It takes a while; asking again waits for the same rehearsal.
      for _ in 0..<8 where errors.isEmpty {
        errors = (try? await TestBackstage(over: pages).call(.get, "errors")) ?? Data()
      }
      let browser = FormSession(over: pages)
      try await browser.open("/sign-in")
      try await browser.submit(["identifier": "ada@example.com", "password": "not it"])
      return String(decoding: errors, as: UTF8.self)
    }
    await pages.shutdown()
    #expect(try played.get().contains("form_password_incorrect"))
    #expect(program.end() == 0)
    let events = program.said.split(separator: "\n").filter {
      ["refused", "signed in", "turned away"].contains(where: $0.contains)
    }
    #expect(events.count == 1 && events[0].contains("world=main"), "\(events.prefix(3))")
  }

  @Test("a silent auth API is a warning with the reason", arguments: Stage.API.allCases)
  func whyNoAnswer(api: Stage.API) async throws {
    let options = TwoProcesses.options(for: api, at: "http://127.0.0.1:9/")
    let program = try Program(["serve", "--port", "0", "--in-memory"] + options)
    defer { program.end() }
    let pages = try HTTPClientTransport(to: BaseURL(try await program.addresses(1)[0]))
    let asked = await Result { try await FormSession(over: pages).signIn("ada@example.com") }
    await pages.shutdown()
    _ = try asked.get()
    #expect(program.said.contains("nothing listens at 127.0.0.1:9"), "\(program.said)")
    #expect(program.said.contains(" warning the auth API does not answer "), "\(program.said)")
  }

  @Test(
    "an unforeseen failure is logged under the reference in its answer",
    arguments: Stage.API.allCases
  )
  func references(api: Stage.API) async throws {
    try await withTemporaryFolder { folder in
      let program = try Program(
        ["emulate", "--api", api.rawValue, "--port", "0", "--data", folder]
      )
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      let transport = try HTTPClientTransport(to: BaseURL(address))
      let met = await Result {
        try loseContacts(in: folder)
        return [
          try await reference(of: beginning(api), over: transport),
          try await reference(of: Self.users, over: transport),
        ]
      }
      await transport.shutdown()
      for reference in try met.get() { #expect(program.said.contains("trace=\(reference)")) }
    }
  }

  /// A call of the emulated API.
  private func beginning(_ api: Stage.API) -> Request {
    let (target, form): (String, FormData) =
      switch api {
      case .clerk: ("/v1/client/sign_ins?_is_native=1", ["identifier": "ada@example.com"])
      case .entra:
        (
          "/vestibule.onmicrosoft.com/oauth2/v2.0/initiate",
          [
            "client_id": "5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911", "username": "ada@example.com",
            "challenge_type": "password redirect",
          ]
        )
      }
    return Request(
      method: .post,
      target: target,
      headerFields: [.contentType: "application/x-www-form-urlencoded"],
      body: form.encoded
    )
  }

  /// A call of backstage.
  private static let users = Request(
    method: .get,
    target: "/backstage/api/users",
    headerFields: [.vestibuleBackstage: "1"]
  )

  /// Takes a table away behind the program's back.
  private func loseContacts(in folder: String) throws {
    let (status, _) = try Command.run([
      "python3", "-c",
      """
      import glob, sqlite3, sys
      for path in glob.glob(sys.argv[1] + "/*.sqlite"):
          sqlite3.connect(path).execute("DROP TABLE contact")
      """,
      folder,
    ])
    #expect(status == 0)
  }

  private func reference(
    of request: Request,
    over transport: HTTPClientTransport
  ) async throws -> String {
    let response = try await transport.send(request)
    #expect(response.status.code == 503)
    let text = String(decoding: response.body, as: UTF8.self)
    let found = text.firstMatch(
      of: /(?:"clerk_trace_id":"|"trace_id":"|"reference":")([^"]+)"/
    )
    return String(try #require(found, "\(text)").output.1)
  }

  /// Makes mistakes and signs in, and returns everything that must not be in a log.
  private func play(over pages: HTTPClientTransport) async throws -> [String] {
    var secrets = ["canary-password", "walk-right-in-42", "canary-person", "987123", "mia@example"]
    let mia = FormSession(over: recorded(pages))
    try await mia.open("/sign-in?redirect_url=//canary-person.example")
    try await mia.submit(["identifier": "mia@example.com", "password": "canary-password"])
    try await mia.submit(["identifier": "canary-person@example.com", "password": "canary-password"])
    try await mia.signIn("mia@example.com")
    try await mia.submit(["code": "987123"])
    try await mia.open("/sign-in/second-factor/backup-code")
    try await mia.submit(["code": "mia-0000-0001"])
    secrets += ["0000-0001", "00000001"]
    let cookies = await mia.cookies
    secrets += cookies.values.filter { $0.count > 20 }
    if let token = await mia.page?.form?.token { secrets.append(token) }
    for target in ["/canary-person?password=canary-password", "/public/../canary-person"] {
      _ = try await mia.send(.get, target)
    }
    _ = try await mia.send(.post, "/sign-in", body: ["form_token": "x", "code": "987123"])
    _ = try await mia.send(.get, "/", fields: [.authorization: "Bearer canary-password"])
    return secrets
  }
}

/// The emulated API, except that it answers a password with the password itself, wherever the API
/// has words of its own.
private struct RepeatingAPI: HTTPHandler {
  let api: Stage.API
  let emulator: any HTTPHandler

  func respond(to request: Request) async -> Response {
    guard let password = (try? FormData(decoding: request.body))?["password"] else {
      return await emulator.respond(to: request)
    }
    switch api {
    case .clerk:
      return .json(
        #"{"errors":[{"code":"\#(password)","message":"m"}],"clerk_trace_id":"\#(password)"}"#,
        status: .unprocessableContent
      )
    case .entra:
      var fields = HTTPFields()
      if let name = HTTPField.Name("client-request-id") { fields[name] = password }
      return .json(
        #"{"error":"\#(password)","suberror":"\#(password)","correlation_id":"\#(password)"}"#,
        status: .badRequest,
        headerFields: fields
      )
    }
  }
}
