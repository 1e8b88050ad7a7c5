internal import Foundation

/// Derives password hashes, two at a time, on threads of its own (S22).
///
/// On the cooperative pool two of them would stop every other request of a two-core machine.
final class PasswordHasher: Sendable {
  private let queue: OperationQueue

  init(width: Int = 2) {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.name = "vestibule.password-hash"
  }

  /// Derives one hash.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before its turn came.
  func derive(
    from password: String,
    salt: Data,
    cost: PasswordHash.Cost
  ) async throws -> PasswordHash {
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.addOperation {
          continuation.resume(
            with: Result {
              if isCancelled.withLock({ $0 }) { throw CancellationError() }
              return try PasswordHash.derive(from: password, salt: salt, cost: cost)
            }
          )
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}
