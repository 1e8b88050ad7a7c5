/// What a call of the token endpoint asks for.
struct TokenRequest: Sendable {
  var scopes: EntraScopes
  var claims: EntraClaims
  /// As sent in this call or in the browser's request.
  var claimsText: String?
  var wantsClientInfo: Bool
  /// The nonce of the browser's request, for the ID token.
  var nonce: String?
  /// When the person signed in on the browser's page; nil unless the app asked for it.
  var authenticatedAt: EpochMilliseconds?

  /// - Parameters:
  ///   - form: The call's fields.
  ///   - earlier: The scopes that apply if none are sent; nil if they are required.
  ///   - earlierClaims: The claims that apply if none are sent.
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
    scopes = try EntraScopes(text)
    claimsText = form.text("claims") ?? earlierClaims
    claims = try EntraClaims(claimsText)
    wantsClientInfo = ["true", "1"].contains(form.text("client_info") ?? "")
  }
}
