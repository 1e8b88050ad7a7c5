internal import Locking

/// Session tokens signed a few seconds ago, which a client gets again when it is read again: signing
/// takes longer than everything else in a call.
final class FreshTokens: Sendable {
  /// What identifies a token.
  struct Key: Sendable, Hashable {
    var sessionID: String
    /// The id of the key that has signed it.
    var keyID: String
    /// Its claims, except for its times and its id.
    var claims: JSON
  }

  private struct Kept {
    var text: String
    var issuedAt: EpochMilliseconds
  }

  /// A third of a token's life, in seconds.
  private static let age = SessionTokenClaims.lifetimeSeconds / 3
  private static let limit = 1_024

  private let kept = Locked<[Key: Kept]>([:])

  /// The token, if one was issued a moment ago by the world's clock.
  func token(for key: Key, at now: EpochMilliseconds) -> String? {
    kept.withLock { kept in
      guard let found = kept[key], found.issuedAt <= now,
        now.rawValue - found.issuedAt.rawValue < Int64(Self.age) * 1_000
      else { return nil }
      return found.text
    }
  }

  func keep(_ text: String, issuedAt: EpochMilliseconds, for key: Key) {
    kept.withLock { kept in
      if kept.count >= Self.limit { kept.removeAll(keepingCapacity: true) }
      kept[key] = Kept(text: text, issuedAt: issuedAt)
    }
  }
}
