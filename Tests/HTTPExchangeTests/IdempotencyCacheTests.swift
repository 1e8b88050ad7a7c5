import HTTPExchange
import HTTPTypes
import Locking
import Testing

@Suite("What is asked twice")
struct IdempotencyCacheTests {
  private let cache = IdempotencyCache(now: { .now })

  private func ask(
    _ work: @escaping @Sendable () async -> Response
  ) async -> (response: Response, origin: IdempotencyCache.Origin)? {
    let found = await cache.answer(to: IdempotencyCache.Key([1]), in: 1) {
      IdempotencyCache.Answered(await work(), isAccepted: true, state: 1)
    }
    guard case .answered(let response, let origin) = found else { return nil }
    return (response, origin)
  }

  @Test("a body in pieces, which can be taken once only, is the same for whoever repeats it")
  func pieces() async throws {
    let rest = Locked(Array("abc".utf8))
    let pieces = BodyPieces { rest.withLock { $0.isEmpty ? nil : [$0.removeFirst()] } }
    let answers = Locked([Response(status: .created, content: .pieces(pieces))])
    for origin in [IdempotencyCache.Origin.work, .memory] {
      let asked = await ask { answers.withLock { $0.popLast() } ?? Response(status: .gone) }
      let found = try #require(asked)
      #expect(found.origin == origin)
      #expect(found.response.status == .created)
      #expect(found.response.content == .whole(Array("abc".utf8)))
    }
  }

  @Test("one whose pieces end early is broken off for each of them")
  func brokenOff() async throws {
    struct Broken: Error {}
    for _ in 0..<2 {
      let asked = await ask {
        Response(status: .ok, content: .pieces(BodyPieces { throw Broken() }))
      }
      #expect(asked?.response.deliveryFailure == .truncated)
    }
  }
}
