import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import VestibuleTesting

@Suite("Files in a designer's hands", .inTurn)
struct DesignJourneys {
  /// What a command says, and how it ends.
  private struct Ended {
    var status: Int32
    var lines: [String]
    var complaints: [String]
  }

  private static func run(_ arguments: [String]) async throws -> Ended {
    let program = try Program(arguments)
    let lines = await program.output()
    let status = program.exitStatus()
    let complaints = program.said.split(separator: "\n").map(String.init)
    return Ended(status: status, lines: lines, complaints: complaints)
  }

  private static func page(_ path: String, _ browser: FormSession) async throws -> (Int, String) {
    let response = try await browser.send(.get, path, fields: [.accept: "text/html"])
    return (response.status.code, String(decoding: response.body, as: UTF8.self))
  }

  private static func edit(_ path: String, _ change: (String) -> String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try change(text).write(toFile: path, atomically: true, encoding: .utf8)
  }

  @Test("an emulator by itself sends its messages in a designer's words")
  func ownWordsOfMessages() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/messages",
        withIntermediateDirectories: true
      )
      try #"{"message.code.subject": "Let in by {code}"}"#
        .write(toFile: "\(folder)/messages/en.json", atomically: true, encoding: .utf8)
      let program = try Program([
        "emulate", "--port", "0", "--in-memory", "--templates", folder,
      ])
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      let (_, status) = try Command.run([
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
        "--data", "identifier=cody@example.com&strategy=email_code",
        "\(address)v1/client/sign_ins?_is_native=1",
      ])
      #expect(status == "200")
      let transport = try HTTPClientTransport(to: BaseURL(address))
      let message = await Result {
        try await TestBackstage(over: transport).latestMessage(to: "cody@example.com")
      }
      await transport.shutdown()
      let sent = try message.get()
      #expect(sent.subject == "Let in by \(try #require(sent.code))")
    }
  }

  @Test("the program alone, in an empty folder, serves pages and all the files that they load")
  func alone() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.copyItem(
        atPath: Program.executable().path,
        toPath: "\(folder)/vestibule"
      )
      let program = try Program(
        ["-c", "cd \"$0\" && exec ./vestibule --port 0 --in-memory", folder],
        executable: URL(fileURLWithPath: "/bin/bash")
      )
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      for path in ["sign-in", "public/vestibule.css", "public/vestibule.js", "favicon.ico"] {
        let (_, code) = try Command.run([
          "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "\(address)\(path)",
        ])
        #expect(code == "200", "\(path)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["vestibule"])
    }
  }

  @Test("ejected files are served with their edits by the command that eject prints")
  func ejected() async throws {
    try await withTemporaryFolder { folder in
      let ejected = try await Self.run(["eject", "sign-in", "vestibule.css", "--out", folder])
      #expect(ejected.status == 0)
      let (template, style) = (
        "\(folder)/templates/sign-in.mustache", "\(folder)/public/vestibule.css"
      )
      #expect(ejected.lines.dropLast() == [template, style])
      let words = try #require(ejected.lines.last).split(separator: " ").map(String.init)
      #expect(words.starts(with: ["Serve:", "vestibule"]))
      try Self.edit(template) { $0.replacing("{{$content}}", with: "{{$content}}<p>Ours</p>") }
      try Self.edit(style) { $0 + "p { color: teal }" }
      try await RunningJourneys.withPages(RunningJourneys.plain(Array(words.dropFirst(2)))) {
        _,
        transport in
        let browser = FormSession(over: recorded(transport))
        #expect(try await Self.page("/sign-in", browser).1.contains("<p>Ours</p>"))
        let other = try await Self.page("/sign-up", browser).1
        #expect(!other.contains("<p>Ours</p>"))
        #expect(try await Self.page("/public/vestibule.css", browser).1.hasSuffix("teal }"))
      }
    }
  }

  @Test("eject keeps and names a file that differs from the built-in one, and ends with 1")
  func ejectTwice() async throws {
    try await withTemporaryFolder { folder in
      let all = try await Self.run(["eject", "--out", folder])
      #expect(all.status == 0)
      let again = try await Self.run(["eject", "--out", folder])
      #expect(again.status == 0)
      #expect(again.lines == all.lines)
      let layout = "\(folder)/templates/layout.mustache"
      try "ours".write(toFile: layout, atomically: true, encoding: .utf8)
      let refused = try await Self.run(["eject", "layout", "partials", "--out", folder])
      #expect(refused.status == 1)
      #expect(refused.lines.isEmpty)
      #expect(
        refused.complaints
          == ["vestibule: \(layout) differs from the built-in file: --force replaces it"]
      )
      #expect(try String(contentsOfFile: layout, encoding: .utf8) == "ours")
      let forced = try await Self.run(["eject", "layout", "--force", "--out", folder])
      #expect(forced.status == 0)
      #expect(try String(contentsOfFile: layout, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    }
  }

  @Test("eject says how to use stories and brands, which are not used as templates are")
  func ejectOthers() async throws {
    try await withTemporaryFolder { folder in
      let stories = try await Self.run(["eject", "stories", "--out", folder])
      let play = try #require(stories.lines.last)
      #expect(play.hasPrefix("Play one: vestibule story \(folder)/templates/stories/"))
      let story = try #require(play.split(separator: " ").last.map(String.init))
      #expect(try await Self.run(["story", story]).status == 0)
      let brand = try await Self.run(["eject", "brands/zap", "--out", folder])
      #expect(
        brand.lines.last
          == "Serve: vestibule --brand \(folder)/templates/brands/zap/brand.json --reload-templates"
      )
    }
  }

  @Test("the parent of the folder that is meant is refused, since nothing in it would be read")
  func folderAround() async throws {
    try await withTemporaryFolder { folder in
      let eject = ["eject", "sign-in", "vestibule.css", "--out", folder]
      #expect(try await Self.run(eject).status == 0)
      for option in ["templates", "public"] {
        // This command would end by itself if it were not refused.
        let refused = try await Self.run(["story", "ada", "--\(option)", folder])
        #expect(refused.status == 78)
        #expect(
          refused.complaints == [
            "vestibule: --\(option) should name the folder one level deeper: \(folder)/\(option)"
          ]
        )
        // It is not reported as a template whose name no page has.
        let checked = try await Self.run(["check", "--in-memory", "--\(option)", folder])
        #expect(checked.status == 78)
        #expect(checked.complaints == refused.complaints)
        #expect(!checked.lines.contains { $0.contains("mustache") })
      }
    }
  }

  @Test("eject says in one line what it cannot do")
  func ejectRefusals() async throws {
    let unknown = try await Self.run(["eject", "sing-in", "--out", "/tmp/nowhere"])
    #expect(unknown.status == 64)
    let complaint = try #require(unknown.complaints.first)
    #expect(unknown.complaints.count == 1)
    #expect(
      complaint.hasPrefix("vestibule: There is no built-in file or page of this name: sing-in.")
    )
    #expect(complaint.contains(" sign-in-code, "))
    #expect(try await Self.run(["eject"]).status == 64)
    #expect(try await Self.run(["eject", "--out", "/dev/null/x"]).status == 78)
  }

  @Test(
    "a waiting page learns of a change; a broken template is shown with its place and logged once"
  )
  func reload() async throws {
    try await withTemporaryFolder { folder in
      let template = "\(folder)/sign-in.mustache"
      let arguments = RunningJourneys.plain(["--templates", folder, "--reload-templates"])
      try await RunningJourneys.withPages(arguments) { program, transport in
        let browser = FormSession(over: recorded(transport))
        /// Changes the template while the page's script waits, then opens the page anew.
        func change(_ page: String, to text: String) async throws -> (Int, String) {
          let version = try #require(page.firstMatch(of: /data-version="([0-9a-f-]+)"/)).output.1
          async let told = browser.send(.get, "/reload?since=\(version)")
          try text.write(toFile: template, atomically: true, encoding: .utf8)
          let answer = try await told
          #expect(answer.status == .ok)
          let now = String(decoding: answer.body, as: UTF8.self)
          #expect(now.wholeMatch(of: /[0-9a-f]+-[0-9a-f]+/) != nil && now != version, "\(now)")
          return try await Self.page("/sign-in", browser)
        }
        var (status, page) = try await Self.page("/sign-in", browser)
        let layout = "{{<layout}}{{$content}}MARK{{/content}}{{/layout}}"
        (status, page) = try await change(page, to: layout.replacing("MARK", with: "<p>New</p>"))
        #expect(status == 200)
        #expect(page.contains("<p>New</p>"))
        (status, page) = try await change(page, to: layout.replacing("MARK", with: "{{nmae}}"))
        for _ in 0..<2 {
          #expect(status == 500)
          #expect(page.contains("\(template):1:24: there is no name nmae here"))
          #expect(page.contains(">1 | {{&lt;layout}}{{$content}}{{nmae}}{{/content}}"))
          #expect(page.contains("\n\(String(repeating: " ", count: 27))^</pre>"))
          let twin = try await browser.open("/sign-in")
          #expect(twin.status == 500)
          #expect(twin.page == "error" && twin.errorCodes == ["internal"])
          (status, page) = try await Self.page("/sign-in", browser)
        }
        #expect(program.said.split(separator: "\n").count { $0.contains("template fault") } == 1)
        (status, page) = try await change(page, to: layout.replacing("MARK", with: "<p>Mended</p>"))
        #expect(status == 200)
        #expect(page.contains("<p>Mended</p>"))
      }
      // A start with a broken template is refused: no page is served yet that could show it.
      try "{{nmae}}".write(toFile: template, atomically: true, encoding: .utf8)
      let again = try Program(arguments)
      let output = await again.output(1)
      if !output.isEmpty { again.end() }
      #expect(again.exitStatus() == 78)
      #expect(again.said.contains("\(template):1:1: there is no name nmae here"))
    }
  }

  @Test("a waiting page learns of a change of the brand; a broken brand is logged once")
  func reloadBrand() async throws {
    try await withTemporaryFolder { folder in
      let brand = "\(folder)/brand.json"
      func write(_ text: String) throws {
        try text.write(toFile: brand, atomically: true, encoding: .utf8)
      }
      try write(#"{"name": "Harbour"}"#)
      let arguments = RunningJourneys.plain(["--brand", brand, "--reload-templates"])
      try await RunningJourneys.withPages(arguments) { program, transport in
        let browser = FormSession(over: recorded(transport))
        var (status, page) = try await Self.page("/sign-in", browser)
        for text in [#"{"name": "Alder"}"#, #"{"name": 1}"#, #"{"name": "Harbour"}"#] {
          let version = try #require(page.firstMatch(of: /data-version="([0-9a-f-]+)"/)).output.1
          async let told = browser.send(.get, "/reload?since=\(version)")
          try write(text)
          #expect(try await told.status == .ok)
          (status, page) = try await Self.page("/sign-in", browser)
          #expect(status == (text.contains("1") ? 500 : 200), "\(text)")
          let isNamed = page.contains("– \(text.contains("Alder") ? "Alder" : "Harbour")<")
          #expect(isNamed == (status == 200))
        }
        #expect(program.said.split(separator: "\n").count { $0.contains("template fault") } == 1)
      }
    }
  }

  @Test("a link out of the folder of static files stops no other file from changing, and is logged")
  func reloadBesideLink() async throws {
    try await withTemporaryFolder { folder in
      let sheet = "\(folder)/own.css"
      try writeFile("p {}", to: sheet)
      let arguments = RunningJourneys.plain(["--public", folder, "--reload-templates"])
      try await RunningJourneys.withPages(arguments) { program, transport in
        let browser = FormSession(over: recorded(transport))
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/linked.css",
          withDestinationPath: "nowhere.css"
        )
        for text in ["p { color: red }", "p { color: blue }"] {
          try writeFile(text, to: sheet)
          let (status, shown) = try await Self.page("/public/own.css", browser)
          #expect(status == 200 && shown == text)
        }
        let lines = program.said.split(separator: "\n").filter { $0.contains("template fault") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\(folder)/linked.css: the link does not lead to") == true)
      }
    }
  }

  @Test("without the option no page is told, and a template stays as it was at the start")
  func noReload() async throws {
    try await withTemporaryFolder { folder in
      let template = "\(folder)/sign-in.mustache"
      let text = "{{<layout}}{{$content}}<p>Old</p>{{/content}}{{/layout}}"
      try text.write(toFile: template, atomically: true, encoding: .utf8)
      try await RunningJourneys.withPages(RunningJourneys.plain(["--templates", folder])) {
        _,
        transport in
        let browser = FormSession(over: recorded(transport))
        try "{{broken".write(toFile: template, atomically: true, encoding: .utf8)
        let (status, page) = try await Self.page("/sign-in", browser)
        #expect(status == 200)
        #expect(page.contains("<p>Old</p>"))
        #expect(!page.contains("reload.js"))
        #expect(try await Self.page("/reload?since=0", browser).0 == 404)
      }
    }
  }

  @Test("check reports what is wrong with the words of pages and of messages")
  func checkWords() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/messages",
        withIntermediateDirectories: false
      )
      let path = "\(folder)/messages/de.json"
      func check(_ entries: String...) async throws -> Ended {
        let text = "{\n\(entries.joined(separator: ",\n"))\n}"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try await Self.run(["check", "--port", "0", "--templates", folder])
      }
      let good = try await check(
        #""message.code.subject": "Ihr Code: {code}""#,
        #""action.sign-out": "Tschüss""#
      )
      #expect(good.status == 0, "\(good.lines)")
      let bad = try await check(
        #""message.code.subject": "Ihr Code""#,
        #""message.coed.text": """#,
        #""message.code.text": "{code} {application} {minutes, plural, one {#}}""#,
        #""action.sign-owt": """#
      )
      #expect(bad.status == 1)
      #expect(
        bad.lines == [
          "\(path):5:20: action.sign-owt: there is no such key: did you mean 'action.sign-out'?",
          "\(path):2:25: message.code.subject: {code} is missing",
          "\(path):3:22: message.coed.text: there is no such key: "
            + "did you mean 'message.code.text'?",
          "\(path):4:44: message.code.text: the branch other is missing",
        ]
      )
      let broken = try await check(#""action.sign-out": "Tschüss""#, "")
      #expect(broken.lines == ["\(path):4:1: a text in quotes is missing here"], "reported once")
    }
  }

  @Test("check reads the style sheets of --public, and notes what a new language leaves in English")
  func checkFiles() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(#"{"sign-in.heading": "כניסה"}"#, to: "\(folder)/own/messages/he.json")
      let options = [
        "check", "--port", "0", "--templates", "\(folder)/own", "--public", "\(folder)/public",
      ]
      let note = "\(folder)/own/messages/he.json: "
      try writeFile("p { background: url(favicon.svg) }", to: "\(folder)/public/own.css")
      let good = try await Self.run(options)
      #expect(good.status == 0, "\(good.lines)")
      #expect(good.lines.count == 3)
      #expect(good.lines.first?.hasSuffix("states keep every rule.") == true)
      #expect(good.lines.dropFirst().allSatisfy { $0.hasPrefix(note) })
      #expect(good.lines.last?.contains(" sentences of messages are in English: message.") == true)
      try writeFile("p { background: url(//x.example/a) }", to: "\(folder)/public/own.css")
      let bad = try await Self.run(options)
      #expect(bad.status == 1)
      #expect(bad.lines.count == 3)
      #expect(bad.lines.first?.hasPrefix("\(folder)/public/own.css:1:17: R6: ") == true)
      #expect(bad.lines.dropFirst().allSatisfy { $0.hasPrefix(note) })
    }
  }

  @Test(
    "check reports each fault of templates on a line and ends with 1; without faults it ends with 0"
  )
  func check() async throws {
    try await withTemporaryFolder { folder in
      let good = try await Self.run(["check", "--port", "0", "--templates", folder])
      #expect(good.status == 0)
      #expect(good.lines.count == 1)
      #expect(good.lines[0].hasSuffix("states keep every rule."))
      #expect(good.complaints.isEmpty)
      let template = "\(folder)/sign-out.mustache"
      try "{{<layout}}{{/layout}}".write(toFile: template, atomically: true, encoding: .utf8)
      let bad = try await Self.run(["check", "--port", "0", "--templates", folder])
      #expect(bad.status == 1)
      #expect(bad.lines.allSatisfy { $0.hasPrefix("\(template): sign-out (") })
      #expect(bad.lines.contains { $0.hasSuffix(": R7: the form sign-out is missing") })
      try "{{nmae}}".write(toFile: template, atomically: true, encoding: .utf8)
      let broken = try await Self.run(["check", "--port", "0", "--templates", folder])
      #expect(broken.status == 1)
      #expect(broken.lines.count == 1)
      #expect(try await Self.run(["check", "--templates", "/nonexistent"]).status == 78)
    }
  }
}
