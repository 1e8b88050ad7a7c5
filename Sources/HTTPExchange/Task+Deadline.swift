internal import Locking

extension Task where Failure == Never {
  /// The task's value, or nil if it takes longer than `patience`; the task goes on.
  ///
  /// A task group would not do: it ends only when all of its tasks have.
  public func value(within patience: Duration) async -> Success? {
    await withCheckedContinuation { continuation in
      let waiting = Locked<CheckedContinuation<Success?, Never>?>(continuation)
      @Sendable func answer(_ value: Success?) {
        waiting.withLock { $0.take() }?.resume(returning: value)
      }
      let clock = Task<Void, Never> {
        // Cancelled as soon as the value is there.
        try? await Task<Never, Never>.sleep(for: patience)
        answer(nil)
      }
      Task<Void, Never> {
        answer(await value)
        clock.cancel()
      }
    }
  }
}
