internal import HTTPExchange
internal import Foundation
internal import GRDB

/// Source: Microsoft, native authentication API reference.
extension EntraTransaction {
  /// Seconds that an access token lasts.
  private static var accessSeconds: Int { 3599 }

  /// Signs the account in, and answers with the tokens of a new session.
  func signIn(
    _ account: Account,
    _ request: TokenRequest,
    hasSecondFactor: Bool
  ) throws -> EntraOutcome {
    var account = account
    account.lastSignInAt = now
    try account.update(db)
    try Lockout.clear(account.id, db)
    let session = EntraSession(
      id: random.guid(),
      accountID: account.id,
      clientID: call.clientID,
      contexts: request.claims.contexts,
      policies: request.claims.policies,
      hasSecondFactor: hasSecondFactor,
      passwordUpdatedAt: account.passwordUpdatedAt,
      createdAt: now
    )
    return try tokens(of: session, account, request)
  }

  /// The grant `refresh_token`: new tokens without any interaction.
  func refreshGrant() throws -> EntraOutcome {
    let token = try form.required("refresh_token")
    guard let stored = try EntraRefreshToken.holding(token, db),
      stored.session.clientID == call.clientID
    else { throw EntraRefusal.badRefreshToken }
    let session = stored.session
    let request = try TokenRequest(form, earlier: stored.scope)
    guard stored.expireAt > now else { throw EntraRefusal.expiredRefreshToken }
    guard let account = try Account.fetchOne(db, key: session.accountID) else {
      throw EntraRefusal.accountDeleted
    }
    if let refusal = refusal(ofRenewing: session, account, request) { throw refusal }
    return try tokens(of: session, account, request, replacing: stored.scope)
  }

  /// Why a session cannot be renewed silently; nil if it can.
  private func refusal(
    ofRenewing session: EntraSession,
    _ account: Account,
    _ request: TokenRequest
  ) -> EntraRefusal? {
    if account.isBanned { return .userDisabled }
    if account.passwordUpdatedAt != session.passwordUpdatedAt { return .revokedRefreshToken }
    if account.passwordState != .ok, account.password != nil { return .passwordMustChange }
    if account.entra.protectionPolicy { return .protectionPolicyRequired }
    if account.entra.silent == .interactionRequired,
      !session.policies.contains(EntraClaims.demandedPolicy)
    {
      return .interactionRequired(claims: EntraClaims.demanded)
    }
    let isSatisfied =
      request.claims.contexts.isSubset(of: session.contexts)
      && request.claims.policies.isSubset(of: session.policies)
    return isSatisfied ? nil : .interactionRequired(claims: request.claimsText ?? "{}")
  }

  /// Makes the answer, and stores its refresh token.
  ///
  /// - Parameters:
  ///   - session: The session that the tokens belong to.
  ///   - account: Who is signed in.
  ///   - request: The token request.
  ///   - replacedScope: The scopes of the redeemed refresh token, which its replacement keeps
  ///     even if the request asks for others (RFC 6749, section 6); nil if none was redeemed.
  /// - Returns: The tokens.
  /// - Throws: What SQLite reports, or `EntraRefusal`.
  private func tokens(
    of session: EntraSession,
    _ account: Account,
    _ request: TokenRequest,
    replacing replacedScope: String? = nil
  ) throws -> EntraOutcome {
    let granted = granted(request.scopes, to: account)
    let identity = try identity(of: account)
    var answer: JSON = [
      "token_type": "Bearer",
      // Sent even if empty: an answer without it would grant all (RFC 6749, section 5.1).
      "scope": .string(granted.joined(separator: " ")),
      "expires_in": .integer(Int64(Self.accessSeconds)),
      "ext_expires_in": .integer(Int64(Self.accessSeconds)),
      "access_token": .string(
        try token(accessClaims(granted, identity, session, request))
      ),
    ]
    let asked = request.scopes.names.joined(separator: " ")
    if replacedScope != nil || request.scopes.contains("offline_access") {
      answer["refresh_token"] = .string(
        try refreshToken(of: session, goodFor: replacedScope ?? asked)
      )
    }
    if request.scopes.contains("openid") {
      answer["id_token"] = .string(try token(idClaims(identity, session, request)))
    }
    if request.wantsClientInfo {
      let info: JSON = ["uid": .string(identity.objectID), "utid": .string(call.tenant.id)]
      answer["client_info"] = .string(Base64URL.text(of: info.encoded))
    }
    return .success(answer)
  }

  private func refreshToken(of session: EntraSession, goodFor scope: String) throws -> String {
    let token = "1.\(random.secret())"
    try EntraRefreshToken(
      tokenHash: Data(sha256Of: token),
      session: session,
      scope: scope,
      expireAt: now.adding(seconds: settings.sessionSeconds)
    ).insert(db)
    return token
  }
}

