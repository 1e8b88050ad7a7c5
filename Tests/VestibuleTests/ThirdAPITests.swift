import AuthAPIClient
@_spi(Provider) import AuthFlow
import Crypto
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Logging
import Pages
import TestSupport
import Testing

@testable import Site

/// An invented third auth API: a name, a password, a code, and a lock after three wrong passwords.
private final class HarbourService: HTTPHandler {
  private struct Account {
    var password: String
    var code: String
    var failures = 0
  }

  private let accounts = Locked(["ada@harbour.example": Account(password: "open", code: "424242")])

  func respond(to request: Request) async -> Response {
    let form = (try? FormData(decoding: request.body)) ?? [:]
    let refusal = refusal(of: form, at: request.path)
    return Response(
      status: refusal == nil ? .ok : .forbidden,
      body: Array(#"{"error": "\#(refusal ?? "")"}"#.utf8)
    )
  }

  private func refusal(of form: FormData, at path: Substring) -> String? {
    accounts.withLock { accounts in
      let name = form["name"] ?? ""
      guard let account = accounts[name] else { return "no_such_person" }
      switch path {
      case "/name": return nil
      case "/code": return form["code"] == account.code ? nil : "wrong_code"
      default: break
      }
      if form["word"] == account.password { return nil }
      accounts[name]?.failures += 1
      return account.failures == 2 ? "quay_closed" : "wrong_word"
    }
  }
}

/// The client for it: all that a provider has to be.
///
/// The test is that it needs nothing except this file, and signs people in on the real pages.
private struct HarbourProvider: AuthProvider {
  private struct Answer: Decodable {
    /// Empty if nothing was refused.
    var error: String
  }

  let connection: APIConnection
  private let instance = {
    var instance = InstanceDescription.unknown
    instance.applicationName = "Harbour"
    instance.signUp.mode = .closed(.restricted)
    instance.offersPasswordReset = false
    return instance
  }()

  init(_ service: any HTTPHandler) {
    connection = APIConnection(
      transport: InProcessTransport(to: service),
      clock: WallClock { Example.now }
    )
  }

  func describeInstance() async throws(AuthError) -> InstanceDescription { instance }
  var lastKnownInstance: InstanceDescription? { instance }

  private func ask(_ target: String, _ form: FormData) async throws(AuthError) {
    let response: Response
    do {
      response = try await connection.send(connection.request(.post, target, form: form))
    } catch {
      throw AuthError(CallFault(error))
    }
    guard let answer = JSONBody.decode(Answer.self, from: response.body) else {
      throw AuthError(CallFault(response, now: connection.clock.now))
    }
    if !answer.error.isEmpty { throw AuthError(Self.problem(answer.error)) }
  }

  private static func problem(_ code: String) -> Problem {
    switch code {
    case "no_such_person": Problem(.identifierNotFound, at: .identifier, code: code)
    case "wrong_word": Problem(.passwordIncorrect, at: .password, code: code)
    case "wrong_code": Problem(.codeIncorrect, at: .code, code: code)
    case "quay_closed": Problem(.locked(until: nil), code: code)
    default: Problem(.unrecognised, code: code)
    }
  }

  func beginSignIn(
    identifier: Identifier,
    password: Password?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      try await ask("/name", ["name": identifier.text])
    } catch {
      return .refused(error, at: nil)
    }
    let prompt = PasswordPrompt(
      attempt: SignInAttempt(
        identifier: identifier,
        continuation: Continuation("harbour"),
        firstFactors: [Factor(kind: .password)]
      )
    )
    guard let password else { return .moved(to: .passwordRequired(prompt)) }
    return await submit(password, for: prompt, memory: &memory)
  }

  func submit(
    _ password: Password,
    for prompt: PasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      let name = prompt.attempt.identifier.text
      try await ask("/word", ["name": name, "word": password.secret])
    } catch {
      return .refused(error, at: .passwordRequired(prompt))
    }
    let factor = Factor(kind: .authenticatorCode)
    return .moved(
      to: .codeRequired(CodePrompt(attempt: prompt.attempt, stage: .secondFactor, factor: factor))
    )
  }

  func choose(
    _ factor: Factor,
    for prompt: FactorPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> { .refused(Self.ended, at: nil) }

  func submit(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let name = prompt.attempt.identifier.text
    do {
      try await ask("/code", ["name": name, "code": code.secret])
    } catch {
      return .refused(error, at: nil)
    }
    let user = Session.User(id: name, identifier: name)
    return .moved(to: .complete(Session(id: "berth-1", user: user, expiresAt: .distantFuture)))
  }

  func resend(_ prompt: CodePrompt, memory: inout ProviderMemory) async -> Outcome<SignInState> {
    .refused(Self.ended, at: nil)
  }

  func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session { session }

  func signOut(memory: inout ProviderMemory) async throws(AuthError) {}

  private static let ended = AuthError(Problem(.attemptEnded, code: "sailed"))
}

/// Its composition: the one world that it has.
private struct Harbour: WorldDirectory {
  let hasWorlds = false
  let provider: HarbourProvider

  func open(
    _ world: WorldName,
    links: LinkAddresses
  ) async throws(WorldUnavailable) -> WorldContext { context }

  func opened(_ world: WorldName, links: LinkAddresses) -> WorldContext? { context }

