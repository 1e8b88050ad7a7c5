internal import Emulators
internal import HTTPExchange

/// Serialises the work in each world, in the order of the requests.
actor Turns {
  private var last: [WorldName: (number: Int, turn: Task<Void, Never>)] = [:]
  private var count = 0

  /// Waits for the earlier work in that world, then does this work.
  ///
  /// - Parameters:
  ///   - world: The world whose turn it is.
  ///   - worlds: The worlds that it should be among when its turn comes.
  ///   - work: The work; it is cancelled with the task that asks for it.
  /// - Returns: What the work returns.
  /// - Throws: `BackstageRefusal` if the world has been dropped, or what the work throws.
  func take<Value: Sendable>(
    in world: World,
    of worlds: Worlds,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    count += 1
    let (number, name) = (count, world.name)
    let before = last[name]?.turn
    let task = Task {
      await before?.value
      try Task.checkCancellation()
      // The work names its world: it would make another one of that name.
      guard worlds.opened(name) === world else { throw BackstageRefusal.worldDropped }
      do {
        return try await work()
      } catch _ where worlds.opened(name) !== world {
        throw BackstageRefusal.worldDropped
      }
    }
    last[name] = (number, Task { _ = await task.result })
    defer { if last[name]?.number == number { last[name] = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
