internal import HTTPExchange
internal import HTTPTypes

/// The stand-in for Microsoft's own sign-in page, where `redirect` sends people.
///
/// It asks for a name alone: whatever another organization or policy would ask is not emulated. Nor
/// does it remember anybody, so that nobody is ever signed in without being asked.
struct BrowserSignIn: Sendable {
  var world: World
  var trace: EntraTrace

  /// `GET …/oauth2/v2.0/authorize`.
  func page(_ request: Request) -> Response {
    let parameters = request.queryParameters
    guard parameters["redirect_uri"] != nil else {
      return html(
        .ok,
        "<p>This stands for the browser's sign-in page of the real service. "
          + "No app asked it to send you back: close it and return to where you came from.</p>"
      )
    }
    do {
      let asked = try AuthorizationRequest(parameters, at: request.headerFields[.host])
      // OpenID Connect Core, "Authentication Error Response".
      guard parameters["prompt"] != "none" else {
        return answer(asked, ["error": "login_required"])
      }
      return html(.ok, form(parameters, message: nil))
    } catch {
      return html(.badRequest, "<p>\(HTMLText.escaped(error.text))</p>")
    }
  }

  /// The same address, posted: back to the app with a code, or with what went wrong.
  func submit(_ request: Request) async throws -> Response {
    guard let posted = try? Form(decoding: request.body) else {
      return html(.badRequest, "<p>The form is malformed.</p>")
    }
    let asked: AuthorizationRequest
    do {
      asked = try AuthorizationRequest(
        Form(posted.fields.filter { Self.kept.contains($0.name) }),
        at: request.headerFields[.host]
      )
    } catch {
      return html(.badRequest, "<p>\(HTMLText.escaped(error.text))</p>")
    }
    guard posted["cancel"] == nil else {
      return answer(asked, ["error": "access_denied", "error_subcode": "cancel"])
    }
    guard let code = try await world.authorize(asked, username: posted["username"] ?? "") else {
      return html(
        .unprocessableContent,
        form(posted, message: "There is no such account that may sign in.")
      )
    }
    return answer(asked, ["code": code])
  }

  /// `GET …/oauth2/v2.0/logout`: back to the app, if it names an address that may be registered.
  ///
  /// Source: OpenID Connect RP-Initiated Logout 1.0.
  func signedOut(_ request: Request) -> Response {
    let parameters = request.queryParameters
    guard let address = parameters["post_logout_redirect_uri"],
      AuthorizationRequest.mayLead(to: address, from: request.headerFields[.host])
    else { return html(.ok, "<p>You are signed out of the emulated sign-in page.</p>") }
    let state: Form = parameters["state"].map { ["state": $0] } ?? [:]
    return redirect(to: address, "?", state)
  }

  private static let kept: Set<String> = [
    "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce",
    "code_challenge", "code_challenge_method", "max_age",
  ]

  private func form(_ parameters: Form, message: String?) -> String {
    let kept = Form(parameters.fields.filter { Self.kept.contains($0.name) })
    let username = HTMLText.escaped(parameters["username"] ?? parameters["login_hint"] ?? "")
    return """
      \(message.map { "<p role=\"alert\">\(HTMLText.escaped($0))</p>" } ?? "")
      <form method="post">
      \(ProviderPage.hiddenInputs(kept))
      <p><label for="username">E-mail address</label>
      <input id="username" name="username" type="email" autocomplete="username" \
      value="\(username)" required></p>
      <p><button>Sign in</button>
      <button name="cancel" value="1" formnovalidate>Cancel</button></p>
      </form>
      """
  }

  /// Back to the app, in the way that it asked for.
  private func answer(_ asked: AuthorizationRequest, _ parameters: Form) -> Response {
    var parameters = parameters
    if let state = asked.state { parameters.append("state", state) }
    switch asked.responseMode {
    case .query: return redirect(to: asked.redirectURI, "?", parameters)
    case .fragment: return redirect(to: asked.redirectURI, "#", parameters)
    case .formPost:
      return ProviderPage(
        title: title,
        content: """
          <form method="post" action="\(HTMLText.escaped(asked.redirectURI))">
          \(ProviderPage.hiddenInputs(parameters))
          <p>You are being sent back to the app.</p>
          <p><button>Continue</button></p>
          </form>
          """,
        submitsItself: true
      ).response(.ok, [.requestID: trace.traceID])
    }
  }

  private var title: String { "Sign-in page of Microsoft" }

  private func html(_ status: HTTPResponse.Status, _ content: String) -> Response {
    ProviderPage(title: title, content: content).response(status, [.requestID: trace.traceID])
  }

  private func redirect(
    to address: String,
    _ separator: String,
    _ parameters: Form
  ) -> Response {
    let text = String(decoding: parameters.encoded, as: UTF8.self)
    let mark = separator == "?" && address.contains("?") ? "&" : separator
    return Response(
      status: .seeOther,
      headerFields: [
        .location: text.isEmpty ? address : "\(address)\(mark)\(text)",
        .cacheControl: "no-store",
        .requestID: trace.traceID,
      ]
    )
  }
}
