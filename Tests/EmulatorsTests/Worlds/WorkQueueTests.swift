import Dispatch
import Foundation
import Locking
import Testing

@testable import Emulators

@Suite("Threads for long work")
struct WorkQueueTests {
  @Test("who gives up while the turn has not come waits no longer, and the work is not done")
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
    // While the first still works.
    await #expect(throws: CancellationError.self) { try await second.value }
    end.signal()
    #expect(try await first.value == 1)
    #expect(try await queue.run { isDone.withLock(\.self) } == false)
  }

  @Test("who has given up before does not begin")
  func cancelledBefore() async throws {
    let queue = WorkQueue(label: "test")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.run { 1 }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(
    "work that computes holds up nobody else: tasks go on beside as much of it as there are processors (S22)"
  )
  func besides() async throws {
    let width = ProcessInfo.processInfo.activeProcessorCount
    let queue = WorkQueue(label: "test", width: width)
    let others = Locked(0)
    // Each computes until somebody else has come along, and gives up after a while that nobody should need.
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

  @Test("all that is asked for is done, in order where there is one thread")
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
