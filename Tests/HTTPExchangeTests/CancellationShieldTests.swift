import Locking
import Testing

@testable import HTTPExchange

@Suite("Work that must be finished before a task is cancelled")
struct CancellationShieldTests {
  /// What a task notes about itself at each of its steps.
  private final class Log: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func note(_ step: String) {
      let line = "\(step): \(Task.isCancelled ? "cancelled" : "runs")"
      lines.withLock { $0.append(line) }
    }
  }

  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Runs a task under a shield; it gets a function that cancels it.
  private static func run(
    _ work: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async -> Void
  ) async {
    let shield = CancellationShield()
    let (tasks, handOver) = AsyncStream.makeStream(of: Task<Void, Never>.self)
    let task = Task {
      guard let own = await tasks.first(where: { _ in true }) else { return }
      await shield.guarding { await work { shield.cancel(own) } }
    }
    handOver.yield(task)
    await task.value
  }

  @Test("a task that is cancelled meanwhile finishes first, and is cancelled then")
  func meanwhile() async {
    let log = Log()
    await Self.run { cancel in
      await CancellationShield.finishing {
        cancel()
        log.note("within")
        await Task.yield()
        log.note("still within")
      }
      log.note("behind")
    }
    #expect(log.all == ["within: runs", "still within: runs", "behind: cancelled"])
  }

  @Test("nested work that must be finished delays the cancellation as well")
  func nested() async {
    let log = Log()
    await Self.run { cancel in
      await CancellationShield.finishing {
        await CancellationShield.finishing {
          cancel()
          log.note("inner")
        }
        log.note("outer")
      }
      log.note("behind")
    }
    #expect(log.all == ["inner: runs", "outer: runs", "behind: cancelled"])
  }

  @Test("a task that was cancelled before finishes all the same, and so does one without a shield")
  func before() async {
    let log = Log()
    await Self.run { cancel in
      cancel()
      log.note("before")
      await CancellationShield.finishing { log.note("within") }
      log.note("behind")
    }
    #expect(log.all == ["before: cancelled", "within: runs", "behind: cancelled"])
    let bare = Log()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await CancellationShield.finishing { bare.note("within") }
      bare.note("behind")
    }
    await task.value
    #expect(bare.all == ["within: runs", "behind: cancelled"])
  }

  @Test("a child, which can be cancelled without its parent, is not covered by the parent's shield")
  func child() async {
    let log = Log()
    await Self.run { _ in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await CancellationShield.finishing {
            let isChild = withUnsafeCurrentTask { task in
              task?.cancel()
              return task != nil
            }
            #expect(isChild)
          }
          log.note("child")
        }
      }
      log.note("parent")
    }
    // Only the separate task in which it finished was cancelled.
    #expect(log.all == ["child: runs", "parent: runs"])
  }

  @Test("a shielded task finishes its work in itself, so that no thread waits for another")
  func sameTask() async {
    await Self.run { _ in
      let outside = Self.currentTask
      let inside = await CancellationShield.finishing { Self.currentTask }
      #expect(inside != nil && inside == outside)
    }
    let inside = await CancellationShield.finishing { Self.currentTask }
    #expect(inside != nil && inside != Self.currentTask)
  }

  @Test("the shield protects each piece of work anew")
  func again() async {
    let log = Log()
    await Self.run { cancel in
      await CancellationShield.finishing { log.note("first") }
      await CancellationShield.finishing {
        cancel()
        log.note("second")
      }
      log.note("behind")
    }
    #expect(log.all == ["first: runs", "second: runs", "behind: cancelled"])
  }
}
