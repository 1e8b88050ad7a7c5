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
  private let kept = Locked<SigningKey?>(nil)

  init(worlds: Worlds) {
    self.worlds = worlds
  }

  /// The key, if it has been made or read already.
  var knownKey: SigningKey? { kept.withLock { $0 } }

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
        privateKey: try await Self.freshKey.value
      )
      key = try await main.database.write { db in
        if let stored = try SigningKey.stored(db) { return stored }
        try fresh.insert(db)
        return fresh
      }
    }
    guard let key else { throw WorldsError.unusable(folder: "main", reason: "no signing key") }
    kept.withLock { $0 = key }
    return key
  }

  /// A new key, made once per process on a thread of its own, since that takes some hundred
  /// milliseconds; emulators in one process that have no stored key share it.
  private static let freshKey = Task.detached {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) })
      }
    }
  }
}
