internal import HTTPExchange

/// Serialises the work in each world, in the order of the requests.
actor Turns {
  private var last: [WorldName: (number: Int, turn: Task<Void, Never>)] = [:]
  private var count = 0

  /// Waits for the earlier work in that world, then does this work.
  ///
  /// - Parameters:
  ///   - world: The world whose turn it is.
  ///   - work: The work; it is cancelled with the task that asks for it.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  func take<Value: Sendable>(
    in world: WorldName,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    count += 1
    let number = count
    let before = last[world]?.turn
    let task = Task {
      await before?.value
      try Task.checkCancellation()
      return try await work()
    }
    last[world] = (number, Task { _ = await task.result })
    defer { if last[world]?.number == number { last[world] = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
