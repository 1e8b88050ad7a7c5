import HTTPExchange
import HTTPTypes
import Logging
import Metrics
import Testing

@testable import Vestibule

@Suite("The port of the figures")
struct MetricsListenerTests {
  @Test("who comes to it by another name is turned away, and counted")
  func host() async {
    let meter = Meter()
    let listener = MetricsListener(
      meter: meter,
      hosts: HostPolicy(port: 9101, admitsWorlds: false),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let answer = await listener.respond(
      to: Request(
        method: .get,
        target: MetricsListener.path,
        headerFields: [.host: "evil.example"]
      )
    )
    #expect(answer.status == .badRequest)
    #expect(meter.text.contains("vestibule_refusals_total{reason=\"host\"} 1\n"))
  }

  @Test("every reason, and every outcome of a call, is counted by itself")
  func places() {
    let meter = Meter()
    for (number, reason) in Meter.RefusalReason.allCases.enumerated() {
      for _ in 0...number { meter.count(reason) }
    }
    let told = meter.text
    for (number, reason) in Meter.RefusalReason.allCases.enumerated() {
      let line = "vestibule_refusals_total{reason=\"\(reason.rawValue)\"} \(number + 1)\n"
      #expect(told.contains(line), "\(reason)")
    }
    let calls = CallMeter(["GET /v1/client"])
    let request = Request(method: .get, target: "/v1/client")
    for (number, outcome) in CallMeter.Outcome.allCases.enumerated() {
      for _ in 0...number { calls.end(request, outcome, after: .zero) }
    }
    var text = ExpositionText()
    calls.writeCalls(to: &text, as: "calls")
    for (number, outcome) in CallMeter.Outcome.allCases.enumerated() {
      let labels = "operation=\"GET /v1/client\",outcome=\"\(outcome.rawValue)\""
      #expect(text.text.contains("calls{\(labels)} \(number + 1)\n"), "\(outcome)")
    }
  }

  @Test("an error of our own has Clerk's code where Clerk is emulated")
  func internalError() {
    let answer = EmulatedAuthAPI.clerk.refusal(.internalServerError, "internal_error", "No.", nil)
    let body = String(decoding: answer.body, as: UTF8.self)
    #expect(answer.status == .internalServerError)
    #expect(body.contains("\"internal_clerk_error\""), "\(body)")
  }

  @Test("what is refused before the emulated Entra has the caller's id as it was written")
  func correlation() throws {
    let name = try #require(HTTPField.Name("client-request-id"))
    let id = "7B1E90AA-64D2-4F0F-9A3C-2F1D6E85C4B9"
    let request = Request(method: .post, target: "/", headerFields: [name: id])
    let refusal = EmulatedAuthAPI.entra.refusal(.badRequest, "host_invalid", "No.", request)
    #expect(refusal.headerFields[name] == id)
  }
}