  private var context: WorldContext {
    WorldContext(provider: provider, clock: WallClock { Example.now }, emulation: nil)
  }
}

@Suite("A third auth API")
struct ThirdAPITests {
  /// A browser in front of the real pages, templates and all.
  private final class Browser {
    private let site: Site
    private var jar: [String: String] = [:]

    init(to service: any HTTPHandler = HarbourService()) throws {
      site = Site(
        Site.Configuration(
          publicOrigin: "http://localhost:8080",
          hosts: HostPolicy(port: 8080, authorities: [], admitsWorlds: false),
          // Long, since other suites keep every core busy; the deadline is not the subject here.
          upstreamDeadline: .seconds(120)
        ),
        keys: try #require(KeyRing([SymmetricKey(size: .bits256)])),
        worlds: Harbour(provider: HarbourProvider(service)),
        renderer: try PageRenderer(),
        files: try StaticFiles(),
        environment: Site.Environment(
          machineNow: { Example.now },
          random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } },
          logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
      )
    }

    func send(_ path: String, _ values: [String: String]? = nil) async throws -> [String: Any] {
      var request = Request(
        method: values == nil ? .get : .post,
        target: path,
        headerFields: [.host: "localhost:8080", .accept: "application/json"]
      )
      if !jar.isEmpty {
        request.headerFields[.cookie] = jar.map { "\($0)=\($1)" }.joined(separator: "; ")
      }
      if let values {
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        var form = FormData()
        for (name, value) in values { form.append(name, value) }
        request.body = form.encoded
      }
      let response = await site.respond(to: request)
      for cookie in response.headerFields[values: .setCookie] {
        let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        jar[String(pair[0])] = String(pair[1])
      }
      if let next = response.headerFields[.location] { return try await send(next) }
      let page = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
      return try #require(page)
    }

    /// Fills in the main form of a page.
    func fill(_ page: [String: Any], _ values: [String: String]) async throws -> [String: Any] {
      let form = try #require((page["forms"] as? [[String: Any]])?.first)
      let token = try #require(form["token"] as? String)
      return try await send(
        try #require(form["action"] as? String),
        values.merging(["form_token": token]) { $1 }
      )
    }
  }

  private static func codes(of page: [String: Any], at field: String) -> [String] {
    let fields = (page["forms"] as? [[String: Any]])?.first?["fields"] as? [[String: Any]] ?? []
    let errors = fields.first { $0["name"] as? String == field }?["errors"] as? [[String: Any]]
    return (errors ?? []).compactMap { $0["code"] as? String }
  }

  @Test("it signs people in on the existing pages: identifier, password, code")
  func signsIn() async throws {
    let browser = try Browser()
    let start = try await browser.send("/sign-in")
    #expect(start["title"] as? String == "Sign in – Harbour")
    let links = (start["links"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    #expect(links.isEmpty, "what it cannot do is not offered")
    let code = try await browser.fill(
      start,
      ["identifier": "ada@harbour.example", "password": "open"]
    )
    #expect(code["page"] as? String == "sign-in-second-factor")
    let wrong = try await browser.fill(code, ["code": "000000"])
    #expect(Self.codes(of: wrong, at: "code") == ["wrong_code"])
    let account = try await browser.fill(wrong, ["code": "424242"])
    #expect(account["page"] as? String == "account")
    let out = try await browser.fill(account, [:])
    #expect(out["page"] as? String == "sign-in")
  }

  @Test("it refuses at the field, and locks")
  func refusesAndLocks() async throws {
    let browser = try Browser()
    var page = try await browser.send("/sign-in")
    page = try await browser.fill(page, ["identifier": "nobody@harbour.example", "password": "x"])
    #expect(Self.codes(of: page, at: "identifier") == ["no_such_person"])
    for _ in 0..<2 {
      page = try await browser.fill(page, ["identifier": "ada@harbour.example", "password": "x"])
      #expect(Self.codes(of: page, at: "password") == ["wrong_word"])
    }
    page = try await browser.fill(page, ["identifier": "ada@harbour.example", "password": "y"])
    #expect(page["page"] as? String == "locked")
  }

  @Test("failures of its calls are shown as with any other auth API")
  func faults() async throws {
    var refused = Response(status: .ok)
    refused.deliveryFailure = .refused
    let faults: [(Response, String)] = [
      (refused, "service_unavailable"),
      (Response(status: .gatewayTimeout), "service_timed_out"),
      (Response(status: .ok, body: Array("<html>".utf8)), "service_answered_nonsense"),
    ]
    for (response, code) in faults {
      let browser = try Browser(to: FunctionHandler { _ in response })
      let page = try await browser.fill(
        try await browser.send("/sign-in"),
        ["identifier": "ada@harbour.example", "password": "open"]
      )
      let errors = (page["errors"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      #expect(errors == [code])
    }
  }

  @Test("what it cannot do is refused in words")
  func cannot() async throws {
    let browser = try Browser()
    let closed = try await browser.send("/sign-up")
    #expect(closed["step"] as? String == "closed")
    let reset = try await browser.send("/forgot-password")
    let refused = try await browser.fill(reset, ["identifier": "ada@harbour.example"])
    let errors = (refused["errors"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    #expect(errors == ["password_reset_unavailable"])
  }
}
