internal import Foundation
internal import Locking

/// Threads for work that takes long, so that it holds none of those that serve calls.
final class WorkQueue: Sendable {
  private let queue = OperationQueue()

  /// - Parameters:
  ///   - label: Names the threads.
  ///   - width: How many pieces of work are done at once.
  init(label: String, width: Int = 2) {
    queue.maxConcurrentOperationCount = width
    queue.name = label
  }

  /// Does a piece of work.
  ///
  /// - Throws: What the work throws; `CancellationError` if the task was cancelled before its turn
  ///   came.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.addOperation {
          continuation.resume(
            with: Result {
              if isCancelled.withLock({ $0 }) { throw CancellationError() }
              return try work()
            }
          )
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}
