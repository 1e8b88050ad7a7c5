internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Synchronization

/// Answers a form that is sent twice with one call upstream and the same answer twice (S16).
///
/// A double click, or a browser that repeats a request whose answer was lost, thus makes neither a
/// second account nor a second message. What was accepted is remembered for a minute; a refusal
/// only while it is being worked out and a moment longer, since the person may well try again.
final class Repeats: Sendable {
  /// What makes two submits the same: this form of this visit, filled in alike.
  struct Key: Hashable, Sendable {
    var visitID: String
    var token: String
    var bodyDigest: String
  }

  private struct Entry {
    var answer: Task<Response, Never>
    /// Set once the answer is there.
    var forgetAt: ContinuousClock.Instant?
  }

  private static let acceptedLifetime = Duration.seconds(60)
  private static let refusedLifetime = Duration.seconds(2)
  private static let limit = 4_096
  private let remembered = Mutex(Remembered())

  private struct Remembered {
    var entries: [Key: Entry] = [:]
    /// At how many entries those that are over are next looked for and forgotten.
    var sweepCount = 64

    /// Costs a look at each entry, but only once in as many new ones.
    mutating func sweep(at now: ContinuousClock.Instant) {
      guard entries.count >= sweepCount else { return }
      entries = entries.filter { $0.value.forgetAt.map { now < $0 } ?? true }
      sweepCount = max(64, 2 * entries.count)
    }
  }

  func answer(
    to key: Key,
    by work: @escaping @Sendable () async -> Response
  ) async -> Response {
    let now = ContinuousClock.now
    let task = remembered.withLock { remembered in
      if let entry = remembered.entries[key], entry.forgetAt.map({ now < $0 }) ?? true {
        return entry.answer
      }
      remembered.sweep(at: now)
      let task = Task { await work() }
      if remembered.entries.count < Self.limit { remembered.entries[key] = Entry(answer: task) }
      return task
    }
    let response = await task.value
    let lifetime =
      response.status.kind == .redirection ? Self.acceptedLifetime : Self.refusedLifetime
    remembered.withLock { remembered in
      if remembered.entries[key]?.forgetAt == nil {
        remembered.entries[key]?.forgetAt = ContinuousClock.now + lifetime
      }
    }
    return response
  }
}
