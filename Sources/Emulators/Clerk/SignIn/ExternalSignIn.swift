internal import Foundation
internal import GRDB
internal import HTTPExchange

/// A sign-in at an organization's own page, as it is stored in the attempt that waits for it.
struct ExternalSignIn: Codable, Sendable, Hashable {
  enum Decision: String, Codable, Sendable { case approved, cancelled }

  /// SHA-256 of the token in the page's address.
  var tokenHash: Data
  /// The address of the page.
  var address: String
  /// Where the person is sent when they are done.
  var returnAddress: String
  /// Lets an app collect its attempt once the person is back; a browser has its cookie for that.
  var nonce: String?
  var decision: Decision?
}

/// Source: <doc:ClerkTransport>, <doc:ClerkSigningIn>.
extension ClerkTransaction {
  /// Sends an attempt to the organization's page.
  ///
  /// - Returns: The verification that waits for it.
  func beginExternalSignIn(of signIn: ClerkSignIn) throws -> Verification {
    let isNative = call.caller == .native
    // An app may return to a scheme of its own, a page only to the web.
    func checked(_ text: String, _ parameter: String) throws -> String {
      isNative
        ? try appAddress(text, parameter: parameter) : try webAddress(text, parameter: parameter)
    }
    let address = try checked(form.required("redirect_url"), "redirect_url")
    let completion = try form.filled("action_complete_redirect_url").map {
      try checked($0, "action_complete_redirect_url")
    }
    let token = random.secret()
    return Verification(
      id: random.identifier("ver"),
      strategy: .enterpriseSSO,
      expireAt: now.adding(seconds: settings.codeLifetimeSeconds),
      means: .external(
        ExternalSignIn(
          tokenHash: Data(sha256Of: token),
          address: call.place.pageAddress(
            EnterprisePage.path,
            token: "\(signIn.id).\(token)",
            besides: address
          ),
          returnAddress: isNative ? address : completion ?? address,
          nonce: isNative ? random.secret() : nil
        )
      )
    )
  }

  /// Continues an attempt that has been approved at the organization's page.
  ///
  /// That happens when the client that began the attempt reads it, and not on approval: the token
  /// rotates, and only this answer can give that client the new one.
  /// - Returns: The refusal if the account may not sign in; otherwise nil.
  func collectApproval(of signIn: inout ClerkSignIn) throws -> ClerkOutcome? {
    guard signIn.state.status == .needsFirstFactor,
      let verification = signIn.state.firstFactor, verification.status == .unverified,
      let external = verification.external, external.decision == .approved,
      let account = try signIn.accountID.flatMap({ try Account.fetchOne(db, key: $0) })
    else { return nil }
    if let nonce = call.query["rotating_token_nonce"], nonce != external.nonce {
      throw ClerkRefusal.authenticationInvalid
    }
    let reply = try passFirstFactor(of: account, .enterpriseSSO, on: &signIn)
    guard case .refused = reply else { return nil }
    return reply
  }
}

extension World {
  /// The state of the sign-in that a page is for.
  enum ExternalStanding: Sendable {
    case unknown, over
    case waiting(identifier: String, returnAddress: String)
  }

  /// The state of the sign-in that a page's token belongs to.
  func externalSignIn(_ token: String) async throws -> ExternalStanding {
    let now = EpochMilliseconds(clock.now)
    return try await database.read { db in
      try Self.externalSignIn(token, at: now, db)?.standing(at: now) ?? .unknown
    }
  }

  /// Stores what the person has decided at the page.
  ///
  /// - Returns: Where they are sent; nil if there is nothing left to decide.
  func decide(_ decision: ExternalSignIn.Decision, _ token: String) async throws -> String? {
    try await write { db, now in
      guard var signIn = try Self.externalSignIn(token, at: now, db),
        case .waiting = signIn.standing(at: now), var external = signIn.state.firstFactor?.external
      else { return nil }
      external.decision = decision
      signIn.state.firstFactor?.means = .external(external)
      if decision == .cancelled { signIn.state.firstFactor?.status = .failed }
      try signIn.update(db)
      return external.returnAddress(after: decision)
    }
  }

  private static func externalSignIn(
    _ token: String,
    at now: EpochMilliseconds,
    _ db: Database
  ) throws -> ClerkSignIn? {
    let id = String(token.prefix { $0 != "." })
    let digest = Data(sha256Of: String(token.dropFirst(id.count + 1)))
    guard let signIn = try ClerkSignIn.fetchOne(db, key: id), signIn.abandonAt > now,
      let hash = signIn.state.firstFactor?.external?.tokenHash,
      isEqualInConstantTime(Array(hash), Array(digest))
    else { return nil }
    return signIn
  }
}

extension ClerkSignIn {
  fileprivate func standing(at now: EpochMilliseconds) -> World.ExternalStanding {
    guard let verification = state.firstFactor, let external = verification.external,
      external.decision == nil, verification.status(at: now) == .unverified
    else { return .over }
    return .waiting(identifier: typed?.value ?? "", returnAddress: external.returnAddress)
  }
}

extension ExternalSignIn {
  /// Adds the nonce for an app that has an approval to collect.
  fileprivate func returnAddress(after decision: Decision) -> String {
    guard decision == .approved, let nonce else { return returnAddress }
    return returnAddress.addingQuery("rotating_token_nonce=\(nonce)")
  }
}
