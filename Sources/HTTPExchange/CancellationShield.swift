internal import Locking

/// Puts off the cancellation of a task while it does what has to be finished.
///
/// A task of its own for such work would do that, too; but whoever waits for a task goes on by way of
/// another thread, which every form would pay for.
public final class CancellationShield: Sendable {
  private struct State {
    /// The task that runs under it.
    var owner: Int?
    /// How many pieces of work are being finished, one within the other.
    var raisedCount = 0
    var isCancelled = false
    /// What is cancelled once they are.
    var putOff: Task<Void, Never>?
  }

  @TaskLocal private static var current: CancellationShield?
  private let state = Locked(State())

  public init() {}

  /// Does the work of a task, so that `finishing` within it puts off what `cancel` is asked for.
  ///
  /// To be called once, by the task that may be cancelled.
  public func guarding(_ work: () async -> Void) async {
    let owner = Self.currentTask
    state.withLock { $0.owner = owner }
    await Self.$current.withValue(self) { await work() }
  }

  /// Cancels the task: now, or as soon as it has finished what it must.
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

  /// Does a piece of work that ends as if nobody could cancel it.
  ///
  /// In the task at hand where that has a shield, else in one of its own.
  public static func finishing<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    guard let shield = current, !Task.isCancelled, shield.raise() else {
      // It begins here, and where nobody has to be asked it ends here.
      return await Task.immediate { await work() }.value
    }
    defer { shield.lower() }
    return await work()
  }

  /// - Returns: Whether this is the task that has the shield, and nobody has cancelled it yet.
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

  /// What tells a task from its children, which inherit its shield and can be cancelled without it.
  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
