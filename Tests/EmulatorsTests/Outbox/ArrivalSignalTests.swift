@testable import Emulators
import Testing
import TestSupport

@Suite("Waiting for a message")
struct ArrivalSignalTests {
  @Test(
    "ends even if its time is over before the wait has begun",
    .timeLimit(.minutes(5)),
    arguments: [1, 50, 1_000, 20_000]
  )
  func shortWaits(nanoseconds: Int) async throws {
    let signal = ArrivalSignal()
    // Which comes first depends on two threads: in this many rounds, both orders occur.
    for _ in 1...2_000 {
      let deadline = ContinuousClock.now + .nanoseconds(nanoseconds)
      #expect(try await !signal.isGiven(after: signal.ticket(), before: deadline))
    }
  }

  @Test("the end of all waits is told also if the time was over before")
  func ended() async {
    let signal = ArrivalSignal()
    signal.end(because: .stopping)
    await #expect(throws: Outbox.WaitingEnd.stopping) {
      try await signal.isGiven(after: signal.ticket(), before: .now)
    }
  }

  @Test("a signal that was given after the ticket was taken is noticed")
  func given() async throws {
    let signal = ArrivalSignal()
    let ticket = signal.ticket()
    signal.give()
    #expect(try await signal.isGiven(after: ticket, before: .now + .seconds(60)))
  }
}
