import Testing
import Vestibule

@testable import VestibuleCommand

@Suite("Room for threads")
struct ThreadsTests {
  @Test("as many as serving takes can be had here")
  func room() throws {
    try Threads.requireRoom()
  }

  @Test("a start without room for them says so, instead of waiting for what none of them does")
  func noRoom() throws {
    // More than there are addresses.
    let failure = #expect(throws: StartFailure.self) {
      try Threads.requireRoom(stackBytes: 1 << 47)
    }
    #expect(failure?.kind == .unavailable)
    #expect(failure?.description.contains("ulimit -u") == true)
  }
}
