import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import VestibuleTesting

@Suite("The figures of a running program", .inTurn)
struct MetricsJourneys {
  /// Asks with curl, and returns the status and the body.
  private static func ask(_ arguments: [String]) throws -> (status: String, body: String) {
    let (_, output) = try Command.run(
      ["curl", "-s", "--max-time", "20", "-w", "\n%{http_code}"] + arguments
    )
    let end = output.lastIndex(of: "\n") ?? output.startIndex
    return (String(output[end...].dropFirst()), String(output[..<end]))
  }

  static func figures(at address: String) throws -> PrometheusText {
    let (status, text) = try ask([address])
    #expect(status == "200")
    return try PrometheusText(text)
  }

  private static func withPages(
    _ arguments: [String] = [],
    _ body: (_ pages: String, _ metrics: String) async throws -> Void
  ) async throws {
    let program = try Program(
      RunningJourneys.plain(["--metrics-port", "0", "--log-level", "critical"] + arguments)
    )
    defer { program.end() }
    let lines = try await program.addresses(2)
    #expect(lines[1].hasPrefix("http://127.0.0.1:") && lines[1].hasSuffix("/metrics"))
    try await body(lines[0], lines[1])
  }

  @Test("requests, calls and their times are counted under names without ids")
  func counted() async throws {
    try await Self.withPages { pages, metrics in
      let before = try Self.figures(at: metrics)
      #expect(before.sum("vestibule_http_requests_total") == 0)
      #expect(before.sum("vestibule_worlds") == 1)
      #expect(before.sum("vestibule_ready") == 1)
      #expect(before.kinds["vestibule_tls_certificate_expiry_timestamp_seconds"] == nil)
      #expect(before.sum("process_resident_memory_bytes") > 0)

      let transport = try HTTPClientTransport(
        to: try BaseURL(pages.replacing("127.0.0.1", with: "localhost"))
      )
      let result: Result<Void, any Error> = await Result {
        let ada = FormSession(over: transport, world: "quiet-canary")
        let account = try await ada.signIn("ada@example.com")
        #expect(account.page == "account")
        let ezra = FormSession(over: transport, world: "quiet-canary")
        let code = try await ezra.signIn("ezra@example.com")
        #expect(code.page == "sign-in-second-factor")
        let wrong = try await ezra.submit(["code": "000000"])
        #expect(wrong.status == 422)
      }
      await transport.shutdown()
      try result.get()
      for path in ["nowhere/secret-canary", "public/vestibule.css", "healthz", ""] {
        _ = try Self.ask(["\(pages)\(path)"])
      }

      let (_, text) = try Self.ask([metrics])
      let figures = try PrometheusText(text)
      func requests(_ route: String, _ method: String, _ status: String) -> Double {
        figures.sum(
          "vestibule_http_requests_total",
          ["listener": "pages", "route": route, "method": method, "status": status]
        )
      }
      #expect(requests("/sign-in", "POST", "303") == 2)
      #expect(requests("/sign-in/second-factor", "POST", "422") == 1)
      #expect(requests("/account", "GET", "200") == 1)
      #expect(requests("/public", "GET", "200") == 1)
      #expect(requests("/healthz", "GET", "200") == 1)
      #expect(requests("/", "GET", "303") == 1)
      #expect(requests("other", "GET", "404") == 1)
      #expect(figures.sum("vestibule_refusals_total", ["reason": "not_found"]) == 1)
      #expect(figures.sum("vestibule_sign_ins_total", ["status": "active"]) == 1)
      #expect(figures.sum("vestibule_sign_ins_total", ["status": "pending"]) == 0)
      #expect(figures.sum("vestibule_sign_outs_total") == 0)
      #expect(figures.sum("vestibule_flow_refusals_total", ["blame": "person"]) == 1)
      #expect(figures.sum("vestibule_flow_refusals_total") == 1)
      #expect(
        figures.sum("vestibule_http_request_duration_seconds_count")
          == figures.sum("vestibule_http_requests_total")
      )
      #expect(
        figures.sum(
          "vestibule_http_request_duration_seconds_count",
          ["route": "/sign-in/second-factor"]
        ) == 2
      )

