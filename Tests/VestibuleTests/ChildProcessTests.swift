import Testing

@testable import VestibuleCommand

@Suite("The command of vestibule run")
struct ChildProcessTests {
  @Test("gets no signal once it has ended, since its number may be another process's")
  func ended() async throws {
    let child = try ChildProcess.start(["sh", "-c", "exit 7"], setting: [:])
    #expect(child.pass(on: Signals.Arrival()))
    #expect(await child.end() == 7)
    #expect(!child.pass(on: Signals.Arrival()))
  }
}
