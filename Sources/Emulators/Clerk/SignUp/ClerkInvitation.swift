public import Foundation
internal import GRDB
internal import HTTPExchange

/// An invitation to sign up, as it is stored.
struct SignUpInvitation: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "invitation"
  static let lifetimeSeconds = 30 * 86_400

  var id: String
  var emailAddress: String
  /// SHA-256 of the ticket.
  var ticketHash: Data
  var createdAt: EpochMilliseconds
  var expireAt: EpochMilliseconds
  var acceptedAt: EpochMilliseconds?
}

/// An invitation to sign up over Clerk's API, as backstage shows it.
public struct ClerkInvitation: Sendable, Hashable {
  public var id: String
  public var emailAddress: String
  public var link: String
  public var expiresAt: Date
}

extension ClerkInvitation {
  /// Invites an address by an email with a link to the page.
  ///
  /// The link has the ticket and, as `__clerk_status`, `sign_up`, or `sign_in` if the address has an
  /// account already.
  ///
  /// - Parameters:
  ///   - emailAddress: Who is invited.
  ///   - page: The address of the page that reads the ticket.
  ///   - acceptLanguage: The reader's languages, in the form of an `Accept-Language` field.
  ///   - world: The world to sign up in.
  /// - Returns: The invitation; nil if the text is not an email address.
  /// - Throws: What SQLite reports.
  public static func send(
    to emailAddress: String,
    signingUpAt page: String,
    readBy acceptLanguage: String? = nil,
    in world: World
  ) async throws -> Self? {
    guard let address = Contact.Kind.emailAddress.normalized(emailAddress) else { return nil }
    let ticket = "inv_\(world.random.secret())"
    // This reads files, which would hold up the transaction.
    let words = world.words.catalogue(for: [acceptLanguage].compactMap(\.self))
    let sender = world.application.name
    let (record, link) = try await world.write { db, now in
      let record = SignUpInvitation(
        id: world.random.identifier("inv"),
        emailAddress: address,
        ticketHash: Data(sha256Of: ticket),
        createdAt: now,
        expireAt: now.adding(seconds: SignUpInvitation.lifetimeSeconds)
      )
      try record.insert(db)
      let hasAccount = try Account.contact(.emailAddress, address, db) != nil
      let link = page.addingQuery(
        "__clerk_ticket=\(ticket)&__clerk_status=\(hasAccount ? "sign_in" : "sign_up")"
      )
      let message = MessageRecord(
        .invitation(link: link, lifetimeSeconds: SignUpInvitation.lifetimeSeconds),
        for: .invitation,
        to: .email(address),
        id: world.random.identifier("msg"),
        in: words,
        from: sender,
        at: now
      )
      try Outbox.insert(message, db)
      return (record, link)
    }
    world.outbox.announce()
    return Self(
      id: record.id,
      emailAddress: address,
      link: link,
      expiresAt: record.expireAt.date
    )
  }
}
