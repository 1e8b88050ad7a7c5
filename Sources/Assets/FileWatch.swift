internal import Synchronization

/// Detects changes to files that are reloaded while the program runs.
public final class FileWatch: Sendable {
  private let files: [LayeredFiles]
  private let others: @Sendable () -> [String]
  private let isOver: @Sendable () -> Bool
  private let waitingCount = Atomic(0)

  /// How many may wait at once; each of them looks at the files from time to time.
  static let waitingLimit = 32
  private static let pause = Duration.milliseconds(200)

  /// - Parameters:
  ///   - files: The files to watch.
  ///   - others: The paths of further files to watch.
  ///   - isOver: Whether tasks should stop waiting because the program is about to end.
  public init(
    _ files: [LayeredFiles],
    and others: @escaping @Sendable () -> [String] = { [] },
    until isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    self.files = files
    self.others = others
    self.isOver = isOver
  }

  /// How the files are now.
  public var version: FileVersion {
    files.reduce(FileVersion(ofFiles: others())) { $0.after($1.version) }
  }

  /// Too many wait already.
  public struct Crowded: Error, Sendable {}

  /// Waits until the files are in another state, without blocking a thread.
  ///
  /// - Parameters:
  ///   - known: The state that the caller knows.
  ///   - limit: How long to wait.
  /// - Returns: The new state; nil if nothing changes within that time or the task is cancelled.
  /// - Throws: `Crowded` if the maximum number of tasks is waiting already.
  public func version(
    after known: FileVersion,
    within limit: Duration
  ) async throws(Crowded) -> FileVersion? {
    guard waitingCount.add(1, ordering: .relaxed).newValue <= Self.waitingLimit else {
      waitingCount.subtract(1, ordering: .relaxed)
      throw Crowded()
    }
    defer { waitingCount.subtract(1, ordering: .relaxed) }
    let end = ContinuousClock.now + limit
    while true {
      let version = version
      if version != known { return version }
      guard ContinuousClock.now < end, !isOver() else { return nil }
      do {
        try await Task.sleep(for: Self.pause)
      } catch {
        // The waiting task was cancelled.
        return nil
      }
    }
  }
}
