internal import HTTPExchange
internal import HTTPTypes

/// The stand-in for an organization's own sign-in page, where an enterprise account is sent.
///
/// It asks nothing: whatever the organization would ask is not emulated. Only its button decides,
/// since whoever holds its address can open it.
struct EnterprisePage: Sendable {
  static let path = "/v1/enterprise_sso"

  var world: World

  func respond(to request: Request) async throws -> Response {
    let token = request.queryParameters["token"] ?? ""
    switch request.method {
    case .get, .head: return try await page(token)
    case .post: return try await decide(token, request)
    default:
      var response = html(.methodNotAllowed, "<p>This page is opened and submitted only.</p>")
      response.headerFields[.allow] = "GET, HEAD, POST"
      return response
    }
  }

  private func page(_ token: String) async throws -> Response {
    switch try await world.externalSignIn(token) {
    case .unknown: return unknown
    case .over: return over
    case .waiting(let identifier, _):
      let domain = identifier.split(separator: "@").last.map(String.init) ?? identifier
      return html(
        .ok,
        """
        <p>This stands for the sign-in page of \(HTMLText.escaped(domain)).</p>
        <form method="post">
        <p><button name="decision" value="approve">\
        Sign in as \(HTMLText.escaped(identifier))</button>
        <button name="decision" value="cancel">Cancel</button></p>
        </form>
        """
      )
    }
  }

  private func decide(_ token: String, _ request: Request) async throws -> Response {
    guard let form = try? Form(decoding: request.body) else {
      return html(.badRequest, "<p>The form is malformed.</p>")
    }
    let decision: ExternalSignIn.Decision = form["decision"] == "cancel" ? .cancelled : .approved
    if case .unknown = try await world.externalSignIn(token) { return unknown }
    guard let address = try await world.decide(decision, token) else { return over }
    return Response(
      status: .seeOther,
      headerFields: [.location: address, .cacheControl: "no-store"]
    )
  }

  private var unknown: Response {
    html(.notFound, "<p>No sign-in waits for this page.</p>")
  }

  private var over: Response {
    html(.gone, "<p>This sign-in page has expired, or was used already. Return and try again.</p>")
  }

  private func html(_ status: HTTPResponse.Status, _ content: String) -> Response {
    ProviderPage(title: "Sign-in page of your organisation", content: content).response(status)
  }
}
