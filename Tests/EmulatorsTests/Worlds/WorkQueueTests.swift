import Dispatch
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
}
