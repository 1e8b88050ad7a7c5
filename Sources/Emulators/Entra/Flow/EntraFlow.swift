internal import Foundation
internal import GRDB

/// A flow in progress, found by its newest continuation token.
///
/// Each step spends its token; one that is spent, foreign or made up finds no flow.
/// Source: Microsoft, native authentication API reference, "Continuation token".
struct EntraFlow: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  /// What the flow began with, and its current stage.
  struct State: Codable, Sendable, Hashable {
    /// As typed.
    var username: String
    var offered: Set<ChallengeType>
    var capabilities: Set<Capability>
    var sentCount = 0
    var stage: Stage
  }

  /// The call that is due next, with the data that it needs.
  enum Stage: Codable, Sendable, Hashable {
    case signIn(SignInStage, accountID: String)
    case signUp(SignUpStage, EntraSignUpDetails)
    case passwordReset(PasswordResetStage, accountID: String)
    /// The return from a browser: the token is an authorization code.
    case redemption(AuthorizationRequest, accountID: String)

    /// Nil before the account is made.
    var accountID: String? {
      switch self {
      case .signIn(_, let id), .passwordReset(_, let id), .redemption(_, let id): id
      case .signUp: nil
      }
    }
  }

  enum SignInStage: Codable, Sendable, Hashable {
    case challengeDue, passwordDue
    case codeDue(SentCode)
    case secondFactorDue
    case secondFactorCodeDue(SentCode)
    /// A strong method has to be registered; the address is one that a sign-up has just proven.
    case registration(RegistrationStage, provenAddress: String?)
    /// The previous flow has proven the person's identity; the grant `continuation_token` is due.
    case tokenDue(after: Proof)
  }

  enum RegistrationStage: Codable, Sendable, Hashable {
    case methodDue
    case codeDue(AccountDescription.Entra.Method, SentCode)
    /// The contact has been proven before.
    case preverified(AccountDescription.Entra.Method)
  }

  enum SignUpStage: Codable, Sendable, Hashable {
    case challengeDue
    case codeDue(SentCode)
    case credentialDue, passwordDue, attributesDue
  }

  enum PasswordResetStage: Codable, Sendable, Hashable {
    case challengeDue
    case codeDue(SentCode)
    case newPasswordDue
    case inProgress(pollCount: Int)
  }

  /// A previous flow that has proven the person's identity in place of a first factor.
  enum Proof: Codable, Sendable, Hashable {
    case signUp(address: String)
    case passwordReset
    case registration
  }

  /// Seconds that a continuation token lasts.
  static let lifetimeSeconds = 600
  /// How many codes one flow may send.
  static let sendLimit = 5

  static let databaseTableName = "entraFlow"

  var id: String
  var tokenHash: Data
  var clientID: String
  var createdAt: EpochMilliseconds
  var expireAt: EpochMilliseconds
  var state: State

  /// The flow with that newest token.
  ///
  /// A flow whose state cannot be read, from an older version or an import, counts as ended.
  static func holding(_ token: String, _ db: Database) throws -> Self? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM entraFlow WHERE tokenHash = ?"),
      arguments: [Data(sha256Of: token)]
    )
    return row.flatMap { try? Self(row: $0) }
  }
}

/// A type of challenge that an app can handle.
///
/// Source: Microsoft, native authentication API reference, "Challenge types".
enum ChallengeType: String, Codable, Sendable, CaseIterable {
  case oob, password, redirect
}

/// A requirement that an app declares it can handle.
///
/// Source: Microsoft, native authentication API reference, "Capabilities".
enum Capability: String, Codable, Sendable, CaseIterable {
  case secondFactor = "mfa_required"
  case registration = "registration_required"

  /// The capabilities in a list separated by spaces or commas; unknown ones are ignored.
  static func list(_ text: String) -> Set<Self> {
    Set(text.split { $0 == " " || $0 == "," }.compactMap { Self(rawValue: String($0)) })
  }
}

/// A code that was sent and has not been verified yet.
struct SentCode: Codable, Sendable, Hashable {
  /// Every code that is sent has a new one.
  var id: String
  var code: String
  var expireAt: EpochMilliseconds
  var tryCount = 0
}
