/// A value that is determined once and shared by all callers.
actor FoundOnce<Value: Sendable> {
  private var task: Task<Value, Never>?

  /// - Parameters:
  ///   - find: Determines the value, if nobody has yet.
  ///   - isNothing: Whether the attempt failed: the next caller then tries again.
  /// - Returns: The value.
  func value(
    _ find: @escaping @Sendable () async -> Value,
    orAgainWhere isNothing: @Sendable (Value) -> Bool
  ) async -> Value {
    if let task { return await task.value }
    let task = Task { await find() }
    self.task = task
    let value = await task.value
    if isNothing(value) { self.task = nil }
    return value
  }
}
