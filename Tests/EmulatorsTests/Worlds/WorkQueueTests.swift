import Dispatch
import Foundation
import Locking
import Testing

@testable import Emulators

@Suite("Threads for long work")
struct WorkQueueTests {
  @Test("a task that is cancelled before its turn stops waiting, and its work is not done")
  func cancelled() async throws {
    let queue = WorkQueue(label: "test", width: 1)
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = Task {
      try await queue.run {
        begun.signal()
        end.wait()
        return 1
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        continuation.resume()
      }
    }
    let isDone = Locked(false)
    let second = Task.immediate { try await queue.run { isDone.withLock { $0 = true } } }
    second.cancel()
    // The first is still working.
    await #expect(throws: CancellationError.self) { try await second.value }
    end.signal()
    #expect(try await first.value == 1)
    #expect(try await queue.run { isDone.withLock(\.self) } == false)
  }

  @Test("a task that is already cancelled is refused, and its work is not done")
  func cancelledBefore() async throws {
    let queue = WorkQueue(label: "test", width: 1)
    let isDone = Locked(false)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.run { isDone.withLock { $0 = true } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // The only thread would have done it before this.
    #expect(try await queue.run { isDone.withLock(\.self) } == false)
  }

  @Test(
    "tasks go on while every processor is busy with long computations (S22)"
  )
  func besides() async throws {
    let width = ProcessInfo.processInfo.activeProcessorCount
    let queue = WorkQueue(label: "test", width: width)
    let others = Locked(0)
    // Each computes until the other tasks have run, and gives up after far longer than they need.
    let work: @Sendable () -> Bool = {
      let end = ContinuousClock.now + .seconds(20)
      while ContinuousClock.now < end {
        if others.withLock({ $0 == 2 * width }) { return true }
      }
      return false
    }
    async let computed = withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<width { group.addTask { try await queue.run(work) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    await withTaskGroup { group in
      for _ in 0..<(2 * width) {
        group.addTask {
          await Task.yield()
          others.withLock { $0 += 1 }
        }
      }
    }
    #expect(try await computed == Array(repeating: true, count: width))
  }

  @Test("all the work is done, and in order if there is one thread")
  func order() async throws {
    let queue = WorkQueue(label: "test", width: 1)
    let done = Locked<[Int]>([])
    let tasks = (0..<20).map { number in
      Task.immediate { try await queue.run { done.withLock { $0.append(number) } } }
    }
    for task in tasks { try await task.value }
    #expect(done.withLock(\.self) == Array(0..<20))
  }
}
