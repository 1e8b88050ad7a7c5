internal import Foundation

/// Derives password hashes, two at a time, on threads of its own (S22).
///
/// On the server's threads, two derivations would block every other request of a two-core machine.
final class PasswordHasher: Sendable {
  let queue = WorkQueue(label: "vestibule.password-hash")

  /// Derives one hash.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before its turn came.
  func derive(
    from password: String,
    salt: Data,
    cost: PasswordHash.Cost
  ) async throws -> PasswordHash {
    try await queue.run { try PasswordHash.derive(from: password, salt: salt, cost: cost) }
  }
}
