import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("When the auth API misbehaves", .inTurn)
struct UpstreamFaultJourneys {
  struct Case: Sendable, CustomTestStringConvertible {
    var api: Stage.API
    var fault: UpstreamFault
    var testDescription: String { "\(api) \(fault.testDescription)" }
  }

  /// The most that a page may take: the eight seconds of S27, and what a busy machine adds; two
  /// calls that time out one after the other would exceed it.
  private static let patience = Duration.seconds(13)

  @Test(
    "every page says so, keeps what was typed and works again afterwards (S27, F5, R3)",
    arguments: Stage.API.allCases.flatMap { api in
      UpstreamFault.all(of: api).map { Case(api: api, fault: $0) }
    }
  )
  private func misbehaving(_ example: Case) async throws {
    let fault = example.fault
    let all = UpstreamStep.all(over: example.api).filter { !fault.exceptions.contains($0.name) }
    try await withPages(over: example.api) { scene, service, process in
      let browsers = all.map { _ in scene.newBrowser() }
      for (step, browser) in zip(all, browsers) {
        try await step.lead(browser, scene)
        let page = try #require(await browser.page)
        #expect(page.page == step.name)
      }
      let typed = try await Self.concurrently(all) { try await $0.typed(scene) }

      try service.behave(fault.behaviour)
      let steps = Array(zip(zip(all, typed), browsers))
      let refusals = try await Self.concurrently(steps) { step in
        let ((step, typed), browser) = step
        let start = ContinuousClock.now
        let page = try await browser.submit(typed, form: step.form)
        #expect(ContinuousClock.now - start < Self.patience)
        return page
      }
      for ((step, typed), page) in zip(zip(all, typed), refusals) {
        #expect(page.page == step.name)
        #expect(page.status == fault.status, "\(step.name)")
        // A message that a person was led to the page with stays.
        #expect(page.errorCodes.last == fault.code, "\(step.name)")
        for (name, value) in typed {
          let isSecret = ["password", "code"].contains(name)
          let form = step.form.flatMap(page.form(_:)) ?? page.form
          #expect(form?.field(name)?.value == (isSecret ? nil : value), "\(step.name)")
        }
      }

      try service.behave(.relaying)
      for ((step, typed), browser) in steps {
        // Tokens are not asked for again until the time that the API has named.
        if step.name == "account", fault.status == 429 { continue }
        var page = try await browser.submit(typed, form: step.form)
        // An earlier attempt to connect may still fail a request that joined it.
        let end = ContinuousClock.now + .seconds(3)
        while page.errorCodes.last == fault.code, ContinuousClock.now < end {
          page = try await browser.submit(typed, form: step.form)
        }
        #expect(page.status == 200, "\(step.name): \(page.errorCodes)")
        #expect(step.isTaken(page), "\(step.name): \(page.page)")
      }
      #expect(process.isRunning)
    }
  }

  @Test(
    "a page in a browser has the banner and says when to try again (E6, S27)",
    arguments: Stage.API.allCases
  )
  func inTheBrowser(api: Stage.API) async throws {
    try await withPages(over: api) { scene, service, _ in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in")
      let (form, body) = try await browser.filled([
        "identifier": "ada@example.com", "password": password,
      ])
      let fault = try #require(UpstreamFault.all(of: api).first { $0.status == 429 })
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

  @Test(
    "an auth API that is away signs nobody out",
    arguments: [503, 504, 502],
    Stage.API.allCases
  )
  func signedIn(status: Int, api: Stage.API) async throws {
    try await withPages(over: api) { scene, service, _ in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let fault = try #require(UpstreamFault.all(of: api).first { $0.status == status })
      try service.behave(fault.behaviour)
      // With a token that is good, Entra is not asked until another one is wanted.
      let page =
        api == .clerk
        ? try await browser.open("/account") : try await browser.submit(form: "get-token")
      #expect(page.status == status)
      #expect(page.errorCodes == [fault.code])
      try service.behave(.relaying)
      let account = try await browser.open("/account")
      #expect(account.page == "account")
      #expect(account.status == 200)
    }
  }

  @Test("pages open while the auth API has never answered (R3)", arguments: Stage.API.allCases)
  func neverAnswered(api: Stage.API) async throws {
    try await withPages(over: api) { scene, service, process in
      try service.behave(.refusing)
      let browser = scene.newBrowser()
      for path in ["/sign-in", "/sign-up", "/forgot-password"] {
        let page = try await browser.open(path)
        // The first pages need nothing that Entra says about itself.
        #expect(page.status == (api == .clerk ? 503 : 200), "\(path)")
        #expect(page.errorCodes == (api == .clerk ? ["service_unavailable"] : []), "\(path)")
      }
      try service.behave(.relaying)
      let page = try await browser.signIn("ada@example.com")
      #expect(page.page == "account")
      #expect(process.isRunning)
    }
  }

  /// The emulator in one process, the pages in another, the faulty service between them.
  private func withPages(
    over api: Stage.API,
    _ body: (Scene, FaultyService, Program) async throws -> Void
  ) async throws {
    let emulator = try Program(["emulate", "--api", api.rawValue, "--port", "0", "--in-memory"])
    defer { emulator.end() }
    let emulatorAddress = try await emulator.addresses(1)[0]
    let port = try #require(URL(string: emulatorAddress)?.port)
    let service = try FaultyService(to: port)
    defer { service.stop() }
    let pages = try Program(
      ["serve", "--port", "0", "--in-memory"]
        + TwoProcesses.options(for: api, at: "http://127.0.0.1:\(service.port)")
    )
    defer { pages.end() }
    let toPages = try HTTPClientTransport(
      to: try BaseURL(try await pages.addresses(1)[0]),
      limits: Self.patientLimits
    )
    let toEmulator = try HTTPClientTransport(to: BaseURL(emulatorAddress))
    let scene = Scene(
      stage: Stage(place: .twoProcesses, api: api),
      host: nil,
      pages: toPages,
      emulator: toEmulator
    )
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
