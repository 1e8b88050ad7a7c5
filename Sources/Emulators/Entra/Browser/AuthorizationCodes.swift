internal import HTTPExchange
internal import Foundation
internal import GRDB

extension World {
  /// Makes an authorization code for the named account; nil if no such account may sign in.
  func authorize(
    _ asked: AuthorizationRequest,
    username: String
  ) async throws -> String? {
    try await write { [random] db, now in
      let kind = Contact.Kind(ofTyped: username)
      guard let value = kind.normalized(username),
        let contact = try Account.contact(kind, value, db),
        let account = try Account.fetchOne(db, key: contact.accountID), !account.isBanned
      else { return nil }
      let code = "1.\(random.secret())"
      try EntraFlow(
        id: random.guid(),
        tokenHash: Data(sha256Of: code),
        clientID: asked.clientID,
        createdAt: now,
        expireAt: now.adding(seconds: EntraFlow.lifetimeSeconds),
        state: EntraFlow.State(
          username: username,
          offered: [.redirect],
          capabilities: [],
          stage: .redemption(asked, accountID: account.id)
        )
      ).insert(db)
      return code
    }
  }
}

extension EntraTransaction {
  /// The grant `authorization_code`, with which an app returns from the browser.
  ///
  /// Source: RFC 6749, "Access Token Request"; RFC 7636, "Server Verifies code_verifier".
  func authorizationCodeGrant() throws -> EntraOutcome {
    let code = try form.required("code")
    let verifier = try form.required("code_verifier")
    let redirectURI = try form.required("redirect_uri")
    guard let flow = try EntraFlow.holding(code, db), flow.clientID == call.clientID,
      flow.expireAt > now, case .redemption(let asked, let accountID) = flow.state.stage,
      asked.redirectURI == redirectURI
    else { throw EntraRefusal.badAuthorizationCode }
    let digest = Base64URL.text(of: Data(sha256Of: verifier))
    guard isEqualInConstantTime(digest, asked.codeChallenge) else {
      throw EntraRefusal.wrongVerifier
    }
    var request = try TokenRequest(form, earlier: asked.scope, claims: asked.claims)
    request.nonce = asked.nonce
    if asked.wantsAuthenticationTime { request.authenticatedAt = flow.createdAt }
    let account = try account(accountID)
    if let refusal = try standing(of: account) { throw refusal }
    if account.entra.protectionPolicy { throw EntraRefusal.protectionPolicyRequired }
    try flow.delete(db)
    return try signIn(account, request, hasSecondFactor: false)
  }
}

extension EntraRefusal {
  static let badAuthorizationCode = Self(
    "invalid_grant",
    "bad_token",
    70_008,
    "The authorization code is not valid, was redeemed, or has expired."
  )

  static let wrongVerifier = Self(
    "invalid_grant",
    nil,
    50_148,
    "The code_verifier does not match the code_challenge."
  )
}
