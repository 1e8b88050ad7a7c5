@preconcurrency import Foundation
import Testing

/// Lets only so many journeys play at once.
///
/// All tests start together; hundreds of processes and passwords at once would make each answer
/// slower than any deadline.
struct InTurn: SuiteTrait, TestTrait, TestScoping {
  private static let turnstile: Turnstile = {
    // Line by line, even into a pipe: if a run is ended, what had passed until then is known.
    setlinebuf(stdout)
    return Turnstile(width: 2 * ProcessInfo.processInfo.activeProcessorCount)
  }()

  let isRecursive = true

  // `@concurrent`, as in the testing library, which was built with a different default.

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing journey: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Self.turnstile.pass(journey)
  }
}

extension Trait where Self == InTurn {
  /// Each test of the suite, and each of its cases, waits for its turn.
  static var inTurn: Self { Self() }
}

/// Lets a number of callers through at once, the others in their order.
private actor Turnstile {
  private var freeCount: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) { freeCount = width }

  nonisolated func pass(_ body: () async throws -> Void) async throws {
    await enter()
    do {
      try await body()
    } catch {
      await leave()
      throw error
    }
    await leave()
  }

  private func enter() async {
    guard freeCount == 0 else {
      freeCount -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    guard waiting.isEmpty else { return waiting.removeFirst().resume() }
    freeCount += 1
  }
}