// MARK: - Claims

extension EntraTransaction {
  /// The person that a token is about.
  struct Identity: Sendable {
    /// `oid`, the same for every app.
    var objectID: String
    /// `sub`, different for every app.
    var subject: String
    var username: String
    /// Nil if no name is known.
    var name: String?
    var givenName: String?
    var familyName: String?
    var address: String?
  }

  private func identity(of account: Account) throws -> Identity {
    let contacts = try Account.contacts(of: account.id, db)
    let address = contacts.first { $0.kind == .emailAddress }?.value
    let names = [account.firstName, account.lastName].compactMap(\.self)
    // Older versions stored the name here at sign-up.
    let formerName = account.unsafeMetadataJSON["attributes"]?["displayName"]?.string
    let pair = Data(sha256Of: "\(account.id) \(call.clientID)")
    return Identity(
      objectID: GUID.ofObject(account.id),
      subject: Base64URL.text(of: pair),
      username: address ?? contacts.first?.value ?? account.id,
      name: account.entra.attributes["displayName"] ?? formerName
        ?? (names.isEmpty ? nil : names.joined(separator: " ")),
      givenName: account.firstName,
      familyName: account.lastName,
      address: address
    )
  }

  /// The claims of every token; times are in seconds.
  private func commonClaims(_ identity: Identity, _ session: EntraSession) -> JSON {
    let seconds = now.rawValue / 1000
    return [
      "iss": .string(call.issuer), "tid": .string(call.tenant.id),
      "oid": .string(identity.objectID), "sub": .string(identity.subject),
      "iat": .integer(seconds), "nbf": .integer(seconds),
      "exp": .integer(seconds + Int64(Self.accessSeconds)),
      "sid": .string(session.id), "uti": .string(String(random.secret().prefix(22))),
      "rh": .string("1.\(random.secret().prefix(24))."), "ver": "2.0",
    ]
  }

  /// Adds the claims of the scope `profile`.
  ///
  /// Source: OpenID Connect Core, "Requesting Claims using Scope Values".
  private func addProfile(_ identity: Identity, to claims: inout JSON) {
    claims["preferred_username"] = .string(identity.username)
    claims["name"] = identity.name.map(JSON.string)
  }

  private func idClaims(
    _ identity: Identity,
    _ session: EntraSession,
    _ request: TokenRequest
  ) -> JSON {
    var claims = commonClaims(identity, session)
    claims["aud"] = .string(call.clientID)
    if request.scopes.contains("profile") {
      addProfile(identity, to: &claims)
      // Optional claims of the directory.
      claims["given_name"] = identity.givenName.map(JSON.string)
      claims["family_name"] = identity.familyName.map(JSON.string)
    }
    claims["nonce"] = request.nonce.map(JSON.string)
    claims["auth_time"] = request.authenticatedAt.map { .integer($0.rawValue / 1000) }
    if request.scopes.contains("email") { claims["email"] = identity.address.map(JSON.string) }
    return claims
  }

  private func accessClaims(
    _ granted: [String],
    _ identity: Identity,
    _ session: EntraSession,
    _ request: TokenRequest
  ) -> JSON {
    var scopes = request.scopes
    scopes.names = granted
    var claims = commonClaims(identity, session)
    addProfile(identity, to: &claims)
    // The requested API, even if none of its scopes is granted.
    claims["aud"] = .string(request.scopes.resource)
    claims["azp"] = .string(call.clientID)
    let shortNames = scopes.shortNames
    if !shortNames.isEmpty { claims["scp"] = .string(shortNames.joined(separator: " ")) }
    if !session.contexts.isEmpty { claims["acrs"] = .strings(session.contexts.sorted()) }
    if !request.claims.capabilities.isEmpty {
      claims["xms_cc"] = .strings(request.claims.capabilities)
    }
    if session.hasSecondFactor { claims["amr"] = ["pwd", "mfa"] }
    return claims
  }
}

/// Source: Microsoft, native authentication API reference.
extension EntraRefusal {
  static let badRefreshToken = Self(
    "invalid_grant",
    "bad_token",
    70_000,
    "The provided value for the input parameter 'refresh_token' is not valid."
  )

  static let expiredRefreshToken = Self(
    "invalid_grant",
    "bad_token",
    70_008,
    "The refresh token has expired."
  )

  static let revokedRefreshToken = Self(
    "invalid_grant",
    "bad_token",
    50_173,
    "The grant was revoked: the password has changed since."
  )

  static let accountDeleted = Self(
    "invalid_grant",
    "user_account_deleted",
    50_034,
    "The user account has been deleted."
  )

  static func interactionRequired(claims: String) -> Self {
    Self(
      "interaction_required",
      "basic_action",
      50_076,
      "The user must sign in again to meet a policy."
    ).carrying(JSON.Member("claims", .string(claims)))
  }
}
