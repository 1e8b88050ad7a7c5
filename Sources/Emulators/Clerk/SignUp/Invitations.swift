public import Foundation
internal import GRDB

/// Someone who was invited to sign up, as it is stored.
struct InvitationRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "invitation"
  static let lifetimeSeconds = 30 * 86_400

  var id: String
  var emailAddress: String
  /// SHA-256 of the ticket.
  var ticketHash: Data
  var createdAt: Instant
  var expireAt: Instant
  var acceptedAt: Instant?
}

/// An invitation as backstage tells of it.
public struct SentInvitation: Sendable, Hashable {
  public var id: String
  public var emailAddress: String
  public var link: String
  public var expiresAt: Date
}

extension World {
  /// Invites an address: writes a mail whose link leads to the sign-up page.
  ///
  /// - Parameters:
  ///   - emailAddress: Who is invited.
  ///   - page: The address of the sign-up page.
  /// - Returns: What was sent; nil where that is no e-mail address.
  /// - Throws: What SQLite reports.
  public func invite(_ emailAddress: String, toSignUpAt page: String) async throws
    -> SentInvitation?
  {
    guard let address = Contact.Kind.emailAddress.normalized(emailAddress) else { return nil }
    let now = Instant(clock.now)
    let ticket = "inv_\(random.secret())"
    let record = InvitationRecord(
      id: random.identifier("inv"),
      emailAddress: address,
      ticketHash: Data(sha256Of: ticket),
      createdAt: now,
      expireAt: now.adding(seconds: InvitationRecord.lifetimeSeconds)
    )
    let separator = page.contains("?") ? "&" : "?"
    let link = "\(page)\(separator)__clerk_ticket=\(ticket)&__clerk_status=sign_up"
    let message = MessageRecord(
      id: random.identifier("msg"),
      to: address,
      channel: Message.Channel.email.rawValue,
      sent: true,
      purpose: Message.Purpose.invitation.rawValue,
      link: link,
      subject: "You are invited",
      text: "You are invited to \(EnvironmentDocument.applicationName). "
        + "Open this link to sign up: \(link) It is valid for 30 days.",
      createdAt: now
    )
    try await database.write { db in
      try record.insert(db)
      try Outbox.insert(message, db)
    }
    outbox.announce()
    return SentInvitation(
      id: record.id,
      emailAddress: address,
      link: link,
      expiresAt: record.expireAt.date
    )
  }
}

/// Source: <doc:ClerkSigningUp>, <doc:ClerkOrganizationCalls>, <doc:ClerkErrorCodes>.
extension ClerkTransaction {
  /// The invitation of the call's ticket; nil where it brings none.
  ///
  /// - Throws: `ticket_invalid_code`, `ticket_expired_code` or `invitation_already_accepted`.
  func invitation() throws -> InvitationRecord? {
    guard try form.filled("strategy") == Strategy.ticket.rawValue else { return nil }
    let ticket = try form.required("ticket")
    let record = try InvitationRecord.fetchOne(
      db,
      sql: "SELECT * FROM invitation WHERE ticketHash = ?",
      arguments: [Data(sha256Of: ticket)]
    )
    guard let record else {
      throw ClerkRefusal.badRequest("ticket_invalid_code", "The invitation is not valid.")
    }
    guard record.acceptedAt == nil else {
      throw ClerkRefusal.badRequest(
        "invitation_already_accepted",
        "The invitation has been accepted already."
      )
    }
    guard record.expireAt > now else {
      throw ClerkRefusal.badRequest("ticket_expired_code", "The invitation has expired.")
    }
    if try Account.contact(.emailAddress, record.emailAddress, db) != nil {
      throw ClerkRefusal.badRequest(
        "invitation_account_exists",
        "There is an account with that address already."
      )
    }
    return record
  }

  /// Puts the invited address into the attempt: verified, since the mail arrived there.
  func welcome(_ invitation: InvitationRecord?, to signUp: inout ClerkSignUp) throws {
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

  /// The invited address is the one that counts; a change of it is refused.
  func refuseOtherAddress(than address: String?, in signUp: ClerkSignUp) throws {
    guard signUp.state.invitationID != nil, signUp.state.emailAddress != address else { return }
    throw ClerkRefusal.invalidValue("email_address")
  }

  func spendInvitation(of signUp: ClerkSignUp) throws {
    guard let id = signUp.state.invitationID,
      var invitation = try InvitationRecord.fetchOne(db, key: id)
    else { return }
    invitation.acceptedAt = now
    try invitation.update(db)
  }

  /// `POST /v1/waitlist`: asking twice is asking once.
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
