import Foundation
import HTTPTypes
import Testing
import TestSupport
import VestibuleTesting

@Suite("How long the body of a call to backstage may be", .inTurn)
struct BackstageLimitJourneys {
  @Test("a call takes as much as the refusal of a longer one says, and an import takes more")
  func limits() async throws {
    try await Stage.overSockets.play { scene in
      let backstage = scene.backstage
      func body(count: Int) -> String {
        #"{"freeze": true}"#.padding(toLength: count, withPad: " ", startingAt: 0)
      }
      _ = try await backstage.call(.post, "clock", json: body(count: 1024 * 1024))
      let refusal = await #expect(throws: TestBackstage.Failure.self) {
        try await backstage.call(.post, "clock", json: body(count: 1024 * 1024 + 1))
      }
      #expect(refusal?.description.contains("413") == true)
      #expect(refusal?.description.contains("1 MiB") == true, "\(refusal?.description ?? "")")
      let other = await #expect(throws: TestBackstage.Failure.self) {
        try await backstage.call(.post, "import", json: body(count: 1024 * 1024 + 1))
      }
      #expect(other?.description.contains("422") == true, "\(other?.description ?? "")")
    }
  }
}
