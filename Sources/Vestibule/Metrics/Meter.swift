internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Locking
internal import Metrics
internal import MicroHTTPServer
internal import Pages
internal import Site

/// Everything that is counted while the program serves, for `--metrics-port`.
///
/// The labels come from fixed lists: routes, methods, statuses, operations, outcomes, reasons. They name no world, no
/// person and no address, and no request can increase their number.
final class Meter: Sendable {
  /// Why a request was turned away without asking an auth API.
  enum RefusalReason: String, CaseIterable, BitwiseCopyable, Sendable {
    case framing
    case headTooLarge = "head_too_large"
    case bodyTooLarge = "body_too_large"
    case host
    case world
    case notFound = "not_found"
    case method
    /// The posted body is not a form.
    case form
    /// The form is not ours, or was sent from elsewhere.
    case forgery
    /// The form belongs to a sign-in attempt that is over.
    case ended
    case throttled
    case stopping
    case timedOut = "timed_out"
    /// The program itself failed.
    case failure
  }

  /// Whether somebody who has signed in has tasks left.
  enum SignInStatus: String, CaseIterable, BitwiseCopyable, Sendable { case active, pending }

  /// The outcome of reading files again.
  enum ReloadOutcome: String, CaseIterable, BitwiseCopyable, Sendable { case done, refused }

  /// Values that are read when the metrics are asked for.
  struct Gauges: Sendable {
    var listener: String
    var openConnections: @Sendable () -> Int
    var connectionLimit: Int
    var requestsInWork: @Sendable () -> Int
  }

  let calls: CallMeter
  private let listeners = Locked<[RequestMeter]>([])
  private let gauges = Locked<[Gauges]>([])
  private let worldCount = Locked<(@Sendable () -> Int)?>(nil)
  private let isReady = Locked<(@Sendable () async -> Bool)?>(nil)
  private let certificateEnd = Locked<Date?>(nil)
  private let cuts = Locked<[(listener: String, counts: CaseCounters<MicroHTTPServer.Cut>)]>([])
  private let refusals = CaseCounters<RefusalReason>()
  private let flowRefusals = CaseCounters<Site.Blame>()
  private let signIns = CaseCounters<SignInStatus>()
  private let signOuts = Counters(1)
  private let unreadableVisits = Counters(1)
  private let reloads = CaseCounters<ReloadOutcome>()

  init() {
    calls = CallMeter(EmulatedAuthAPI.all.flatMap(\.operations))
  }

  /// Wraps an endpoint so that its requests are counted by route.
  func measuring(_ endpoint: Endpoint, as listener: String, by routes: Routes) -> Endpoint {
    let meter = listeners.withLock { listeners in
      if let known = listeners.first(where: { $0.listener == listener }) { return known }
      let meter = RequestMeter(listener, routes)
      listeners.append(meter)
      return meter
    }
    var measured = endpoint
    measured.handler = MeasuredHandler(handler: endpoint.handler, meter: meter)
    measured.refusing = { refusal, request in
      let response = endpoint.refusing(refusal, request)
      meter.note(response, refusing: refusal.isOfUnreadHead ? nil : request)
      self.count(RefusalReason(refusal))
      return response
    }
    return measured
  }

  func measuring(_ transport: any HTTPTransport) -> any HTTPTransport {
    MeasuredTransport(transport: transport, meter: calls)
  }

  func watch(_ gauges: Gauges) { self.gauges.withLock { $0.append(gauges) } }

  func watch(_ worlds: Worlds) { worldCount.withLock { $0 = { worlds.names.count } } }

  /// - Parameter isReady: The answer of `/readyz`; it may take as long.
  func watch(readiness isReady: @escaping @Sendable () async -> Bool) {
    self.isReady.withLock { $0 = isReady }
  }

  /// Notes when the certificate that new connections are shown expires.
  func shown(_ texts: MicroHTTPServer.TLS) {
    let end = CertificateValidity(pem: texts.certificate)?.end
    certificateEnd.withLock { $0 = end }
  }

