import Logging
import Testing

@testable import Vestibule

@Suite("Whether requests should come here")
struct ReadinessTests {
  @Test("each change is told once: an error with the reason, a notice when all is well again")
  func changes() {
    let (readiness, log) = (Readiness(), LineRecorder())
    let busy = Readiness.Hindrance(reason: "it is busy", details: ["folder": "data"])
    let full = Readiness.Hindrance(reason: "it is full", details: ["error": "13"])
    for found in [nil, busy, busy, full, full, nil, nil, busy] {
      readiness.found(found, logger: log.logger)
    }
    #expect(
      log.lines == [
        "error not ready folder=data reason=it is busy",
        "error not ready error=13 reason=it is full",
        "notice ready again",
        "error not ready folder=data reason=it is busy",
      ]
    )
  }
}
