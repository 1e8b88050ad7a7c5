@testable import Emulators
import Testing
import TestSupport

@Suite("Waiting for a message")
struct ArrivalSignalTests {
  @Test(
    "ends where its time is over before anybody has begun to wait",
    .timeLimit(.minutes(1)),
    arguments: [1, 50, 1_000, 20_000]
  )
  func shortWaits(nanoseconds: Int) async throws {
    let signal = ArrivalSignal()
    // Whether the time is over before or after depends on two threads: often enough both happen.
    for _ in 1...2_000 {
      let deadline = ContinuousClock.now + .nanoseconds(nanoseconds)
      #expect(try await !signal.isGiven(after: signal.ticket(), before: deadline))
    }
  }

  @Test("one that was given since is given, also where its time is nearly over")
  func given() async throws {
    let signal = ArrivalSignal()
    let ticket = signal.ticket()
    signal.give()
    #expect(try await signal.isGiven(after: ticket, before: .now + .seconds(60)))
  }
}
