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
    "what is no exported world is refused, and changes nothing",
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
}
