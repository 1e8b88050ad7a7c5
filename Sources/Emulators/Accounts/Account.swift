internal import Foundation
internal import GRDB

/// One person's account, as a world keeps it; contacts and lockout have tables of their own.
struct Account: Sendable, Hashable, FetchableRecord, PersistableRecord {
  struct BackupCode: Sendable, Hashable {
    var code: String
    var isUsed: Bool
  }

  static let databaseTableName = "account"

  var id: String
  var firstName: String?
  var lastName: String?
  var password: PasswordHash?
  var passwordState: AccountDescription.PasswordState
  var passwordUpdatedAt: EpochMilliseconds?
  var totpSecret: String?
  /// Made for an app that has not shown a right code yet.
  var pendingTOTPSecret: String?
  /// Time steps whose code was used, as far as they could still be tried again.
  var totpUsedSteps: [Int64]
  var backupCodes: [BackupCode]
  var hasEmailSecondFactor: Bool
  var needsClientTrust: Bool
  var isBanned: Bool
  var isEnterprise: Bool
  var usesEmailLink: Bool
  var tasks: [AccountDescription.Task]
  var entra: AccountDescription.Entra
  /// JSON text.
  var unsafeMetadata: String
  var createdAt: EpochMilliseconds
  var updatedAt: EpochMilliseconds
  var lastSignInAt: EpochMilliseconds?
  var legalAcceptedAt: EpochMilliseconds?
  /// The latest activity in any session.
  var lastActiveAt: EpochMilliseconds?
  /// Since when a second factor is asked; nil while none is.
  var mfaEnabledAt: EpochMilliseconds?
  /// Since when none is asked any more; nil while one is, and where none ever was.
  var mfaDisabledAt: EpochMilliseconds?
  /// When the authenticator's secret was made.
  var totpCreatedAt: EpochMilliseconds?
}

extension Account {
  var unusedBackupCodes: [String] {
    backupCodes.filter { !$0.isUsed }.map(\.code)
  }

  /// Whether a second factor is asked at every sign-in, given the account's contacts.
  ///
  /// It is where one is offered besides backup codes, which stand in for another and ask for none.
  func hasSecondFactor(_ contacts: [Contact]) -> Bool {
    secondFactors(contacts, typed: nil).contains { $0.strategy != .backupCode }
  }

  /// Keeps since when a second factor is asked, or no longer is.
  mutating func noteSecondFactor(_ contacts: [Contact], at now: EpochMilliseconds) {
    noteSecondFactor(isAsked: hasSecondFactor(contacts), at: now)
  }

  mutating func noteSecondFactor(isAsked: Bool, at now: EpochMilliseconds) {
    if isAsked {
      mfaEnabledAt = mfaEnabledAt ?? now
      mfaDisabledAt = nil
    } else if mfaEnabledAt != nil {
      mfaEnabledAt = nil
      mfaDisabledAt = now
    }
  }

  static func contacts(of accountID: String, _ db: Database) throws -> [Contact] {
    try Contact.fetchAll(
      db.cachedStatement(sql: "SELECT * FROM contact WHERE accountID = ? ORDER BY position"),
      arguments: [accountID]
    )
  }

  static func contact(_ kind: Contact.Kind, _ value: String, _ db: Database) throws -> Contact? {
    try Contact.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM contact WHERE kind = ? AND value = ?"),
      arguments: [kind, value]
    )
  }
}

extension Account {
  /// What the account's own app keeps on it; an object.
  var unsafeMetadataJSON: JSON {
    // Only our own JSON is ever stored here.
    JSON(decoding: Array(unsafeMetadata.utf8)) ?? [:]
  }
}
