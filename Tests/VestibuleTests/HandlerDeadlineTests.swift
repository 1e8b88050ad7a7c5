import HTTPExchange
import HTTPTypes
import Logging
import Testing

@testable import Vestibule

@Suite("How long the server waits for an answer")
struct HandlerDeadlineTests {
  private static let address = Configuration.Address(port: 8081)

  @Test(
    "allows for the longest delay of a fault, at the emulated API's own port alone",
    arguments: [
      (
        .pages(at: Configuration.Address(port: 8080), over: .emulated(.clerk, at: address)),
        [15, 75]
      ),
      (.emulatorOnly(.entra, at: address), [75]),
    ] as [(Configuration.Service, [Int])]
  )
  func faults(service: Configuration.Service, seconds: [Int]) throws {
    var configuration = Configuration()
    configuration.dataFolder = nil
    configuration.service = service
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let composition = try Composition(configuration, logger: logger)
    for (target, more) in [
      ("/v1/client/sign_ins", 0), ("/backstage/api/messages/latest?wait=7", 7),
    ] {
      let request = Request(method: .get, target: target)
      let expected: [Duration] = seconds.map { .seconds($0 + more) }
      #expect(composition.endpoints.map { $0.deadline(for: request) } == expected)
    }
  }
}
