import Testing

@testable import Vestibule
@testable import VestibuleCommand

@Suite("The auth APIs that are emulated")
struct EmulatedAPITests {
  @Test("are those that --api names, each once, with operations and a name of its own")
  func all() {
    let options = EmulatedAuthAPI.all.map(\.option)
    #expect(options == AuthAPIName.allCases.map(\.rawValue))
    #expect(options == AuthAPIName.allCases.map(\.emulated.option))
    #expect(Set(EmulatedAuthAPI.all.map(\.name)).count == options.count)
    let operations = EmulatedAuthAPI.all.map { Set($0.operations) }
    #expect(operations.allSatisfy { !$0.isEmpty })
    #expect(Set(operations).count == options.count)
  }
}