      let signIns = ["operation": "POST /v1/client/sign_ins", "outcome": "2xx"]
      #expect(figures.sum("vestibule_upstream_calls_total", signIns) == 2)
      let attempts = [
        "operation": "POST /v1/client/sign_ins/{sign_in_id}/attempt_second_factor",
        "outcome": "4xx",
      ]
      #expect(figures.sum("vestibule_upstream_calls_total", attempts) == 1)
      #expect(figures.sum("vestibule_upstream_calls_total", ["operation": "other"]) == 0)
      #expect(
        figures.sum("vestibule_upstream_call_duration_seconds_count")
          == figures.sum("vestibule_upstream_calls_total")
      )
      #expect(figures.sum("vestibule_upstream_calls_in_flight") == 0)
      #expect(figures.sum("vestibule_worlds") == 2)
      // Nobody's data, and no label that callers could multiply.
      for word in ["canary", "ada@", "\"ada", "example.com", "sia_"] {
        #expect(!text.contains(word))
      }
    }
  }

  @Test("refusals are counted by their reason")
  func refusals() async throws {
    try await Self.withPages(["--throttle", "on"]) { pages, metrics in
      func count(_ reason: String) throws -> Double {
        try Self.figures(at: metrics).sum("vestibule_refusals_total", ["reason": reason])
      }
      let requests: [(reason: String, arguments: [String])] = [
        ("host", ["-H", "Host: evil.example", "\(pages)sign-in"]),
        ("framing", ["-H", "Bad(Name: x", "\(pages)sign-in"]),
        ("world", ["-H", "X-Vestibule-World: NOT A NAME", "\(pages)sign-in"]),
        ("not_found", ["\(pages)nowhere"]), ("method", ["-X", "DELETE", "\(pages)sign-in"]),
        ("form", ["-H", "Content-Type: text/plain", "-d", "x", "\(pages)sign-in"]),
        ("forgery", ["-d", "form_token=x", "\(pages)sign-in"]),
        ("forgery", ["-H", "Origin: https://evil.example", "-d", "a=b", "\(pages)sign-in"]),
        ("forgery", ["\(pages)backstage/api/clock"]),
        (
          "forgery",
          ["-H", "Origin: https://evil.example", "-d", "a=b", "\(pages)backstage/faults"]
        ),
        ("forgery", ["-d", "a=b", "\(pages)backstage/clock"]),
        ("world", ["-H", "X-Vestibule-World: NOT A NAME", "\(pages)backstage/inbox"]),
        ("head_too_large", ["-H", "X-Long: \(String(repeating: "x", count: 50_000))", pages]),
      ]
      for (reason, arguments) in requests {
        let before = try count(reason)
        let (status, _) = try Self.ask(arguments)
        #expect(["400", "403", "404", "405", "415", "431"].contains(status), "\(reason)")
        #expect(try count(reason) == before + 1, "\(reason)")
      }

      let transport = try HTTPClientTransport(
        to: try BaseURL(pages.replacing("127.0.0.1", with: "localhost"))
      )
      let result: Result<Void, any Error> = await Result {
        let guesser = FormSession(over: transport)
        try await guesser.open("/sign-in")
        var last = 0
        for attempt in 0..<6 {
          last =
            try await guesser.submit([
              "identifier": "ada@example.com", "password": "wrong-\(attempt)",
            ]).status
        }
        #expect(last == 429)
      }
      await transport.shutdown()
      try result.get()
      #expect(try count("throttled") == 1)
    }
  }

  @Test(
    "failed calls are counted by the way they fail, from no connection to nonsense in the answer"
  )
  func upstream() async throws {
    let emulator = try Program(["emulate", "--port", "0", "--in-memory", "--metrics-port", "0"])
    defer { emulator.end() }
    let addresses = try await emulator.addresses(2)
    let pages = try Program(
      RunningJourneys.plain([
        "--metrics-port", "0", "--frontend-api-url", addresses[0], "--log-level", "critical",
      ])
    )
    defer { pages.end() }
    let own = try await pages.addresses(2)
    func outcomes() throws -> Set<String> {
      let figures = try Self.figures(at: own[1])
      return Set(
        figures.samples.filter { $0.name == "vestibule_upstream_calls_total" }
          .compactMap { $0.labels["outcome"] }
      )
    }
    for (fault, outcome) in [
      ("not_json", "not_json"), ("html_500", "5xx"), ("truncated", "connection_lost"),
      ("huge", "malformed"),
    ] {
      _ = try Self.ask([
        "-H", "X-Vestibule-Backstage: 1", "-H", "Content-Type: application/json", "-d",
        #"{"match":{"path":"/v1/environment"},"times":1,"fault":"\#(fault)"}"#,
        "\(addresses[0])backstage/api/faults",
      ])
      _ = try Self.ask(["\(own[0])sign-in"])
      #expect(try outcomes().contains(outcome), "\(fault)")
    }
    #expect(
      try Self.figures(at: addresses[1]).sum(
        "vestibule_http_requests_total",
        ["listener": "emulator", "route": "/backstage/api", "method": "POST", "status": "200"]
      ) == 4
    )
    emulator.end()
    _ = try Self.ask(["\(own[0])sign-in"])
    #expect(try outcomes().contains("unreachable"))
  }

  @Test("the figures have the end of the certificate, and that of a new one once it is served")
  func certificate() async throws {
    try await withTemporaryFolder { folder in
      let (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
      func install(days: Int) throws {
        let made = "\(folder)/\(days)"
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        let authority = try TestAuthority(in: made, days: days)
        for (source, target) in [(authority.certificate, certificate), (authority.key, key)] {
          try Data(contentsOf: URL(fileURLWithPath: source)).write(to: URL(fileURLWithPath: target))
          chmod(target, 0o600)
        }
      }
      try install(days: 2)
      let program = try Program(
        RunningJourneys.plain([
          "--metrics-port", "0", "--log-level", "critical", "--tls-certificate", certificate,
          "--tls-key", key,
        ])
      )
      defer { program.end() }
      let metrics = try await program.addresses(2)[1]
      func daysLeft() throws -> Double {
        let (status, text) = try Self.ask(["-k", metrics])
        #expect(status == "200")
        let end = try PrometheusText(text)
          .sum("vestibule_tls_certificate_expiry_timestamp_seconds")
        return ((end - Date().timeIntervalSince1970) / 86_400).rounded()
      }
      #expect(try daysLeft() == 2)
      try install(days: 5)
      kill(program.id, SIGHUP)
      #expect(try await eventually { try daysLeft() == 5 })
    }
  }

  @Test("open connections and requests in work are counted")
  func gauges() async throws {
    try await Self.withPages { pages, metrics in
      let port = Int(pages.dropLast().split(separator: ":").last ?? "") ?? 0
      let descriptors = try (0..<3).map { _ in try LoopbackSocket.connect(to: port) }
      defer { for descriptor in descriptors { close(descriptor) } }
      let isThere = try await eventually {
        let figures = try Self.figures(at: metrics)
        return figures.sum("vestibule_connections_open", ["listener": "pages"]) == 3
      }
      #expect(isThere)
      let figures = try Self.figures(at: metrics)
      #expect(figures.sum("vestibule_connections_limit", ["listener": "pages"]) >= 64)
      #expect(figures.sum("vestibule_http_requests_in_work") == 0)
    }
  }

  @Test("the port serves figures and nothing else, and only under its own name")
  func nothingElse() async throws {
    try await Self.withPages { pages, metrics in
      let root = String(metrics.dropLast("/metrics".count))
      for path in ["/", "/sign-in", "/healthz", "/backstage/api/users", "/metrics/", "/metricsx"] {
        #expect(try Self.ask(["\(root)\(path)"]).status == "404", "\(path)")
      }
      #expect(try Self.ask(["-X", "POST", metrics]).status == "405")
      #expect(try Self.ask(["-I", metrics]).status == "200")
      #expect(try Self.ask(["-H", "Host: evil.example", metrics]).status == "400")
      #expect(try Self.ask(["\(pages)metrics"]).status == "404")
      let (_, head) = try Command.run(["curl", "-s", "-I", metrics])
      #expect(head.contains("text/plain; version=0.0.4; charset=utf-8"))
    }
  }
}
