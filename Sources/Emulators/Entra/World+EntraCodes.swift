public import Foundation
internal import GRDB

extension World {
  /// Whether a code that was sent is still valid.
  public enum CodeUse: Sendable, Hashable {
    /// By the world's clock.
    case works(until: Date)
    /// The code has expired or has had too many tries.
    case over
  }

  /// Whether a code of the emulated Entra is still valid.
  ///
  /// The API's answers do not report it; an app finds out by trying.
  ///
  /// - Parameter message: The message with the code.
  /// - Returns: Nil if the code has not expired but none of the newest flows waits for it: then
  ///   nothing is known of it.
  /// - Throws: What SQLite reports.
  public func useOfEntraCode(in message: Message) async throws -> CodeUse? {
    let now = EpochMilliseconds(clock.now)
    let settings = settings
    let sentAt = EpochMilliseconds(message.createdAt)
    guard sentAt.adding(seconds: settings.entraCodeLifetimeSeconds) > now else { return .over }
    return try await database.read { db in
      let flows = try Row.fetchAll(
        db.cachedStatement(
          sql: "SELECT * FROM entraFlow WHERE expireAt > ? ORDER BY createdAt DESC LIMIT ?"
        ),
        arguments: [now, Self.newestFlowCount]
      )
      let code = flows.lazy.compactMap { try? EntraFlow(row: $0).state.stage.awaitedCode }
        .first { $0.code == message.code }
      guard let code else { return nil }
      guard code.expireAt > now, code.tryCount < settings.codeAttempts else { return .over }
      return .works(until: code.expireAt.date)
    }
  }

  /// How many of the newest flows are searched: a page that asks for a code belongs to a recent
  /// one.
  private static let newestFlowCount = 50
}

extension EntraFlow.Stage {
  /// The code that the next call has to carry.
  fileprivate var awaitedCode: SentCode? {
    switch self {
    case .signIn(let stage, accountID: _):
      switch stage {
      case .codeDue(let code), .secondFactorCodeDue(let code),
        .registration(.codeDue(_, let code), provenAddress: _):
        code
      case .challengeDue, .passwordDue, .secondFactorDue, .registration, .tokenDue: nil
      }
    case .signUp(.codeDue(let code), _), .passwordReset(.codeDue(let code), accountID: _): code
    case .signUp, .passwordReset, .redemption: nil
    }
  }
}
