public import Emulators
internal import Foundation
public import HTTPExchange
public import HTTPTypes
public import Pages

/// Backstage in the browser: what its JSON does, as pages with forms.
///
/// A form is translated into the call that does the same, so that both obey the same rules. The
/// listener has checked the host already, and adds the header fields of every page.
public struct BackstagePages: HTTPHandler {
  private let worlds: Worlds
  private let templates: Templates<WorkbenchView>
  private let token: String
  private let origins: BackstageGuard
  private let report: UnexpectedErrorReport
  private let standing: @Sendable (Request) -> [String]

  /// Compiles the workbench's templates.
  ///
  /// - Parameters:
  ///   - worlds: What is worked on.
  ///   - renderer: Knows the folder of templates.
  ///   - secret: Random bytes; the forms of no other process are taken for its own (S23).
  ///   - scheme: Of the addresses under which people reach it.
  ///   - report: Is told what goes wrong and nobody foresees.
  ///   - standing: The paths of the steps at which the visitor of a request stands.
  /// - Throws: `TemplateFault` for templates that cannot be used.
  public init(
    worlds: Worlds,
    renderer: PageRenderer,
    secret: [UInt8],
    scheme: String = "http",
    report: UnexpectedErrorReport = .none,
    standing: @escaping @Sendable (Request) -> [String] = { _ in [] }
  ) throws(TemplateFault) {
    self.worlds = worlds
    templates = try renderer.templates(WorkbenchView.template, about: WorkbenchView.self)
    token = Data(secret).base64EncodedString()
    origins = BackstageGuard(scheme: scheme)
    self.report = report
    self.standing = standing
  }

  public func respond(to request: Request) async -> Response {
    let tool = WorkbenchTool(path: request.path)
    do {
      guard let tool else { throw BackstageRefusal.notFound }
      let methods: [HTTPRequest.Method] = tool.changes ? [.get, .post] : [.get]
      guard methods.contains(request.method == .head ? .get : request.method) else {
        throw BackstageRefusal.methodNotAllowed(methods)
      }
      let world = try await worlds.world(WorldName(namedBy: request))
      return request.method == .post
        ? try await submit(request, to: tool, of: world)
        : try await page(of: tool, of: world, for: request).response(for: request, by: templates)
    } catch {
      return answer(BackstageRefusal(error, report), to: request, tool)
    }
  }

  /// The answer to what the server refuses before anyone is asked.
  public func refusal(_ status: HTTPResponse.Status, _ request: Request) -> Response {
    answer(BackstageRefusal(serverStatus: status), to: request, WorkbenchTool(path: request.path))
  }

  private func answer(
    _ refusal: BackstageRefusal,
    to request: Request,
    _ tool: WorkbenchTool?
  ) -> Response {
    WorkbenchDocument(tool: tool, refusal: refusal).response(for: request, by: templates)
  }

  // MARK: - Forms

  private func submit(
    _ request: Request,
    to tool: WorkbenchTool,
    of world: World
  ) async throws -> Response {
    do {
      let call = try BackstageCall(try form(in: request), on: tool)
      let context = BackstageContext(worlds: worlds, world: world)
      _ = try await BackstageRouter.answer(call, in: context)
      return Response(
        status: .seeOther,
        headerFields: [
          .location: tool.path, .contentType: "text/plain; charset=utf-8",
          .cacheControl: "no-store",
        ],
        body: Array("See \(tool.path)\n".utf8)
      )
    } catch let refusal as BackstageRefusal {
      var document = try await page(of: tool, of: world, for: request)
      document.refusal = refusal
      return document.response(for: request, by: templates)
    }
  }

  /// The fields of a form that is one of ours.
  private func form(in request: Request) throws(BackstageRefusal) -> HTTPExchange.Form {
    let type = (request.headerFields[.contentType] ?? "").prefix { $0 != ";" }
    guard
      type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
    else { throw BackstageRefusal(415, "unsupported_content_type", "Send a form.") }
    guard let form = try? HTTPExchange.Form(decoding: request.body) else {
      throw .malformed("The form could not be read.")
    }
    try origins.checkOrigin(of: request)
    guard isOurs(form["form_token"] ?? "") else {
      throw BackstageRefusal(403, "form_token_invalid", "This form is out of date. Send it again.")
    }
    return form
  }

  /// Takes as long for a token that is nearly right as for any other.
  private func isOurs(_ text: String) -> Bool {
    let (given, own) = (Array(text.utf8), Array(token.utf8))
    return given.count == own.count && zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: - Pages

  private func page(
    of tool: WorkbenchTool,
    of world: World,
    for request: Request
  ) async throws -> WorkbenchDocument {
    let content =
      switch tool {
      case .inbox: try await Inbox.content(of: world)
      case .users: try await Self.users(of: world, after: request.queryParameters["after"], token)
      case .clock: Self.clock(of: world, token)
      case .faults: Self.faults(of: world, token)
      case .traces: Self.traces(of: world, token)
      case .settings: Self.settings(of: world, token)
      case .map: FlowMap.content(standingAt: standing(request))
      }
    var document = WorkbenchDocument(tool: tool, world: world.name.text, content: content)
    if request.prefersJSON {
      document.facts = try await facts(of: tool, of: world, for: request)
    }
    return document
  }

  /// What a tool shows, for programs.
  private func facts(of tool: WorkbenchTool, of world: World, for request: Request) async throws
    -> JSON
  {
    switch tool {
    case .inbox: ["messages": .array(try await world.outbox.messages().map(\.json))]
    case .users:
      [
        "users": .array(
          try await world.accounts(after: request.queryParameters["after"])?.accounts.map(\.json)
            ?? []
        )
      ]
    case .clock: world.clock.reading.json
    case .faults: ["faults": .array(world.faults.all.map(\.json))]
    case .traces: ["traces": .array(world.traces.all.map(\.json))]
    case .settings: world.settings.json
    case .map: ["standing_at": .array(standing(request).map(JSON.string))]
    }
  }
}
