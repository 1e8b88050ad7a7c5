public import Emulators
public import Foundation
internal import Headless
public import HTTPExchange
public import HTTPTypes
public import Pages

/// Backstage in the browser: what its JSON does, as pages with forms.
///
/// A form is translated into the call that does the same, so that both obey the same rules. The
/// listener has checked the host already, and adds the header fields of every page.
public struct BackstagePages: HTTPHandler {
  /// The path at which a world can be downloaded.
  static let exportPath = "/backstage/export"

  let worlds: Worlds
  let renderer: PageRenderer
  let templates: Templates<WorkbenchView>
  private let token: String
  private let origins: BackstageGuard
  private let report: UnexpectedErrorReport
  private let turnedAway: TurnedAwayReport?
  let brand: BrandBench
  private let timeZone: @Sendable (Request) -> TimeZone?
  let shortcut: SignInShortcut?
  let standpoint: Standpoint?
  let rehearsal: ErrorRehearsal?
  private let walked: WalkedFlows?
  let stories: Stories?
  let recorder: Recorder?
  private let standing: @Sendable (Request) -> [String]
  let statusOfState: @Sendable (PageExample) -> Int
  private let visit: @Sendable (Request) -> String?
  let notices: NoticeStore

  /// Compiles the workbench's templates.
  ///
  /// - Parameters:
  ///   - worlds: The worlds to work on.
  ///   - renderer: Knows the folder of templates.
  ///   - secret: Random bytes; forms of any other process are refused (S23).
  ///   - origins: The origins under which people reach backstage.
  ///   - report: Receives unexpected errors.
  ///   - brand: The brand that is served, and how to change it.
  ///   - shortcut: Signs a browser in; nil if nothing can.
  ///   - standpoint: Brings a browser to a state of the atlas; nil if nothing can.
  ///   - rehearsal: Finds out how the pages show the API's errors; nil if nothing can.
  ///   - walked: Finds out which page leads to which; nil if nothing can.
  ///   - stories: The stories to play on the pages; nil if there are none.
  ///   - recorder: Records what browsers do on the pages; nil if nothing can.
  ///   - standing: The paths of the steps at which the visitor of a request stands.
  ///   - statusOfState: The status with which a page of the atlas is answered.
  ///   - visit: The site's name for the visit of a request; nil if none is under way.
  ///   - timeZone: The time zone of a request's reader; nil if it is unknown.
  ///   - turnedAway: Receives the requests that are turned away; nil reports none.
  ///   - memory: The notices that wait for their browsers.
  /// - Throws: `TemplateFault` for templates that cannot be used.
  public init(
    worlds: Worlds,
    renderer: PageRenderer,
    secret: [UInt8],
    at origins: OwnOrigins = OwnOrigins("http://localhost:8080"),
    report: UnexpectedErrorReport = .none,
    brand: BrandBench = .none,
    shortcut: SignInShortcut? = nil,
    standpoint: Standpoint? = nil,
    rehearsal: ErrorRehearsal? = nil,
    walked: WalkedFlows? = nil,
    stories: Stories? = nil,
    recorder: Recorder? = nil,
    standing: @escaping @Sendable (Request) -> [String] = { _ in [] },
    statusOfState: @escaping @Sendable (PageExample) -> Int = { _ in 200 },
    visit: @escaping @Sendable (Request) -> String? = { _ in nil },
    timeZone: @escaping @Sendable (Request) -> TimeZone? = { _ in nil },
    turnedAway: TurnedAwayReport? = nil,
    memory: BackstageMemory = BackstageMemory()
  ) throws(TemplateFault) {
    self.worlds = worlds
    self.renderer = renderer
    templates = try renderer.templates(WorkbenchView.template, about: WorkbenchView.self)
    token = Self.token(of: secret)
    self.origins = BackstageGuard(own: origins)
    self.report = report
    self.turnedAway = turnedAway
    self.brand = brand
    self.timeZone = timeZone
    self.shortcut = shortcut
    self.standpoint = standpoint
    self.rehearsal = rehearsal
    self.walked = walked
    self.stories = stories
    self.recorder = recorder
    self.standing = standing
    self.statusOfState = statusOfState
    self.visit = visit
    notices = memory.notices
  }

  /// The token that every form of the workbench carries.
  ///
  /// - Parameter secret: The secret that the workbench was created with.
  /// - Returns: The value of the forms' field `form_token`.
  public static func token(of secret: [UInt8]) -> String { Data(secret).base64EncodedString() }

