internal import HTTPExchange
internal import Crypto
internal import Foundation
internal import GRDB

extension World {
  /// Makes an authorization code for an account; nil where there is none that may sign in.
  func authorize(
    _ asked: AuthorizationRequest,
    username: String
  ) async throws -> String? {
    let now = Instant(clock.now)
    return try await database.write { [random] db in
      let kind = Contact.Kind(ofTyped: username)
      guard let value = kind.normalized(username),
        let contact = try Account.contact(kind, value, db),
        let account = try Account.fetchOne(db, key: contact.accountID), !account.isBanned
      else { return nil }
      let code = "1.\(random.secret())"
      var state = EntraFlow.State(
        step: .redemptionDue,
        username: username,
        accountID: account.id,
        offered: [.redirect],
        capabilities: []
      )
      state.authorization = asked
      try EntraFlow(
        id: random.guid(),
        tokenHash: EntraFlow.hash(of: code),
        clientID: asked.clientID,
        createdAt: now,
        expireAt: now.adding(seconds: EntraFlow.lifetimeSeconds),
        state: state
      ).insert(db)
      return code
    }
  }
}

extension EntraTransaction {
  /// The grant `authorization_code`, with which an app comes back from the browser.
  ///
  /// Source: RFC 6749, section 4.1.3; RFC 7636, section 4.6.
  func authorizationCodeGrant() throws -> EntraReply {
    let code = try form.required("code")
    let verifier = try form.required("code_verifier")
    let redirectURI = try form.required("redirect_uri")
    let flow = try EntraFlow.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM entraFlow WHERE tokenHash = ?"),
      arguments: [EntraFlow.hash(of: code)]
    )
    guard let flow, let asked = flow.state.authorization, flow.clientID == call.clientID,
      flow.expireAt > now, asked.redirectURI == redirectURI
    else { throw EntraRefusal.badAuthorizationCode }
    let digest = Base64URL.text(of: Array(SHA256.hash(data: Array(verifier.utf8))))
    guard isEqualInConstantTime(digest, asked.codeChallenge) else {
      throw EntraRefusal.wrongVerifier
    }
    var request = try TokenRequest(form, earlier: asked.scope)
    request.nonce = asked.nonce
    let account = try account(of: flow)
    if let refusal = try standing(of: account) { throw refusal }
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
