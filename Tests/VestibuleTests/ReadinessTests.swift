import Logging
import Testing
import TestSupport

@testable import Vestibule

@Suite("Whether requests should come here")
struct ReadinessTests {
  @Test("each change is logged once: an error with the reason, a notice when all is well again")
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

  @Test(
    "a stop waits only for a poller that is due to ask again in time",
    arguments: [
      ([], false), ([-1], false), ([-3, -2, -1], true), ([-4, -3, -2.01], false),
      ([-0.9, -0.8], true), ([-1.2, -1.1], false), ([-23, -13, -3], true),
      // A poller that asks every minute and asked just now would hear nothing before the end.
      ([-139, -79, -19], false), ([-175, -115, -55], true), ([-189, -129, -69], true),
      ([-191, -131, -71], false),
    ] as [([Double], Bool)]
  )
  func awaited(asked: [Double], isAwaited: Bool) {
    let readiness = Readiness()
    let stop = ContinuousClock.now
    for seconds in asked { #expect(!readiness.asked(at: stop + .seconds(seconds))) }
    #expect(readiness.isAwaited(at: stop, until: stop + .seconds(10)) == isAwaited)
  }

  @Test("a poller that has heard of the stop and would ask again too late is not waited for")
  func heardOnce() {
    let readiness = Readiness()
    let stop = ContinuousClock.now
    for seconds in [-63, -33, -3] { _ = readiness.asked(at: stop + .seconds(seconds)) }
    let end = stop + .seconds(30)
    readiness.beginStopping()
    #expect(readiness.isAwaited(at: stop + .seconds(26), until: end))
    #expect(readiness.asked(at: stop + .seconds(27)))
    #expect(!readiness.isAwaited(at: stop + .seconds(28), until: end))
  }

  @Test("a look that ends after a newer one is not logged, since it is out of date")
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
