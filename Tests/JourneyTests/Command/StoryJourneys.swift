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
      #expect(played.error.contains("step 2: page is sign-in, not account; status is 422, not 200"))
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

  @Test(
    "a story that cannot be played is reported in one line",
    arguments: [
      (["nobody-told-this"], "There is no story nobody-told-this"),
      (["Package.swift"], "it is not JSON"),
      (["/tmp"], "The story cannot be read: /tmp: Is a directory"),
      (["Sources"], "The story cannot be read: Sources: Is a directory"),
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
