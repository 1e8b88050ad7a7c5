import Foundation
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("What the README and its articles show", .inTurn)
struct READMEJourneys {
  @Test("its curl commands sign ada in")
  func curl() async throws {
    let output = try await run(block: "Sign in with curl", language: "sh") { ["bash", "-euc", $0] }
    let page = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    )
    #expect(page["page"] as? String == "account")
    let facts = page["facts"] as? [String: Any]
    let user = facts?["user"] as? [String: Any]
    #expect(user?["identifier"] as? String == "ada@example.com")
  }

  @Test("its Python signs ada in over HTML, at VESTIBULE_URL, with the standard library alone")
  func python() async throws {
    let base = "http://localhost:8080"
    let output = try await run(block: "Sign in with curl", language: "python", at: base) {
      // The address comes from the variable that `vestibule run` sets, and from nowhere else.
      ["VESTIBULE_URL=\(base)", "python3", "-c", $0.replacing(base, with: "http://127.0.0.1:9")]
    }
    #expect(output.hasPrefix("200 http://127.0.0.1:"))
    #expect(output.hasSuffix("/account\n"))
  }

  @Test("its Swift test is one of these tests")
  func swift() throws {
    let source = try String(
      contentsOfFile: "Tests/JourneyTests/Documentation/READMEExample.swift",
      encoding: .utf8
    )
    let readme = try String(contentsOfFile: "README.md", encoding: .utf8)
    #expect(readme.contains("```swift\n\(source)```\n"))
  }

  @Test("its JSON twin is what the sign-in page answers")
  func twin() async throws {
    let page = try await TestVestibule().session(world: "readme").open("/sign-in")
    let token = try #require(page.form?.token)
    let shown = try Self.block(below: "The JSON twin", language: "json")
      .replacing(#""token": "…""#, with: #""token": "\#(token)""#)
    let written = try Self.sorted(Data(shown.utf8))
    let answered = try Self.sorted(page.body)
    #expect(written == answered)
  }

  /// The same document with its keys in order.
  private static func sorted(_ json: Data) throws -> String {
    let object = try JSONSerialization.jsonObject(with: json)
    let sorted = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    return String(decoding: sorted, as: UTF8.self)
  }

  @Test("its custom sentence is what the page says")
  func sentence() async throws {
    let block = try Self.block(below: "Languages", language: "sh").split(separator: "\n")
    #expect(block.last == "vestibule --templates mine")
    let lines = block.dropLast().joined(separator: "\n")
    try await withTemporaryFolder { folder in
      #expect(try Command.run(["bash", "-euc", "cd '\(folder)'\n\(lines)"]).status == 0)
      let program = try Program(
        ["--port", "0", "--in-memory", "--templates", "\(folder)/mine"]
      )
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      #expect(
        try Command.run(["curl", "-sf", "\(address)sign-in"]).output.contains(">Welcome back<")
      )
    }
  }

  @Test("its publishable key is valid, and leads to the emulator")
  func publishableKey() throws {
    let line = try String(contentsOfFile: "README.md", encoding: .utf8).split(separator: "\n")
      .first { $0.contains("pk_test_") }
    let script = "\(try #require(line))\nprintf %s \"$CLERK_PUBLISHABLE_KEY\""
    let key = try PublishableKey(try Command.run(["bash", "-euc", script]).output)
    #expect(key.frontendAPIHost == "127.0.0.1:4010" && !key.isProduction)
  }

  @Test("its backstage commands answer")
  func backstage() async throws {
    let output = try await run(block: "Worlds and backstage", language: "sh") {
      ["bash", "-euc", $0]
    }
    #expect(output.contains(#""offset_seconds""#))
    #expect(output.contains(#""timeout""#))
  }

  @Test("its recorded walk is exported, and the export goes as the walk went")
  func recording() async throws {
    try await withTemporaryFolder { folder in
      _ = try await run(block: "Record a walk, get a test", language: "sh") {
        ["bash", "-euc", "cd '\(folder)'\n\($0)"]
      }
      let walk = try String(contentsOfFile: "\(folder)/walk.sh", encoding: .utf8)
      #expect(walk.contains("/sign-in"))
    }
  }

  @Test("the calls in the article about the emulated Entra bring tokens")
  func entra() async throws {
    let output = try await run(
      block: "A sign-in by curl",
      in: "Sources/Emulators/Emulators.docc/EmulatedEntra.md",
      language: "sh",
      serving: ["emulate", "--api", "entra"],
      at: "http://localhost:4010"
    ) { ["bash", "-euc", $0] }
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    )
    #expect(answer["token_type"] as? String == "Bearer")
    #expect(answer["refresh_token"] is String)
  }

  /// What a browser does in front of the app: it signs in, comes again, and signs out.
  private static let visitToApp = #"""
    export VESTIBULE_URL=${VESTIBULE_URL/127.0.0.1/localhost}
    coproc app { exec python3 -u app.py; }
    trap 'kill $app_PID' EXIT
    read -r address <&"${app[0]}"
    ask() { curl -s -b jar -c jar "$@"; }
    to() { ask -o /dev/null -w '%{redirect_url}\n' "$@"; }
    token() {
      ask -H 'Accept: application/json' "$1" | grep -o '"token":"[^"]*"' | head -1 | cut -d'"' -f4
    }
    page=$(to "$address/orders?a=b")
    to --data-urlencode "form_token=$(token "$page")" --data-urlencode identifier=ada@example.com \
      --data-urlencode password=walk-right-in-42 "$VESTIBULE_URL/sign-in"
    ask "$address/orders"; echo
    to "$page"
    out="$VESTIBULE_URL/sign-out?redirect_url=$address/bye"
    to --data-urlencode "form_token=$(token "$out")" "$VESTIBULE_URL/sign-out"
    ask -o /dev/null -w '%{http_code}' "$address/orders"
    """#

  @Test("the app in the article gets people back from the pages, and greets them by name")
  func ownApp() async throws {
    let app = try Self.block(
      below: "What it does",
      in: "Sources/Vestibule/Vestibule.docc/YourOwnApp.md",
      language: "python"
    )
    let free = "import socket; print(socket.create_server(('127.0.0.1', 0)).getsockname()[1])"
    let port = try Command.run(["python3", "-c", free]).output.trimmingCharacters(in: .newlines)
    let origin = "http://localhost:\(port)"
    try await withTemporaryFolder { folder in
      try app.write(toFile: "\(folder)/app.py", atomically: true, encoding: .utf8)
      let visit = "export PORT=\(port)\ncd '\(folder)'\n\(Self.visitToApp)"
      let (status, output) = try Command.run(
        [Program.executable().path, "run", "--allow-redirect-origin", origin, "--", "bash"]
          + ["-euc", visit]
      )
      #expect(status == 0)
      let back = "\(origin)/orders?a=b"
      let told = [back, "Hello ada@example.com", back, "\(origin)/bye", "303"]
      #expect(output.split(separator: "\n").map(String.init) == told)
    }
  }

  @Test("its story goes as it is told")
  func story() async throws {
    let story = try Story(document: Array(try Self.block(below: "Stories", language: "json").utf8))
    let player = StoryPlayer(over: try TestVestibule().transport, host: "localhost:8080")
    let isAsTold = try await player.play(story) { _, step, outcome in
      #expect(outcome == .asTold, "\(step.say)")
    }
    #expect(isAsTold)
  }

  @Test("its brand is what the pages carry, with a logo and a font beside the file")
  func brand() async throws {
    let json = try Self.block(below: "Brand", language: "json")
    // A header that declares 49 bytes, and one table of one byte.
    let font =
      "wOF2\0\0\0\0\0\0\01\0\u{1}\0\0\0\0\0\0\0\0\0\u{1}" + String(repeating: "\0", count: 25)
    try await withTemporaryFolder { folder in
      for (name, text) in [
        "harbour.json": json, "harbour.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "harbour.woff2": font,
      ] { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
      let program = try Program(
        ["--port", "0", "--in-memory", "--brand", "\(folder)/harbour.json"]
      )
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      func answer(_ path: String) throws -> String {
        try Command.run(["curl", "-sf", address + path]).output
      }
      let page = try answer("sign-in")
      #expect(page.contains("<title>Sign in – Harbour</title>"))
      #expect(page.contains(#"<img class="logo" src="/public/brand/logo.svg" alt="Harbour">"#))
      let sheet = try answer("public/brand.css")
      #expect(sheet.contains("--accent: #0b6e4f;") && sheet.contains("--page: #f4f6f4;"))
      #expect(sheet.contains("prefers-color-scheme: dark"))
      #expect(try answer("public/brand/font.woff2").hasPrefix("wOF2"))
    }
  }

  @Test("the side by side is what journeys over both auth APIs show; UPDATE_NOTES=1 writes it")
  func sideBySide() async throws {
    let path = "Sources/Vestibule/Vestibule.docc/SideBySide.md"
    let generated = try await SideBySide.text()
    let article = try String(contentsOfFile: path, encoding: .utf8)
    let start = try #require(article.firstRange(of: "<!-- side by side: written by a test -->\n\n"))
    let end = try #require(article.firstRange(of: "<!-- side by side: end -->"))
    let written = String(article[start.upperBound..<end.lowerBound])
    guard ProcessInfo.processInfo.environment["UPDATE_NOTES"] == nil else {
      let updated = article[..<start.upperBound] + generated + article[end.lowerBound...]
      try String(updated).write(toFile: path, atomically: true, encoding: .utf8)
      return
    }
    #expect(written == generated)
  }

  /// Runs the first block in that language below that heading, against a process of its own.
  private func run(
    block heading: String,
    in document: String = "README.md",
    language: String,
    serving arguments: [String] = [],
    at base: String = "http://localhost:8080",
    command: (String) -> [String]
  ) async throws -> String {
    let block = try Self.block(below: heading, in: document, language: language)
    let program = try Program(arguments + ["--port", "0", "--in-memory"])
    defer { program.end() }
    var address = try await program.addresses(1)[0]
    address.removeLast()
    let (status, output) = try Command.run(
      command(block).map { $0.replacing(base, with: address) }
    )
    #expect(status == 0)
    return output
  }

  /// The first block in that language below that heading.
  private static func block(
    below heading: String,
    in document: String = "README.md",
    language: String
  ) throws -> String {
    let text = try String(contentsOfFile: document, encoding: .utf8)
    let section = try #require(text.firstRange(of: "## \(heading)\n"))
    let rest = text[section.upperBound...]
    let start = try #require(rest.firstRange(of: "```\(language)\n"))
    let end = try #require(rest[start.upperBound...].firstRange(of: "\n```"))
    return String(rest[start.upperBound..<end.lowerBound])
  }
}
