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
  /// When the password was set; no two passwords of an account have the same time, so it identifies
  /// the one that an Entra session belongs to.
  var passwordUpdatedAt: EpochMilliseconds?
  var totpSecret: String?
  /// The secret of an authenticator app that has not shown a correct code yet.
  var pendingTOTPSecret: String?
  /// Time steps whose code was used, as long as it could be tried again.
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
  /// When a second factor began to be required; nil while none is.
  var mfaEnabledAt: EpochMilliseconds?
  /// When a second factor ceased to be required; nil while one is, and if none ever was.
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
  /// True if the account has a second factor other than backup codes, which only stand in for
  /// another and require none by themselves.
  func hasSecondFactor(_ contacts: [Contact]) -> Bool {
    secondFactors(contacts, typed: nil).contains { $0.strategy != .backupCode }
  }

  /// Stores another password, or none.
  ///
  /// If the clock stands still or was set back, its time is one millisecond after the former one's.
  mutating func replacePassword(by password: PasswordHash?, at now: EpochMilliseconds) {
    self.password = password
    passwordUpdatedAt = passwordUpdatedAt.map { max(now, $0.next) } ?? now
  }

  /// Records when a second factor begins or ceases to be required.
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
  /// The metadata that the client app stores on the account; an object.
  var unsafeMetadataJSON: JSON {
    // Only our own JSON is ever stored here.
    JSON(decoding: Array(unsafeMetadata.utf8)) ?? [:]
  }
}
