import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("Stories that are played", .inTurn)
struct StoryJourneys {
  @Test(
    "each built-in story goes as it is told",
    arguments: try Story.builtIn().map(\.name)
  )
  func builtIn(name: String) async throws {
    let story = try #require(Story.builtIn().first { $0.name == name })
    let apis = EmulatedAuthAPI.all.filter { story.api ?? $0.option == $0.option }
    #expect(apis.count == (story.api == nil ? 2 : 1))
    for api in apis {
      var configuration = Configuration()
      configuration.service = .pages(at: .init(port: 8080), over: .emulated(api))
      let vestibule = try TestVestibule(configuration)
      let player = Self.player(of: vestibule, in: name)
      let isAsTold = try await player.play(story) { index, step, outcome in
        #expect(outcome == .asTold, "\(index + 1): \(step.say)")
      }
      #expect(isAsTold)
      let ways = try await Self.ways(in: vestibule, world: name)
      #expect(try await ways.subtracting(Self.map(vestibule)) == [], "ways not on the map")
    }
  }

  /// The ways from page to page that forms took, from a world's traces: `sign-in account`.
  private static func ways(in vestibule: TestVestibule, world: String) async throws -> Set<String> {
    let answer = try await vestibule.recordedBackstage(world: world).call(.get, "traces")
    let traces = try #require(
      JSONSerialization.jsonObject(with: answer) as? [[String: Any]]
    )
    var shown: [String: String] = [:]
    var sources: [String: String] = [:]
    var ways: Set<String> = []
    for trace in traces.reversed() {
      guard let visit = trace["visit"] as? String, let answer = trace["answer"] as? [String: Any],
        let asked = trace["page"] as? [String: String], let path = asked["path"]
      else { continue }
      // Starting again is possible from everywhere, so it is not a way on the map.
      let isForm = asked["method"] == "POST" && !path.hasSuffix("/restart")
      if isForm { sources[visit] = shown[visit] }
      guard let page = answer["page"] as? String else { continue }
      if let source = sources.removeValue(forKey: visit), source != page {
        ways.insert("\(source) \(page)")
      }
      shown[visit] = page
    }
    return ways
  }

  /// The arrows of the map.
  private static func map(_ vestibule: TestVestibule) async throws -> Set<String> {
    let answer = try await vestibule.recordedSession(world: "map").send(.get, "/backstage/map")
    let page = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    let facts = try #require(page?["facts"] as? [String: Any])
    let arrows = try #require(facts["arrows"] as? [[String: String]])
    return Set(
      arrows.map { [$0["from"], $0["to"]].compactMap(\.self).joined(separator: " ") }
    )
  }

  @Test("stories played at once, each in its own world, do not see each other")
  func atOnce() async throws {
    let vestibule = try TestVestibule()
    let stories = try ["locked-out-on-a-friday", "lou", "the-code-of-yesterday", "mia"].map {
      name in
      try #require(Story.builtIn().first { $0.name == name })
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, story) in (0..<3).flatMap({ _ in stories }).enumerated() {
        group.addTask {
          try await Self.player(of: vestibule, in: "story-\(number)").playThrough(story)
        }
      }
      try await group.waitForAll()
    }
  }

  private static func player(of vestibule: TestVestibule, in world: String) -> StoryPlayer {
    StoryPlayer(over: recorded(vestibule.transport), host: "localhost:8080", world: world)
  }

  private func play(
    _ words: [String]
  ) async throws -> (status: Int32, output: [String], error: String) {
    let program = try Program(["story"] + words)
    let output = await program.output()
    return (program.exitStatus(), output, program.said)
  }

  @Test("a story is told line by line, and its exit code is 0")
  func told() async throws {
    let played = try await play(["dina"])
    #expect(played.status == 0, "\(played)")
    #expect(
      played.output == [
        "One permission declined", "1/3 Dina opens the page.", "2/3 She is told what is missing.",
        "3/3 She goes on without it.",
      ]
    )
    #expect(played.error == "")
  }

  @Test("a folder that VESTIBULE_DATA names, and the world in it, stay as they are")
  func storedWorld() async throws {
    try await withTemporaryFolder { folder in
      let data = "\(folder)/data"
      func play() async throws {
        let program = try Program(["story", "ada"], environment: ["VESTIBULE_DATA": data])
        _ = await program.output()
        #expect(program.exitStatus() == 0, "\(program.said)")
      }
      func files() throws -> [String: Data?] {
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
        return Dictionary(
          uniqueKeysWithValues: names.map {
            ($0, FileManager.default.contents(atPath: "\(data)/\($0)"))
          }
        )
      }
      try await play()
      #expect(!FileManager.default.fileExists(atPath: data))
      let serving = try Program(["--port", "0", "--data", data])
      _ = try await serving.addresses(1)
      serving.end()
      let before = try files()
      #expect(before.keys.contains("main.sqlite"))
      try await play()
      #expect(try files() == before)
    }
  }

  @Test("a step that goes differently is named with the differences, and the exit code is 1")
  func otherwise() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      let text = """
        {"name": "wrong", "title": "Wrong", "summary": "Not so.", "steps": [
          {"say": "In.", "open": "/sign-in"},
          {"say": "Refused.", "submit": {"identifier": "ada@example.com", "password": "no"},
           "expect": {"page": "account", "status": 200}},
          {"say": "Never told."}]}
        """
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 1)
      #expect(played.output == ["Wrong", "1/3 In.", "2/3 Refused."])
      let lines = played.error.split(separator: "\n")
      #expect(lines.count == 2, "\(lines)")
      let differences = "page is sign-in, not account; status is 422, not 200"
      #expect(lines.first?.hasSuffix("step 2: \(differences)") == true)
      let page =
        "page sign-in, step identifier, at password form_password_incorrect, "
        + "form sign-in identifier password"
      #expect(lines.last?.hasSuffix("the page is /sign-in 422: \(page)") == true)
    }
  }

  @Test("a step of a named browser is told with its name, and so is what differs there")
  func otherwiseInNamedBrowser() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      let text = """
        {"name": "wrong", "title": "Wrong", "summary": "Not so.", "steps": [
          {"say": "In.", "open": "/sign-in"},
          {"say": "There.", "browser": "phone", "open": "/sign-in", "expect": {"page": "account"}}]}
        """
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 1)
      #expect(played.output == ["Wrong", "1/2 In.", "2/2 [phone] There."])
      let line = played.error.split(separator: "\n").first
      #expect(line?.hasSuffix("step 2: phone: page is sign-in, not account") == true)
    }
  }

  @Test(
    "a missing fact is reported with what was expected, an unknown state in backstage's words",
    arguments: [
      (
        // A fact that is expected to be null must be there, too.
        #""open": "/forgot-password", "expect": {"facts": {"x": {"y": [1]}, "z": null}}"#,
        #"step 1: facts.x is missing, not {"y":[1]}; facts.z is missing, not null"#
      ),
      (
        #""stand": {"page": "sign-in-code", "state": "nope"}"#,
        "step 1: There is no state sign-in-code/nope."
      ),
    ]
  )
  func toldWithBoth(step: String, complaint: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      let text = """
        {"name": "wrong", "title": "W", "summary": "S.", "steps": [{"say": "In.", \(step)}]}
        """
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 1)
      #expect(played.error.contains(complaint), "\(played.error)")
    }
  }

  @Test(
    "a field that the form does not have ends the story",
    arguments: [
      (#"{"identfier": "ada@example.com"}"#, "The form sign-in has no field identfier"),
      (#"{"identifier": "ada@example.com", "pasword": "x"}"#, "has no field pasword"),
    ]
  )
  func misspelt(fields: String, complaint: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      let text = """
        {"name": "wrong", "title": "Wrong", "summary": "Not so.", "steps": [
          {"say": "In.", "open": "/sign-in"}, {"say": "Sent.", "submit": \(fields)}]}
        """
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 1)
      #expect(played.error.contains(complaint))
    }
  }

  @Test(
    "a choice that the field does not have, or that is ambiguous, ends the story",
    arguments: [
      ("Pine Street", "The field organization_id has no choice Pine Street"),
      ("Harbour", "Several choices of the field organization_id begin with Harbour: "),
    ]
  )
  func mischosen(choice: String, complaint: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      let text = """
        {"name": "wrong", "title": "Wrong", "summary": "Not so.", "users": [
          {"email_addresses": ["ivy@example.com"], "password": "\(password)",
           "tasks": ["choose-organization"], "organizations": [
             {"name": "Harbour Books", "slug": "harbour-books"},
             {"name": "Harbour Works", "slug": "harbour-works"}]}],
         "steps": [
          {"say": "In.", "open": "/sign-in"},
          {"say": "Who.", "submit": {"identifier": "ivy@example.com", "password": "\(password)"},
           "expect": {"page": "tasks-choose-organization", "step": "choose"}},
          {"say": "Chosen.", "submit": {"organization_id": "\(choice)"}}]}
        """
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 1)
      #expect(played.error.contains(complaint), "\(played.error)")
    }
  }

  @Test("a shell completes built-in stories, and files and folders that may hold others")
  func completions() async throws {
    try await withTemporaryFolder { folder in
      for name in ["mine.json", "readme.txt", "further/other.json"] {
        try writeFile("{}", to: "\(folder)/\(name)")
      }
      for (typed, offered, others) in [
        ("lo", ["locked-out-on-a-friday"], [folder]),
        ("\(folder)/", ["\(folder)/mine.json", "\(folder)/further"], ["\(folder)/readme.txt"]),
      ] {
        let program = try Program(
          ["---completion", "story", "--", "positional@0", "2", "\(typed.count)"]
            + ["vestibule", "story", typed],
          environment: ["SAP_SHELL": "bash"]
        )
        let lines = await program.output()
        #expect(program.exitStatus() == 0)
        #expect(Set(lines).isSuperset(of: offered), "\(lines)")
        #expect(Set(lines).isDisjoint(with: others), "\(lines)")
      }
      let eject = try Program([
        "---completion", "eject", "--", "positional@0", "2", "0", "vestibule", "eject", "",
      ])
      #expect(await eject.output().contains("sign-in-password"))
      #expect(eject.exitStatus() == 0)
    }
  }

  @Test("settings that the emulator refuses are the file's fault, and the exit code is 78")
  func refusedSettings() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      let text = """
        {"name": "wrong", "title": "Wrong", "summary": "Not so.", "settings": {"foo": 1},
         "steps": [{"say": "In.", "open": "/sign-in"}]}
        """
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 78)
      #expect(played.error.contains("unknown key 'foo'"))
    }
  }

  @Test(
    "a name that does not exist, or a clock that is no time, makes the file invalid",
    arguments: [
      (
        #""steps": [{"say": "In.", "open": "/sign-in", "expect": {"page": "sing-in"}}]"#,
        "'steps[0].expect.page': there is no page 'sing-in': did you mean 'sign-in'?"
      ),
      (
        #""clock": "tomorrow", "steps": [{"say": "In.", "open": "/sign-in"}]"#,
        "'clock': it is not a time like 2026-11-21T14:35:00Z"
      ),
    ]
  )
  func invalid(members: String, complaint: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      try #"{"name": "wrong", "title": "Wrong", "summary": "Not so.", \#(members)}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 78)
      #expect(played.error.contains("The story is invalid: \(path): \(complaint)"), "\(played)")
    }
  }

  @Test(
    "a step fails if it expects a page before there is one, or null for what has a value",
    arguments: [
      (
        #"{"say": "x", "clock": {"advance_seconds": 1}, "expect": {"page": "account"}}"#,
        "no page has been opened yet"
      ),
      (
        #"{"say": "x", "open": "/sign-in", "expect": {"flow": null}}"#,
        "flow is sign-in, not null"
      ),
    ]
  )
  func otherwise(step: String, words: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/story.json"
      try #"{"name": "wrong", "title": "Wrong", "summary": "Not so.", "steps": [\#(step)]}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let played = try await play([path])
      #expect(played.status == 1)
      #expect((played.output.joined() + played.error).contains(words), "\(played)")
    }
  }

  @Test("a choice that a story leaves empty is sent empty, and the page refuses it")
  func nothingChosen() async throws {
    let story = try Story(
      document: Array(
        """
        {"name": "none", "title": "None", "summary": "Nothing is chosen.", "api": "clerk", "steps": [
          {"say": "In.", "open": "/sign-in"},
          {"say": "Otto.", "submit": {"identifier": "otto@example.com", "password": "walk-right-in-42"},
           "expect": {"page": "tasks-choose-organization"}},
          {"say": "Nothing.", "submit": {"organization_id": ""},
           "expect": {"status": 422, "page": "tasks-choose-organization"}}
        ]}
        """.utf8
      )
    )
    let player = Self.player(of: try TestVestibule(), in: "none")
    let isAsTold = try await player.play(story) { index, step, outcome in
      #expect(outcome == .asTold, "\(index + 1): \(step.say)")
    }
    #expect(isAsTold)
  }

  /// A story of a wrong password, told as it goes or otherwise.
  private static func story(_ name: String, isRight: Bool) -> String {
    let expected =
      isRight ? #"{"page": "sign-in"}"# : #"{"page": "account", "title": "<a> & \u0001"}"#
    return """
      {"name": "\(name)", "title": "T", "summary": "S.", "steps": [
        {"say": "In.", "open": "/sign-in"},
        {"say": "<Refused> & 'told'.",
         "submit": {"identifier": "ada@example.com", "password": "canary-password"},
         "expect": \(expected)}]}
      """
  }

  @Test("of several stories each is a line, all are played, and one that differs makes it 1")
  func several() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(Self.story("c", isRight: false), to: "\(folder)/b/1.json")
      try writeFile(Self.story("b", isRight: true), to: "\(folder)/b/2.json")
      try writeFile("no story", to: "\(folder)/b/readme.txt")
      try writeFile("{}", to: "\(folder)/b/further/3.json")
      let played = try await play(["\(folder)/b", "ada"])
      #expect(played.status == 1)
      #expect(played.error == "")
      let lines = played.output.map { $0.replacing(#/\([0-9]+\.[0-9]{3} s\)/#, with: "(T)") }
      try #require(lines.count == 4, "\(lines)")
      let failed = #"failed c (T): step 2, "<Refused> & 'told'.": page is sign-in, not account; "#
      #expect(lines[0].hasPrefix(failed), "\(lines)")
      #expect(lines[1] == "passed b (T)")
      #expect(lines[2] == "passed ada (T)")
      #expect(lines[3] == "3 stories: 2 passed, 1 failed (T)")
      let right = try await play(["\(folder)/b/2.json", "ada"])
      #expect(right.status == 0)
      #expect(right.output.last?.hasPrefix("2 stories: 2 passed, 0 failed (") == true)
    }
  }

  @Test("every built-in story of the chosen API is played with --all, or by its variable")
  func all() async throws {
    let names = try Story.builtIn().filter { $0.api ?? "entra" == "entra" }.map(\.name)
    let program = try Program(
      ["story", "--api", "entra"],
      environment: ["VESTIBULE_ALL": "on"]
    )
    let output = await program.output()
    #expect(program.exitStatus() == 0, "\(program.said)")
    let told = output.dropLast().compactMap { $0.firstMatch(of: #/^passed (\S+) /#)?.1 }
    #expect(told.map(String.init) == names)
    let summary = "\(names.count) stories: \(names.count) passed, 0 failed ("
    #expect(output.last?.hasPrefix(summary) == true)
  }

  @Test("if one of several stories is invalid, none is played, and the exit code is 78")
  func invalid() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(Self.story("a", isRight: true), to: "\(folder)/1.json")
      try writeFile("{}", to: "\(folder)/2.json")
      let played = try await play(["ada", folder, "--junit", "\(folder)/report.xml"])
      #expect(played.status == 78)
      #expect(played.output.isEmpty)
      #expect(played.error.contains("The story is invalid: \(folder)/2.json: "), "\(played.error)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/report.xml"))
    }
  }

  @Test("a story among several that the emulator refuses to begin fails, and the exit code is 78")
  func refusedAmongOthers() async throws {
    try await withTemporaryFolder { folder in
      let text = """
        {"name": "no", "title": "T", "summary": "S.", "settings": {"foo": 1},
         "steps": [{"say": "In.", "open": "/sign-in"}]}
        """
      try writeFile(text, to: "\(folder)/1.json")
      try writeFile(Self.story("a", isRight: true), to: "\(folder)/2.json")
      let played = try await play([folder])
      #expect(played.status == 78)
      #expect(played.output.count == 3)
      #expect(played.output.first?.contains("the story cannot begin: ") == true)
      #expect(played.output.first?.contains("unknown key 'foo'") == true)
      #expect(played.output.dropFirst().first?.hasPrefix("passed a (") == true)
    }
  }

  @Test("a story is read from standard input, and told like one from a file")
  func standardInput() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(Self.story("piped", isRight: true), to: "\(folder)/story.json")
      let program = try Program(
        ["-c", #"cat "$1" | "$0" story -"#, Program.executable().path, "\(folder)/story.json"],
        executable: URL(fileURLWithPath: "/bin/sh")
      )
      let output = await program.output()
      #expect(program.exitStatus() == 0, "\(program.said)")
      #expect(output == ["T", "1/2 In.", "2/2 <Refused> & 'told'."])
      let empty = try Program(
        ["-c", #""$0" story - < /dev/null"#, Program.executable().path],
        executable: URL(fileURLWithPath: "/bin/sh")
      )
      _ = await empty.output()
      #expect(empty.exitStatus() == 78)
      #expect(empty.said.contains("The story is invalid: standard input: "), "\(empty.said)")
    }
  }

  @Test("a report names each story, its time and what differed, and is XML whatever a story says")
  func report() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(Self.story("wrong", isRight: false), to: "\(folder)/1.json")
      try writeFile(Self.story("right", isRight: true), to: "\(folder)/2.json")
      let path = "\(folder)/reports/junit.xml"
      let program = try Program(["story", folder], environment: ["VESTIBULE_JUNIT": path])
      _ = await program.output()
      #expect(program.exitStatus() == 1)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("canary-password"))
      let (status, output) = try Command.run([
        "python3", "-c",
        """
        import json, sys, xml.etree.ElementTree as tree
        [suite] = tree.parse(sys.argv[1]).getroot()
        print(suite.tag, *(suite.get(name) for name in ("name", "tests", "failures", "errors")))
        for case in suite:
            print(case.tag, case.get("classname"), case.get("name"), float(case.get("time")) > 0)
            for fault in case:
                print(fault.tag, json.dumps([fault.get("message"), fault.text]))
        """,
        path,
      ])
      #expect(status == 0)
      let lines = output.split(separator: "\n")
      try #require(lines.count == 4, "\(output)")
      #expect(lines[0] == "testsuite clerk 2 1 0")
      #expect(lines[1] == "testcase vestibule.clerk wrong True")
      #expect(lines[2].hasPrefix(#"failure ["step 2: page is sign-in, not account; "#))
      #expect(lines[2].contains(#""Step 2 of 2: <Refused> & 'told'.\npage is sign-in, not acc"#))
      #expect(lines[2].contains(#"not <a> & \ufffd"#), "\(lines[2])")
      #expect(lines[3] == "testcase vestibule.clerk right True")
    }
  }

  @Test("a single story has a report, too, and its output stays as it is")
  func reportOfOne() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/junit.xml"
      let played = try await play(["dina", "--junit", path])
      #expect(played.status == 0)
      #expect(played.output.first == "One permission declined")
      #expect(played.output.count == 4)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains(#"<testcase classname="vestibule.entra" name="dina" time=""#))
      #expect(text.contains(#"tests="1" failures="0" errors="0""#))
    }
  }

  @Test("without any story the command is refused as bad usage")
  func none() async throws {
    let played = try await play([])
    #expect(played.status == 64)
    #expect(played.error.hasPrefix("vestibule: No story is named: "))
  }

  @Test(
    "a story that cannot be played is reported in one line",
    arguments: [
      (["nobody-told-this"], "There is no story nobody-told-this"),
      (["Package.swift"], "it is not JSON"),
      (["Sources"], "There is no story in the folder Sources: no file's name ends in .json"),
      (["/dev/null/stories"], "The story cannot be read: /dev/null/stories: Not a directory"),
      (["lou", "dina", "--all"], "--api clerk, and the story dina --api entra: play them apart"),
      (["ada", "nobody-told-this", "dina"], "There is no story nobody-told-this"),
      (["lou", "--junit", "/dev/null"], "/dev/null: it is not a regular file"),
      (["./no.json"], "The story cannot be read: ./no.json: No such file or directory"),
      (["dina", "--api", "clerk"], "needs --api entra"),
      (["ada", "--frontend-api-url", "https://127.0.0.1:1"], "needs an emulated auth API"),
      (["ada", "--data", "/tmp"], "--data has no effect: nothing is written to disk"),
    ] as [([String], String)]
  )
  func refused(words: [String], complaint: String) async throws {
    let played = try await play(words)
    #expect(played.status == 78)
    #expect(played.error.contains(complaint))
    #expect(played.error.split(separator: "\n").count == 1)
  }
}
