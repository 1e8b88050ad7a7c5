/// Something that is found out once, for all who ask.
actor FoundOnce<Value: Sendable> {
  private var task: Task<Value, Never>?

  /// - Parameters:
  ///   - find: Finds it out, where nobody has yet.
  ///   - isNothing: Whether nothing came of it: then the next who asks has it tried again.
  /// - Returns: What was found.
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
