import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// Something that goes wrong with the auth API, and what the page says of it.
private struct UpstreamFault: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var behaviour: FaultyService.Behaviour
  var status: Int
  var code: String

  init(_ label: String, _ behaviour: FaultyService.Behaviour, _ status: Int, _ code: String) {
    testDescription = label
    self.behaviour = behaviour
    self.status = status
    self.code = code
  }

  private static func answer(
    _ head: String,
    type: String = "application/json",
    fields: String = "",
    _ body: String
  ) -> FaultyService.Behaviour {
    .answering(
      "HTTP/1.1 \(head)\r\nContent-Type: \(type)\r\n\(fields)"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    )
  }

  private static let envelope = #"{"response":{"object":"sign_in","id":"sia_1","status":"#
  private static let unavailable = "service_unavailable"
  private static let timedOut = "service_timed_out"
  private static let nonsense = "service_answered_nonsense"
  private static let html = "<!doctype html><title>Oops</title><h1>Oops</h1>"
  private static let tooMany =
    #"{"errors":[{"code":"too_many_requests","message":"Too many","long_message":"Too many"}]}"#

  static let all = [
    UpstreamFault("is down", .refusing, 503, unavailable),
    UpstreamFault("takes no connection", .notAccepting, 503, unavailable),
    UpstreamFault("resets", .scripted { $0.reset() }, 503, unavailable),
    UpstreamFault("hangs", .scripted { $0.waitForEnd() }, 504, timedOut),
    UpstreamFault(
      "drips",
      .scripted { connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
        while connection.write("a") { usleep(50_000) }
      },
      504,
      timedOut
    ),
    UpstreamFault("answers HTML", answer("200 OK", type: "text/html", html), 502, nonsense),
    UpstreamFault(
      "answers 500 with HTML",
      answer("500 Internal Server Error", type: "text/html", html),
      502,
      nonsense
    ),
    UpstreamFault(
      "answers 500 with an error of its own",
      answer(
        "500 Internal Server Error",
        #"{"errors":[{"code":"internal_clerk_error","message":"Oops"}]}"#
      ),
      502,
      "internal_clerk_error"
    ),
    UpstreamFault("answers 503", answer("503 Service Unavailable", "{}"), 503, unavailable),
    UpstreamFault(
      "answers 429 with seconds",
      answer("429 Too Many Requests", fields: "Retry-After: 30\r\n", tooMany),
      429,
      "too_many_requests"
    ),
    UpstreamFault(
      "answers 429 with a date",
      answer(
        "429 Too Many Requests",
        fields: "Retry-After: \(httpDate(Date().addingTimeInterval(600)))\r\n",
        tooMany
      ),
      429,
      "too_many_requests"
    ),
    UpstreamFault("truncates its JSON", answer("200 OK", envelope), 502, nonsense),
    UpstreamFault("answers nothing", answer("200 OK", ""), 502, nonsense),
    UpstreamFault("answers no HTTP", .answering("SSH-2.0-OpenSSH_9.2\r\n\r\n"), 502, nonsense),
    UpstreamFault(
      "answers too much",
      answer("200 OK", String(repeating: " ", count: 1_200_000)),
      502,
      nonsense
    ),
    UpstreamFault(
      "answers JSON without end",
      answer("200 OK", String(repeating: #"{"a":"#, count: 100_000)),
      502,
      nonsense
    ),
    UpstreamFault(
      "redirects",
      answer("302 Found", fields: "Location: http://127.0.0.1:1/elsewhere\r\n", ""),
      502,
      nonsense
    ),
  ]

  private static func httpDate(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: date)
  }
}

/// A page that is about to be submitted.
private struct Step: Sendable {
  var name: String
  var form: String?
  /// What is typed there, by field; asked for when the page is open.
  var typed: @Sendable (Scene) async throws -> [String: String]
  /// Leads a browser to the page.
  var lead: @Sendable (FormSession, Scene) async throws -> Void

  init(
    _ name: String,
    form: String? = nil,
    typing typed: @escaping @Sendable (Scene) async throws -> [String: String],
    after lead: @escaping @Sendable (FormSession, Scene) async throws -> Void
  ) {
    self.name = name
    self.form = form
    self.typed = typed
    self.lead = lead
  }

  private static func code(
    to address: String,
    _ purpose: String
  ) -> @Sendable (Scene) async throws -> [String: String] {
    { ["code": try await $0.workbench.latestCode(to: address, purpose: purpose)] }
  }

  private static let newPassword = "quite-another-secret-9"

