internal import Foundation
internal import GRDB
internal import HTTPExchange

/// Links that a browser follows, without an app.
///
/// Source: <doc:ClerkEmailLinks>.
extension ClerkTransaction {
  /// `GET /v1/verify`: a browser follows a mailed link, and is redirected with the result.
  func verifyLink() throws -> ClerkOutcome {
    let token = call.linkToken ?? ""
    let flowID = String(token.prefix { $0 != "." })
    let secret = String(token.dropFirst(flowID.count + 1))
    if let signIn = try ClerkSignIn.fetchOne(db, key: flowID), signIn.abandonAt > now {
      return try follow(secret, of: signIn)
    }
    if let signUp = try ClerkSignUp.fetchOne(db, key: flowID), signUp.abandonAt > now {
      return try follow(secret, of: signUp)
    }
    if let added = try UnverifiedContact.fetchOne(db, key: flowID) {
      return try follow(secret, of: added)
    }
    // The link of a contact that has been verified already.
    let proof = try ContactProof.fetchOne(db, key: flowID)?.verification
    return try sendOn(proof, follow(secret, proof, proof?.link?.clientID).status)
  }

  private func follow(_ secret: String, of signIn: ClerkSignIn) throws -> ClerkOutcome {
    var signIn = signIn
    let isSecond = signIn.state.secondFactor.isWaiting(for: Data(sha256Of: secret))
    let asked = isSecond ? signIn.state.secondFactor : signIn.state.firstFactor
    let (status, verification) = try follow(secret, asked, signIn.clientID)
    guard let verification, let id = signIn.accountID,
      let account = try Account.fetchOne(db, key: id)
    else { return try sendOn(asked, status) }
    if try lock(on: signIn) != nil { return try sendOn(asked, .failed) }
    let reply: ClerkOutcome
    if isSecond {
      signIn.state.secondFactor = verification
      reply = try complete(&signIn, account)
    } else {
      signIn.state.firstFactor = verification
      reply = try passFirstFactor(of: account, .emailLink, on: &signIn)
    }
    if case .refused(let refusal) = reply { return .refused(refusal) }
    return try sendOn(verification, status, session: signIn.state.createdSessionID)
  }

  private func follow(_ secret: String, of signUp: ClerkSignUp) throws -> ClerkOutcome {
    var signUp = signUp
    let asked = signUp.state.emailVerification
    let (status, verification) = try follow(secret, asked, signUp.clientID)
    guard let verification else { return try sendOn(asked, status) }
    signUp.state.emailVerification = verification
    if case .refused(let refusal) = try goOn(with: &signUp, sending: nil) {
      return .refused(refusal)
    }
    return try sendOn(verification, status, session: signUp.state.createdSessionID)
  }

  private func follow(_ secret: String, of added: UnverifiedContact) throws -> ClerkOutcome {
    var added = added
    let asked = added.verification
    let (status, verification) = try follow(secret, asked, asked?.link?.clientID)
    guard let verification else { return try sendOn(asked, status) }
    added.verification = verification
    _ = try own(added)
    return try sendOn(verification, status)
  }

  private enum LinkStatus: String {
    case verified, expired, failed
    case clientMismatch = "client_mismatch"
  }

  private static let badLink = ClerkRefusal.badRequest(
    "verification_link_token_invalid",
    "The link is not valid."
  )

  /// The result of following a link, which only the client that asked for it may do.
  ///
  /// - Returns: The status, with the verification if the link has just verified it.
  private func follow(
    _ secret: String,
    _ verification: Verification?,
    _ clientID: String?
  ) throws -> (status: LinkStatus, verification: Verification?) {
    guard var checked = verification, let link = checked.link, link.challenge == nil,
      isEqualInConstantTime(Array(link.tokenHash), Array(Data(sha256Of: secret)))
    else { throw Self.badLink }
    switch checked.status(at: now) {
    case .expired: return (.expired, nil)
    case .verified, .failed: return (.failed, nil)
    case .unverified: break
    }
    guard let client, client.id == clientID else { return (.clientMismatch, nil) }
    checked.status = .verified
    checked.attemptCount += 1
    checked.verifiedAtClient = client.id
    return (.verified, checked)
  }

  private func sendOn(
    _ verification: Verification?,
    _ status: LinkStatus,
    session: String? = nil
  ) throws -> ClerkOutcome {
    guard let address = verification?.link?.address else { throw Self.badLink }
    let created = session.map { "&__clerk_created_session=\($0)" } ?? ""
    return .redirect(to: address.addingQuery("__clerk_status=\(status.rawValue)\(created)"))
  }
}

extension Verification? {
  /// Whether the digest is that of the token in the link that was sent.
  fileprivate func isWaiting(for digest: some Sequence<UInt8>) -> Bool {
    guard let hash = self?.link?.tokenHash else { return false }
    return isEqualInConstantTime(Array(hash), Array(digest))
  }
}
