import Locking
import Testing

@testable import Backstage

@Suite("Values that are found once")
struct FoundOnceTests {
  @Test("a value is found once for all who ask, and again only if the first was not usable")
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

  @Test("those who ask meanwhile wait for the same value")
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