  static let all = [
    Step("sign-in", typing: { _ in ["identifier": "ada@example.com", "password": password] }) {
      browser,
      _ in
      try await browser.open("/sign-in")
    },
    Step("sign-in-code", typing: code(to: "cody@example.com", "sign_in")) { browser, _ in
      try await browser.signIn("cody@example.com", "")
    },
    Step("sign-in-methods", form: "email_code", typing: { _ in [:] }) { browser, _ in
      try await browser.signIn("cora@example.com")
    },
    Step("sign-in-second-factor", typing: code(to: "ezra@example.com", "second_factor")) {
      browser,
      _ in
      try await browser.signIn("ezra@example.com")
    },
    Step(
      "sign-in-second-factor-backup-code",
      typing: { _ in ["code": "mia-0000-0001"] }
    ) { browser, _ in
      try await browser.signIn("mia@example.com")
      try await browser.open("/sign-in/second-factor/backup-code")
    },
    Step("sign-in-device", typing: code(to: "nia@example.com", "client_trust")) { browser, _ in
      try await browser.signIn("nia@example.com")
    },
    Step(
      "sign-up",
      typing: { _ in ["email_address": "one@example.com", "password": newPassword] }
    ) { browser, _ in
      try await browser.open("/sign-up")
    },
    Step("sign-up-verify", typing: code(to: "two@example.com", "sign_up")) { browser, _ in
      try await browser.signUp("two@example.com")
    },
    Step("forgot-password", typing: { _ in ["identifier": "ada@example.com"] }) { browser, _ in
      try await browser.open("/forgot-password")
    },
    Step("forgot-password-code", typing: code(to: "pia@example.com", "reset_password")) {
      browser,
      _ in
      try await browser.forgotPassword("pia@example.com")
    },
    Step("forgot-password-new", typing: { _ in ["password": newPassword] }) { browser, scene in
      try await browser.forgotPassword("cora@example.com")
      let code = try await scene.workbench.latestCode(
        to: "cora@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
    },
    Step("tasks-reset-password", typing: { _ in ["password": newPassword] }) { browser, _ in
      try await browser.signIn("kurt")
    },
    Step(
      "tasks-choose-organization",
      typing: { _ in ["organization_name": "Acme", "organization_slug": "acme"] }
    ) { browser, _ in
      try await browser.signIn("olga@example.com")
    },
    Step("tasks-setup-mfa", typing: { _ in [:] }) { browser, scene in
      try await browser.signIn("tess@example.com")
      try await browser.submit(form: "authenticator")
      let code = try await scene.workbench.authenticatorCode(of: "user_tess")
      try await browser.submit(["code": code])
    },
  ]
}

@Suite("When the auth API misbehaves")
struct UpstreamFaultJourneys {
  /// The most that a page may take: the eight seconds of S27, and what a busy machine adds; two
  /// calls that time out one after the other would exceed it.
  private static let patience = Duration.seconds(13)

  @Test(
    "every page says so, keeps what was typed and works again afterwards (S27, F5, R3)",
    arguments: UpstreamFault.all
  )
  private func misbehaving(fault: UpstreamFault) async throws {
    try await withPages { scene, service, process in
      let browsers = Step.all.map { _ in scene.newBrowser() }
      for (step, browser) in zip(Step.all, browsers) {
        try await step.lead(browser, scene)
        let page = try #require(await browser.page)
        #expect(page.page == step.name)
      }
      let typed = try await Self.concurrently(Step.all) { try await $0.typed(scene) }

      try service.behave(fault.behaviour)
      let steps = Array(zip(zip(Step.all, typed), browsers))
      let refusals = try await Self.concurrently(steps) { step in
        let ((step, typed), browser) = step
        let start = ContinuousClock.now
        let page = try await browser.submit(typed, form: step.form)
        #expect(ContinuousClock.now - start < Self.patience)
        return page
      }
      for ((step, typed), page) in zip(zip(Step.all, typed), refusals) {
        #expect(page.page == step.name)
        #expect(page.status == fault.status, "\(step.name)")
        // What has brought a person to the page stays said.
        #expect(page.errorCodes.last == fault.code, "\(step.name)")
        for (name, value) in typed {
          let isSecret = ["password", "code"].contains(name)
          #expect(page.form?.field(name)?.value == (isSecret ? nil : value), "\(step.name)")
        }
      }

      try service.behave(.relaying)
      for ((step, typed), browser) in steps {
        var page = try await browser.submit(typed, form: step.form)
        // An attempt to connect that began before may still end a request that joined it.
        let end = ContinuousClock.now + .seconds(3)
        while page.errorCodes.last == fault.code, ContinuousClock.now < end {
          page = try await browser.submit(typed, form: step.form)
        }
        #expect(page.status == 200, "\(step.name): \(page.errorCodes)")
        #expect(page.page != step.name)
      }
      #expect(process.isRunning)
    }
  }

