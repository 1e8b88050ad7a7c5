import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport
import VestibuleTesting

@Suite("Walks that are recorded", .inTurn)
struct RecordingJourneys {
  /// Everybody has to choose an organization then: every walk ends at another page.
  private static let changed = #"{"organizations_required": true}"#

  @Test(
    "an export passes unchanged in a fresh world, and fails when the page changes",
    arguments: RecordedWalk.all
  )
  func exports(walk: RecordedWalk) async throws {
    let exports = try await walk.record(in: TestVestibule())
    try await withTemporaryFolder { folder in
      let instance = "\(folder)/instance.json"
      try Self.changed.write(toFile: instance, atomically: true, encoding: .utf8)
      for (ending, command) in [("sh", "sh"), ("py", "python3")] {
        let path = "\(folder)/walk.\(ending)"
        try exports[ending]?.write(toFile: path, atomically: true, encoding: .utf8)
        for (options, status) in [([], 0), (["--instance", instance], 1)] as [([String], Int32)] {
          let run = try await Self.run(["run"] + options + ["--", command, path])
          #expect(run.status == status, "\(ending): \(run.output) \(run.error)")
        }
      }
      let path = "\(folder)/story.json"
      try exports["story.json"]?.write(toFile: path, atomically: true, encoding: .utf8)
      for (options, status) in [([], 0), (["--instance", instance], 1)] as [([String], Int32)] {
        let run = try await Self.run(["story", path] + options)
        #expect(run.status == status, "story: \(run.output) \(run.error)")
      }
    }
  }

  @Test("an export leaves no world behind", arguments: ["sh", "py"])
  func leavesNoWorld(ending: String) async throws {
    let export = try #require(try await RecordedWalk.all[0].record(in: TestVestibule())[ending])
    try await expectNoWorld(behind: export, runBy: ending == "py" ? "python3" : "sh", endingWith: 0)
  }

  @Test("a shell script that a signal stops leaves no world behind, and ends with its code")
  func stopped() async throws {
    let export = try #require(try await RecordedWalk.all[0].record(in: TestVestibule())["sh"])
    try await expectNoWorld(behind: export + "kill -TERM $$\n", runBy: "sh", endingWith: 143)
  }

  /// Runs an export beside a server, which has no world of it afterwards.
  private func expectNoWorld(
    behind export: String,
    runBy command: String,
    endingWith status: Int
  ) async throws {
    try await withTemporaryFolder { folder in
      try export.write(toFile: "\(folder)/walk", atomically: true, encoding: .utf8)
      let script = """
        \(command) \(folder)/walk > /dev/null
        [ $? = \(status) ] || exit 1
        curl -sf -H 'X-Vestibule-Backstage: 1' $VESTIBULE_URL/backstage/api/worlds
        echo
        """
      let run = try await Self.run(["run", "--", "sh", "-uc", script])
      #expect(run.status == 0, "\(run.output) \(run.error)")
      let worlds = run.output.joined()
      #expect(worlds.hasPrefix("[") && !worlds.contains("recorded-"), "\(worlds)")
    }
  }

  @Test("an export says that it was recorded with custom accounts and settings")
  func options() async throws {
    let setting = Stage.Setting(
      instance: #"{"organizations_required": true}"#,
      users: #"[{"email_addresses": ["quinn@example.com"]}]"#
    )
    let vestibule = try TestVestibule(setting.configuration(over: .clerk))
    let walk = RecordedWalk(
      title: "A look",
      walk: { browser, _ in try await browser.open("/sign-in") },
      exported: {}
    )
    for (ending, export) in try await walk.record(in: vestibule) {
      #expect(export.contains("--users and --instance"), "\(ending)")
    }
  }

