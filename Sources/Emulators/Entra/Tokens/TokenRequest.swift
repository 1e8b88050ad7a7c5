/// What a call of the token endpoint asks for.
struct TokenRequest: Sendable {
  var scopes: EntraScopes
  var claims: EntraClaims
  /// As sent, here or with the browser.
  var claimsText: String?
  var wantsClientInfo: Bool
  /// What the browser's sign-in was given, for the ID token.
  var nonce: String?
  /// When the person signed in at the browser's page, where the app asked to be told.
  var authenticatedAt: EpochMilliseconds?

  /// - Parameters:
  ///   - form: The call's fields.
  ///   - earlier: The scopes that count where none are sent; nil where they have to be.
  ///   - earlierClaims: The claims that count where none are sent.
  /// - Throws: `invalid_request` for a missing scope or broken claims, `invalid_scope`.
  init(
    _ form: EntraForm,
    earlier: String? = nil,
    claims earlierClaims: String? = nil
  ) throws(EntraRefusal) {
    let text: String
    if let sent = form.text("scope") ?? earlier {
      text = sent
    } else {
      text = try form.required("scope")
    }
    scopes = try EntraScopes(text.split(separator: " ").map(String.init))
    claimsText = form.text("claims") ?? earlierClaims
    claims = try EntraClaims(claimsText)
    wantsClientInfo = ["true", "1"].contains(form.text("client_info") ?? "")
  }
}
