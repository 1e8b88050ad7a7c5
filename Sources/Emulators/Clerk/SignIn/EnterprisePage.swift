internal import HTTPExchange
internal import HTTPTypes

/// The stand-in for an organization's own sign-in page, to which enterprise accounts are sent.
///
/// It asks for nothing, since the organization's checks are not emulated. Only its buttons decide,
/// since anybody who has its address can open it.
struct EnterprisePage: Sendable {
  static let path = "/v1/enterprise_sso"

  private let world: World
  private let words: ProviderWords

  init(world: World, for request: Request) {
    self.world = world
    words = ProviderWords(world.words, for: request)
  }

  func respond(to request: Request) async throws -> Response {
    let token = request.queryParameters["token"] ?? ""
    switch request.method {
    case .get, .head: return try await page(token)
    case .post: return try await decide(token, request)
    default:
      var response = html(.methodNotAllowed, words.paragraph(.providerMalformed))
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
        <p>\(words[.providerOrganizationLead, ["domain": domain]])</p>
        <form method="post">
        <p><button name="decision" value="approve">\
        \(words[.providerSignInAs, ["identifier": identifier]])</button>
        <button name="decision" value="cancel">\(words[.providerCancel])</button></p>
        </form>
        """
      )
    }
  }

  private func decide(_ token: String, _ request: Request) async throws -> Response {
    let decision: ExternalSignIn.Decision
    switch (try? FormData(decoding: request.body))?["decision"] {
    case "approve": decision = .approved
    case "cancel": decision = .cancelled
    default: return html(.badRequest, words.paragraph(.providerMalformed))
    }
    if case .unknown = try await world.externalSignIn(token) { return unknown }
    guard let address = try await world.decide(decision, token) else { return over }
    return Response(
      status: .seeOther,
      headerFields: [.location: address, .cacheControl: "no-store"]
    )
  }

  private var unknown: Response { html(.notFound, words.paragraph(.providerUnknown)) }
  private var over: Response { html(.gone, words.paragraph(.providerOver)) }

  private func html(_ status: HTTPResponse.Status, _ content: String) -> Response {
    ProviderPage(
      application: world.application,
      words: words,
      title: .providerOrganizationTitle,
      content: content
    ).response(status)
  }
}