  @Test("an export says that an account does not exist, and ends", arguments: ["sh", "py"])
  func nobody(ending: String) async throws {
    let walk = try #require(
      RecordedWalk.all.first { $0.title == "A code from an authenticator app" }
    )
    let export = try #require(try await walk.record(in: TestVestibule())[ending])
    let (known, unknown) =
      ending == "sh"
      ? ("$(user 'mia%40", "$(user 'nobody%40") : ("app_code(\"mia@", "app_code(\"nobody@")
    let changed = export.replacing(known, with: unknown)
    #expect(changed != export)
    try await withTemporaryFolder { folder in
      try changed.write(toFile: "\(folder)/walk", atomically: true, encoding: .utf8)
      let command = ending == "py" ? "python3" : "sh"
      let run = try await Self.run(["run", "--", command, "\(folder)/walk"])
      let told = run.output.joined(separator: "\n") + run.error
      #expect(run.status == 1 && told.contains("here is no account nobody"), "\(told)")
      #expect(!told.contains("IndexError") && !told.contains("The page differs"), "\(told)")
    }
  }

  @Test(
    "an export leaves out a box without a tick, and loses no character of a value",
    arguments: ["sh", "py"]
  )
  func sent(ending: String) async throws {
    let exports = try await RecordedWalk.asBrowsersSend.record(in: TestVestibule())
    var script = try #require(exports[ending])
    // The traces show what was sent; they are read before the walk drops its world.
    if ending == "py" {
      let traces = #"print(json.dumps(walk.backstage("GET", "traces"), separators=(",", ":")))"#
      script = script.replacing("\n\n\nif __name__", with: "\n    \(traces)\n\n\nif __name__")
    } else {
      script += "call GET traces\necho\n"
    }
    try await withTemporaryFolder { folder in
      try script.write(toFile: "\(folder)/walk", atomically: true, encoding: .utf8)
      let command = ending == "py" ? "python3" : "sh"
      let run = try await Self.run(["run", "--", command, "\(folder)/walk"])
      #expect(run.status == 0, "\(run.output) \(run.error)")
      let traces = run.output.joined()
      let box = #""name":"sign_out_of_other_sessions","value":"#
      #expect(traces.contains("\(box)\"false\"") && !traces.contains("\(box)\"\""))
      // Typed once, and sent again with the next form.
      let name = #""name":"organization_name","value":"{\"Curly\"} [{ \\ & Co""#
      #expect(traces.ranges(of: name).count == 2, "\(traces)")
    }
  }

  @Test(
    "a recording begins signed out, even in curl's jar, which ignores some deletions of cookies"
  )
  func jar() async throws {
    let program = try Program(["serve", "--in-memory", "--port", "0"])
    defer { program.end() }
    let script = """
      jar=$(mktemp)
      trap 'rm $jar' EXIT
      call() { curl -s -b $jar -c $jar "$@"; }
      token=$(call -H 'Accept: application/json' $1sign-in | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
      call -o /dev/null -d "form_token=$token&identifier=ada@example.com&password=\(password)" $1sign-in
      call -o /dev/null -w '%{http_code} ' $1account
      call -o /dev/null -X POST -H 'X-Vestibule-Backstage: 1' $1backstage/api/recordings
      call -o /dev/null -w '%{http_code}' $1account
      """
    let address = try await program.addresses(1)[0]
    #expect(try Command.run(["bash", "-euc", script, "bash", address]).output == "200 303")
  }

  @Test(
    "the Swift export is one of these tests, and fails when the page changes",
    arguments: RecordedWalk.all
  )
  func swift(walk: RecordedWalk) async throws {
    let export = try await walk.record(in: TestVestibule())["swift"] ?? ""
    let words = walk.title.split { !$0.isLetter }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    let file = "Tests/JourneyTests/Recordings/Exported/\(name).swift"
    if try String(contentsOfFile: file, encoding: .utf8) != export {
      try export.write(toFile: ".build/\(name).swift", atomically: true, encoding: .utf8)
      Issue.record("\(file) is not what is exported now: .build/\(name).swift")
    }

    try await withTemporaryFolder { folder in
      let instance = "\(folder)/instance.json"
      try Self.changed.write(toFile: instance, atomically: true, encoding: .utf8)
      for options in [[], ["--instance", instance]] {
        let program = try Program(["serve", "--in-memory", "--port", "0"] + options)
        let address = try await program.addresses(1)[0]
        try await TestVestibule.$walkedServer.withValue(address) {
          if options.isEmpty { return try await walk.exported() }
          // What fails here must fail: if nothing were recorded, that would be an issue.
          let isUnlike = Locked(false)
          try await withKnownIssue("the page is another one") {
            try await walk.exported()
          } matching: { issue in
            if case .expectationFailed = issue.kind { isUnlike.withLock { $0 = true } }
            return true
          }
          let wasUnlike = isUnlike.withLock { $0 }
          #expect(wasUnlike, "the failure is about what the page shows")
        }
        program.end()
      }
    }
  }

  @Test("a walk that fails leaves no world behind, and throws the error that ended it")
  func failedWalk() async throws {
    struct Stumble: Error {}
    let program = try Program(["serve", "--in-memory", "--port", "0"])
    defer { program.end() }
    let address = try await program.addresses(1)[0]
    await TestVestibule.$walkedServer.withValue(address) {
      await #expect(throws: Stumble.self) {
        try await TestVestibule.walking(over: "clerk") { browser, _ in
          try await browser.open("/sign-in")
          throw Stumble()
        }
      }
    }
    let transport = try HTTPClientTransport(to: BaseURL(address))
    let worlds = String(
      decoding: try await TestBackstage(over: transport).call(.get, "worlds"),
      as: UTF8.self
    )
    #expect(worlds.hasPrefix("[") && !worlds.contains("recorded-"), "\(worlds)")
    await transport.shutdown()
  }

  @Test(
    "over Entra a walk is exported as well",
    arguments: [codeOverEntra, changeOverEntra, claimsOverEntra, methodOverEntra, lockOverEntra],
    ["sh", "py", "story.json"]
  )
  func entra(walk: RecordedWalk, ending: String) async throws {
    let vestibule = try TestVestibule(Stage.Setting().configuration(over: .entra))
    let exports = try await walk.record(in: vestibule)
    // No export says that something was typed which the page fills in itself.
    for (ending, export) in exports {
      #expect(!export.contains("Fills in change"), "\(ending)")
    }
    let export = exports[ending]
    try await withTemporaryFolder { folder in
      let path = "\(folder)/walk.\(ending)"
      try export?.write(toFile: path, atomically: true, encoding: .utf8)
      let shell = ending == "py" ? "python3" : "sh"
      let words =
        ending == "story.json"
        ? ["story", path] : ["run", "--api", "entra", "--", shell, path]
      let run = try await Self.run(words)
      #expect(run.status == 0, "\(run.output) \(run.error)")
    }
  }

  @Test(
    "what no single step of a story can do is done by several, or carried in the export",
    arguments: [signedInByAPress, imported] + RecordedWalk.mistakable,
    ["sh", "py", "story.json"]
  )
  func carried(walk: RecordedWalk, ending: String) async throws {
    let exports = try await walk.record(in: TestVestibule())
    try await withTemporaryFolder { folder in
      let path = "\(folder)/walk.\(ending)"
      try exports[ending]?.write(toFile: path, atomically: true, encoding: .utf8)
      let words =
        switch ending {
        case "sh": ["run", "--", "sh", path]
        case "py": ["run", "--", "python3", path]
        default: ["story", path]
        }
      let run = try await Self.run(words)
      #expect(run.status == 0, "\(run.output) \(run.error)")
    }
  }

  /// "Sign in as" of backstage's users.
  private static let signedInByAPress = RecordedWalk(
    title: "A press of a button",
    walk: { browser, backstage in
      let tool = "/backstage/users"
      let page = try await browser.send(.get, tool, fields: [.accept: "text/html"])
      let html = String(decoding: page.body, as: UTF8.self)
      let token = try #require(html.firstMatch(of: #/name="form_token" value="([^"]+)"/#)?.output.1)
      let pressed = try await browser.send(
        .post,
        tool,
        body: ["form_token": String(token), "action": "enter", "id": "user_mia"]
      )
      // Each cookie is set once: of two lines, a browser might keep the older one.
      let names = pressed.headerFields[values: .setCookie].map { $0.prefix { $0 != "=" } }
      #expect(!names.isEmpty && Set(names).count == names.count, "\(names)")
      try await browser.follow(pressed, from: tool)
      try await browser.submit(["code": "000000"])
      // Nobody has typed whose app that is.
      let code = try await backstage.authenticatorCode(of: "user_mia")
      try await browser.submit(["code": code])
    },
    exported: {}
  )

  /// A world with an account that a fresh one lacks replaces the current one.
  private static let imported = RecordedWalk(
    title: "Another world",
    walk: { browser, backstage in
      let other = try TestVestibule().recordedBackstage(world: "other")
      let user = #"{"username": "quinn", "password": "\#(RecordedWalk.newPassword)"}"#
      _ = try await other.call(.post, "users", json: user)
      let world = String(decoding: try await other.call(.get, "export"), as: UTF8.self)
      try await browser.open("/sign-in")
      let quinn = ["identifier": "quinn", "password": RecordedWalk.newPassword]
      try await browser.submit(quinn)
      _ = try await backstage.call(.post, "import", json: world)
      try await browser.submit(quinn)
    },
    exported: {}
  )

  private static let codeOverEntra = RecordedWalk(
    title: "A code by mail, asked for twice",
    prepare: { backstage in
      for (method, path, json) in [
        (HTTPRequest.Method.post, "clock", #"{"set":"2026-11-20T17:55:00Z"}"#),
        (.post, "clock", #"{"freeze":true}"#),
      ] { _ = try await backstage.call(method, path, json: json) }
    },
    walk: { browser, backstage in
      try await browser.open("/sign-in")
      try await browser.submit(["identifier": "cody@example.com"])
      try await browser.submit(["code": "00000000"])
      try await browser.submit(["code": backstage.latestCode(to: "cody@example.com")])
    },
    exported: {}
  )

  /// Its error is passed on over a redirect, with MSAL's name for it.
  private static let changeOverEntra = RecordedWalk(
    title: "A password has to be changed",
    walk: { browser, backstage in
      try await browser.open("/sign-in")
      try await browser.submit(["identifier": "cora@example.com", "password": password])
      try await browser.submit()
      let code = try await backstage.latestCode(to: "cora@example.com")
      try await browser.submit(["code": code])
    },
    exported: {}
  )

  /// The error is at a field of a form that is not the main one.
  private static let claimsOverEntra = RecordedWalk(
    title: "Claims that are none",
    walk: { browser, _ in
      try await browser.open("/sign-in")
      try await browser.submit(["identifier": "ada@example.com", "password": password])
      let refused = try await browser.submit(["claims": "{"], form: "get-token")
      #expect(refused.errorCodes(at: "claims") == ["claims_format_invalid"])
    },
    exported: {}
  )

  /// The account has a second factor that no fresh world's has.
  private static let methodOverEntra = RecordedWalk(
    title: "A method that was registered before",
    prepare: { backstage in
      let method = #"{"channel":"email","target":"rita@elsewhere.example"}"#
      let changes = #"{"entra":{"methods":[\#(method)]}}"#
      _ = try await backstage.call(.patch, "users/user_rita", json: changes)
    },
    walk: { browser, backstage in
      try await browser.open("/sign-in")
      try await browser.submit(["identifier": "rita@example.com", "password": password])
      let code = try await backstage.latestCode(to: "rita@elsewhere.example")
      let page = try await browser.submit(["code": code])
      #expect(page.path == "/account")
    },
    exported: {}
  )

  /// The lock also comes from wrong passwords that were typed before the recording.
  private static let lockOverEntra = RecordedWalk(
    title: "The last try before a lock",
    prepare: { backstage in
      _ = try await backstage.call(.patch, "instance", json: #"{"lockout_attempts":3}"#)
    },
    before: { browser in
      try await browser.open("/sign-in")
      for _ in 0..<2 {
        try await browser.submit(["identifier": "ada@example.com", "password": "not hers"])
      }
    },
    walk: { browser, _ in
      try await browser.open("/sign-in")
      let page = try await browser.submit([
        "identifier": "ada@example.com", "password": "not hers",
      ])
      #expect(page.path == "/locked")
    },
    exported: {}
  )

  @Test("a browser that keeps its cookie is followed by it, even if another one comes first")
  func whoeverComes() async throws {
    let vestibule = try TestVestibule()
    let (browser, stranger) = (vestibule.session(world: "w"), vestibule.session(world: "w"))
    let id = try await browser.beginRecording()
    try await stranger.open("/sign-in")
    try await stranger.submit(["identifier": "ada@example.com", "password": password])
    try await browser.open("/sign-in")
    try await browser.submit(["identifier": "cody@example.com"])
    try await stranger.open("/account")
    let export = try await vestibule.backstage(world: "w").call(.get, "recordings/\(id).sh")
    let script = String(decoding: export, as: UTF8.self)
    #expect(script.contains("cody@example.com"))
    #expect(!script.contains("ada@example.com") && !script.contains("/account"))
  }

  private static func run(
    _ words: [String]
  ) async throws -> (status: Int32, output: [String], error: String) {
    let program = try Program(words)
    let output = await program.output()
    return (program.exitStatus(), output, program.said)
  }
}