  public func respond(to request: Request) async -> Response {
    let tool = WorkbenchTool(path: request.path)
    do {
      if request.path == Self.exportPath { return try await export(for: request) }
      if request.path == Atlas.lookUpPath { return try likeState(of: request) }
      if let name = Self.archiveName(in: request) { return try await archive(name, for: request) }
      if let name = Self.recordingName(in: request) {
        return try await recording(name, for: request)
      }
      guard let tool else { throw BackstageRefusal.notFound }
      let methods: [HTTPRequest.Method] = tool.changes ? [.get, .post] : [.get]
      guard methods.contains(request.method == .head ? .get : request.method) else {
        throw BackstageRefusal.methodNotAllowed(methods)
      }
      let isSecure = origins.own.isSecure
      if let kept = PresenceChoice.arrival(request, isSecure: isSecure) { return kept }
      if tool == .map, request.queryParameters["format"] == "mermaid" { return await mermaid }
      // This comes before any world is opened, so that a page of another site cannot create one.
      if request.method == .post { try origins.checkOrigin(of: request) }
      let context = try await context(of: request)
      return await worlds.working(in: context.world) { await answer(to: request, tool, context) }
    } catch {
      return answer(BackstageRefusal(error, report), to: request, tool)
    }
  }

  private func answer(
    to request: Request,
    _ tool: WorkbenchTool,
    _ context: WorkbenchContext
  ) async -> Response {
    do {
      if request.method == .post { return try await submit(request, to: tool, context) }
      let isSecure = origins.own.isSecure
      let notice = request.prefersJSON ? nil : notices.take(for: request, isSecure: isSecure)
      return try await page(of: tool, context, notice).response(for: request, by: templates)
    } catch {
      return answer(BackstageRefusal(error, report), to: request, tool)
    }
  }

  /// The response to a request that the server refuses before any handler sees it.
  public func refusal(_ status: HTTPResponse.Status, _ request: Request) -> Response {
    answer(BackstageRefusal(serverStatus: status), to: request, WorkbenchTool(path: request.path))
  }

  /// The refusal if a page of another origin embeds a page of backstage, reads it or sends a form
  /// to it: no world is created for that.
  ///
  /// - Returns: Nil for every other request, including links from anywhere.
  public func refusalOfForeignPage(_ request: Request) -> Response? {
    do throws(BackstageRefusal) {
      try origins.checkPage(request)
      return nil
    } catch {
      return answer(error, to: request, WorkbenchTool(path: request.path))
    }
  }

  private func answer(
    _ refusal: BackstageRefusal,
    to request: Request,
    _ tool: WorkbenchTool?
  ) -> Response {
    let refusal = refusal.reported(of: request, to: turnedAway)
    return WorkbenchDocument(tool: tool, refusal: refusal).response(for: request, by: templates)
  }

  /// Which page leads to which; empty if the flows cannot be walked.
  var map: FlowMap {
    get async { FlowMap(await walked?.findings() ?? FlowWalker.Findings()) }
  }

  private var mermaid: Response {
    get async {
      Response(
        status: .ok,
        headerFields: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
        body: Array(await map.mermaid.utf8)
      )
    }
  }

  private func context(of request: Request) async throws -> WorkbenchContext {
    let world = try await worlds.world(WorldName(namedBy: request))
    return WorkbenchContext(
      world: world,
      worlds: worlds,
      request: request,
      addresses: WorldAddresses(scheme: origins.own.scheme, asIn: request),
      isSecure: origins.own.isSecure,
      token: token,
      moments: renderer.moments(at: world.clock.now, in: timeZone(request)),
      standing: standing(request),
      visitName: visit(request),
      canEnter: shortcut != nil
    )
  }

  /// The whole world as a download; another site cannot read it.
  private func export(for request: Request) async throws -> Response {
    let name = try WorldName(namedBy: request)
    var response = try await answer(to: request, ["export"])
    response.headerFields[.contentDisposition] = "attachment; filename=\"\(name).json\""
    return response
  }

  private static func archiveName(in request: Request) -> String? {
    let prefix = "\(WorkbenchTool.traces.path)/"
    guard request.path.hasPrefix(prefix), request.path.hasSuffix(HTTPArchive.ending) else {
      return nil
    }
    return String(request.path.dropFirst(prefix.count))
  }

  /// The traces of a visit as a file that browsers' network panels can open.
  private func archive(_ name: String, for request: Request) async throws -> Response {
    var response = try await answer(to: request, ["traces", name])
    response.headerFields[.contentDisposition] = "attachment; filename=\"\(name)\""
    return response
  }

  /// The response of the same call to the JSON API.
  func answer(to request: Request, _ path: [String]) async throws -> Response {
    guard request.method == .get || request.method == .head else {
      throw BackstageRefusal.methodNotAllowed([.get])
    }
    let world = try await worlds.world(WorldName(namedBy: request))
    var call = BackstageCall(method: .get, path: path, body: nil)
    call.host = request.headerFields[.host]
    return try await BackstageRouter.answer(call, in: callContext(of: world))
  }

  /// The context in which a page makes backstage's calls.
  func callContext(of world: World) -> BackstageContext {
    BackstageContext(worlds: worlds, world: world, scheme: origins.own.scheme, recorder: recorder)
  }

