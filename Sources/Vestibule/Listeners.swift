internal import Backstage
internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Localization
internal import Logging
internal import MicroHTTPServer
internal import Pages
internal import Site

/// The pages' port: the pages, and backstage while the auth API is emulated.
struct PagesListener: HTTPHandler {
  let site: Site
  let hosts: HostPolicy
  let backstage: BackstageOnDemand?

  func respond(to request: Request) async -> Response {
    guard let backstage, hosts.admits(request) else { return await pages(request) }
    do {
      if request.isForBackstage {
        return site.secured(try await backstage.listener().respond(to: request))
      }
      guard Stories.fills(request), site.isFromOwnPage(request) else { return await pages(request) }
      return await pages(try backstage.listener().stories.filled(request))
    } catch {
      return site.refuse(.internalError, status: 500, request.withImpliedAccept)
    }
  }

  /// The pages' alone: none of them is at an address of backstage, or a form that a story fills in.
  func readyAnswer(to request: Request) -> ReadyAnswer? {
    guard let answer = site.readyAnswer(to: request) else { return nil }
    return { PageRequest.tracing(request, answer) }
  }

  private func pages(_ request: Request) async -> Response {
    let request = request.withImpliedAccept
    return await PageRequest.tracing(request) { await site.respond(to: request) }
  }

  /// The page for what the server refuses itself; JSON where only programs ask.
  ///
  /// Backstage's own where it is made by now: for a page of it that nobody has opened yet, the site's will do.
  @Sendable func refuse(_ refusal: MicroHTTPServer.Refusal, _ request: Request?) -> Response {
    if let backstage, let request, hosts.admits(request), request.isForBackstage {
      if request.isForBackstageAPI { return site.secured(BackstageAPI.refusal(refusal.status)) }
      if let made = backstage.made { return site.secured(made.refusal(refusal.status, request)) }
    }
    return site.refuse(refusal.pageRefusal, status: refusal.status.code, request?.withImpliedAccept)
  }
}

/// Backstage: its JSON for programs, the workbench and the atlas for people, and the browser pages of the
/// emulated API.
final class BackstageListener: HTTPHandler {
  private let api: BackstageAPI
  private let workbench: BackstagePages
  private let atlas: AtlasPages
  private let brandPreview: BrandPreview
  private let browserPages: EmulatedBrowserPages
  let stories: Stories

  /// - Parameters:
  ///   - emulation: Whose worlds are worked on.
  ///   - renderer: For the atlas and the workbench.
  ///   - site: Knows where a visitor stands.
  ///   - publicFiles: What the pages are served with.
  ///   - origins: Under which people reach it.
  ///   - brandFolder: Where a brand's files are.
  ///   - report: Is told what goes wrong and nobody foresees.
  ///   - turnedAway: Is told whom it turns away.
  ///   - standpoint: Brings browsers to states of the pages.
  ///   - rehearsal: Finds out how the pages tell the API's errors.
  /// - Throws: `TemplateFault` for templates of the workbench that cannot be used.
  init(
    _ emulation: Emulation,
    _ renderer: PageRenderer,
    _ site: Site,
    publicFiles: StaticFiles,
    at origins: OwnOrigins,
    brandFolder: BrandFolder,
    report: UnexpectedErrorReport,
    turnedAway: @escaping TurnedAwayReport,
    standpoint: Standpoint?,
    rehearsal: ErrorRehearsal?
  ) throws(TemplateFault) {
    let told = BackstageAPI(
      worlds: emulation.worlds,
      at: origins,
      report: report,
      standpoint: standpoint
    )
    stories = .through(site, emulation.worlds, told, scheme: origins.scheme)
    let recorder = Recorder(
      emulation.recordings,
      isSecure: origins.scheme == "https",
      endOfVisit: site.endOfVisit(of:)
    )
    let brand = BrandBench(brandFolder, serving: renderer.look.brand)
    api = BackstageAPI(
      worlds: emulation.worlds,
      at: origins,
      report: report,
      standpoint: standpoint,
      rehearsal: rehearsal,
      stories: stories,
      brand: brand,
      recorder: recorder
    ).reporting(turnedAway)
    workbench = try BackstagePages(
      worlds: emulation.worlds,
      renderer: renderer,
      secret: emulation.formSecret,
      at: origins,
      report: report,
      brand: brand,
      shortcut: .through(site),
      standpoint: standpoint,
      rehearsal: rehearsal,
      walked: .over(emulation.api),
      stories: stories,
      recorder: recorder,
      standing: { site.places(of: $0).map(\.path) },
      statusOfState: { $0.status },
      visit: site.visitName(of:),
      timeZone: site.timeZone(of:),
      turnedAway: turnedAway
    )
    atlas = AtlasPages(renderer, over: emulation.api) { publicFiles.bytes(at: $0) }
    brandPreview = BrandPreview(renderer: renderer, folder: brandFolder)
    browserPages = EmulatedBrowserPages(emulation, language: site.language(of:))
  }

