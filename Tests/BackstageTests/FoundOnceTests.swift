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

  @Test("a value is found again once what it depends on has changed")
  func changed() async {
    let version = Locked("1")
    let found = FoundOnce<Int>(for: { version.withLock { $0 } })
    func value(_ new: Int) async -> Int {
      await found.value {
        new
      } orAgainWhere: { _ in
        false
      }
    }
    #expect(await value(1) == 1)
    #expect(await value(2) == 1)
    version.withLock { $0 = "2" }
    #expect(await value(3) == 3)
    #expect(await value(4) == 3)
  }

  @Test("an attempt that fails late leaves the value that was found for a later version")
  func lateFailure() async {
    let version = Locked("1")
    let found = FoundOnce<Int>(for: { version.withLock { $0 } })
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let early = Task {
      await found.value {
        begin.finish()
        for await _ in asked {}
        return 0
      } orAgainWhere: { value in
        value == 0
      }
    }
    for await _ in begun {}
    version.withLock { $0 = "2" }
    for new in [1, 2] {
      let value = await found.value {
        new
      } orAgainWhere: { value in
        value == 0
      }
      #expect(value == 1)
    }
    ask.finish()
    #expect(await early.value == 0)
    let value = await found.value {
      3
    } orAgainWhere: { value in
      value == 0
    }
    #expect(value == 1)
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
