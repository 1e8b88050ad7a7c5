internal import Crypto
internal import Foundation
internal import GRDB

/// A flow that is under way, found by its newest continuation token.
///
/// A token is spent by the step that it leads to; what is spent, foreign or made up finds no flow.
/// Source: Microsoft, native authentication API reference, "Continuation token".
struct EntraFlow: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  /// What has to be called next.
  enum Step: String, Codable, Sendable {
    // Signing in.
    case challengeDue, passwordDue, codeDue
    case secondFactorDue, secondFactorCodeDue
    case registrationDue, registrationCodeDue, registrationPreverified
    /// The flow before has proven who it is: the grant `continuation_token`.
    case signInDue
    // Signing up.
    case signUpChallengeDue, signUpCodeDue
    case signUpCredentialDue, signUpPasswordDue, signUpAttributesDue
    // Resetting the password.
    case resetChallengeDue, resetCodeDue, newPasswordDue, resetInProgress
    /// Coming back from a browser: the token is an authorization code.
    case redemptionDue
  }

  struct State: Codable, Sendable, Hashable {
    var step: Step
    /// As typed.
    var username: String
    var accountID: String?
    var offered: Set<ChallengeType>
    var capabilities: Set<Capability>
    var code: SentCode?
    var sentCount = 0
    /// The second factor that was chosen.
    var methodID: String?
    /// The contact that is being registered.
    var registering: EntraMethod.Description?
    var hasRegistered = false
    /// The address that a sign-up has proven just before.
    var provenAddress: String?
    var signUp: SignUpDetails?
    var pollCount = 0
    var authorization: AuthorizationRequest?
  }

  /// Seconds that a continuation token lasts.
  static let lifetimeSeconds = 600
  /// How many codes one flow may send.
  static let sendLimit = 5

  static let databaseTableName = "entraFlow"

  var id: String
  var tokenHash: Data
  var clientID: String
  var createdAt: Instant
  var expireAt: Instant
  var state: State

  static func hash(of token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
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
  var expireAt: Instant
  var tryCount = 0
}