  /// Counts the connections of a listener that the server cuts.
  func countingCuts(of listener: String) -> @Sendable (MicroHTTPServer.Cut) -> Void {
    let counts = CaseCounters<MicroHTTPServer.Cut>()
    cuts.withLock { $0.append((listener, counts)) }
    return { reason in counts.add(reason) }
  }

  func count(_ reason: RefusalReason) { refusals.add(reason) }

  /// Counts the requests that the site itself turns away.
  func turnedAway(
    knowing hosts: HostPolicy
  ) -> @Sendable (Site.TurnedAway, Request) -> Void {
    { reason, request in
      self.count(RefusalReason(reason, isHostServed: hosts.admits(request)))
    }
  }

  /// Counts what the log reports about visits and flows.
  func countingFlows() -> @Sendable (Site.Event) -> Void {
    { event in
      switch event {
      case .refused(let blame): self.flowRefusals.add(blame)
      case .signedIn(let isPending): self.signIns.add(isPending ? .pending : .active)
      case .signedOut: self.signOuts.add(at: 0)
      case .unreadableVisit: self.unreadableVisits.add(at: 0)
      }
    }
  }

  func countReload(_ outcome: ReloadOutcome) { reloads.add(outcome) }

  // MARK: Reading

  /// All metrics in Prometheus' text format; readiness is checked now.
  func text() async -> String {
    var text = ExpositionText()
    text.begin("vestibule_build_info", .gauge, "What is running; always 1.")
    text.add("vestibule_build_info", [("version", Version.number), ("commit", Version.commit)], 1)
    if let isReady = isReady.withLock({ $0 }) {
      let value = await isReady() ? 1 : 0
      text.begin("vestibule_ready", .gauge, "Whether /readyz says ok.")
      text.add("vestibule_ready", [], value)
    }
    if let end = certificateEnd.withLock({ $0 }) {
      let name = "vestibule_tls_certificate_expiry_timestamp_seconds"
      text.begin(name, .gauge, "When the certificate that connections are shown expires.")
      text.add(name, [], Int(end.timeIntervalSince1970))
    }
    writeListeners(to: &text)
    writeFlows(to: &text)
    writeCalls(to: &text)
    if let count = worldCount.withLock({ $0 }) {
      text.begin("vestibule_worlds", .gauge, "Worlds in the emulator.")
      text.add("vestibule_worlds", [], count())
    }
    let reloads = "vestibule_reloads_total"
    text.begin(reloads, .counter, "Reloads of files after SIGHUP.")
    self.reloads.write(to: &text, as: reloads, by: "outcome")
    ProcessFigures.now.write(to: &text)
    return text.text
  }

  private func writeListeners(to text: inout ExpositionText) {
    let listeners = listeners.withLock { $0 }
    let gauges = gauges.withLock { $0 }
    let requests = "vestibule_http_requests_total"
    text.begin(requests, .counter, "Requests that were answered, including refused ones.")
    for listener in listeners { listener.writeRequests(to: &text, as: requests) }
    let durations = "vestibule_http_request_duration_seconds"
    text.begin(durations, .histogram, "Time from a complete request until its answer is known.")
    for listener in listeners { listener.writeDurations(to: &text, as: durations) }
    write(
      gauges,
      as: "vestibule_http_requests_in_work",
      "Requests that have begun and are not fully answered.",
      to: &text
    ) { $0.requestsInWork() }
    write(
      gauges,
      as: "vestibule_connections_open",
      "Open connections.",
      to: &text
    ) { $0.openConnections() }
    write(
      gauges,
      as: "vestibule_connections_limit",
      "The most connections that may be open at once.",
      to: &text
    ) { $0.connectionLimit }
    let cuts = "vestibule_connections_cut_total"
    text.begin(cuts, .counter, "Connections that the server closed before their clients did.")
    for (listener, counts) in self.cuts.withLock({ $0 }) {
      counts.write(to: &text, as: cuts, by: "reason", after: [("listener", listener)])
    }
  }

