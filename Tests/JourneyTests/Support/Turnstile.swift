import Foundation

/// Lets only so many journeys play at once.
///
/// All tests start together; hundreds of processes and passwords at once would make each answer
/// slower than any deadline.
actor Turnstile {
  static let journeys = Turnstile(width: 2 * ProcessInfo.processInfo.activeProcessorCount)

  private var freeCount: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) { freeCount = width }

  nonisolated func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
    await enter()
    do {
      let result = try await body()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
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
