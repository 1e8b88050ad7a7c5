internal import Foundation
internal import GRDB
internal import HTTPExchange

/// Source: <doc:ClerkOrganizationCalls>.
extension ClerkTransaction {
  /// `POST /v1/organizations`: the creator becomes its administrator.
  func createOrganization() throws -> ClerkOutcome {
    try form.allowOnly(["name", "slug"])
    let (_, account) = try signedIn()
    guard settings.organizationCreation else { throw ClerkRefusal.organizationCreationDisabled }
    let name = try form.required("name")
    if let problem = OrganizationRules.problem(inName: name) { throw ClerkRefusal(422, problem) }
    let slug = try form.filled("slug") ?? Organization.freeSlug(for: name, db)
    try refuseSlug(slug)
    let organization = Organization(
      id: random.identifier("org"),
      slug: slug,
      name: name,
      createdAt: now,
      updatedAt: now
    )
    try organization.insert(db)
    try join(organization, account, as: OrganizationRules.creatorRole)
    return .resource(try organizationJSON(organization))
  }

  /// `GET /v1/me/organization_memberships`.
  func readOwnMemberships() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let memberships = try Membership.all(of: account.id, db)
    let page = try call.page(of: memberships).map { try membershipJSON($0, account) }
    guard try call.queryFlag("paginated") else { return .resource(.array(page)) }
    return .resource(.list(page, of: memberships.count).withRoleMigration)
  }

  /// `GET /v1/me/organization_invitations`.
  func readOwnInvitations() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let offers = try offers(.invitation, to: account)
    return .resource(
      .list(try call.page(of: offers).map { try invitationJSON($0, account) }, of: offers.count)
    )
  }

  /// `POST …/organization_invitations/{id}/accept`.
  func acceptInvitation(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    guard var offer = try offer(id, .invitation, to: account),
      let organization = try Organization.fetchOne(db, key: offer.organizationID)
    else { throw ClerkRefusal.organizationInvitationNotFound }
    switch offer.status {
    case .pending: break
    case .accepted: throw ClerkRefusal.organizationInvitationAccepted
    case .revoked: throw ClerkRefusal.organizationInvitationRevoked
    }
    try join(organization, account, as: offer.role)
    // `join` has accepted it in the database; this updates the copy for the answer.
    offer.status = .accepted
    offer.updatedAt = now
    return .resource(try invitationJSON(offer, account))
  }

  /// `GET /v1/me/organization_suggestions`.
  func readSuggestions() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let offers = try offers(.suggestion, to: account)
    return .resource(
      .list(try call.page(of: offers).map(suggestionJSON), of: offers.count)
    )
  }

  /// `POST …/organization_suggestions/{id}/accept`: asks to join, which an administrator has to grant.
  func acceptSuggestion(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    guard var offer = try offer(id, .suggestion, to: account) else {
      throw ClerkRefusal.resourceNotFound
    }
    guard offer.status == .pending else { throw ClerkRefusal.organizationSuggestionAccepted }
    offer.status = .accepted
    offer.updatedAt = now
    try offer.update(db)
    return .resource(try suggestionJSON(offer))
  }

  /// `GET /v1/me/organization_creation_defaults`.
  func readCreationDefaults() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let name = account.firstName.map { "\($0)'s organization" } ?? "My organization"
    return .resource(["form": ["name": .string(name), "logo": nil], "advisory": nil])
  }

  /// Activates an organization in a session, or none.
  ///
  /// - Parameters:
  ///   - reference: An id or a slug; empty for the personal account, if the session may go without.
  ///   - session: The session to change, not stored here.
  /// - Throws: A refusal if the organization is unknown or the person not a member.
  func activate(_ reference: String, in session: inout ClerkSession) throws {
    guard !reference.isEmpty else {
      guard try settings.allowsPersonalAccounts || !needsOrganization(session) else { return }
      session.organizationID = nil
      session.isPersonal = true
      return
    }
    let found = try Organization.fetchOne(db, key: reference)
    guard let organization = try found ?? Organization.named(slug: reference, db) else {
      throw ClerkRefusal.organizationNotFound
    }
    guard try Membership.of(session.accountID, in: organization.id, db) != nil else {
      throw ClerkRefusal.notAMember
    }
    session.organizationID = organization.id
    session.isPersonal = false
  }

  /// Whether the session cannot continue without an organization.
  private func needsOrganization(_ session: ClerkSession) throws -> Bool {
    if settings.organizationsRequired { return true }
    let account = try Account.fetchOne(db, key: session.accountID)
    return account?.tasks.contains(.chooseOrganization) ?? false
  }

  /// Makes an account a member, unless it is one.
  ///
  /// Its invitations are accepted first, so that one person does not take two places.
  ///
  /// - Throws: `organization_membership_quota_exceeded` if the organization is full even so, for instance
  ///   because support has made more members than are allowed.
  func join(_ organization: Organization, _ account: Account, as role: String) throws {
    try OrganizationOffer.acceptInvitations(of: account.id, to: organization.id, at: now, db)
    guard try Membership.of(account.id, in: organization.id, db) == nil else { return }
    try refuseIfFull(organization.id)
    let membership = Membership(
      id: random.identifier("orgmem"),
      organizationID: organization.id,
      accountID: account.id,
      role: role,
      createdAt: now
    )
    try membership.insert(db)
  }

  private func offers(
    _ kind: OrganizationOffer.Kind,
    to account: Account
  ) throws -> [OrganizationOffer] {
    let statuses = call.query.values(of: "status")
    return try OrganizationOffer.all(kind, of: account.id, db).filter {
      statuses.isEmpty || statuses.contains($0.status.rawValue)
    }
  }

  private func offer(
    _ id: String,
    _ kind: OrganizationOffer.Kind,
    to account: Account
  ) throws -> OrganizationOffer? {
    guard let offer = try OrganizationOffer.fetchOne(db, key: id), offer.kind == kind,
      offer.accountID == account.id
    else { return nil }
    return offer
  }
}

/// The rules for an organization's name, slug and number of members.
enum OrganizationRules {
  static let creatorRole = "org:admin"
  /// Pending invitations count, too.
  static let maximumMemberships = 5
  private static let maximumLength = 256
  private static let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

  static func problem(inName name: String) -> ClerkProblem? {
    if name.isBlank { return .empty("name") }
    return PersonName.problem(in: name, "name")
  }

  /// Whether a text is at most 256 lower-case letters and digits, with single dashes or underscores
  /// between them.
  static func isSlug(_ text: String) -> Bool {
    let words = text.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    return text.utf8.count <= maximumLength
      && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(letters.contains) }
  }

  /// Latin letters that are not another one with a mark, in the letters of a slug.
  private static let spellings: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
  ]

  /// A slug of the name's letters and digits, without their marks and with dashes between words.
  static func slug(of name: String) -> String {
    let unmarked = name.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
      .compactMap { scalar -> String? in
        guard scalar.properties.generalCategory != .nonspacingMark else { return nil }
        return spellings[scalar] ?? String(scalar)
      }
      .joined()
    let plain = unmarked.utf8.split { !letters.contains($0) }
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    let slug = String(plain.prefix(64)).trimmingDashes
    return slug.isEmpty ? "organization" : slug
  }
}

extension String {
  fileprivate var trimmingDashes: String {
    var rest = self[...]
    while rest.last == "-" { rest.removeLast() }
    return String(rest)
  }
}
