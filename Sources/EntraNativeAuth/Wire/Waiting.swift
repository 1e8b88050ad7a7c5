/// How time passes between two tries; tests supply their own.
public struct Waiting: Sendable {
  let now: @Sendable () -> ContinuousClock.Instant
  let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - now: The time that deadlines are compared with.
  ///   - pause: Waits for that long; throws if the wait has become pointless.
  public init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.pause = pause
  }

  public static let real = Waiting(now: { .now }, pause: { try await Task.sleep(for: $0) })
}
