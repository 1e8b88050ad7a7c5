internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Locking

/// Answers a form that is sent twice with one call upstream and the same answer twice (S16).
///
/// A double click, or a browser that repeats a request whose answer was lost, thus makes neither a
/// second account nor a second message. What was accepted is remembered for a minute; a refusal
/// only a moment longer than it takes, since the person may well try again. A repeat that comes
/// after further steps is not answered with the old answer, which would undo them.
final class SubmissionDeduplicator: Sendable {
  /// What makes two submits the same: this form of this visit, filled in alike.
  struct Key: Hashable, Sendable {
    var visitID: String
    var token: String
    var bodyDigest: [UInt8]
  }

  /// An answer, with the revision of the visit that it leaves in the browser.
  struct Answered: Sendable {
    var response: Response
    var revision: UInt32

    fileprivate var isAccepted: Bool { response.status.kind == .redirection }
    fileprivate var lifetime: Duration { .seconds(isAccepted ? 60 : 2) }
  }

  fileprivate struct Entry {
    /// The revision that the visit had when the form was sent.
    var sentAt: UInt32
    var state: State

    enum State {
      /// Who waits for the answer that another request is about to get.
      case running(waiting: [CheckedContinuation<Response?, Never>])
      case answered(Kept)
    }
  }

  /// What was answered, and until when that counts.
  fileprivate struct Kept {
    var response: KeptResponse
    var revision: UInt32
    var isAccepted: Bool
    var end: ContinuousClock.Instant

    init(_ answered: Answered, until end: ContinuousClock.Instant) {
      response = KeptResponse(answered.response)
      revision = answered.revision
      isAccepted = answered.isAccepted
      self.end = end
    }
  }

  fileprivate struct Ending {
    var key: Key
    var time: ContinuousClock.Instant
  }

  /// What is remembered, and in which order it is forgotten.
  fileprivate struct Memory {
    var entries: [Key: Entry] = [:]
    /// By lifetime, each in the order in which they end.
    var accepted: ArraySlice<Ending> = []
    var refused: ArraySlice<Ending> = []
    var sizeBytes = 0
  }

  /// Answers that are kept take no more than that; the oldest go first.
  fileprivate static let limitBytes = 4 * 1024 * 1024
  private let memory = Locked(Memory())
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter now: The machine's monotonic clock.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

  /// The answer to a form, worked out at most once.
  ///
  /// - Parameters:
  ///   - key: Which form.
  ///   - revision: The revision of the visit that came along.
  ///   - work: Answers it.
  /// - Returns: The answer; nil where it was answered before and more has happened since.
  func answer(
    to key: Key,
    at revision: UInt32,
    by work: @escaping @Sendable () async -> Answered
  ) async -> Response? {
    let now = now()
    switch memory.withLock({ $0.find(key, at: revision, now: now) }) {
    case .known(let response): return response
    case .overtaken: return nil
    case .running:
      return await withCheckedContinuation { continuation in
        memory.withLock { $0.join(continuation, waitingFor: key) }
      }
    case .begun: break
    }
    // A task of its own, which is finished whoever goes away; it begins here, and where nobody has
    // to be asked it ends here.
    let answered = await Task.immediate { await work() }.value
    let waiting = memory.withLock { memory in
      memory.keep(answered, of: key, until: self.now() + answered.lifetime)
    }
    for continuation in waiting { continuation.resume(returning: answered.response) }
    return answered.response
  }

  fileprivate enum Finding {
    case known(Response)
    case overtaken
    case running
    /// Nobody has sent it before: it is this request's to answer.
    case begun
  }
}

extension SubmissionDeduplicator.Memory {
  fileprivate mutating func find(
    _ key: SubmissionDeduplicator.Key,
    at revision: UInt32,
    now: ContinuousClock.Instant
  ) -> SubmissionDeduplicator.Finding {
    sweep(at: now)
    switch entries[key]?.state {
    case .running?: return .running
    case .answered(let kept)? where now < kept.end:
      if [entries[key]?.sentAt, kept.revision].contains(revision) {
        return .known(kept.response.response)
      }
      if kept.isAccepted { return .overtaken }
      forget(key)
    case .answered?, nil: forget(key)
    }
    entries[key] = SubmissionDeduplicator.Entry(sentAt: revision, state: .running(waiting: []))
    return .begun
  }

  /// Waits for an answer, unless it has come meanwhile.
  fileprivate mutating func join(
    _ continuation: CheckedContinuation<Response?, Never>,
    waitingFor key: SubmissionDeduplicator.Key
  ) {
    switch entries[key]?.state {
    case .running(let waiting)?: entries[key]?.state = .running(waiting: waiting + [continuation])
    case .answered(let kept)?: continuation.resume(returning: kept.response.response)
    case nil: continuation.resume(returning: nil)
    }
  }

  /// Keeps the answer.
  ///
  /// - Returns: Who waits for it.
  fileprivate mutating func keep(
    _ answered: SubmissionDeduplicator.Answered,
    of key: SubmissionDeduplicator.Key,
    until end: ContinuousClock.Instant
  ) -> [CheckedContinuation<Response?, Never>] {
    guard case .running(let waiting)? = entries[key]?.state else { return [] }
    let kept = SubmissionDeduplicator.Kept(answered, until: end)
    entries[key]?.state = .answered(kept)
    sizeBytes += kept.response.size
    let ending = SubmissionDeduplicator.Ending(key: key, time: end)
    if answered.isAccepted { accepted.append(ending) } else { refused.append(ending) }
    while sizeBytes > SubmissionDeduplicator.limitBytes,
      let oldest = refused.popFirst() ?? accepted.popFirst()
    {
      if isDue(oldest) { forget(oldest.key) }
    }
    return waiting
  }

  private mutating func sweep(at now: ContinuousClock.Instant) {
    for queue in [\Self.accepted, \Self.refused] {
      while let first = self[keyPath: queue].first, first.time <= now || !isDue(first) {
        if isDue(first) { forget(first.key) }
        self[keyPath: queue].removeFirst()
      }
    }
  }

  /// Whether that is still what ends then; a form may have been answered anew since.
  private func isDue(_ ending: SubmissionDeduplicator.Ending) -> Bool {
    guard case .answered(let kept)? = entries[ending.key]?.state else { return false }
    return kept.end == ending.time
  }

  private mutating func forget(_ key: SubmissionDeduplicator.Key) {
    if case .answered(let kept)? = entries[key]?.state { sizeBytes -= kept.response.size }
    entries[key] = nil
  }
}
