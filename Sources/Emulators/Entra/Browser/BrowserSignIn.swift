internal import HTTPExchange
internal import HTTPTypes

/// The stand-in for Microsoft's own sign-in page, where `redirect` sends people.
///
/// It asks only for a username: what another organization or a policy would ask is not emulated. It
/// also remembers nobody, so nobody is ever signed in without being asked.
struct BrowserSignIn: Sendable {
  let world: World
  private let words: ProviderWords
  private let trace: EntraTrace

  init(world: World, for request: Request, _ trace: EntraTrace) {
    self.world = world
    self.trace = trace
    words = ProviderWords(world.words, for: request)
  }

  /// `GET …/oauth2/v2.0/authorize`.
  func page(_ request: Request) -> Response {
    page(asking: request.queryParameters, at: request.headerFields[.host])
  }

  private func page(asking parameters: FormData, at host: String?) -> Response {
    // Only a page that was opened by itself has neither.
    guard parameters["redirect_uri"] != nil || parameters["response_type"] != nil else {
      return html(.ok, words.paragraph(.providerUnasked))
    }
    do {
      let asked = try AuthorizationRequest(parameters, at: host)
      if let refusal = refusalOfScopes(asked) { return refusal }
      // OpenID Connect Core, "Authentication Error Response".
      guard parameters["prompt"] != "none" else {
        return answer(asked, ["error": "login_required"])
      }
      return html(.ok, form(parameters, message: nil))
    } catch {
      return html(.badRequest, Self.forDevelopers(error.text))
    }
  }

  /// `POST …/oauth2/v2.0/authorize`: redirects to the app with a code or an error, or asks again.
  ///
  /// Without the form's own fields it is an app's request, answered with the page as by `GET`.
  ///
  /// Source: OpenID Connect Core 1.0, section 3.1.2.1.
  func submit(_ request: Request) async throws -> Response {
    guard let posted = try? FormData(decoding: request.body) else {
      return html(.badRequest, words.paragraph(.providerMalformed))
    }
    // The page's own form always has one of them.
    guard posted["username"] != nil || posted["cancel"] != nil else {
      return page(asking: posted, at: request.headerFields[.host])
    }
    let asked: AuthorizationRequest
    do {
      asked = try AuthorizationRequest(
        FormData(posted.fields.filter { Self.kept.contains($0.name) }),
        at: request.headerFields[.host]
      )
    } catch {
      return html(.badRequest, Self.forDevelopers(error.text))
    }
    if let refusal = refusalOfScopes(asked) { return refusal }
    guard posted["cancel"] == nil else {
      return answer(asked, ["error": "access_denied", "error_subcode": "cancel"])
    }
    guard let code = try await world.authorize(asked, username: posted["username"] ?? "") else {
      return html(
        .unprocessableContent,
        form(posted, message: words[.providerNoAccount]),
        isRefused: true
      )
    }
    return answer(asked, ["code": code])
  }

  /// `…/oauth2/v2.0/logout`, by `GET` or `POST`: redirects to the app if the request names an allowed address.
  ///
  /// Source: OpenID Connect RP-Initiated Logout 1.0, section 2.
  func signedOut(_ request: Request) -> Response {
    var parameters = request.queryParameters
    if request.method == .post {
      guard let posted = try? FormData(decoding: request.body) else {
        return html(.badRequest, words.paragraph(.providerMalformed))
      }
      parameters = posted
    }
    guard let address = parameters["post_logout_redirect_uri"],
      AuthorizationRequest.mayLead(to: address, from: request.headerFields[.host])
    else { return html(.ok, words.paragraph(.providerSignedOut)) }
    guard let state = parameters["state"] else { return redirect(to: address) }
    return redirect(to: address.addingQuery((["state": state] as FormData).text))
  }

  private static let kept: Set<String> = [
    "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce",
    "claims", "code_challenge", "code_challenge_method", "max_age",
  ]

  private func form(_ parameters: FormData, message: String?) -> String {
    let kept = FormData(parameters.fields.filter { Self.kept.contains($0.name) })
    let username = HTMLText.escaped(parameters["username"] ?? parameters["login_hint"] ?? "")
    let alert = message.map { #"<p id="username-error" role="alert">\#($0)</p>"# } ?? ""
    let fault =
      message == nil
      ? "" : #" aria-describedby="username-error" aria-invalid="true" autofocus"#
    return """
      \(alert)
      <form method="post">
      \(ProviderPage.hiddenInputs(kept))
      <p><label for="username">\(words[.providerUsername])</label>
      <input id="username" name="username" type="email" autocomplete="username" \
      value="\(username)" required\(fault)></p>
      <p><button>\(words[.providerSignIn])</button>
      <button name="cancel" value="1" formnovalidate>\(words[.providerCancel])</button></p>
      </form>
      """
  }

  /// Returns to the app if no token can have the scopes that it asks for; nil if one can.
  ///
  /// Source: RFC 6749, section 4.1.2.1.
  private func refusalOfScopes(_ asked: AuthorizationRequest) -> Response? {
    do {
      _ = try EntraScopes(asked.scope)
      return nil
    } catch {
      let description = error.json(trace)["error_description"]?.string ?? error.text
      return answer(asked, ["error": error.error, "error_description": description])
    }
  }

  /// Returns to the app in the response mode that it asked for.
  private func answer(_ asked: AuthorizationRequest, _ parameters: FormData) -> Response {
    var parameters = parameters
    if let state = asked.state { parameters.append("state", state) }
    switch asked.responseMode {
    case .query: return redirect(to: asked.redirectURI.addingQuery(parameters.text))
    case .fragment: return redirect(to: "\(asked.redirectURI)#\(parameters.text)")
    case .formPost:
      return ProviderPage(
        application: world.application,
        words: words,
        title: .providerMicrosoftTitle,
        content: """
          <form method="post" action="\(HTMLText.escaped(asked.redirectURI))">
          \(ProviderPage.hiddenInputs(parameters))
          <p>\(words[.providerReturning])</p>
          <p><button>\(words[.providerContinue])</button></p>
          </form>
          """,
        submitsItself: true
      ).response(.ok, [.requestID: trace.traceID])
    }
  }

  /// A fault of the app: the protocol's sentences about it are in English.
  private static func forDevelopers(_ text: String) -> String {
    "<p lang=\"en\" dir=\"ltr\">\(HTMLText.escaped(text))</p>"
  }

  private func html(
    _ status: HTTPResponse.Status,
    _ content: String,
    isRefused: Bool = false
  ) -> Response {
    ProviderPage(
      application: world.application,
      words: words,
      title: .providerMicrosoftTitle,
      content: content,
      isRefused: isRefused
    ).response(status, [.requestID: trace.traceID])
  }

  private func redirect(to address: String) -> Response {
    Response(
      status: .seeOther,
      headerFields: [
        .location: address, .cacheControl: "no-store", .requestID: trace.traceID,
      ]
    )
  }
}
