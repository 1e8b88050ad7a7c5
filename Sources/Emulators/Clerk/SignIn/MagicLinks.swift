internal import Foundation
internal import GRDB
internal import HTTPExchange

/// Source: <doc:ClerkEmailLinks>.
extension ClerkTransaction {
  /// `POST /v1/client/magic_links/complete`: an app redeems a link with its PKCE verifier.
  func completeMagicLink() throws -> ClerkOutcome {
    let flowID = try form.required("flow_id")
    let token = try form.required("approval_token")
    let verifier = try form.required("code_verifier")
    if var signIn = try ClerkSignIn.fetchOne(db, key: flowID), signIn.abandonAt > now {
      let verified = try approve(signIn.state.firstFactor, token: token, verifier: verifier)
      if let lock = try lock(on: signIn) { return .refused(lock) }
      let ticket = "\(flowID).\(random.secret())"
      signIn.state.firstFactor = verified
      signIn.state.ticket = SignInTicket(
        hash: Data(sha256Of: ticket),
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

  /// `POST /v1/client/sign_ins` with `strategy=ticket`: a redeemed link's, or an invitation's.
  func createSignIn(ticket: String) throws -> ClerkOutcome {
    if let invitation = try openInvitation(ofTicket: ticket) {
      return try createSignIn(invitedBy: invitation)
    }
    let flowID = String(ticket.prefix { $0 != "." })
    guard var source = try ClerkSignIn.fetchOne(db, key: flowID), let kept = source.state.ticket,
      isEqualInConstantTime(Array(kept.hash), Array(Data(sha256Of: ticket))),
      case .account(let id, let typed) = source.state.subject,
      let account = try Account.fetchOne(db, key: id)
    else { throw ClerkRefusal.badRequest("ticket_invalid_code", "The ticket is not valid.") }
    guard !kept.isUsed else {
      throw ClerkRefusal.badRequest("sign_in_token_already_used_code", "The ticket was used.")
    }
    guard kept.expireAt > now else {
      throw ClerkRefusal.badRequest("ticket_expired_code", "The ticket has expired.")
    }
    // The ticket stays valid, for use once the account is unlocked.
    try refuseIfLocked(id)
    source.state.ticket?.isUsed = true
    try save(&source)
    return try signIn(account, as: typed)
  }

  /// Signs in an invited person who has an account by now: the email has proven their address.
  private func createSignIn(invitedBy invitation: SignUpInvitation) throws -> ClerkOutcome {
    guard let contact = try Account.contact(.emailAddress, invitation.emailAddress, db),
      let account = try Account.fetchOne(db, key: contact.accountID)
    else {
      throw ClerkRefusal.badRequest(
        "invitation_account_not_exists",
        "There is no account with the invited address."
      )
    }
    try refuseIfLocked(account.id)
    return try signIn(account, as: .init(contact), invitedBy: invitation.id)
  }

  /// Begins a sign-in whose first factor a ticket has proven.
  private func signIn(
    _ account: Account,
    as typed: ClerkSignIn.TypedContact,
    invitedBy invitationID: String? = nil
  ) throws -> ClerkOutcome {
    var signIn = try begin(with: .account(id: account.id, typed: typed))
    signIn.state.invitationID = invitationID
    signIn.state.firstFactor = Verification(
      id: random.identifier("ver"),
      strategy: .ticket,
      status: .verified
    )
    return try passFirstFactor(of: account, .ticket, on: &signIn)
  }
}
