internal import Foundation
internal import HTTPExchange

/// An app's request to the browser's sign-in page: the authorization code flow with PKCE.
///
/// Source: RFC 6749, "Authorization Code Grant"; RFC 7636; OpenID Connect Core, "Authentication
/// Request".
struct AuthorizationRequest: Codable, Sendable, Hashable {
  var clientID: String
  var redirectURI: String
  var scope: String
  var state: String?
  var nonce: String?
  /// The `claims` parameter as sent; used if the code is redeemed without one.
  var claims: String?
  /// The SHA-256 of the verifier, base64url.
  var codeChallenge: String
  var responseMode: ResponseMode
  /// Whether the ID token has to say when the person signed in, because the app sent `max_age`.
  var wantsAuthenticationTime: Bool

  /// How the answer returns to the app.
  ///
  /// Source: OAuth 2.0 Multiple Response Type Encoding Practices; OAuth 2.0 Form Post Response Mode.
  enum ResponseMode: String, Codable, Sendable {
    case query, fragment
    case formPost = "form_post"
  }

  /// - Throws: `EntraRefusal`, which is shown to the person and not sent to the redirect URI.
  ///
  /// - Parameters:
  ///   - form: The parameters.
  ///   - host: The host that was asked; redirects to it are allowed as well.
  init(_ form: FormData, at host: String?) throws(EntraRefusal) {
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
    claims = form.text("claims")
    _ = try EntraClaims(claims)
    guard let mode = ResponseMode(rawValue: form.text("response_mode") ?? "query") else {
      throw .malformed("The response_mode must be 'query', 'fragment' or 'form_post'.")
    }
    responseMode = mode
    if let age = form.text("max_age"), Int(age).map({ $0 >= 0 }) != true {
      throw .malformed("The max_age must be a number of seconds.")
    }
    wantsAuthenticationTime = form.text("max_age") != nil
    codeChallenge = try form.required("code_challenge")
    guard form.text("code_challenge_method") == "S256" else {
      throw .malformed("The code_challenge_method must be 'S256'.")
    }
  }

  /// Whether an address may be a redirect URI: only a loopback address, or one at the host that was
  /// asked.
  ///
  /// The browser is sent there unchanged, so it must be a URI already, with nothing to encode.
  static func mayLead(to text: String, from asked: String?) -> Bool {
    guard let url = URL(string: text, encodingInvalidCharacters: false),
      ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
      url.user() == nil, url.fragment() == nil, let host = url.host()?.lowercased(),
      url.port.map((1...65_535).contains) != false
    else { return false }
    if let asked, asked.lowercased() == host + (url.port.map { ":\($0)" } ?? "") { return true }
    return Authority.isLoopback(host)
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
