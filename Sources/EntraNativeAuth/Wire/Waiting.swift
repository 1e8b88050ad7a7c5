/// How time passes between two tries; a test puts its own in.
public struct Waiting: Sendable {
  let now: @Sendable () -> ContinuousClock.Instant
  let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - now: Against which deadlines are held.
  ///   - pause: Waits for so long; throws where there is no point any more.
  public init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.pause = pause
  }

  public static let real = Waiting(now: { .now }, pause: { try await Task.sleep(for: $0) })
}
