import Locking
import Testing

@testable import Backstage

@Suite("What is found out once")
struct FoundOnceTests {
  @Test("it is found out for all who ask, and again only where nothing came of it")
  func once() async {
    let found = FoundOnce<Int>()
    let count = Locked(0)
    for expected in [1, 2, 2, 2] {
      let value = await found.value {
        count.withLock { count in
          count += 1
          return count
        }
      } orAgainWhere: { value in
        value == 1
      }
      #expect(value == expected)
    }
  }

  @Test("who asks while it is found out waits for that")
  func meanwhile() async {
    let found = FoundOnce<Int>()
    let count = Locked(0)
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let find: @Sendable () async -> Int = {
      for await _ in asked {}
      return count.withLock { count in
        count += 1
        return count
      }
    }
    let values = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { await found.value(find) { _ in false } }
      }
      ask.finish()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == Array(repeating: 1, count: 8))
  }
}
