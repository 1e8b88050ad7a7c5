internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
internal import HTTPTypes
internal import Localization
internal import Locking
internal import Pages
internal import Site

/// What a configuration says, what the auth API offers, and what keeps them from working together.
public struct Checkup: Sendable {
  public enum Verdict: Hashable, Sendable {
    case ready
    /// The API answers, but it would not serve these pages; `lines` say why.
    case obstructed
    /// The API does not answer, and why.
    case outOfReach(String)
  }

  /// For people: one fact per line.
  public private(set) var lines: [String] = []
  public private(set) var verdict = Verdict.ready
  /// Whether facts are left out, so that only findings are reported.
  private var isBrief = false

  /// Checks everything that a start would check, without serving anything and without making or changing anything in
  /// the data folder.
  ///
  /// Custom templates come first; nothing else is checked if they have faults. With an emulated API, the check is about
  /// them: it reports nothing else but faults.
  ///
  /// - Throws: `StartFailure` if the configuration itself is bad.
  public static func of(_ configuration: Configuration) async throws(StartFailure) -> Checkup {
    var checkup = Checkup()
    if configuration.templates != nil {
      try checkup.look(at: configuration)
      if checkup.verdict != .ready { return checkup }
      checkup.isBrief = configuration.authAPI.isEmulated
    }
    try configuration.refuseExposure()
    try configuration.refuseSharedPort()
    try checkup.tell(configuration)
    let ports = try configuration.portNotes()
    let notes =
      try configuration.exposureNotes() + configuration.proxyNotes + (checkup.isBrief ? [] : ports)
    switch configuration.authAPI {
    case .emulated(let api, _):
      let emulator = try configuration.passingEmulator(of: api)
      await checkup.ask(
        api.survey(configuration.instance),
        over: Witness(InProcessTransport(to: emulator)),
        noting: configuration.emulationNotes(over: api) + notes
      )
    case .remote(let api):
      let reason = Locked<String?>(nil)
      let transport = try configuration.socket(to: api) { words in reason.withLock { $0 = words } }
      let witness = Witness(transport) { reason.withLock(\.self) }
      await checkup.ask(api.survey, over: witness, noting: notes)
      await transport.shutdown()
    }
    if checkup.verdict == .ready { checkup.head("Ready.") }
    return checkup
  }

  private mutating func head(_ heading: String) {
    if !isBrief { lines.append(heading) }
  }

  /// - Parameters:
  ///   - name: What it is about.
  ///   - value: What there is to say.
  ///   - isFinding: Whether it is reported even if facts are left out.
  private mutating func say(_ name: String, _ value: String, isFinding: Bool = false) {
    guard isFinding || !isBrief else { return }
    lines.append("  \(name.padding(toLength: 15, withPad: " ", startingAt: 0)) \(value)")
  }
}

// MARK: - The templates

