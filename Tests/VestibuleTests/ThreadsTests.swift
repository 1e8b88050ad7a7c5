import Testing
import Vestibule

@testable import VestibuleCommand

@Suite("Room for threads")
struct ThreadsTests {
  @Test("there is room here for as many as serving takes")
  func room() throws {
    try Threads.requireRoom()
  }

  @Test("a start without room for them says so, instead of waiting for work that none of them does")
  func noRoom() throws {
    // A stack larger than the address space.
    let failure = #expect(throws: StartFailure.self) {
      try Threads.requireRoom(stackBytes: 1 << 47)
    }
    #expect(failure?.kind == .unavailable)
    #expect(failure?.description.contains("ulimit -u") == true)
  }
}
