/// A value that is determined once and shared by all callers.
///
/// Where it depends on files that may change, it is determined again for each version of them.
actor FoundOnce<Value: Sendable> {
  private let version: @Sendable () -> String?
  private var found: (version: String?, task: Task<Value, Never>)?

  /// - Parameter version: Identifies the present state of what the value depends on; nil if that
  ///   does not change.
  init(for version: @escaping @Sendable () -> String? = { nil }) { self.version = version }

  /// - Parameters:
  ///   - find: Determines the value, if nobody has yet.
  ///   - isNothing: Whether the attempt failed: the next caller then tries again.
  /// - Returns: The value.
  func value(
    _ find: @escaping @Sendable () async -> Value,
    orAgainWhere isNothing: @Sendable (Value) -> Bool
  ) async -> Value {
    let present = version()
    if let found, found.version == present { return await found.task.value }
    let task = Task { await find() }
    found = (present, task)
    let value = await task.value
    // Another version's may have taken its place.
    if isNothing(value), found?.task == task { found = nil }
    return value
  }
}
