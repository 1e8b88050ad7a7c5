internal import Crypto
internal import HTTPExchange
internal import HTTPTypes

/// Answers a form that is sent twice with one call upstream and the same answer twice (S16).
///
/// A double click, or a browser that repeats a request whose answer was lost, thus makes neither a
/// second account nor a second message.
struct SubmissionDeduplicator: Sendable {
  /// What makes two submits the same: this form of this visit, filled in alike.
  struct Key: Sendable {
    let digest: [UInt8]

    init(visitID: String, token: String, body: [UInt8]) {
      var hash = SHA256()
      hash.update(data: Array("\(visitID)\n\(token)\n".utf8))
      hash.update(data: body)
      digest = Array(hash.finalize())
    }
  }

  /// An answer, with the revision of the visit that it leaves in the browser.
  struct Answered: Sendable {
    var response: Response
    /// Whether it was done: a refusal may lead to another page, too, such as that of a locked account.
    var isAccepted: Bool
    var revision: UInt32
  }

  private let memory: IdempotencyCache

  /// - Parameter now: The machine's monotonic clock.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
    memory = IdempotencyCache(now: now)
  }

  /// The answer to a form, worked out at most once.
  ///
  /// While that is done, the form names itself to whoever is called for it: the auth API may get the
  /// same form from another process, too.
  ///
  /// - Parameters:
  ///   - key: Which form.
  ///   - revision: The revision of the visit that came along.
  ///   - fits: Whether an answer is of the kind that is wanted now: a page and its twin are two.
  ///   - work: Answers it.
  /// - Returns: The answer; nil where it was answered before and more has happened since.
  func answer(
    to key: Key,
    at revision: UInt32,
    fitting fits: (Response) -> Bool = { _ in true },
    by work: @escaping @Sendable () async -> Answered
  ) async -> Response? {
    let answered: @Sendable () async -> Answered = {
      await Submission.$current.withValue(key.digest) { await work() }
    }
    let found = await memory.answer(to: IdempotencyCache.Key(key.digest), in: revision) {
      let answered = await answered()
      return IdempotencyCache.Answered(
        answered.response,
        isAccepted: answered.isAccepted,
        state: answered.revision
      )
    }
    return switch found {
    case .answered(let response, let origin):
      origin == .work || fits(response) ? response : await answered().response
    case .overtaken: nil
    }
  }
}
