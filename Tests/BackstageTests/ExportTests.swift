import Emulators
import HTTPExchange
import HTTPTypes
import Testing

@Suite("A world as a document")
struct ExportTests {
  private let client: BackstageClient
  private let copy = HTTPField(name: .vestibuleWorld, value: "copy")

  init() throws { client = try BackstageClient() }

  @Test("comes back in another world: accounts, messages, settings, clock, faults and traces")
  func travels() async throws {
    await client.sendCode()
    _ = try await client.send(.patch, "users/user_ada", body: #"{"password":"another one 42"}"#)
    _ = try await client.send(.patch, "instance", body: #"{"phone":"off"}"#)
    _ = try await client.send(.post, "clock", body: #"{"freeze":true}"#)
    let service = EmulatedService(
      client.emulator,
      worlds: client.worlds,
      address: "http://127.0.0.1:4010"
    )
    _ = await service.respond(
      to: Request(method: .get, target: "/v1/environment?_is_native=1", headerFields: [:], body: [])
    )
    _ = try await client.send(.post, "faults", body: #"{"fault":"reset","times":3}"#)
    let exported = try await client.send(.get, "export")
    #expect(exported.status == 200)
    let body = String(decoding: exported.json.encoded, as: UTF8.self)
    #expect(!body.contains("another one 42"))
    #expect(try await client.send(.get, "traces").json[0]?["calls"]?[0]?["status"] == 200)
    let imported = try await client.send(.post, "import", body: body, fields: [copy])
    #expect(imported.status == 200, "\(imported.json)")
    for path in ["messages", "users", "instance", "clock", "faults", "traces"] {
      let there = try await client.send(.get, path)
      let here = try await client.send(.get, path, fields: [copy])
      if path == "faults" {
        #expect(here.json[0]?["fault"] == "reset")
        #expect(here.json[0]?["times"] == 3)
      } else if path == "clock" {
        #expect(here.json["now"] == there.json["now"])
        #expect(here.json["frozen"] == true)
      } else {
        #expect(here.json == there.json)
      }
    }
  }

  @Test(
    "a document that is not an exported world is refused, and changes nothing",
    arguments: [
      "{}", #"{"vestibule_world":2}"#,
      #"{"vestibule_world":1,"schema":[],"instance":{},"clock":{"now":1,"offset_seconds":0,"frozen":false},"tables":{}}"#,
    ]
  )
  func refuses(body: String) async throws {
    _ = try await client.send(.post, "clock", body: #"{"freeze":true}"#)
    let before = try await client.send(.get, "users")
    #expect(try await client.send(.post, "import", body: body).status == 422)
    #expect(try await client.send(.get, "users").json == before.json)
  }

  @Test("rows that contradict each other are refused, and change nothing")
  func contradicts() async throws {
    var document = try await client.send(.get, "export").json
    document["tables"]?["account"] = []
    let body = String(decoding: document.encoded, as: UTF8.self)
    let answer = try await client.send(.post, "import", body: body)
    #expect(answer.status == 422, "\(answer.json)")
    #expect(try await client.signIn("ada@example.com", "walk-right-in-42") == "complete")
  }

  /// The exported world with one change.
  private func exported(_ change: (inout JSON) throws -> Void) async throws -> String {
    var document = try await client.send(.get, "export").json
    try change(&document)
    return String(decoding: document.encoded, as: UTF8.self)
  }

  @Test(
    "a clock that no world can have is refused",
    arguments: ["1e300", "-1e300", "9223372036854775807", "1e12"]
  )
  func wildClock(offset: String) async throws {
    let offset = try #require(JSON(decoding: Array(offset.utf8)))
    let body = try await exported { $0["clock"]?["offset_seconds"] = offset }
    #expect(try await client.send(.post, "import", body: body).status == 422)
    #expect(try await client.send(.get, "clock").json["offset_seconds"] == 0)
  }

  @Test(
    "a trace id that no world can have is refused",
    arguments: ["trace_9223372036854775807", "trace_0", "trace_-1", "trace_x", "fault_1", ""]
  )
  func wildTrace(id: String) async throws {
    let body = try await exported { document in
      document["traces"] = [
        ["id": .string(id), "started_at": "2026-11-21T14:35:00Z", "calls": []]
      ]
    }
    let answer = try await client.send(.post, "import", body: body)
    #expect(answer.status == 422, "\(answer.json)")
  }

  @Test("more faults than a world takes are refused, and nothing is imported")
  func tooManyFaults() async throws {
    _ = try await client.send(.post, "faults", body: #"{"fault":"reset"}"#)
    let body = try await exported { document in
      document["faults"] = .array(Array(repeating: ["fault": "reset"], count: 1001))
      document["instance"]?["phone"] = "off"
    }
    #expect(try await client.send(.post, "import", body: body).status == 422)
    #expect(try await client.send(.get, "faults").json.array?.count == 1)
    #expect(try await client.send(.get, "instance").json["phone"] == "sign_in")
  }

  @Test("faults keep their ids when they are exported, imported and exported again")
  func idsOfFaults() async throws {
    for fault in ["reset", "empty", "timeout"] {
      _ = try await client.send(.post, "faults", body: #"{"fault":"\#(fault)"}"#)
    }
    #expect(try await client.send(.delete, "faults/fault_1").status == 204)
    let document = try await client.send(.get, "export").json
    let body = String(decoding: document.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: body, fields: [copy]).status == 200)
    let again = try await client.send(.get, "export", fields: [copy]).json
    #expect(again["faults"] == document["faults"])
    #expect(try await client.send(.delete, "faults/fault_2", fields: [copy]).status == 204)
    let added = try await client.send(
      .post,
      "faults",
      body: #"{"fault":"reset"}"#,
      fields: [copy]
    )
    #expect(added.json["id"] == "fault_4")
  }

  @Test(
    "a fault with an invalid or a taken id gets another one",
    arguments: [
      #""fault_2""#, #""fault_02""#, #""fault_9223372036854775807""#, #""fault_0""#, #""2""#,
      "null",
    ]
  )
  func strangeIDs(id: String) async throws {
    let id = try #require(JSON(decoding: Array(id.utf8)))
    let body = try await exported { document in
      document["faults"] = [
        ["id": "fault_2", "fault": "reset"], ["id": id, "fault": "empty"],
      ]
    }
    #expect(try await client.send(.post, "import", body: body, fields: [copy]).status == 200)
    let faults = try await client.send(.get, "faults", fields: [copy]).json
    #expect(faults[0]?["id"] == "fault_2" && faults[0]?["fault"] == "reset")
    #expect(faults[1]?["id"] == "fault_3" && faults[1]?["fault"] == "empty")
  }

  @Test(
    "a row that no call could have written is refused, and changes nothing",
    arguments: [
      ("account", "createdAt", "9223372036854775807"),
      ("account", "createdAt", "-9223372036854775808"),
      ("account", "createdAt", #""yesterday""#),
      ("account", "createdAt", "null"),
      ("account", "createdAt", "1e300"),
      ("account", "isBanned", "[]"),
      ("account", "passwordState", #""odd""#),
      ("account", "tasks", #""[\"dance\"]""#),
      ("account", "totpUsedSteps", #""[9223372036854775807]""#),
      ("account", "entra", #""{}}""#),
      (
        "account", "password",
        #""{\"cost\":{\"rounds\":4611686018427387904,\"blockSize\":8,\"parallelism\":1},\"salt\":\"\",\"key\":\"\"}""#
      ),
      ("account", "nobody", "1"),
      ("contact", "kind", #""pigeon""#),
      ("contact", "position", "9223372036854775807"),
    ]
  )
  func wildRow(table: String, column: String, value: String) async throws {
    let value = try #require(JSON(decoding: Array(value.utf8)))
    let body = try await exported { document in
      var rows = try #require(document["tables"]?[table]?.array)
      rows[0][column] = value
      document["tables"]?[table] = .array(rows)
    }
    let answer = try await client.send(.post, "import", body: body)
    #expect(answer.status == 422, "\(answer.json)")
    #expect(try await client.signIn("ada@example.com", "walk-right-in-42") == "complete")
  }

  @Test("a name that looks like JSON comes back unchanged")
  func proseIsProse() async throws {
    let name = "[99999999999999999999]"
    let body = JSON.object([.init("first_name", .string(name))])
    _ = try await client.send(
      .patch,
      "users/user_ada",
      body: String(decoding: body.encoded, as: UTF8.self)
    )
    let document = try await exported { _ in }
    #expect(try await client.send(.post, "import", body: document, fields: [copy]).status == 200)
    let copied = try await client.send(.get, "users/user_ada", fields: [copy])
    #expect(copied.json["first_name"]?.string == name)
  }

  @Test("a document of an older program, which does not name its API, comes back")
  func withoutAPI() async throws {
    let body = try await exported { document in
      guard case .object(let members) = document else { return }
      document = .object(members.filter { $0.name != "api" })
    }
    #expect(try await client.send(.post, "import", body: body, fields: [copy]).status == 200)
  }

  @Test("the members of a document may be in any order")
  func anyOrder() async throws {
    let body = try await exported { document in
      guard case .object(let members) = document else { return }
      document = .object(members.reversed())
    }
    #expect(try await client.send(.post, "import", body: body, fields: [copy]).status == 200)
  }

  @Test(
    "the refusal names the element that is not a fault, or not a trace",
    arguments: [
      ("faults", "[1]", "'faults[0]': A JSON object is expected."),
      ("faults", #"[{"fault":"reset"},{"x":1}]"#, "'faults[1]': There is no key 'x'."),
      ("traces", "[[]]", "'traces[0]': This is not a trace."),
      (
        "traces", #"[{"id":"trace_1","started_at":"3001-01-01T00:00:00Z","calls":[]}]"#,
        "'traces[0]': This is not a trace."
      ),
      (
        "traces", #"[{"id":"trace_1","started_at":"2026-11-21T14:35:00Z","calls":[{}]}]"#,
        "'traces[0]': This is not a trace."
      ),
      (
        "traces",
        #"[{"id":"trace_1","started_at":"2026-11-21T14:35:00Z","calls":[{"method":"GET","#
          + #""path":"/v1/me","milliseconds":1,"started_at":"3001-01-01T00:00:00Z"}]}]"#,
        "'traces[0]': This is not a trace."
      ),
    ]
  )
  func namesTheElement(list: String, value: String, message: String) async throws {
    let value = try #require(JSON(decoding: Array(value.utf8)))
    let body = try await exported { $0[list] = value }
    let answer = try await client.send(.post, "import", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string == message)
  }

  @Test("the refusal names the row and the column that no call could have written")
  func namesTheRow() async throws {
    let body = try await exported { document in
      var rows = try #require(document["tables"]?["contact"]?.array)
      rows[2]["position"] = .number(0.5)
      document["tables"]?["contact"] = .array(rows)
    }
    let answer = try await client.send(.post, "import", body: body)
    let message = answer.json["errors"]?[0]?["message"]?.string
    #expect(message == "'tables.contact[2].position': no such value")
  }

  @Test(
    "the refusal says where the document stops being JSON, or a world",
    arguments: [
      (
        #"{"vestibule_world":1,"#,
        "this is not an exported world: byte 22 is not the JSON of one"
      ),
      ("{}", "this is not an exported world: 'vestibule_world' is not 1"),
      (#"{"vestibule_world":1}"#, "'schema' is missing"),
    ]
  )
  func namesThePlace(body: String, words: String) async throws {
    let answer = try await client.send(.post, "import", body: body)
    let message = answer.json["errors"]?[0]?["message"]?.string
    #expect(message == words)
  }

  @Test(
    "the refusal names the key at fault, and nothing changes",
    arguments: [
      ("vestibule_world", "2", "this is not an exported world: 'vestibule_world' is not 1"),
      ("schema", #"[1]"#, "'schema': not a text"),
      ("instance", #"{"code_attempts":"5"}"#, "'instance.code_attempts': not a whole number"),
      ("clock", "7", "'clock': not an object"),
      ("clock", #"{"now":1,"offset_seconds":0}"#, "'clock': 'frozen' is missing"),
      (
        "clock", #"{"now":1,"offset_seconds":"0","frozen":false}"#,
        "'clock.offset_seconds': not a number within -32503680000 to 32503680000"
      ),
      (
        "clock", #"{"now":-1,"offset_seconds":0,"frozen":true}"#,
        "'clock.now': not milliseconds within the years 1970 to 3000"
      ),
      ("tables", "[]", "'tables': not an object"),
      ("api", #""okta""#, "'api': 'okta' is not one of clerk, entra"),
      ("colour", "1", "unknown key 'colour': a typo, or from a newer version of this program"),
    ]
  )
  func namesTheKey(key: String, value: String, message: String) async throws {
    let value = try #require(JSON(decoding: Array(value.utf8)))
    let body = try await exported { document in
      document["instance"]?["phone"] = "off"
      document[key] = value
    }
    let answer = try await client.send(.post, "import", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string == message)
    #expect(try await client.send(.get, "instance").json["phone"] == "sign_in")
  }
}
