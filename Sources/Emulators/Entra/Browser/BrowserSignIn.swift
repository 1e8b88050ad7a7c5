internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// What an app asks of the browser's sign-in page: the authorization code flow with PKCE.
///
/// Source: RFC 6749, section 4.1; RFC 7636; OpenID Connect Core, section 3.1.2.1.
struct AuthorizationRequest: Codable, Sendable, Hashable {
  var clientID: String
  var redirectURI: String
  var scope: String
  var state: String?
  var nonce: String?
  /// The SHA-256 of the verifier, base64url.
  var codeChallenge: String

  /// - Throws: `EntraRefusal`, shown to the person: there is nowhere yet that an error may be sent.
  ///
  /// - Parameters:
  ///   - form: What was asked.
  ///   - host: Where it was asked: whoever asks there may be sent back there.
  init(_ form: Form, at host: String?) throws(EntraRefusal) {
    let form = try EntraForm(form)
    guard let text = form.text("client_id"), let id = GUID.parsed(text), id != EntraApp.unknownID
    else { throw .unknownApp }
    clientID = id
    redirectURI = try form.required("redirect_uri")
    guard Self.mayLead(to: redirectURI, from: host) else { throw .redirectNotRegistered }
    guard try form.required("response_type") == "code" else {
      throw .malformed("The response_type must be 'code'.")
    }
    scope = try form.required("scope")
    state = form.text("state")
    nonce = form.text("nonce")
    codeChallenge = try form.required("code_challenge")
    guard form.text("code_challenge_method") == "S256" else {
      throw .malformed("The code_challenge_method must be 'S256'.")
    }
  }

  /// The emulator sends nobody to another machine than this one, or the one that was asked.
  private static func mayLead(to text: String, from asked: String?) -> Bool {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
      url.user() == nil, url.fragment() == nil, let host = url.host()?.lowercased()
    else { return false }
    if let asked, asked.lowercased() == host + (url.port.map { ":\($0)" } ?? "") { return true }
    return ["localhost", "127.0.0.1", "::1"].contains(host) || host.hasSuffix(".localhost")
  }

  /// The redirect URI with parameters.
  func address(_ parameters: Form) -> String {
    var parameters = parameters
    if let state { parameters.append("state", state) }
    let query = String(decoding: parameters.encoded, as: UTF8.self)
    return "\(redirectURI)\(redirectURI.contains("?") ? "&" : "?")\(query)"
  }
}

/// The stand-in for Microsoft's own sign-in page, where `redirect` sends people.
///
/// It asks for a name alone: whatever another organization or policy would ask is not emulated.
/// Source: Microsoft, native authentication API reference.
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
      _ = try AuthorizationRequest(parameters, at: request.headerFields[.host])
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
      return redirect(
        to: asked.address(["error": "access_denied", "error_subcode": "cancel"])
      )
    }
    guard let code = try await world.authorize(asked, username: posted["username"] ?? "") else {
      return html(
        .unprocessableContent,
        form(posted, message: "There is no such account that may sign in.")
      )
    }
    return redirect(to: asked.address(["code": code]))
  }

  /// `GET …/oauth2/v2.0/logout`.
  func signedOut() -> Response {
    html(.ok, "<p>You are signed out of the emulated sign-in page.</p>")
  }

  private static let kept: Set<String> = [
    "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
    "code_challenge_method",
  ]

  private func form(_ parameters: Form, message: String?) -> String {
    let hidden = parameters.fields.filter { Self.kept.contains($0.name) }.map {
      #"<input type="hidden" name="\#(HTMLText.escaped($0.name))" value="\#(HTMLText.escaped($0.value))">"#
    }
    let username = HTMLText.escaped(parameters["username"] ?? parameters["login_hint"] ?? "")
    return """
      \(message.map { "<p role=\"alert\">\(HTMLText.escaped($0))</p>" } ?? "")
      <form method="post">
      \(hidden.joined(separator: "\n"))
      <p><label for="username">E-mail address</label>
      <input id="username" name="username" type="email" autocomplete="username" \
      value="\(username)" required></p>
      <p><button>Sign in</button>
      <button name="cancel" value="1" formnovalidate>Cancel</button></p>
      </form>
      """
  }

  private func html(_ status: HTTPResponse.Status, _ content: String) -> Response {
    ProviderPage(title: "Sign-in page of Microsoft", content: content)
      .response(status, [.requestID: trace.traceID])
  }

  private func redirect(to address: String) -> Response {
    Response(
      status: .seeOther,
      headerFields: [.location: address, .cacheControl: "no-store", .requestID: trace.traceID]
    )
  }
}

extension EntraRefusal {
  static let redirectNotRegistered = Self(
    "invalid_request",
    nil,
    50_011,
    "The redirect URI is not one of this machine, so it is not registered for the application."
  )
}
