internal import HTTPTypes
internal import Locking

/// Does the work of a repeated request once, and gives both requests the same answer.
///
/// An accepted request is remembered for a minute; a refused one only for half a second after its
/// answer, which covers a double click, since a later repeat is a new attempt. A repeat that comes after
/// further steps does not get the old answer, which would undo them: the client is at a revision, and
/// every step changes it.
public final class IdempotencyCache: Sendable {
  /// Identifies a request, as a digest of what makes two requests the same.
  public struct Key: Hashable, Sendable {
    private let digest: [UInt8]
    /// The digest's first eight bytes, which suffice as a hash.
    private let beginning: UInt64

    public init(_ digest: [UInt8]) {
      self.digest = digest
      beginning = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(beginning) }
  }

  /// An answer, with what is needed to decide whether to repeat it.
  public struct Answered: Sendable {
    public var response: Response
    /// Whether the request was carried out.
    public var isAccepted: Bool
    /// The client's revision after this answer.
    public var revision: UInt32

    public init(_ response: Response, isAccepted: Bool, revision: UInt32) {
      self.response = response
      self.isAccepted = isAccepted
      self.revision = revision
    }

    fileprivate var lifetime: Duration { isAccepted ? .seconds(60) : .milliseconds(500) }
  }

  /// Where an answer comes from.
  public enum Origin: Sendable, Hashable {
    /// From work done for this request.
    case work
    /// From work for another request, for which this one waited.
    case wait
    case memory
  }

  /// The outcome of a request.
  public enum Found: Sendable {
    case answered(Response, Origin)
    /// It was accepted before, and the client has taken further steps since.
    case overtaken
  }

  /// A class, since entries are read more often than they change.
  fileprivate final class Entry {
    /// The client's revision when it asked.
    let askedAt: UInt32
    var progress = Progress.running(waiting: [])

    init(askedAt revision: UInt32) { askedAt = revision }

    enum Progress {
      /// The requests that wait for the answer to the first one.
      case running(waiting: [CheckedContinuation<Response?, Never>])
      case answered(Kept)
    }
  }

  /// An answer, and how long it is kept.
  fileprivate final class Kept: Sendable {
    let response: Response
    /// The approximate size of the response in bytes.
    let size: Int
    let isAccepted: Bool
    let revision: UInt32
    let end: ContinuousClock.Instant

    init(_ answered: Answered, until end: ContinuousClock.Instant) {
      response = answered.response
      size = answered.response.size
      isAccepted = answered.isAccepted
      revision = answered.revision
      self.end = end
    }
  }

  fileprivate struct Ending {
    var key: Key
    var time: ContinuousClock.Instant
  }

  /// What is remembered, and the order in which it is forgotten.
  fileprivate struct Memory {
    var entries: [Key: Entry] = [:]
    /// Two lists, one for each lifetime, in the order in which the entries expire.
    var accepted: ArraySlice<Ending> = []
    var refused: ArraySlice<Ending> = []
    var sizeBytes = 0
    let limitBytes: Int
  }

  private let memory: Locked<Memory>
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - limitBytes: The most that kept answers may take; refusals go first, and of each kind the oldest.
  ///   - now: The machine's monotonic clock.
  public init(
    limitBytes: Int = 2 * 1024 * 1024,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    memory = Locked(Memory(limitBytes: limitBytes))
    self.now = now
  }

  /// Answers a request, doing its work at most once while it is remembered.
  ///
  /// - Parameters:
  ///   - key: Identifies the request.
  ///   - revision: The client's current revision.
  ///   - work: Answers it; it runs to its end even if the client goes away.
  /// - Returns: The answer, and where it comes from.
  public func answer(
    to key: Key,
    at revision: UInt32,
    by work: @escaping @Sendable () async -> Answered
  ) async -> Found {
    let now = now()
    switch memory.withLock({ $0.find(key, at: revision, now: now) }) {
    case .known(let response): return .answered(response, .memory)
    case .overtaken: return .overtaken
    case .running:
      let joined = await withCheckedContinuation { continuation in
        memory.withLock { $0.join(continuation, waitingFor: key) }
      }
      if let joined { return .answered(joined, .wait) }
      return await answer(to: key, at: revision, by: work)
    case .begun: break
    }
    let answered = await CancellationShield.finishing(work)
    let kept = Kept(answered, until: self.now() + answered.lifetime)
    let waiting = memory.withLock { $0.keep(kept, of: key) }
    for continuation in waiting { continuation.resume(returning: answered.response) }
    return .answered(answered.response, .work)
  }

