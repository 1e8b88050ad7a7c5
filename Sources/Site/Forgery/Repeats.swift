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
  private let entries = Mutex<[Key: Entry]>([:])

  func answer(
    to key: Key,
    by work: @escaping @Sendable () async -> Response
  ) async -> Response {
    let now = ContinuousClock.now
    let task = entries.withLock { entries in
      if let entry = entries[key], entry.forgetAt.map({ now < $0 }) ?? true { return entry.answer }
      if entries.count >= Self.limit {
        entries = entries.filter { $0.value.forgetAt.map { now < $0 } ?? true }
      }
      let task = Task { await work() }
      if entries.count < Self.limit { entries[key] = Entry(answer: task) }
      return task
    }
    let response = await task.value
    let lifetime =
      response.status.kind == .redirection ? Self.acceptedLifetime : Self.refusedLifetime
    entries.withLock { entries in
      if entries[key]?.forgetAt == nil {
        entries[key]?.forgetAt = ContinuousClock.now + lifetime
      }
    }
    return response
  }
}