extension Checkup {
  private mutating func look(at configuration: Configuration) throws(StartFailure) {
    try configuration.refuseFoldersAround()
    do {
      let check = try TemplateCheck(
        templates: configuration.templates,
        assets: try configuration.staticFiles().paths,
        publicFolder: configuration.publicFolder,
        look: configuration.brand?.look ?? .builtIn
      )
      let messages = MessageWords.faults(under: configuration.templates).map(\.description)
      let faults = check.lines + messages.filter { !check.lines.contains($0) }
      lines += faults
      if !faults.isEmpty {
        verdict = .obstructed
      } else {
        lines.append("\(check.pageCount) pages in \(check.stateCount) states keep every rule.")
      }
      lines += check.notes + MessageWords.notes(under: configuration.templates)
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }
}

// MARK: - The configuration

extension Checkup {
  private mutating func tell(_ configuration: Configuration) throws(StartFailure) {
    head("Configuration")
    switch configuration.authAPI {
    case .emulated(let api, _): say("auth API", "emulated \(api.name), in process")
    case .remote(let api): say("auth API", api.description)
    }
    if let proxy = configuration.upstreamProxy, !configuration.authAPI.isOnLoopback {
      say("through", proxy.description)
    }
    _ = try configuration.emulatorPublicOrigin()
    // Before the keys in it, as at a start.
    try configuration.checkDataFolder()
    if let pages = configuration.pages {
      say("pages", configuration.url(of: pages))
      let origin = try configuration.checkedPublicOrigin(at: pages).description
      let isKnown = pages.port != 0 || configuration.publicURL != nil
      say("public URL", isKnown ? origin : "\(configuration.url(of: pages)), on a free port")
      try configuration.checkPages(at: pages)
      say("templates", configuration.templates ?? "built in")
      say("static files", configuration.publicFolder ?? "built in")
      if let brand = configuration.brand { say("brand", brand.folder.file ?? "built in") }
    }
    if let certificate = try configuration.tls?.check(),
      let words = certificate.complaint(at: Date())
    {
      if certificate.isUseless(at: Date()) {
        obstruct([words])
      } else {
        say("certificate", words, isFinding: true)
      }
    }
    if let file = configuration.tls?.openKey {
      say("TLS key", "it is open to others: \(file.advice)", isFinding: true)
    }
    if !configuration.redirectOrigins.isEmpty {
      say("may redirect to", configuration.redirectOrigins.joined(separator: ", "))
    }
    if !configuration.trustedProxies.isEmpty {
      say("proxies", configuration.trustedProxies.map(\.description).joined(separator: ", "))
    }
    say("own limits", configuration.hasThrottle ? "on" : "off")
    say("data", configuration.dataFolder ?? "in memory")
    if let keyFile = configuration.keyFile { say("sealing keys", keyFile) }
  }
}

// MARK: - The auth API

extension Checkup {
  /// Asks the API for its description.
  ///
  /// No answer, or a temporary failure, counts as out of reach; an answer that is not an instance's, as an obstacle.
  private mutating func ask(
    _ survey: AuthAPISurvey,
    over witness: Witness,
    noting notes: [String]
  ) async {
    do {
      let answer = try await survey.ask(witness)
      head(answer.heading)
      for fact in answer.facts { say(fact.name, fact.value) }
      lines += (answer.notes + notes).map { "Note: \($0)" }
      obstruct(answer.obstacles)
    } catch {
      guard let reason = witness.reason else {
        return obstruct([witness.remark].compactMap(\.self) + survey.obstacles(error))
      }
      obstruct(["the auth API is out of reach: \(reason)"])
      verdict = .outOfReach("The auth API is out of reach: \(reason)")
    }
  }

  private mutating func obstruct(_ obstacles: [String]) {
    if !obstacles.isEmpty { verdict = .obstructed }
    lines += obstacles.map { "In the way: \($0)" }
  }
}

/// Records how the last call ended, for the person who sets things up.
private final class Witness: HTTPTransport {
  private let transport: any HTTPTransport
  private let report: @Sendable () -> String?
  private let last = Locked<Result<Response, TransportError>?>(nil)

  /// - Parameters:
  ///   - transport: Makes the calls.
  ///   - report: Says in words why the last call brought no answer.
  init(_ transport: any HTTPTransport, report: @escaping @Sendable () -> String? = { nil }) {
    self.transport = transport
    self.report = report
  }

  func send(_ request: Request) async throws(TransportError) -> Response {
    let result: Result<Response, TransportError>
    do throws(TransportError) {
      result = .success(try await transport.send(request))
    } catch {
      result = .failure(error)
    }
    last.withLock { $0 = result }
    return try result.get()
  }

  /// Why the last call should be tried again later; nil if it had a definite answer.
  var reason: String? {
    switch last.withLock(\.self) {
    case .success(let response)? where response.status.code >= 500 || response.status.code == 429:
      "it answers with the status \(response.status.code)"
    case .failure(.malformedAnswer)?, .success?, nil: nil
    case .failure(let error)?: report() ?? "\(error)"
    }
  }

  /// What the last call met, if that says more than the error that came of it.
  var remark: String? {
    switch last.withLock(\.self) {
    case .success(let response)? where response.status.kind == .redirection:
      "the address answers with a redirect (status \(response.status.code)), which is not followed"
    case .failure(.malformedAnswer)?: report()
    case .success?, .failure?, nil: nil
    }
  }
}
