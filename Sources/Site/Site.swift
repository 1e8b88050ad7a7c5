public import HTTPExchange
internal import AuthFlow
internal import Crypto
public import Foundation
internal import HTTPTypes
public import Logging
public import Pages

/// The pages of sign-in, sign-up, second factor and password reset, as one HTTP handler.
///
/// It turns a request into an input of a flow, and what became of it into a page, a redirect and a
/// sealed visit. It knows neither which auth API answers nor whether that is emulated.
public struct Site: HTTPHandler {
  /// What the site is told at the start.
  public struct Configuration: Sendable {
    /// `scheme://host[:port]`, as people type it.
    public var publicOrigin: String
    public var hosts: HostPolicy
    /// Origins outside to which a finished sign-in may lead (S15).
    public var redirectOrigins: [String]
    /// Whether the site has limits of its own in front of the auth API's (S21).
    public var hasThrottle: Bool
    /// Whose word about a browser's address is taken (S7).
    public var trustedProxies: [IPAddress]
    /// How long a page may wait for the auth API in all (S27).
    public var upstreamDeadline: Duration

    public init(
      publicOrigin: String,
      hosts: HostPolicy,
      redirectOrigins: [String] = [],
      hasThrottle: Bool = false,
      trustedProxies: [IPAddress] = [],
      upstreamDeadline: Duration = .seconds(8)
    ) {
      self.publicOrigin = publicOrigin
      self.hosts = hosts
      self.redirectOrigins = redirectOrigins
      self.hasThrottle = hasThrottle
      self.trustedProxies = trustedProxies
      self.upstreamDeadline = upstreamDeadline
    }

    var isSecure: Bool { publicOrigin.lowercased().hasPrefix("https:") }
  }

  /// What the site asks of the world around it; a test puts its own in.
  public struct Surroundings: Sendable {
    /// The machine's clock: seals are dated by it (S34).
    public var machineNow: @Sendable () -> Date
    /// The machine's monotonic clock: limits are measured by it (S34).
    public var monotonicNow: @Sendable () -> ContinuousClock.Instant
    /// So many random bytes.
    public var random: @Sendable (Int) -> [UInt8]
    public var logger: Logger
    /// Why requests should go elsewhere, for `/readyz`; nil while all is well.
    public var notReady: @Sendable () async -> String?

    public init(
      machineNow: @escaping @Sendable () -> Date,
      monotonicNow: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
      random: @escaping @Sendable (Int) -> [UInt8],
      logger: Logger,
      notReady: @escaping @Sendable () async -> String? = { nil }
    ) {
      self.machineNow = machineNow
      self.monotonicNow = monotonicNow
      self.random = random
      self.logger = logger
      self.notReady = notReady
    }
  }

  let configuration: Configuration
  let surroundings: Surroundings
  let fronts: any FrontDirectory
  let renderer: PageRenderer
  let assets: Assets
  let visits: VisitStore
  let tokens: FormTokens
  let origins: OriginGuard
  let returnAddresses: ReturnAddresses
  let headers: SecurityHeaders
  let events: EventLog
  let timeZones = TimeZones()
  let repeats = Repeats()
  let throttle: Throttle?

  public init(
    _ configuration: Configuration,
    keys: KeyRing,
    fronts: any FrontDirectory,
    renderer: PageRenderer,
    assets: Assets,
    surroundings: Surroundings
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.fronts = fronts
    self.renderer = renderer
    self.assets = assets
    visits = VisitStore(
      ring: keys,
      publicOrigin: configuration.publicOrigin,
      isSecure: configuration.isSecure
    )
    tokens = FormTokens(ring: keys)
    origins = OriginGuard(publicOrigin: configuration.publicOrigin)
    returnAddresses = ReturnAddresses(allowedOrigins: configuration.redirectOrigins)
    headers = SecurityHeaders(
      redirectOrigins: configuration.redirectOrigins,
      isSecure: configuration.isSecure
    )
    throttle =
      configuration.hasThrottle ? Throttle(now: surroundings.monotonicNow) : nil
    events = EventLog(logger: surroundings.logger, key: keys.derivedKeys(for: "log/1")[0])
  }

  /// The checks stand in the order of R3; the flows come last.
  public func respond(to request: Request) async -> Response {
    let reference = newReference()
    do throws(TurnedAway) {
      switch try destination(of: request) {
      case .file(let asset):
        return file(asset, for: request)
      case .liveness:
        return plain(.ok, "ok")
      case .readiness:
        let reason = await surroundings.notReady()
        return plain(reason == nil ? .ok : .serviceUnavailable, reason ?? "ok")
      case .page(let route, let world):
        let form = try form(of: request)
        let front = try front(of: world, for: request)
        return await AnswerDeadline.$current.withValue(.now + configuration.upstreamDeadline) {
          await answer(
            request,
            route: route,
            form: form,
            front: front,
            world: world,
            reference: reference
          )
        }
      }
    } catch {
      return errorPage(error, for: request, reference: reference)
    }
  }

  /// At the host that was asked: the visit's cookies are kept for that one alone.
  func linkAddresses(for request: Request) -> LinkAddresses {
    let origin =
      request.headerFields[.host].map { "\(configuration.isSecure ? "https" : "http")://\($0)" }
      ?? configuration.publicOrigin
    return LinkAddresses(
      origin: origin,
      signIn: origin + Route.link.path,
      signUp: origin + Route.signUpLink.path,
      browserReturn: origin + Route.browser.path
    )
  }