  func respond(to request: Request) async -> Response {
    if request.isForBackstageAPI { return await api.respond(to: request) }
    if let refusal = workbench.refusalOfForeignPage(request) { return refusal }
    if let page = atlas.answer(to: request) ?? brandPreview.answer(to: request) { return page }
    if let page = await browserPages.answer(to: request) { return page }
    return await workbench.respond(to: request)
  }

  /// The page for what the server refuses before anyone is asked.
  func refusal(_ status: HTTPResponse.Status, _ request: Request) -> Response {
    workbench.refusal(status, request)
  }
}

/// The pages of the emulated API that people meet in a browser, below `/backstage/browser` on the
/// pages' own port; its calls are not to be had there.
struct EmulatedBrowserPages: Sendable {
  static let prefix = "/backstage/browser"
  private let api: EmulatedAuthAPI
  private let worlds: Worlds
  private let emulator: any HTTPHandler
  private let language: @Sendable (Request) -> LanguageTag

  /// - Parameters:
  ///   - emulation: Whose pages they are.
  ///   - language: That of a request's reader, as the other pages know it.
  init(_ emulation: Emulation, language: @escaping @Sendable (Request) -> LanguageTag) {
    api = emulation.api
    worlds = emulation.worlds
    emulator = emulation.emulator
    self.language = language
  }

  /// Nil where the request is for no such page.
  func answer(to request: Request) async -> Response? {
    guard request.path.hasPrefix(Self.prefix + "/"),
      api.isBrowserPage(request.path.dropFirst(Self.prefix.count))
    else { return nil }
    var inner = request
    if let world = request.queryParameters["world"] { inner.headerFields[.vestibuleWorld] = world }
    inner.headerFields[.acceptLanguage] = language(request).text
    inner.target = String(request.target.dropFirst(Self.prefix.count))
    if let name = try? WorldName(namedBy: inner), worlds.opened(name) == nil {
      inner = inner.ofNobody
    }
    return await emulator.respond(to: inner)
  }
}

extension Request {
  /// The same page, opened by who brings nothing, in the world that is always there.
  ///
  /// So one is answered who names a world that is not: it is not made for that, and could not know the
  /// token either.
  fileprivate var ofNobody: Request {
    var request = self
    request.headerFields[.vestibuleWorld] = WorldName.main.text
    request.target = String(path)
    request.body = []
    request.headerFields[.origin] = nil
    request.headerFields[.contentType] = nil
    if method == .post { request.method = .get }
    return request
  }
}

/// The emulator's own port: the emulated API, and backstage's JSON.
struct EmulatorListener: HTTPHandler {
  let api: EmulatedAuthAPI
  let emulator: any HTTPHandler
  let backstage: any HTTPHandler
  let hosts: HostPolicy
  /// Which web pages may call the emulated API, beside its own.
  let origins: BrowserOrigins
  let ownOrigins: OwnOrigins
  /// As people type it; nil where that is what a request names.
  let publicOrigin: WebOrigin?
  let trustedProxies: [IPAddress]
  let meter: Meter?
  let logger: Logger

