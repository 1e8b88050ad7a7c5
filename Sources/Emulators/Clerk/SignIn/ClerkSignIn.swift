internal import GRDB

/// An attempt to sign in.
///
/// Source: <doc:ClerkSigningIn>.
struct ClerkSignIn: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  enum Status: String, Codable, Sendable {
    case needsIdentifier = "needs_identifier"
    case needsFirstFactor = "needs_first_factor"
    case needsSecondFactor = "needs_second_factor"
    case needsClientTrust = "needs_client_trust"
    case needsNewPassword = "needs_new_password"
    case complete
  }

  enum Trust: String, Codable, Sendable {
    case pending, new, known
  }

  /// What an attempt keeps of a contact, as it was when it was typed.
  struct TypedContact: Codable, Sendable, Hashable {
    var id: String
    var kind: Contact.Kind
    /// Normalised.
    var value: String
  }

  /// Who the attempt is about.
  enum Subject: Codable, Sendable, Hashable {
    case unidentified
    case account(id: String, typed: TypedContact)
    /// Nobody; an instance that protects against enumeration does not reveal that.
    case decoy(TypedContact)
  }

  struct State: Codable, Sendable, Hashable {
    var status = Status.needsIdentifier
    var subject = Subject.unidentified
    var firstFactor: Verification?
    var secondFactor: Verification?
    var createdSessionID: String?
    var trust = Trust.pending
    var ticket: SignInTicket?
    /// The invitation to sign up with which somebody who has an account already signs in.
    var invitationID: String?
    /// The language that the client named when it began the attempt.
    var locale: String?
  }

  static let databaseTableName = "signIn"

  var id: String
  var clientID: String
  var createdAt: EpochMilliseconds
  var abandonAt: EpochMilliseconds
  var state: State

  /// The contact that was typed as the identifier.
  var typed: TypedContact? {
    switch state.subject {
    case .unidentified: nil
    case .account(_, let typed), .decoy(let typed): typed
    }
  }

  var accountID: String? {
    guard case .account(let id, _) = state.subject else { return nil }
    return id
  }

  /// Deletes an account's open attempts that have passed the first factor by password.
  static func forgetProvenByPassword(of accountID: String, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM signIn WHERE state ->> '$.subject.account.id' = ?
          AND state ->> '$.firstFactor.strategy' = 'password'
          AND state ->> 'status' IN ('needs_second_factor', 'needs_client_trust')
        """
    ).execute(arguments: [accountID])
  }
}

extension ClerkSignIn.TypedContact {
  init(_ contact: Contact) {
    self.init(id: contact.id, kind: contact.kind, value: contact.value)
  }
}
