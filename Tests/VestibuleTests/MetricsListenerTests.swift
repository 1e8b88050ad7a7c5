import HTTPExchange
import HTTPTypes
import Localization
import Logging
import Metrics
import MicroHTTPServer
import Site
import Testing
import TestSupport

@testable import Vestibule

@Suite("The port of the figures")
struct MetricsListenerTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test("a request under another name is turned away, and counted")
  func host() async {
    let meter = Meter()
    let listener = MetricsListener(
      meter: meter,
      hosts: HostPolicy(port: 9101, admitsWorlds: false),
      logger: Self.logger
    )
    let answer = await listener.respond(
      to: Request(
        method: .get,
        target: MetricsListener.path,
        headerFields: [.host: "evil.example"]
      )
    )
    #expect(answer.status == .badRequest)
    #expect(await meter.text().contains("vestibule_refusals_total{reason=\"host\"} 1\n"))
  }

  @Test(
    "it answers to the public hosts, at its own port and at theirs, and to allowed hosts (S2)",
    arguments: [
      ("login.example:9101", 200), ("LOGIN.example", 200), ("login.example:443", 200),
      ("id.example:9101", 200), ("localhost:9101", 200), ("10.0.0.5:9101", 200),
      ("10.0.0.6:9101", 400), ("login.example:9102", 400), ("evil.example:9101", 400),
      ("a.login.example:9101", 400),
    ]
  )
  func publicHosts(host: String, status: Int) async throws {
    var configuration = Configuration()
    configuration.publicURL = "https://login.example"
    configuration.emulatorPublicURL = "https://id.example"
    configuration.allowedHosts = ["10.0.0.5"]
    let endpoint = try configuration.metricsEndpoint(
      at: Configuration.Address(port: 9101),
      telling: Meter(),
      logger: Self.logger
    )
    let request = Request(method: .get, target: "/metrics", headerFields: [.host: host])
    #expect(await endpoint.handler.respond(to: request).status.code == status)
  }

  @Test(
    "sign-ins, sign-outs and refusals are counted, refusals by whom they blame"
  )
  func flows() async {
    let meter = Meter()
    let count = meter.countingFlows()
    let events: [(event: Site.Event, line: String)] = [
      (.refused(.person), "flow_refusals_total{blame=\"person\"}"),
      (.refused(.service), "flow_refusals_total{blame=\"service\"}"),
      (.refused(.setUp), "flow_refusals_total{blame=\"set-up\"}"),
      (.signedIn(isPending: false), "sign_ins_total{status=\"active\"}"),
      (.signedIn(isPending: true), "sign_ins_total{status=\"pending\"}"),
      (.signedOut, "sign_outs_total"),
      (.unreadableVisit, "visits_unreadable_total"),
    ]
    for (_, line) in events { #expect(await meter.text().contains("vestibule_\(line) 0\n")) }
    for (number, told) in events.enumerated() { for _ in 0...number { count(told.event) } }
    let text = await meter.text()
    for (number, told) in events.enumerated() {
      #expect(text.contains("vestibule_\(told.line) \(number + 1)\n"), "\(told.event)")
    }
  }

  @Test("reloads are counted by their outcome")
  func reloads() async {
    let meter = Meter()
    for outcome in [Meter.ReloadOutcome.done, .refused, .refused] { meter.countReload(outcome) }
    let text = await meter.text()
    #expect(text.contains("vestibule_reloads_total{outcome=\"done\"} 1\n"))
    #expect(text.contains("vestibule_reloads_total{outcome=\"refused\"} 2\n"))
  }

  @Test("connections that are cut are counted by listener and reason")
  func cuts() async {
    let meter = Meter()
    let counting = ["pages", "emulator"].map { ($0, meter.countingCuts(of: $0)) }
    var number = 0
    var lines: [String] = []
    for (listener, count) in counting {
      for reason in MicroHTTPServer.Cut.allCases {
        number += 1
        for _ in 0..<number { count(reason) }
        let labels = "listener=\"\(listener)\",reason=\"\(reason.rawValue)\""
        lines.append("vestibule_connections_cut_total{\(labels)} \(number)\n")
      }
    }
    let text = await meter.text()
    for line in lines { #expect(text.contains(line)) }
  }

  @Test("every figure follows the name and the kind of its family")
  func families() async {
    let meter = Meter()
    let count = meter.countingCuts(of: "pages")
    count(.room)
    var family: Substring?
    for line in await meter.text().split(separator: "\n") {
      if line.hasPrefix("# TYPE ") {
        family = line.split(separator: " ")[2]
      } else if !line.hasPrefix("#") {
        let isItsOwn = family.map { line.hasPrefix($0) } ?? false
        #expect(isItsOwn, "\(line)")
      }
    }
  }

  @Test(
    "the figures have the end of the certificate in use, and nothing if there is none"
  )
  func certificateEnd() async {
    let name = "vestibule_tls_certificate_expiry_timestamp_seconds"
    let meter = Meter()
    #expect(await !meter.text().contains(name))
    meter.shown(MicroHTTPServer.TLS(certificate: LocalhostCertificate.certificate, key: ""))
    // 2126-10-29T04:57:46Z.
    #expect(await meter.text().contains("\n\(name) 4948923466\n"))
    meter.shown(MicroHTTPServer.TLS(certificate: "-----BEGIN CERTIFICATE-----\n", key: ""))
    #expect(await !meter.text().contains(name))
  }

  @Test("readiness is found when somebody asks: yes, and no once a stop has begun")
  func readiness() async throws {
    var configuration = Configuration()
    configuration.dataFolder = nil
    configuration.metrics = Configuration.Address(port: 9101)
    let composition = try Composition(configuration, logger: Self.logger)
    let metrics = try #require(composition.metrics)
    let request = Request(
      method: .get,
      target: "/metrics",
      headerFields: [.host: "localhost:9101"]
    )
    func figures() async -> String {
      String(decoding: await metrics.handler.respond(to: request).body, as: UTF8.self)
    }
    #expect(await figures().contains("\nvestibule_ready 1\n"))
    composition.readiness.beginStopping()
    #expect(await figures().contains("\nvestibule_ready 0\n"))
  }

  @Test(
    "a rate limit of the API and a failure of TLS are counted by themselves"
  )
  func outcomes() async throws {
    let meter = CallMeter(["GET /v1/client"])
    let transport = MeasuredTransport(
      transport: ScriptedTransport([
        .success(.json("{}", status: .tooManyRequests)),
        .success(Response(status: .tooManyRequests, body: Array("<html>".utf8))),
        .success(.json("{}", status: .unprocessableContent)),
        .failure(.tlsFailed), .failure(.refused),
      ]),
      meter: meter
    )
    for _ in 0..<5 { _ = try? await transport.send(Request(method: .get, target: "/v1/client")) }
    var text = ExpositionText()
    meter.writeCalls(to: &text, as: "calls")
    for (outcome, count) in [("429", 2), ("4xx", 1), ("tls", 1), ("unreachable", 1)] {
      let labels = "operation=\"GET /v1/client\",outcome=\"\(outcome)\""
      #expect(text.text.contains("calls{\(labels)} \(count)\n"), "\(outcome)")
    }
  }

  @Test("every reason, and every outcome of a call, is counted by itself")
  func places() async {
    let meter = Meter()
    for (number, reason) in Meter.RefusalReason.allCases.enumerated() {
      for _ in 0...number { meter.count(reason) }
    }
    let told = await meter.text()
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

  @Test("a type that is counted by its cases numbers them in the order of their declaration")
  func caseNumbers() {
    func isInOrder<Case: CaseIterable & BitwiseCopyable>(_: Case.Type) -> Bool {
      Case.allCases.map(\.caseNumber) == Array(0..<Case.allCases.count)
    }
    #expect(isInOrder(Meter.RefusalReason.self))
    #expect(isInOrder(Meter.SignInStatus.self))
    #expect(isInOrder(Meter.ReloadOutcome.self))
    #expect(isInOrder(Site.Blame.self))
    #expect(isInOrder(MicroHTTPServer.Cut.self))
    #expect(isInOrder(CallMeter.Outcome.self))
    #expect(isInOrder(CountedMethod.self))
  }

  @Test("an error of our own has Clerk's code if Clerk is emulated")
  func internalError() {
    let answer = EmulatedAuthAPI.clerk.refusal(.internalServerError, "internal_error", "No.", nil)
    let body = String(decoding: answer.body, as: UTF8.self)
    #expect(answer.status == .internalServerError)
    #expect(body.contains("\"internal_clerk_error\""), "\(body)")
  }

  @Test("a refusal in front of the emulated Entra has the caller's id as it was written")
  func correlation() throws {
    let name = try #require(HTTPField.Name("client-request-id"))
    let id = "7B1E90AA-64D2-4F0F-9A3C-2F1D6E85C4B9"
    let request = Request(method: .post, target: "/", headerFields: [name: id])
    let refusal = EmulatedAuthAPI.entra.refusal(.badRequest, "host_invalid", "No.", request)
    #expect(refusal.headerFields[name] == id)
  }

  @Test(
    "only GET and HEAD of the one address are answered",
    arguments: [
      (HTTPRequest.Method.get, "/metrics", 200), (.head, "/metrics", 200), (.get, "/", 404),
      (.get, "/metrics/", 404), (.post, "/metrics", 405), (.delete, "/metrics", 405),
    ]
  )
  func otherRequests(method: HTTPRequest.Method, path: String, status: Int) async {
    let listener = MetricsListener(
      meter: Meter(),
      hosts: HostPolicy(port: 9101, admitsWorlds: false),
      logger: Self.logger
    )
    let answer = await listener.respond(
      to: Request(method: method, target: path, headerFields: [.host: "localhost:9101"])
    )
    #expect(answer.status.code == status)
    #expect(answer.headerFields[.allow] == (status == 405 ? "GET, HEAD" : nil))
  }

  @Test(
    "an answer that does not begin as an object or an array is no answer of the API",
    arguments: [
      (200, "{}", "2xx"), (200, "\n\t [1]", "2xx"), (200, "<html>", "not_json"),
      (200, "", "not_json"), (204, "", "2xx"), (404, "[", "4xx"), (404, "<html>", "not_json"),
    ]
  )
  func beginnings(status: Int, body: String, outcome: String) async throws {
    let meter = CallMeter(["GET /v1/client"])
    let transport = MeasuredTransport(
      transport: ScriptedTransport([
        .success(Response(status: .init(code: status), body: Array(body.utf8)))
      ]),
      meter: meter
    )
    _ = try await transport.send(Request(method: .get, target: "/v1/client"))
    var text = ExpositionText()
    meter.writeCalls(to: &text, as: "calls")
    let found = CallMeter.Outcome.allCases.filter {
      text.text.contains("operation=\"GET /v1/client\",outcome=\"\($0.rawValue)\"} 1\n")
    }
    #expect(found.map(\.rawValue) == [outcome])
  }
}