  private func answer(
    _ request: Request,
    route: Route,
    form: Form,
    front: Front,
    world: WorldName,
    reference: String
  ) async -> Response {
    let now = front.clock.now
    let machineNow = surroundings.machineNow()
    let opened = visits.open(
      from: request,
      world: world,
      machineNow: machineNow,
      worldNow: now
    )
    var turn = Turn(
      request: request,
      route: route,
      form: form,
      front: front,
      rendering: Rendering(preferredBy: request),
      reference: reference,
      now: now,
      visit: opened.visit
        ?? Visit(
          id: newVisitID(),
          world: world.text,
          machineNow: machineNow,
          worldNow: now
        )
    )
    if request.method == .post {
      return await submit(&turn, opened: opened)
    }
    return await open(&turn, opened: opened)
  }

  /// The paths of the steps at which the visit of a request stands; none where nothing is under way.
  public func standing(of request: Request) -> [String] {
    guard let world = world(of: request),
      let front = try? fronts.front(of: world, links: linkAddresses(for: request)),
      case .live(let visit) = visits.open(
        from: request,
        world: world,
        machineNow: surroundings.machineNow(),
        worldNow: front.clock.now
      )
    else { return [] }
    return visit.places.map(\.path)
  }

  // MARK: GET

  private func open(_ turn: inout Turn, opened: OpenedVisit) async -> Response {
    switch opened {
    case .ended(_, wasIn: true): turn.tell([.signInAgain], on: .signIn)
    case .ended, .unreadable: turn.tell([], error: .ended, on: turn.route.flow.start)
    case .absent, .live:
      // Whoever opens another page than the one that had news has left it behind.
      if turn.visit.news?.path != turn.route.path { turn.visit.news = nil }
    }
    takeReturnAddress(&turn)
    if let news = turn.visit.news, news.path == turn.route.path {
      turn.notices = news.notices
      turn.news = news.error
    }
    let answer = await page(&turn)
    return response(to: answer, turn, before: opened.unchanged)
  }

  private func takeReturnAddress(_ turn: inout Turn) {
    guard let typed = turn.request.queryParameters["redirect_url"] else { return }
    switch turn.route {
    case .signIn, .signUp, .forgotPassword, .account:
      if let accepted = returnAddresses.accepted(typed) {
        turn.visit.returnAddress = accepted
      } else {
        events.droppedReturnAddress(reference: turn.reference)
      }
    default: return
    }
  }

  // MARK: POST

  private func submit(_ turn: inout Turn, opened: OpenedVisit) async -> Response {
    guard origins.admits(turn.request) else {
      events.turnedAway(.originRefused, reference: turn.reference)
      return await turnAway(&turn, .originRefused, opened: opened)
    }
    let token = turn.form["form_token"] ?? ""
    let verdict: FormTokens.Verdict =
      switch opened {
      case .absent, .unreadable: .forged
      case .live(let visit), .ended(let visit, _):
        tokens.judge(token, for: turn.route.path, of: visit)
      }
    switch (verdict, opened) {
    case (.forged, _):
      events.turnedAway(.formTokenInvalid, reference: turn.reference)
      return await turnAway(&turn, .formTokenInvalid, opened: opened)
    case (.over, _):
      return response(to: turn.movedOn(), turn, before: opened.unchanged)
    case (.genuine, .ended(_, wasIn: true)):
      turn.tell([.signInAgain], on: .signIn)
      return response(to: .seeOther(.signIn), turn, before: nil)
    case (.genuine, .ended), (.genuine, .absent), (.genuine, .unreadable):
      keepIdentifier(&turn)
      turn.tell([], error: .ended, on: turn.route.flow.start)
      return response(to: .seeOther(turn.route.flow.start), turn, before: nil)
    case (.genuine, .live):
      let started = turn
      let key = Repeats.Key(
        visitID: turn.visit.id,
        token: token,
        bodyDigest: Base64URL.text(of: SHA256.hash(data: turn.request.body))
      )
      return await repeats.answer(to: key) {
        var turn = started
        turn.visit.news = nil
        let answer = await actWithinLimits(&turn)
        return response(to: answer, turn, before: started.visit)
      }
    }
  }

  /// The page again, its values kept, because the form may not be one of ours.
  ///
  /// Nothing is asked of the auth API: whoever forges forms does not make us call it (S14).
  private func turnAway(
    _ turn: inout Turn,
    _ refusal: Refusal,
    opened: OpenedVisit
  ) async -> Response {
    var shown = turn
    shown.asksNothing = true
    if case .page(let page, _) = await formPage(&shown) {
      return response(
        to: .turnedAway(page, refusal, status: 403),
        turn,
        before: opened.unchanged
      )
    }
    let start = await startPage(of: turn.route.flow, shown)
    return response(to: .turnedAway(start, refusal, status: 403), turn, before: opened.unchanged)
  }
}

extension OpenedVisit {
  fileprivate var visit: Visit? {
    switch self {
    case .absent, .unreadable: nil
    case .ended(let visit, _), .live(let visit): visit
    }
  }

  /// What the browser keeps already; nil where it has to be given a visit.
  fileprivate var unchanged: Visit? {
    switch self {
    case .absent, .unreadable, .ended: nil
    case .live(let visit): visit
    }
  }
}

extension AuthError {
  /// The attempt has ended without the auth API having said so.
  static let ended = AuthError(Problem(.attemptEnded, code: OwnCode.attemptEnded))
}
