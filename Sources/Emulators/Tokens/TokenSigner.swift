internal import CryptoExtras
internal import Foundation
internal import GRDB
internal import HTTPExchange
internal import Locking

/// The key that an installation signs JWTs with.
///
/// The key is made when it is first needed, so that the start is quick, and stored in the database
/// of `main`, so that a database on disk keeps it beyond the process.
final class TokenSigner: Sendable {
  private let worlds: Worlds

  init(worlds: Worlds) {
    self.worlds = worlds
  }

  /// The key, if it has been made or read already.
  var knownKey: SigningKey? { worlds.signingKey.withLock { $0 } }

  /// Starts making or reading the key, unless it is known, without waiting for it.
  func prepare() {
    guard knownKey == nil else { return }
    // An error is reported to the call that needs the key.
    Task.detached { try? await self.key() }
  }

  /// The key, made and stored at the first call.
  ///
  /// - Throws: What SQLite reports.
  func key() async throws -> SigningKey {
    if let knownKey { return knownKey }
    let main = try await worlds.world(.main)
    var key = try await main.database.read { db in try SigningKey.stored(db) }
    if key == nil {
      let fresh = SigningKey(
        id: main.random.identifier("ins"),
        privateKey: try await Self.firstKey.value
      )
      key = try await main.database.write { db in
        if let stored = try SigningKey.stored(db) { return stored }
        try fresh.insert(db)
        return fresh
      }
    }
    guard let key else { throw WorldsError.unusable(folder: "main", reason: "no signing key") }
    return worlds.signingKey.withLock { kept in
      // Another call may have replaced it since.
      let known = kept ?? key
      kept = known
      return known
    }
  }

  /// Makes a new key, which signs from now on.
  ///
  /// The one before is published until the next rotation.
  ///
  /// - Throws: What SQLite reports; then the key stays.
  func rotate() async throws -> SigningKey {
    let known = try await key()
    let main = try await worlds.world(.main)
    let fresh = SigningKey(
      id: main.random.identifier("ins"),
      privateKey: try await Self.newKey().value
    )
    try await main.database.write { db in
      try fresh.insert(db)
    } then: { [worlds] in
      worlds.signingKey.withLock { $0 = ($0 ?? known).succeeded(by: fresh) }
    }
    return knownKey ?? known
  }

  /// The first key of a process; emulators in one process that have no stored key share it.
  private static let firstKey = newKey()

  /// Makes a key on a thread of its own, since that takes some hundred milliseconds.
  private static func newKey() -> Task<_RSA.Signing.PrivateKey, any Error> {
    Task.detached {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) })
        }
      }
    }
  }
}

extension Worlds {
  /// Replaces the key that signs the tokens of all worlds.
  ///
  /// The one before is published until the next rotation, so that what it has signed can be verified.
  ///
  /// - Returns: The ids of the published keys; the first one signs.
  /// - Throws: `WorldsError`, or what SQLite reports.
  public func rotateSigningKey() async throws -> [String] {
    try await TokenSigner(worlds: self).rotate().publishedIDs
  }
}
