public import Foundation
internal import GRDB

/// Someone who was invited to sign up, as it is stored.
struct SignUpInvitation: Codable, Sendable, FetchableRecord, PersistableRecord {
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

/// An invitation to sign up over Clerk's API, as backstage tells of it.
public struct ClerkInvitation: Sendable, Hashable {
  public var id: String
  public var emailAddress: String
  public var link: String
  public var expiresAt: Date
}

extension ClerkInvitation {
  /// Invites an address: writes a mail whose link leads to the sign-up page.
  ///
  /// - Parameters:
  ///   - emailAddress: Who is invited.
  ///   - page: The address of the sign-up page.
  ///   - world: To which world.
  /// - Returns: What was sent; nil where that is no e-mail address.
  /// - Throws: What SQLite reports.
  public static func send(
    to emailAddress: String,
    signingUpAt page: String,
    in world: World
  ) async throws -> Self? {
    guard let address = Contact.Kind.emailAddress.normalized(emailAddress) else { return nil }
    let now = Instant(world.clock.now)
    let ticket = "inv_\(world.random.secret())"
    let record = SignUpInvitation(
      id: world.random.identifier("inv"),
      emailAddress: address,
      ticketHash: Data(sha256Of: ticket),
      createdAt: now,
      expireAt: now.adding(seconds: SignUpInvitation.lifetimeSeconds)
    )
    let separator = page.contains("?") ? "&" : "?"
    let link = "\(page)\(separator)__clerk_ticket=\(ticket)&__clerk_status=sign_up"
    let message = MessageRecord(
      id: world.random.identifier("msg"),
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
    try await world.database.write { db in
      try record.insert(db)
      try Outbox.insert(message, db)
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
