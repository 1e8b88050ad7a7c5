import Testing

@testable import VestibuleCommand

@Suite("Signals that nobody takes")
struct SignalsTests {
  @Test("end the program once an earlier one has waited for longer than a program takes that works")
  func stuck() {
    let signals = UntakenSignals()
    // Typed twice at once, as a person in a hurry does, they are taken one after the other.
    #expect(!signals.isStuck(at: 100))
    #expect(!signals.isStuck(at: 100))
    #expect(!signals.isStuck(at: 101))
    #expect(signals.isStuck(at: 102))
  }

  @Test("are forgotten once one is taken")
  func taken() {
    let signals = UntakenSignals()
    #expect(!signals.isStuck(at: 100))
    signals.take()
    #expect(!signals.isStuck(at: 200))
    #expect(!signals.isStuck(at: 201))
    #expect(signals.isStuck(at: 210))
  }
}
