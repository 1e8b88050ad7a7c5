internal import Synchronization

/// Tells whether files have changed that are read again while the program runs.
public final class FileWatch: Sendable {
  private let files: [LayeredFiles]
  private let others: @Sendable () -> [String]
  private let isOver: @Sendable () -> Bool
  private let waitingCount = Atomic(0)

  /// How many may wait at once; each of them looks at the files from time to time.
  static let waitingLimit = 32
  private static let pause = Duration.milliseconds(200)

  /// - Parameters:
  ///   - files: What is looked at.
  ///   - others: The paths of further files that are looked at.
  ///   - isOver: Whether nobody is to wait any longer, since the program is about to end.
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
    files.reduce(FileVersion(ofFiles: others())) { $0.after("\($1.version)", []) }
  }

  /// Too many wait already.
  public struct Crowded: Error, Sendable {}

  /// Waits, without a thread, until the files are in another state.
  ///
  /// - Parameters:
  ///   - known: The state that is known.
  ///   - limit: For how long.
  /// - Returns: The other state; nil where there is none in that time.
  /// - Throws: `Crowded` where as many wait as may.
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
        // Whoever waited has gone.
        return nil
      }
    }
  }
}
