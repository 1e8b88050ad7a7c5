public import Emulators
internal import Foundation
public import HTTPExchange
internal import HTTPTypes

/// Backstage in the browser: what its JSON does, as pages with forms.
///
/// A form is translated into the call that does the same, so that both obey the same rules. The
/// listener has checked the host already, and adds the header fields of every page.
public struct Workbench: HTTPHandler {
  private let worlds: Worlds
  private let token: String
  private let standing: @Sendable (Request) -> [String]

  /// - Parameters:
  ///   - worlds: What is worked on.
  ///   - secret: Random bytes; the forms of no other process are taken for its own (S23).
  ///   - standing: The paths of the steps at which the visitor of a request stands.
  public init(
    worlds: Worlds,
    secret: [UInt8],
    standing: @escaping @Sendable (Request) -> [String] = { _ in [] }
  ) {
    self.worlds = worlds
    token = Data(secret).base64EncodedString()
    self.standing = standing
  }

  public func respond(to request: Request) async -> Response {
    guard let tool = Tool(path: request.path) else {
      return Self.page("There is no such page backstage.", .notFound)
    }
    let methods: [HTTPRequest.Method] = tool.changes ? [.get, .head, .post] : [.get, .head]
    guard methods.contains(request.method) else {
      var refused = Self.page("That cannot be done here.", .methodNotAllowed, tool)
      refused.headerFields[.allow] = methods.map(\.rawValue).joined(separator: ", ")
      return refused
    }
    do {
      let world = try await worlds.world(WorldName(namedBy: request))
      return request.method == .post
        ? try await submit(request, to: tool, of: world)
        : try await page(of: tool, of: world, for: request).response()
    } catch is WorldName.Invalid {
      return Self.page("That is not the name of a world.", .badRequest, tool)
    } catch {
      return Self.page("The world cannot be read or written now.", .serviceUnavailable, tool)
    }
  }

  private static func page(
    _ words: String,
    _ status: HTTPResponse.Status,
    _ tool: Tool? = nil
  ) -> Response {
    WorkbenchDocument(tool: tool, content: "<p class=\"lead\">\(words)</p>").response(status)
  }

  // MARK: - Forms

  private func submit(
    _ request: Request,
    to tool: Tool,
    of world: World
  ) async throws -> Response {
    do {
      let call = try BackstageCall(try form(in: request), on: tool)
      _ = try await BackstageDesk(worlds: worlds, world: world).answer(call)
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
      document.problem = refusal.message
      return document.response(.init(code: refusal.status))
    }
  }

  /// The fields of a form that is one of ours.
  private func form(in request: Request) throws(BackstageRefusal) -> Form {
    let type = (request.headerFields[.contentType] ?? "").prefix { $0 != ";" }
    guard
      type.trimmingCharacters(in: .whitespaces).lowercased() == "application/x-www-form-urlencoded"
    else { throw BackstageRefusal(415, "unsupported_content_type", "Send a form.") }
    guard let form = try? Form(decoding: request.body) else {
      throw .malformed("The form could not be read.")
    }
    try BackstageGuard.checkOrigin(of: request)
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
    of tool: Tool,
    of world: World,
    for request: Request
  ) async throws -> WorkbenchDocument {
    let content =
      switch tool {
      case .inbox: try await Inbox.content(of: world)
      case .users: try await Self.users(of: world, token)
      case .clock: Self.clock(of: world, token)
      case .faults: Self.faults(of: world, token)
      case .traces: Self.traces(of: world, token)
      case .settings: Self.settings(of: world, token)
      case .map: FlowMap.html(standingAt: standing(request))
      }
    return WorkbenchDocument(tool: tool, world: world.name.text, content: content)
  }
}
