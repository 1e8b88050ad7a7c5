import HTTPExchange
import HTTPTypes
import Locking
import Testing

@Suite("Requests that come again")
struct IdempotencyCacheTests {
  private let time = Locked(ContinuousClock.now)

  private func cache(limitBytes: Int = 1_000_000) -> IdempotencyCache {
    IdempotencyCache(limitBytes: limitBytes) { [time] in time.withLock(\.self) }
  }

  /// How the cache comes by its answer: by work, by waiting or from memory; nil if it has none.
  private func origin(
    of cache: IdempotencyCache,
    _ name: UInt8,
    at revision: UInt32,
    isAccepted: Bool = false,
    bodySize: Int = 1_000
  ) async -> IdempotencyCache.Origin? {
    let found = await cache.answer(to: IdempotencyCache.Key([name]), at: revision) {
      IdempotencyCache.Answered(
        Response(status: .ok, body: [UInt8](repeating: name, count: bodySize)),
        isAccepted: isAccepted,
        revision: revision + 1
      )
    }
    switch found {
    case .answered(_, let origin): return origin
    case .overtaken: return nil
    }
  }

  @Test(
    "a repeat before or after the answer gets it; after further steps only a refusal is new work",
    arguments: [(true, nil), (false, .work)] as [(Bool, IdempotencyCache.Origin?)]
  )
  func revisions(isAccepted: Bool, later: IdempotencyCache.Origin?) async {
    let cache = cache()
    #expect(await origin(of: cache, 1, at: 4, isAccepted: isAccepted) == .work)
    for revision: UInt32 in [4, 5] {
      #expect(await origin(of: cache, 1, at: revision, isAccepted: isAccepted) == .memory)
    }
    #expect(await origin(of: cache, 1, at: 6, isAccepted: isAccepted) == later)
  }

  @Test("an answer that has replaced an older one does not go when the older one's turn comes")
  func replaced() async {
    // An answer takes half a thousand bytes more than its body: three have room, and no fourth.
    let cache = cache(limitBytes: 5_000)
    for name: UInt8 in 1...3 { #expect(await origin(of: cache, name, at: 1) == .work) }
    time.withLock { $0 += .milliseconds(1) }
    #expect(await origin(of: cache, 2, at: 7) == .work)
    // Two have to go, the oldest first: 1 and 3, since 2 is the newest now.
    #expect(await origin(of: cache, 4, at: 1, bodySize: 2_000) == .work)
    #expect(await origin(of: cache, 2, at: 7) == .memory)
    #expect(await origin(of: cache, 3, at: 1) == .work)
  }
}
