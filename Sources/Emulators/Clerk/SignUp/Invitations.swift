internal import Foundation
internal import GRDB

/// Source: <doc:ClerkSigningUp>, <doc:ClerkOrganizationCalls>, <doc:ClerkErrorCodes>.
extension ClerkTransaction {
  /// The invitation to sign up that the call's ticket belongs to; nil if the call has no ticket.
  ///
  /// - Throws: `ticket_invalid_code`, `ticket_expired_code`, `invitation_already_accepted`, or
  ///   `invitation_account_exists`, after which a client signs in with the ticket instead.
  func invitation() throws -> SignUpInvitation? {
    guard try form.filled("strategy") == Strategy.ticket.rawValue else { return nil }
    guard let invitation = try openInvitation(ofTicket: form.required("ticket")) else {
      throw ClerkRefusal.badRequest("ticket_invalid_code", "The invitation is not valid.")
    }
    if try Account.contact(.emailAddress, invitation.emailAddress, db) != nil {
      throw ClerkRefusal.badRequest(
        "invitation_account_exists",
        "There is an account with that address already."
      )
    }
    return invitation
  }

  /// The open invitation that a ticket belongs to; nil if there is no such invitation.
  ///
  /// - Throws: `ticket_expired_code` or `invitation_already_accepted`.
  func openInvitation(ofTicket ticket: String) throws -> SignUpInvitation? {
    let invitation = try SignUpInvitation.fetchOne(
      db,
      sql: "SELECT * FROM invitation WHERE ticketHash = ?",
      arguments: [Data(sha256Of: ticket)]
    )
    guard let invitation else { return nil }
    guard invitation.acceptedAt == nil else {
      throw ClerkRefusal.badRequest(
        "invitation_already_accepted",
        "The invitation has been accepted already."
      )
    }
    guard invitation.expireAt > now else {
      throw ClerkRefusal.badRequest("ticket_expired_code", "The invitation has expired.")
    }
    return invitation
  }

  /// Puts the invited address into the attempt, as verified, since the email arrived there.
  func welcome(_ invitation: SignUpInvitation?, to signUp: inout ClerkSignUp) throws {
    guard let invitation else { return }
    guard signUp.state.emailAddress.map({ $0 == invitation.emailAddress }) ?? true else {
      throw ClerkRefusal.invalidValue("email_address")
    }
    signUp.state.emailAddress = invitation.emailAddress
    signUp.state.invitationID = invitation.id
    signUp.state.emailVerification = Verification(
      id: random.identifier("ver"),
      strategy: .ticket,
      status: .verified
    )
  }

  /// Refuses to change the address of an attempt that was begun by invitation.
  func refuseOtherAddress(than address: String?, in signUp: ClerkSignUp) throws {
    guard signUp.state.invitationID != nil, signUp.state.emailAddress != address else { return }
    throw ClerkRefusal.invalidValue("email_address")
  }

  /// Marks an invitation as accepted, so that nobody can use it again.
  func spendInvitation(_ id: String?) throws {
    guard let id, var invitation = try SignUpInvitation.fetchOne(db, key: id) else { return }
    invitation.acceptedAt = now
    try invitation.update(db)
  }

  /// `POST /v1/waitlist`: stores nothing; the same address gets the same entry.
  func joinWaitingList() throws -> ClerkOutcome {
    try form.allowOnly(["email_address"])
    let text = try form.required("email_address")
    guard settings.signUpMode == .waitlist else {
      throw ClerkRefusal.badRequest(
        "waitlist_not_accepting_entries",
        "The waiting list takes no entries.",
        status: 403
      )
    }
    guard let address = Contact.Kind.emailAddress.normalized(text) else {
      throw ClerkRefusal(422, .invalidFormat("email_address", .emailAddress))
    }
    let name = DecoyName.text(for: "waitlist:\(address)")
    return .bare(["object": "waitlist_entry", "id": .string("wle_\(name)")])
  }
}