  private func writeFlows(to text: inout ExpositionText) {
    let refusals = "vestibule_refusals_total"
    text.begin(refusals, .counter, "Requests that were refused before an auth API was called.")
    self.refusals.write(to: &text, as: refusals, by: "reason")
    let flowRefusals = "vestibule_flow_refusals_total"
    text.begin(flowRefusals, .counter, "Refusals that people were shown, by who is to blame.")
    self.flowRefusals.write(to: &text, as: flowRefusals, by: "blame")
    let signIns = "vestibule_sign_ins_total"
    text.begin(signIns, .counter, "Sign-ins; pending while a task is open.")
    self.signIns.write(to: &text, as: signIns, by: "status")
    text.begin("vestibule_sign_outs_total", .counter, "Sign-outs.")
    text.add("vestibule_sign_outs_total", [], signOuts[0])
    let unreadable = "vestibule_visits_unreadable_total"
    text.begin(unreadable, .counter, "Requests with a visit that could not be read.")
    text.add(unreadable, [], unreadableVisits[0])
  }

  private func writeCalls(to text: inout ExpositionText) {
    let calls = "vestibule_upstream_calls_total"
    text.begin(calls, .counter, "Calls to the auth API, by outcome.")
    self.calls.writeCalls(to: &text, as: calls)
    let callDurations = "vestibule_upstream_call_duration_seconds"
    text.begin(
      callDurations,
      .histogram,
      "Time from a call until its whole answer, or until it fails."
    )
    self.calls.writeDurations(to: &text, as: callDurations)
    text.begin("vestibule_upstream_calls_in_flight", .gauge, "Calls to the auth API in progress.")
    text.add("vestibule_upstream_calls_in_flight", [], self.calls.inFlightCount)
  }

  private func write(
    _ gauges: [Gauges],
    as name: String,
    _ help: String,
    to text: inout ExpositionText,
    _ value: (Gauges) -> Int
  ) {
    text.begin(name, .gauge, help)
    for gauge in gauges { text.add(name, [("listener", gauge.listener)], value(gauge)) }
  }
}

extension Meter.RefusalReason {
  /// Why the server refused.
  init(_ refusal: MicroHTTPServer.Refusal) {
    self =
      switch refusal {
      case .malformedFraming: .framing
      case .headTooLarge: .headTooLarge
      case .bodyTooLarge: .bodyTooLarge
      case .stopping: .stopping
      case .handlerTimedOut: .timedOut
      case .bodyNotKept, .unsendableAnswer: .failure
      }
  }

  /// Why the site turned a request away.
  init(_ turnedAway: Site.TurnedAway, isHostServed: Bool) {
    switch turnedAway {
    case .throttled: self = .throttled
    case .refused(let refusal):
      self =
        switch refusal {
        case .hostNotAllowed: .host
        case .invalidWorld, .worldUnavailable: .world
        case .badRequest: isHostServed ? .framing : .host
        case .attemptEnded: .ended
        case .formTokenInvalid, .originRefused: .forgery
        case .malformedForm, .unsupportedContentType: .form
        case .notFound: .notFound
        case .methodNotAllowed: .method
        case .headTooLarge: .headTooLarge
        case .bodyTooLarge: .bodyTooLarge
        case .stopping: .stopping
        case .offline, .serviceUnavailable, .serviceTimedOut, .serviceAnsweredNonsense,
          .internalError:
          .failure
        }
    }
  }
}

// MARK: - What there is to ask for

extension Routes {
  /// The routes of the pages' port.
  static let ofPages = Routes(
    ["/"] + Address.allCases.map(\.path) + ["/healthz", "/readyz"],
    prefixes: ["/public/", "/backstage/api/", "/backstage/"]
  )

  /// The routes of the emulated API's own port.
  static func of(_ api: EmulatedAuthAPI) -> Routes {
    var paths: [String] = []
    for name in api.operations {
      let path = String(name.drop { $0 != "/" })
      if !paths.contains(path) { paths.append(path) }
    }
    return Routes(paths, prefixes: ["/backstage/api/"])
  }
}