  @Test("the page of a browser has the banner and says when to try again (E6, S27)")
  func inTheBrowser() async throws {
    try await withPages { scene, service, _ in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in")
      let (form, body) = try await browser.filled([
        "identifier": "ada@example.com", "password": password,
      ])
      guard let fault = UpstreamFault.all.first(where: { $0.status == 429 }) else {
        throw FaultyService.Failure()
      }
      try service.behave(fault.behaviour)
      let answer = try await browser.send(
        .post,
        form.action,
        body: body,
        fields: [.accept: "text/html"]
      )
      #expect(answer.status.code == 429)
      let seconds = try #require(answer.headerFields[.retryAfter].flatMap(Int.init))
      #expect((25...30).contains(seconds))
      let html = String(decoding: answer.body, as: UTF8.self)
      #expect(html.contains(#"role="alert""#))
      #expect(html.contains("<time "))
      #expect(html.contains(#"value="ada@example.com""#))
      #expect(!html.contains(password))
    }
  }

  @Test("nobody is signed out by an auth API that is away", arguments: [503, 504, 502])
  func signedIn(status: Int) async throws {
    try await withPages { scene, service, _ in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let fault = try #require(UpstreamFault.all.first { $0.status == status })
      try service.behave(fault.behaviour)
      let page = try await browser.open("/account")
      #expect(page.status == status)
      #expect(page.errorCodes == [fault.code])
      try service.behave(.relaying)
      let account = try await browser.open("/account")
      #expect(account.page == "account")
      #expect(account.status == 200)
    }
  }

  @Test("pages open while the auth API has never answered (R3)")
  func neverAnswered() async throws {
    try await withPages { scene, service, process in
      try service.behave(.refusing)
      let browser = scene.newBrowser()
      for path in ["/sign-in", "/sign-up", "/forgot-password"] {
        let page = try await browser.open(path)
        #expect(page.status == 503, "\(path)")
        #expect(page.errorCodes == ["service_unavailable"], "\(path)")
      }
      try service.behave(.relaying)
      let page = try await browser.signIn("ada@example.com")
      #expect(page.page == "account")
      #expect(process.isRunning)
    }
  }

  /// The emulator in one process, the pages in another, the faulty service between them.
  private func withPages(
    _ body: (Scene, FaultyService, Program) async throws -> Void
  ) async throws {
    try await Turnstile.journeys.pass { try await connect(body) }
  }

  private func connect(
    _ body: (Scene, FaultyService, Program) async throws -> Void
  ) async throws {
    let emulator = try Program(["emulate", "--api", "clerk", "--port", "0", "--in-memory"])
    defer { emulator.end() }
    let emulatorAddress = try await emulator.addresses(1)[0]
    let port = try #require(URL(string: emulatorAddress)?.port)
    let service = try FaultyService(to: port)
    defer { service.stop() }
    let pages = try Program([
      "serve", "--frontend-api-url", "http://127.0.0.1:\(service.port)", "--port", "0",
      "--in-memory",
    ])
    defer { pages.end() }
    let toPages = HTTPClientTransport(
      to: try BaseURL(try await pages.addresses(1)[0]),
      limits: Self.patientLimits
    )
    let toEmulator = HTTPClientTransport(to: try BaseURL(emulatorAddress))
    let scene = Scene(stage: .twoProcesses, host: nil, pages: toPages, emulator: toEmulator)
    let result = await Result { try await body(scene, service, pages) }
    await toPages.shutdown()
    await toEmulator.shutdown()
    try result.get()
  }

  private static var patientLimits: HTTPClientTransport.Limits {
    var limits = HTTPClientTransport.Limits()
    limits.totalDeadline = .seconds(60)
    return limits
  }

  private static func concurrently<Input: Sendable, Output: Sendable>(
    _ inputs: [Input],
    _ body: @escaping @Sendable (Input) async throws -> Output
  ) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
      for (index, input) in inputs.enumerated() {
        group.addTask { (index, try await body(input)) }
      }
      var outputs: [Int: Output] = [:]
      for try await (index, output) in group { outputs[index] = output }
      return inputs.indices.compactMap { outputs[$0] }
    }
  }
}
