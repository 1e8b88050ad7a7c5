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
  /// - Throws: What the work throws; `CancellationError` as soon as the task is cancelled before its turn
  ///   has come.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let turn = Locked(Turn<Value>.awaited(nil))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard turn.withLock({ $0.await(continuation) }) else {
          return continuation.resume(throwing: CancellationError())
        }
        queue.addOperation {
          turn.withLock { $0.take() }?.resume(with: Result { try work() })
        }
      }
    } onCancel: {
      turn.withLock { $0.take() }?.resume(throwing: CancellationError())
    }
  }

  /// Who waits for the turn of a piece of work.
  private enum Turn<Value: Sendable> {
    /// Nil where nobody waits yet.
    case awaited(CheckedContinuation<Value, any Error>?)
    /// It has come, or is awaited no longer.
    case over

    /// Whether it can still come.
    mutating func await(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
      guard case .awaited = self else { return false }
      self = .awaited(continuation)
      return true
    }

    /// Who is to be told; nil where somebody else has taken it.
    mutating func take() -> CheckedContinuation<Value, any Error>? {
      guard case .awaited(let continuation) = self else { return nil }
      self = .over
      return continuation
    }
  }
}
