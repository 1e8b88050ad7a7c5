import Logging
import Testing
import TestSupport

@testable import Vestibule

@Suite("Whether requests should come here")
struct ReadinessTests {
  @Test("each change is told once: an error with the reason, a notice when all is well again")
  func changes() async {
    let (readiness, log) = (Readiness(), LogRecorder())
    let busy = Readiness.Hindrance(reason: "it is busy", details: ["folder": "data"])
    let full = Readiness.Hindrance(reason: "it is full", details: ["error": "13"])
    for found in [nil, busy, busy, full, full, nil, nil, busy] {
      _ = await readiness.looking(logger: log.logger) { found }
    }
    #expect(
      log.events.map { "\($0.level) \($0.line)" } == [
        "error not ready folder=data reason=it is busy",
        "error not ready error=13 reason=it is full",
        "notice ready again",
        "error not ready folder=data reason=it is busy",
      ]
    )
  }

  @Test("a look that ends after a newer one says nothing: what it found is no longer so")
  func overtaken() async {
    let (readiness, log) = (Readiness(), LogRecorder())
    let busy = Readiness.Hindrance(reason: "it is busy", details: [:])
    let found = await readiness.looking(logger: log.logger) {
      _ = await readiness.looking(logger: log.logger) { nil }
      return busy
    }
    #expect(found?.reason == busy.reason)
    #expect(log.lines.isEmpty)
  }
}
