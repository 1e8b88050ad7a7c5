internal import Dispatch
internal import Locking

/// Separate threads for work that takes long, so that it does not occupy those that serve calls.
///
/// Each is the thread of a serial queue, which Dispatch always provides. A concurrent queue, or an
/// operation queue without its own, would share the few threads of Swift's tasks, and long
/// computations would hold up every answer.
final class WorkQueue: Sendable {
  private typealias Piece = @Sendable () -> Void

  private struct Standing {
    /// What waits for its turn, in order.
    var waiting: [Piece] = []
    var idle: [DispatchQueue]
  }

  private let standing: Locked<Standing>

  /// - Parameters:
  ///   - label: Names the threads.
  ///   - width: How many pieces of work are done at once.
  init(label: String, width: Int = 2) {
    standing = Locked(Standing(idle: (0..<width).map { _ in DispatchQueue(label: label) }))
  }

  /// Does a piece of work.
  ///
  /// - Throws: What the work throws; `CancellationError` at once if the task is cancelled before
  ///   its turn has come.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let turn = Locked(Turn<Value>.awaited(nil))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard turn.withLock({ $0.await(continuation) }) else {
          return continuation.resume(throwing: CancellationError())
        }
        add {
          turn.withLock { $0.take() }?.resume(with: Result { try work() })
        }
      }
    } onCancel: {
      turn.withLock { $0.take() }?.resume(throwing: CancellationError())
    }
  }

  private func add(_ piece: @escaping Piece) {
    let thread = standing.withLock { standing in
      standing.waiting.append(piece)
      return standing.idle.popLast()
    }
    if let thread { thread.async { self.work(on: thread) } }
  }

  /// Does the waiting work until none is left.
  private func work(on thread: DispatchQueue) {
    while let piece = next(on: thread) { piece() }
  }

  private func next(on thread: DispatchQueue) -> Piece? {
    standing.withLock { standing in
      guard standing.waiting.isEmpty else { return standing.waiting.removeFirst() }
      standing.idle.append(thread)
      return nil
    }
  }

  /// The continuation that waits for the turn of a piece of work.
  private enum Turn<Value: Sendable> {
    /// Nil before it is registered.
    case awaited(CheckedContinuation<Value, any Error>?)
    /// The turn has come, or the wait was cancelled.
    case over

    /// Registers it; false if the wait is over.
    mutating func await(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
      guard case .awaited = self else { return false }
      self = .awaited(continuation)
      return true
    }

    /// Takes the continuation in order to resume it; nil if it has been taken already.
    mutating func take() -> CheckedContinuation<Value, any Error>? {
      guard case .awaited(let continuation) = self else { return nil }
      self = .over
      return continuation
    }
  }
}
