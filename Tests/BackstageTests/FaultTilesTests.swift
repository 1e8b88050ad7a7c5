@testable import Backstage
import Emulators
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite("Faults by one press")
struct FaultTilesTests {
  private func send(
    _ fields: FormData,
    _ worlds: Worlds,
    _ recorder: Recorder? = nil
  ) async throws -> Int {
    let workbench = WorkbenchClient(
      try BackstagePages(
        worlds: worlds,
        renderer: .project(),
        secret: WorkbenchClient.secret,
        recorder: recorder
      )
    )
    return await workbench.send("faults", fields).status
  }

  private func press(_ tile: String, _ worlds: Worlds) async throws {
    #expect(try await send(["action": "rehearse", "id": tile], worlds) == 303, "\(tile)")
  }

  @Test("each tile adds all of its faults", arguments: EmulatedAPI.allCases)
  func tiles(api: EmulatedAPI) async throws {
    let worlds = try Worlds(storage: .memory, behind: api)
    let faults = try await worlds.world(.main).faults
    for tile in FaultTile.all(behind: api) {
      #expect(
        try await send(["action": "rehearse", "id": tile.name], worlds) == 303,
        "\(tile.name)"
      )
      #expect(faults.all.count == tile.faults.count)
      faults.removeAll()
    }
    #expect(try await send(["action": "rehearse", "id": "none"], worlds) == 400)
  }

  @Test("one press refuses one code, at whichever step it is typed")
  func oneCode() async throws {
    let client = try BackstageClient()
    let service = EmulatedService(
      client.emulator,
      worlds: client.worlds,
      address: "http://127.0.0.1:4010"
    )
    let faults = try await client.worlds.world(.main).faults
    for call in [
      "sign_ins/sia_1/attempt_first_factor", "sign_ins/sia_1/attempt_second_factor",
      "sign_ups/sua_1/attempt_verification",
    ] {
      try await press("code-refused", client.worlds)
      let request = Request(.post, "/v1/client/\(call)?_is_native=1", form: ["code": "424242"])
      let answer = await service.respond(to: request)
      let refused = try answer.read(by: JSON.init(decoding:), empty: .null)
      #expect(refused["errors"]?[0]?["code"] == "form_code_incorrect", "\(call)")
      #expect(faults.all.isEmpty, "nothing is left for a later step")
    }
  }

  @Test("a tile that is on already is not set twice: it stays, or starts over if it ends by itself")
  func twice() async throws {
    let worlds = try Worlds(storage: .memory)
    let faults = try await worlds.world(.main).faults
    try await press("offline", worlds)
    let first = faults.all
    try await press("offline", worlds)
    #expect(faults.all == first && first.count == 1)
    try await press("code-refused", worlds)
    try await press("code-refused", worlds)
    #expect(faults.all.count == 4)
  }

  @Test("a recorded walk has a tile's faults as one group, and their removal as one step")
  func recorded() async throws {
    let worlds = try Worlds(storage: .memory)
    let world = try await worlds.world(.main)
    let recordings = Recordings(isSecure: false) { Array(repeating: 7, count: $0) }
    let recorder = Recorder(recordings, endOfVisit: { _ in [:] })
    let id = try await recordings.begin("A walk", in: world, of: worlds, following: .first)
    for _ in 0..<2 {
      let form: FormData = ["action": "rehearse", "id": "code-refused"]
      #expect(try await send(form, worlds, recorder) == 303)
    }
    let steps = try #require(recordings.recording(id, in: .main)).steps
    #expect(steps.count == 7, "three, one that removes them, and three")
    #expect(steps[3]["faults"] == [])
    for step in steps[..<3] + steps[4...] { #expect(step["fault"]?["group"] == "code-refused") }
    #expect(world.faults.all.map(\.group) == ["code-refused", "code-refused", "code-refused"])
  }

  @Test("an error of the catalogue is rehearsed by its name, with its status")
  func errors() async throws {
    let client = try BackstageClient()
    #expect(try await send(["action": "error", "code": "user_locked"], client.worlds) == 303)
    #expect(try await client.signIn("ada@example.com", "walk-right-in-42") == "complete")
    let fault = try #require(try await client.send(.get, "faults").json[0])
    #expect(fault["answer"]?["status"] == 403)
    #expect(fault["answer"]?["json"]?["errors"]?[0]?["code"] == "user_locked")
    #expect(try await send(["action": "error", "code": "never_heard_of"], client.worlds) == 422)
  }

  @Test(
    "the list names the error that a call is answered with",
    arguments: [
      (EmulatedAPI.clerk, "user_locked", "Answered 403, user_locked"),
      (.entra, "user_not_found", "Answered 400, user_not_found"),
      (.entra, "invalid_grant/invalid_oob_value", "Answered 400, invalid_grant/invalid_oob_value"),
    ]
  )
  func named(api: EmulatedAPI, code: String, words: String) async throws {
    let worlds = try Worlds(storage: .memory, behind: api)
    let error = try #require(KnownError.all(behind: api).first { $0.code == code })
    #expect(try await send(["action": "error", "code": error.id], worlds) == 303)
    let html = try await WorkbenchClient(over: worlds).open("faults").html
    #expect(html.contains(words))
  }
}
