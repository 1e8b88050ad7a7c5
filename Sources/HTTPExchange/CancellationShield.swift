internal import Locking

/// Defers the cancellation of a task until it has finished work that must not be interrupted.
///
/// A separate task for such work would do too, but waiting for it resumes on another thread, a cost
/// that every form would pay.
public final class CancellationShield: Sendable {
  private struct State {
    /// The task that runs in `guarding`.
    var owner: Int?
    /// How many pieces of work are being finished, one inside the other.
    var raisedCount = 0
    var isCancelled = false
    /// The task to cancel once they are finished.
    var putOff: Task<Void, Never>?
  }

  @TaskLocal private static var current: CancellationShield?
  private let state = Locked(State())

  public init() {}

  /// Runs the work of a task; `finishing` within it defers `cancel`.
  ///
  /// To be called once, by the task that may be cancelled.
  public func guarding(_ work: () async -> Void) async {
    let owner = Self.currentTask
    state.withLock { $0.owner = owner }
    await Self.$current.withValue(self) { await work() }
  }

  /// Cancels the task: now, or once it has finished its shielded work.
  public func cancel(_ task: Task<Void, Never>) {
    let isNow = state.withLock { state in
      guard state.raisedCount == 0 else {
        state.putOff = task
        return false
      }
      state.isCancelled = true
      return true
    }
    if isNow { task.cancel() }
  }

  /// Runs work to its end, unaffected by cancellation.
  ///
  /// It runs in the current task if that has a shield, otherwise in a task of its own.
  public static func finishing<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    guard let shield = current, !Task.isCancelled, shield.raise() else {
      // It starts on this thread, and also ends on it if it never waits.
      return await Task.immediate { await work() }.value
    }
    defer { shield.lower() }
    return await work()
  }

  /// - Returns: Whether the current task owns the shield and has not been cancelled yet.
  private func raise() -> Bool {
    let task = Self.currentTask
    return state.withLock { state in
      guard !state.isCancelled, state.owner == task else { return false }
      state.raisedCount += 1
      return true
    }
  }

  private func lower() {
    let due = state.withLock { state -> Task<Void, Never>? in
      state.raisedCount -= 1
      guard state.raisedCount == 0, let due = state.putOff else { return nil }
      state.isCancelled = true
      return due
    }
    due?.cancel()
  }

  /// Tells a task from its children, which inherit its shield but can be cancelled on their own.
  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
