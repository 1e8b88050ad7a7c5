internal import Foundation
internal import GRDB

/// A flow that is under way, found by its newest continuation token.
///
/// A token is spent by the step that it leads to; what is spent, foreign or made up finds no flow.
/// Source: Microsoft, native authentication API reference, "Continuation token".
struct EntraFlow: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  /// What the flow was begun with, and where it stands.
  struct State: Codable, Sendable, Hashable {
    /// As typed.
    var username: String
    var offered: Set<ChallengeType>
    var capabilities: Set<Capability>
    var sentCount = 0
    var stage: Stage
  }

  /// What has to be called next, with what that call needs.
  enum Stage: Codable, Sendable, Hashable {
    case signIn(SignInStage, accountID: String)
    case signUp(SignUpStage, EntraSignUpDetails)
    case passwordReset(PasswordResetStage, accountID: String)
    /// Coming back from a browser: the token is an authorization code.
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
    /// A strong method is to be registered; the address is what a sign-up has proven just before.
    case registration(RegistrationStage, provenAddress: String?)
    /// The flow before has proven who it is: the grant `continuation_token`.
    case tokenDue(after: Proof)
  }

  enum RegistrationStage: Codable, Sendable, Hashable {
    case methodDue
    case codeDue(EntraMethod.Description, SentCode)
    /// The contact is the one that was proven already.
    case preverified(EntraMethod.Description)
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

  /// What has proven who someone is without a sign-in of its own.
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

  /// The flow whose newest token that is.
  ///
  /// One that cannot be read, from an older version or an import, has ended.
  static func holding(_ token: String, _ db: Database) throws -> Self? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM entraFlow WHERE tokenHash = ?"),
      arguments: [Data(sha256Of: token)]
    )
    return row.flatMap { try? Self(row: $0) }
  }
}

/// What an app can do itself.
///
/// Source: Microsoft, native authentication API reference, "Challenge types".
enum ChallengeType: String, Codable, Sendable, CaseIterable {
  case oob, password, redirect
}

/// What an app says it is prepared for.
///
/// Source: Microsoft, native authentication API reference, "Capabilities".
enum Capability: String, Codable, Sendable, CaseIterable {
  case secondFactor = "mfa_required"
  case registration = "registration_required"

  /// The capabilities in a list, with spaces or commas; unknown ones do not count.
  static func list(_ text: String) -> Set<Self> {
    Set(text.split { $0 == " " || $0 == "," }.compactMap { Self(rawValue: String($0)) })
  }
}

/// A code that was sent and not yet proven.
struct SentCode: Codable, Sendable, Hashable {
  /// A resent code has another.
  var id: String
  var code: String
  var expireAt: EpochMilliseconds
  var tryCount = 0
}
