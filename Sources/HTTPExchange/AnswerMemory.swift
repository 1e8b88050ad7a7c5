internal import HTTPTypes
internal import Locking

/// Answers what is asked twice with one piece of work and the same answer twice.
///
/// What was accepted is remembered for a minute; a refusal only a moment longer than it takes, since
/// whoever asked may well try again.
public final class AnswerMemory<Note: Sendable>: Sendable {
  /// What makes two requests the same, as a digest.
  public typealias Key = [UInt8]

  /// An answer, and what is kept beside it.
  public struct Answered: Sendable {
    public var response: Response
    /// Whether what was asked for has been done.
    public var isAccepted: Bool
    public var note: Note

    public init(_ response: Response, isAccepted: Bool, note: Note) {
      self.response = response
      self.isAccepted = isAccepted
      self.note = note
    }

    fileprivate var lifetime: Duration { .seconds(isAccepted ? 60 : 2) }
  }

  /// Where an answer is from.
  public enum Origin: Sendable, Hashable {
    /// Worked out for this request.
    case work
    /// Worked out for another one, while this one waited.
    case wait
    case memory
  }

  fileprivate enum State {
    /// Who waits for the answer that another request is about to get.
    case running(waiting: [CheckedContinuation<Answered?, Never>])
    case answered(Kept)
  }

  /// What was answered, and until when that counts.
  fileprivate struct Kept {
    var response: KeptResponse
    var isAccepted: Bool
    var note: Note
    var end: ContinuousClock.Instant

    init(_ answered: Answered, until end: ContinuousClock.Instant) {
      response = KeptResponse(answered.response)
      isAccepted = answered.isAccepted
      note = answered.note
      self.end = end
    }

    var answered: Answered { Answered(response.response, isAccepted: isAccepted, note: note) }
  }

  fileprivate struct Ending {
    var key: Key
    var time: ContinuousClock.Instant
  }

  /// What is remembered, and in which order it is forgotten.
  fileprivate struct Entries {
    var states: [Key: State] = [:]
    /// By lifetime, each in the order in which they end.
    var accepted: ArraySlice<Ending> = []
    var refused: ArraySlice<Ending> = []
    var sizeBytes = 0
    let limitBytes: Int
  }

  private let entries: Locked<Entries>
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - limitBytes: Answers that are kept take no more than that; the oldest go first.
  ///   - now: The machine's monotonic clock.
  public init(
    limitBytes: Int = 4 * 1024 * 1024,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    entries = Locked(Entries(limitBytes: limitBytes))
    self.now = now
  }

  /// The answer to a request, worked out at most once while it is remembered.
  ///
  /// - Parameters:
  ///   - key: Which request.
  ///   - isOutdated: Whether a refusal that is remembered is not to be said again: then the work is
  ///     done anew. What was accepted is never done twice.
  ///   - work: Answers it; it ends, whoever goes away.
  /// - Returns: The answer, and where it is from.
  public func answer(
    to key: Key,
    unless isOutdated: (Note) -> Bool = { _ in false },
    by work: @escaping @Sendable () async -> Answered
  ) async -> (answered: Answered, origin: Origin) {
    let now = now()
    switch entries.withLock({ $0.find(key, unless: isOutdated, now: now) }) {
    case .known(let answered): return (answered, .memory)
    case .running:
      let joined = await withCheckedContinuation { continuation in
        entries.withLock { $0.join(continuation, waitingFor: key) }
      }
      if let joined { return (joined, .wait) }
      return await answer(to: key, unless: isOutdated, by: work)
    case .begun: break
    }
    // A task of its own, which is finished whoever goes away; it begins here, and where nobody has
    // to be asked it ends here.
    let answered = await Task.immediate { await work() }.value
    let end = self.now() + answered.lifetime
    let waiting = entries.withLock { $0.keep(answered, of: key, until: end) }
    for continuation in waiting { continuation.resume(returning: answered) }
    return (answered, .work)
  }

  fileprivate enum Finding {
    case known(Answered)
    case running
    /// Nobody has sent it before: it is this request's to answer.
    case begun
  }
}

extension AnswerMemory.Entries {
  fileprivate mutating func find(
    _ key: AnswerMemory.Key,
    unless isOutdated: (Note) -> Bool,
    now: ContinuousClock.Instant
  ) -> AnswerMemory.Finding {
    sweep(at: now)
    switch states[key] {
    case .running?: return .running
    case .answered(let kept)? where now < kept.end:
      if kept.isAccepted || !isOutdated(kept.note) { return .known(kept.answered) }
      forget(key)
    case .answered?, nil: forget(key)
    }
    states[key] = .running(waiting: [])
    return .begun
  }

  /// Waits for an answer, unless it has come meanwhile.
  fileprivate mutating func join(
    _ continuation: CheckedContinuation<AnswerMemory.Answered?, Never>,
    waitingFor key: AnswerMemory.Key
  ) {
    switch states[key] {
    case .running(let waiting)?: states[key] = .running(waiting: waiting + [continuation])
    case .answered(let kept)?: continuation.resume(returning: kept.answered)
    case nil: continuation.resume(returning: nil)
    }
  }

  /// Keeps the answer.
  ///
  /// - Returns: Who waits for it.
  fileprivate mutating func keep(
    _ answered: AnswerMemory.Answered,
    of key: AnswerMemory.Key,
    until end: ContinuousClock.Instant
  ) -> [CheckedContinuation<AnswerMemory.Answered?, Never>] {
    guard case .running(let waiting)? = states[key] else { return [] }
    let kept = AnswerMemory.Kept(answered, until: end)
    states[key] = .answered(kept)
    sizeBytes += kept.response.size
    let ending = AnswerMemory.Ending(key: key, time: end)
    if answered.isAccepted { accepted.append(ending) } else { refused.append(ending) }
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
    of endings: ArraySlice<AnswerMemory.Ending>,
    at now: ContinuousClock.Instant
  ) -> ArraySlice<AnswerMemory.Ending> {
    endings.prefix { $0.time <= now || !isDue($0) }
  }

  /// Whether that is still what ends then; a request may have been answered anew since.
  private func isDue(_ ending: AnswerMemory.Ending) -> Bool {
    guard case .answered(let kept)? = states[ending.key] else { return false }
    return kept.end == ending.time
  }

  private mutating func forget(_ key: AnswerMemory.Key) {
    if case .answered(let kept)? = states[key] { sizeBytes -= kept.response.size }
    states[key] = nil
  }
}