  fileprivate enum Finding {
    case known(Response)
    case overtaken
    case running
    /// The request is new: the caller has to answer it.
    case begun
  }
}

extension IdempotencyCache.Memory {
  fileprivate mutating func find(
    _ key: IdempotencyCache.Key,
    at revision: UInt32,
    now: ContinuousClock.Instant
  ) -> IdempotencyCache.Finding {
    sweep(at: now)
    if let entry = entries[key] {
      switch entry.progress {
      case .running: return .running
      case .answered(let kept) where now < kept.end:
        if revision == entry.askedAt || revision == kept.revision {
          return .known(kept.response)
        }
        if kept.isAccepted { return .overtaken }
      case .answered: break
      }
      forget(key)
    }
    entries[key] = IdempotencyCache.Entry(askedAt: revision)
    return .begun
  }

  /// Waits for an answer, unless there is one by now.
  fileprivate mutating func join(
    _ continuation: CheckedContinuation<Response?, Never>,
    waitingFor key: IdempotencyCache.Key
  ) {
    guard let entry = entries[key] else { return continuation.resume(returning: nil) }
    switch entry.progress {
    case .running(let waiting): entry.progress = .running(waiting: waiting + [continuation])
    case .answered(let kept): continuation.resume(returning: kept.response)
    }
  }

  /// Keeps the answer.
  ///
  /// - Returns: The requests that wait for it.
  fileprivate mutating func keep(
    _ kept: IdempotencyCache.Kept,
    of key: IdempotencyCache.Key
  ) -> [CheckedContinuation<Response?, Never>] {
    guard let entry = entries[key], case .running(let waiting) = entry.progress else { return [] }
    entry.progress = .answered(kept)
    sizeBytes += kept.size
    let ending = IdempotencyCache.Ending(key: key, time: kept.end)
    if kept.isAccepted { accepted.append(ending) } else { refused.append(ending) }
    while sizeBytes > limitBytes, let oldest = refused.popFirst() ?? accepted.popFirst() {
      if isDue(oldest) { forget(oldest.key) }
    }
    return waiting
  }

  private mutating func sweep(at now: ContinuousClock.Instant) {
    let over = (accepted: ended(of: accepted, at: now), refused: ended(of: refused, at: now))
    for ending in [over.accepted, over.refused].joined() where isDue(ending) { forget(ending.key) }
    accepted.removeFirst(over.accepted.count)
    refused.removeFirst(over.refused.count)
  }

  private func ended(
    of endings: ArraySlice<IdempotencyCache.Ending>,
    at now: ContinuousClock.Instant
  ) -> ArraySlice<IdempotencyCache.Ending> {
    endings.prefix { $0.time <= now || !isDue($0) }
  }

  /// Whether the entry still expires at that time; the request may have been answered anew since.
  private func isDue(_ ending: IdempotencyCache.Ending) -> Bool {
    guard case .answered(let kept)? = entries[ending.key]?.progress else { return false }
    return kept.end == ending.time
  }

  private mutating func forget(_ key: IdempotencyCache.Key) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    if case .answered(let kept) = entry.progress { sizeBytes -= kept.size }
  }
}

extension Response {
  /// The approximate size in bytes.
  /// - Precondition: The body is whole: pieces can be taken only once.
  fileprivate var size: Int {
    guard case .whole(let body) = content else {
      preconditionFailure("a body in pieces is not kept")
    }
    return headerFields.indices.reduce(body.count + 512) { size, index in
      size + MemoryLayout<HTTPField>.stride + headerFields[index].value.utf8.count
    }
  }
}
