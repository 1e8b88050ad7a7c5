internal import Foundation
internal import GRDB

/// Source: clerk-frontend-api.md section 3.8.
extension ClerkTransaction {
  /// `POST /v1/client/magic_links/complete`: an app redeems a link by its secret.
  func completeMagicLink() throws -> ClerkReply {
    let flowID = try form.required("flow_id")
    let token = try form.required("approval_token")
    let verifier = try form.required("code_verifier")
    if var signIn = try ClerkSignIn.fetchOne(db, key: flowID), signIn.abandonAt > now {
      let verified = try approve(signIn.state.firstFactor, token: token, verifier: verifier)
      if let lock = try lock(on: signIn) { return .refused(lock) }
      let ticket = "\(flowID).\(random.secret())"
      signIn.state.firstFactor = verified
      signIn.state.ticket = SignInTicket(
        hash: Self.digest(ticket),
        expireAt: now.adding(seconds: SignInTicket.lifetimeSeconds)
      )
      try save(&signIn)
      return .resource(["flow_id": .string(flowID), "ticket": .string(ticket)])
    }
    guard try ClerkSignUp.fetchOne(db, key: flowID) != nil else {
      throw ClerkRefusal.approvalTokenInvalid
    }
    var signUp = try linkedSignUp(flowID)
    signUp.state.emailVerification = try approve(
      signUp.state.emailVerification,
      token: token,
      verifier: verifier
    )
    return try goOn(with: &signUp, sending: nil)
  }

  /// `POST /v1/client/sign_ins` with `strategy=ticket`.
  func createSignIn(ticket: String) throws -> ClerkReply {
    let flowID = String(ticket.prefix { $0 != "." })
    guard var source = try ClerkSignIn.fetchOne(db, key: flowID), let kept = source.state.ticket,
      isEqualInConstantTime(Array(kept.hash), Array(Self.digest(ticket))),
      case .account(let id, let typed) = source.state.subject,
      let account = try Account.fetchOne(db, key: id)
    else { throw ClerkRefusal.badRequest("ticket_invalid_code", "The ticket is not valid.") }
    guard !kept.isUsed else {
      throw ClerkRefusal.badRequest("sign_in_token_already_used_code", "The ticket was used.")
    }
    guard kept.expireAt > now else {
      throw ClerkRefusal.badRequest("ticket_expired_code", "The ticket has expired.")
    }
    source.state.ticket?.isUsed = true
    try save(&source)
    var signIn = try begin(with: .account(id: id, typed: typed))
    signIn.state.firstFactor = Verification(
      id: random.identifier("ver"),
      strategy: .ticket,
      status: .verified
    )
    return try passFirstFactor(of: account, .ticket, on: &signIn)
  }

  /// `GET /v1/verify`: a browser follows a mailed link, and is sent on with what became of it.
  func verifyLink() throws -> ClerkReply {
    let token = call.linkToken ?? ""
    let flowID = String(token.prefix { $0 != "." })
    let secret = String(token.dropFirst(flowID.count + 1))
    if var signIn = try ClerkSignIn.fetchOne(db, key: flowID), signIn.abandonAt > now {
      let (status, verification) = try follow(secret, signIn.state.firstFactor, signIn.clientID)
      guard let verification, status == .verified,
        let account = try signIn.accountID.flatMap({ try Account.fetchOne(db, key: $0) })
      else { return try sendOn(signIn.state.firstFactor, status) }
      signIn.state.firstFactor = verification
      if case .refused(let refusal) = try passFirstFactor(of: account, .emailLink, on: &signIn) {
        return .refused(refusal)
      }
      return try sendOn(verification, status, session: signIn.state.createdSessionID)
    }
    guard var signUp = try ClerkSignUp.fetchOne(db, key: flowID), signUp.abandonAt > now,
      !signUp.isComplete
    else { throw Self.badLink }
    let (status, verification) = try follow(
      secret,
      signUp.state.emailVerification,
      signUp.clientID
    )
    guard let verification, status == .verified else {
      return try sendOn(signUp.state.emailVerification, status)
    }
    signUp.state.emailVerification = verification
    if case .refused(let refusal) = try goOn(with: &signUp, sending: nil) {
      return .refused(refusal)
    }
    return try sendOn(verification, status, session: signUp.state.createdSessionID)
  }

  private enum LinkStatus: String {
    case verified, expired, failed
    case clientMismatch = "client_mismatch"
  }

  private static let badLink = ClerkRefusal.badRequest(
    "verification_link_token_invalid",
    "The link is not valid."
  )

  /// What a link comes to for the client that follows it; only its own may (section 4.8).
  private func follow(
    _ secret: String,
    _ verification: Verification?,
    _ clientID: String
  ) throws -> (LinkStatus, Verification?) {
    guard var checked = verification, let link = checked.link, link.challenge == nil,
      isEqualInConstantTime(Array(link.tokenHash), Array(Self.digest(secret)))
    else { throw Self.badLink }
    switch checked.status(at: now) {
    case .expired: return (.expired, nil)
    case .verified, .failed: return (.failed, nil)
    case .unverified: break
    }
    guard client?.id == clientID else { return (.clientMismatch, nil) }
    checked.status = .verified
    checked.attemptCount += 1
    return (.verified, checked)
  }

  private func sendOn(
    _ verification: Verification?,
    _ status: LinkStatus,
    session: String? = nil
  ) throws -> ClerkReply {
    guard let address = verification?.link?.address else { throw Self.badLink }
    let separator = address.contains("?") ? "&" : "?"
    let created = session.map { "&__clerk_created_session=\($0)" } ?? ""
    return .redirect(to: "\(address)\(separator)__clerk_status=\(status.rawValue)\(created)")
  }
}