  /// Redirects to the state of the atlas that is most like the page that somebody sees, in the
  /// gallery, where they find its neighbours and ways back.
  private func likeState(of request: Request) throws -> Response {
    guard request.method == .get || request.method == .head else {
      throw BackstageRefusal.methodNotAllowed([.get])
    }
    let query = request.queryParameters
    let name = query["page"].flatMap { page in
      Atlas(renderer: renderer)
        .name(like: page, step: query["step"], codes: query.values(of: "code"))
    }
    guard let name else { throw BackstageRefusal.notFound }
    let state: FormData = ["state": name]
    return seeOther(state.address(at: WorkbenchTool.atlas.path), nil)
  }

  // MARK: - Forms

  private func submit(
    _ request: Request,
    to tool: WorkbenchTool,
    _ context: WorkbenchContext
  ) async throws -> Response {
    var sent = FormData()
    do {
      sent = try form(in: request)
      if let answer = try await answerBeyondCalls(to: sent, on: tool, context) { return answer }
      return try await carryOut(sent, on: tool, context)
    } catch let refusal as BackstageRefusal {
      let refusal = refusal.reported(of: request, to: turnedAway)
      var context = context
      context.refused = .init(form: sent, refusal: refusal)
      var document = try await page(of: tool, context)
      document.refusal = refusal
      return document.response(for: request, by: templates)
    }
  }

  /// Carries out a form that does more than make a call and show a notice.
  ///
  /// - Returns: Nil for any other form, even one that the tool does not have.
  private func answerBeyondCalls(
    to sent: FormData,
    on tool: WorkbenchTool,
    _ context: WorkbenchContext
  ) async throws -> Response? {
    switch (tool, sent["action"] ?? "") {
    case (.users, "enter"): return try await enter(sent, context)
    case (.faults, "rehearse"): return try await rehearse(sent, context)
    case (.errors, "provoke"): return try await provoke(sent, context)
    case (.brand, _): return try await submitBrand(sent, context)
    case (.atlas, "stand"):
      return try await standpoint?.answer(
        to: context.request,
        page: sent["page"] ?? "",
        state: sent["of"],
        in: context.world,
        of: worlds,
        recorder
      )
    case (.stories, _):
      guard let stories else { return nil }
      return try await goOn(stories, sent, context)
    case (.recordings, _): return try await submitRecording(sent, context)
    case (.world, "drop-stories"): return dropStories(context)
    case (.inbox, _), (.users, _), (.faults, _), (.errors, _), (.traces, _), (.settings, _),
      (.atlas, _), (.map, _), (.clock, _), (.world, _):
      return nil
    }
  }

  /// Makes a form's calls, and redirects with a notice of what they did.
  private func carryOut(
    _ sent: FormData,
    on tool: WorkbenchTool,
    _ context: WorkbenchContext
  ) async throws -> Response {
    let command =
      tool == .users
      ? try await WorkbenchCommand.users(sent, in: context.world, behind: worlds.api)
      : try WorkbenchCommand(sent, on: tool, in: context.world, behind: worlds.api)
    if case .world(let name) = command.destination { try context.addresses.check(name) }
    for call in command.calls {
      _ = try await BackstageRouter.answer(call, in: callContext(of: context.world))
    }
    let words = command.notice(context.world, context.moments)
    let pressed = ClockButton(of: sent, on: tool)
    let notice = notices.keep(WorkbenchNotice(words: words, pressed: pressed))
    switch command.destination {
    case .back: return seeOther(WorkbenchContext.way(back: sent["back"]) ?? tool.path, notice)
    case .world(let name):
      // That world's host has cookies of its own, so the notice goes into the address.
      let page = "\(context.addresses.origin(of: name))\(WorkbenchTool.inbox.path)"
      let told = "\(page)?\(NoticeStore.parameter)=\(notice)"
      return seeOther(context.presented(told, in: name), nil)
    }
  }

  /// Redirects after a form has been carried out (R2).
  func seeOther(_ path: String, _ notice: String?) -> Response {
    var response = Response.seeOther(path)
    response.headerFields[.setCookie] = notice.map {
      NoticeStore.cookie($0, isSecure: origins.own.isSecure).headerValue
    }
    return response
  }

  /// The fields of one of our forms.
  private func form(in request: Request) throws(BackstageRefusal) -> FormData {
    guard request.isForm else {
      throw BackstageRefusal(.unsupportedContentType, "Send a form.")
    }
    guard let form = try? FormData(decoding: request.body) else {
      throw .malformed("The form could not be read.")
    }
    guard isEqualInConstantTime(form["form_token"] ?? "", token) else {
      throw BackstageRefusal(.formTokenInvalid, "This form is out of date. Send it again.")
    }
    return form
  }
}