  func respond(to request: Request) async -> Response {
    guard hosts.admits(request) else {
      meter?.count(.host)
      logger.turnedAway("host_invalid", at: "emulator", host: request.onlyHost)
      return api.refusal(.badRequest, "host_invalid", HostPolicy.refusal, request)
    }
    if request.path.hasPrefix("/backstage/api/") { return await backstage.respond(to: request) }
    let isOwn = ownOrigins.admit(request) && !request.isPartOfForeignPage
    guard isOwn || origins.admit(request) else {
      meter?.count(.forgery)
      logger.turnedAway("origin_invalid", at: "emulator", host: request.onlyHost)
      return api.refusal(.badRequest, "origin_invalid", BrowserOrigins.refusal, request)
    }
    if (try? WorldName(namedBy: request)) == nil {
      // The API says so itself.
      meter?.count(.world)
      logger.turnedAway("invalid_world", at: "emulator")
    }
    var asked = request
    asked.publicOrigin = publicOrigin(of: request)
    let response = await emulator.respond(to: asked)
    if response.deliveryFailure == .timeout {
      // Until the server's own deadline cancels this; no client of the API waits so long.
      try? await Task.sleep(for: .seconds(600))
    }
    return response
  }

  /// The origin that documents and links are to name; a host that names a world stays as it is.
  private func publicOrigin(of request: Request) -> String? {
    guard let host = request.headerFields[.host]?.lowercased() else { return nil }
    let namesWorld = host.prefix { $0 != ":" }.hasSuffix(".localhost")
    if let publicOrigin, !namesWorld { return publicOrigin.description }
    return request.forwardedScheme(trusting: trustedProxies).map { "\($0)://\(host)" }
  }

  /// The answer to what the server refuses itself.
  @Sendable func refuse(_ refusal: MicroHTTPServer.Refusal, _ request: Request?) -> Response {
    logger.turnedAway(refusal.code, at: "emulator")
    if request?.isForBackstageAPI == true { return BackstageAPI.refusal(refusal.status) }
    return api.refusal(refusal.status, refusal.code, refusal.status.reasonPhrase, request)
  }
}

extension Logger {
  /// Notes what was refused on a port that has no pages, whose site notes its own (S29).
  func turnedAway(
    _ code: String,
    at listener: String,
    host: String? = nil,
    reference: String = Hexadecimal.text(of: systemRandomBytes(8))
  ) {
    var metadata: Logger.Metadata = [
      "code": "\(code)", "listener": "\(listener)", "request": "\(reference)",
    ]
    if let host { metadata["host"] = "\(host.logged)" }
    notice("turned away", metadata: metadata)
  }
}

/// Counts and notes whom backstage turns away on a port (S29).
func turnedAwayByBackstage(
  at listener: String,
  _ meter: Meter?,
  _ logger: Logger
) -> TurnedAwayReport {
  { code, reference, request in
    meter?.count(code == "invalid_world" ? .world : .forgery)
    logger.turnedAway(code, at: listener, reference: reference)
  }
}

extension HostPolicy {
  /// What is said, on the ports that have no pages, to who comes by a name that is not served.
  static var refusal: String { "This host is not served here: --allow-host adds one." }
}

extension Request {
  fileprivate var isForBackstageAPI: Bool { path.hasPrefix("/backstage/api/") }
  fileprivate var isForBackstage: Bool { path == "/backstage" || path.hasPrefix("/backstage/") }

  /// The same, wanting JSON where only programs ask: the twin of a page that refuses them has what every
  /// refusal of backstage has.
  fileprivate var withImpliedAccept: Request {
    guard isForBackstageAPI else { return self }
    var request = self
    request.headerFields[.accept] = "application/json"
    return request
  }
}

extension MicroHTTPServer.Refusal {
  /// The page that a person sees.
  var pageRefusal: SiteRefusal {
    switch self {
    case .malformedFraming: .badRequest
    case .headTooLarge: .headTooLarge
    case .bodyTooLarge: .bodyTooLarge
    case .bodyNotKept: .serviceUnavailable
    case .stopping: .stopping
    case .handlerTimedOut: .serviceTimedOut
    case .unsendableAnswer: .internalError
    }
  }

  /// Whether not even method and path are known: what is handed on then is made up.
  var isOfUnreadHead: Bool {
    if case .malformedFraming = self { true } else { false }
  }

  /// The code that a program sees.
  var code: String {
    switch self {
    case .malformedFraming: "bad_request"
    case .headTooLarge: "request_header_fields_too_large"
    case .bodyTooLarge: "request_body_too_large"
    case .bodyNotKept: "insufficient_storage"
    case .stopping: "service_unavailable"
    case .handlerTimedOut: "gateway_timeout"
    case .unsendableAnswer: "internal_error"
    }
  }
}
