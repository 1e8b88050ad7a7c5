@testable import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite("Faults by one press")
struct FaultTilesTests {
  private func send(_ fields: FormData, _ worlds: Worlds) async throws -> Int {
    let workbench = try BackstagePages(
      worlds: worlds,
      renderer: .project(),
      secret: Array(0..<32)
    )
    var form = fields
    form.append("form_token", Data(0..<32).base64EncodedString())
    let request = Request(
      method: .post,
      target: "/backstage/faults",
      headerFields: [
        .host: "localhost:8080", .contentType: "application/x-www-form-urlencoded",
      ],
      body: form.encoded
    )
    return await workbench.respond(to: request).status.code
  }

  @Test("each tile adds faults that the call takes", arguments: EmulatedAPI.allCases)
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

  @Test("every error of the catalogue is rehearsed by its name, with its status")
  func errors() async throws {
    let client = try BackstageClient()
    #expect(try await send(["action": "error", "code": "user_locked"], client.worlds) == 303)
    #expect(try await client.signIn("ada@example.com", "walk-right-in-42") == "complete")
    let fault = try #require(try await client.send(.get, "faults").json[0])
    #expect(fault["answer"]?["status"] == 403)
    #expect(fault["answer"]?["json"]?["errors"]?[0]?["code"] == "user_locked")
    #expect(try await send(["action": "error", "code": "never_heard_of"], client.worlds) == 422)
  }
}
