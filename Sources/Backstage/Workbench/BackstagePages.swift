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
  /// Where a world is to be had as a file.
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
  let notices = NoticeStore()

  /// Compiles the workbench's templates.
  ///
  /// - Parameters:
  ///   - worlds: What is worked on.
  ///   - renderer: Knows the folder of templates.
  ///   - secret: Random bytes; the forms of no other process are taken for its own (S23).
  ///   - origins: Under which people reach it.
  ///   - report: Is told what goes wrong and nobody foresees.
  ///   - brand: What is served under which name, and can be changed.
  ///   - shortcut: Signs a browser in; nil where nothing can.
  ///   - standpoint: Brings a browser to a state of the atlas; nil where nothing can.
  ///   - rehearsal: Finds out how the pages tell the API's errors; nil where nothing can.
  ///   - walked: Finds out which page leads to which; nil where nothing can.
  ///   - stories: What can be told on the pages; nil where nothing can.
  ///   - recorder: Records what browsers do on the pages; nil where nothing can.
  ///   - standing: The paths of the steps at which the visitor of a request stands.
  ///   - statusOfState: With which status a page of the atlas is answered.
  ///   - visit: What the site calls the visit of a request; nil where nothing is under way.
  ///   - timeZone: That of the reader of a request; nil where nobody has told it.
  ///   - turnedAway: Is told whom it turns away; nil where nobody listens.
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
    turnedAway: TurnedAwayReport? = nil
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
  }

  /// What every form of the workbench carries.
  ///
  /// - Parameter secret: What the workbench was made with.
  /// - Returns: The value of their field `form_token`.
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
      if let kept = PresenceChoice.arrival(request, isSecure: origins.own.scheme == "https") {
        return kept
      }
      if tool == .map, request.queryParameters["format"] == "mermaid" { return await mermaid }
      // Before any world is opened: a page of another site has none made.
      if request.method == .post { try origins.checkOrigin(of: request) }
      let context = try await context(of: request)
      if request.method == .post { return try await submit(request, to: tool, context) }
      let notice = request.prefersJSON ? nil : notices.take(for: request)
      return try await page(of: tool, context, notice).response(for: request, by: templates)
    } catch {
      return answer(BackstageRefusal(error, report), to: request, tool)
    }
  }

  /// The answer to what the server refuses before anyone is asked.
  public func refusal(_ status: HTTPResponse.Status, _ request: Request) -> Response {
    answer(BackstageRefusal(serverStatus: status), to: request, WorkbenchTool(path: request.path))
  }

  /// The answer to who loads a page of backstage as a part of another origin's, reads it from there, or sends a
  /// form from there: no world is made for that.
  ///
  /// - Returns: Nil for everybody else, who follows a link from anywhere, too.
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

  /// What leads where; nothing where nobody can walk.
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
      token: token,
      moments: renderer.moments(at: world.clock.now, in: timeZone(request)),
      standing: standing(request),
      visitName: visit(request),
      canEnter: shortcut != nil
    )
  }

  /// The whole world as a file to keep; another site cannot read it.
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

  /// The traces of a visit as a file that network panels of browsers open.
  private func archive(_ name: String, for request: Request) async throws -> Response {
    var response = try await answer(to: request, ["traces", name])
    response.headerFields[.contentDisposition] = "attachment; filename=\"\(name)\""
    return response
  }

  /// What the same call of the JSON answers.
  func answer(to request: Request, _ path: [String]) async throws -> Response {
    guard request.method == .get || request.method == .head else {
      throw BackstageRefusal.methodNotAllowed([.get])
    }
    let world = try await worlds.world(WorldName(namedBy: request))
    var call = BackstageCall(method: .get, path: path, body: nil)
    call.host = request.headerFields[.host]
    return try await BackstageRouter.answer(call, in: callContext(of: world))
  }

  /// In which a page makes calls of backstage's interface.
  func callContext(of world: World) -> BackstageContext {
    BackstageContext(worlds: worlds, world: world, scheme: origins.own.scheme, recorder: recorder)
  }

  /// The way to the state of the atlas that is most like the page that somebody sees: in the
  /// gallery, with its neighbours and the ways back.
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

  /// Does what a form asks for that is more than a call with a notice.
  ///
  /// - Returns: Nil for every other form, be it one of the tool's or none.
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

  /// Makes the calls that a form stands for, and leads on with a notice of what they did.
  private func carryOut(
    _ sent: FormData,
    on tool: WorkbenchTool,
    _ context: WorkbenchContext
  ) async throws -> Response {
    let command =
      tool == .users
      ? try await WorkbenchCommand.users(sent, in: context.world)
      : try WorkbenchCommand(sent, on: tool, in: context.world.name, behind: worlds.api)
    if case .world(let name) = command.destination { try context.addresses.check(name) }
    for call in command.calls {
      _ = try await BackstageRouter.answer(call, in: callContext(of: context.world))
    }
    let words = command.notice(context.world, context.moments)
    let notice = notices.keep(WorkbenchNotice(words: words))
    switch command.destination {
    case .back: return seeOther(WorkbenchContext.way(back: sent["back"]) ?? tool.path, notice)
    case .world(let name):
      // Its host has cookies of its own.
      let page = "\(context.addresses.origin(of: name))\(WorkbenchTool.inbox.path)"
      let told = "\(page)?\(NoticeStore.parameter)=\(notice)"
      return seeOther(context.presented(told, in: name), nil)
    }
  }

  /// Leads on after a form that did what it asked for (R2).
  func seeOther(_ path: String, _ notice: String?) -> Response {
    var response = Response.seeOther(path)
    response.headerFields[.setCookie] = notice.map {
      SetCookie(
        name: NoticeStore.cookieName,
        value: $0,
        maximumAge: .seconds(60),
        isSecure: origins.own.scheme == "https"
      ).headerValue
    }
    return response
  }

  /// The fields of a form that is one of ours.
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
