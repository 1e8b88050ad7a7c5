internal import Crypto
internal import HTTPExchange
internal import HTTPTypes

/// Answers a form that is sent twice with one call upstream and the same answer twice (S16).
///
/// So a double click, or a browser that repeats a request whose answer was lost, creates neither a
/// second account nor a second message.
struct SubmissionDeduplicator: Sendable {
  /// The identity of a submission: this form of this visit, with the same content.
  struct Key: Sendable {
    /// The same in every replica, and after a restart.
    let digest: [UInt8]
    /// The life of the world to which it is sent.
    private let life: Int

    /// The first four bytes of the digest, enough to tell the few forms of one visit apart.
    var mark: UInt32 { digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    /// What it is remembered under: nothing is remembered beyond the life of its world.
    fileprivate var name: [UInt8] { withUnsafeBytes(of: life) { digest + $0 } }

    init(visitID: String, token: String, body: [UInt8], life: Int) {
      self.life = life
      var text: [UInt8] = []
      text.reserveCapacity(visitID.utf8.count + token.utf8.count + body.count + 2)
      text += visitID.utf8
      text.append(UInt8(ascii: "\n"))
      text += token.utf8
      text.append(UInt8(ascii: "\n"))
      text += body
      var hash = SHA256()
      hash.update(data: text)
      digest = Array(hash.finalize())
    }
  }

  private let memory: IdempotencyCache

  /// - Parameter now: The machine's monotonic clock.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
    memory = IdempotencyCache(now: now)
  }

  /// The answer to a form, made at most once for each kind of answer.
  ///
  /// Meanwhile `Submission.current` has the form's digest, for the calls that are made: the auth
  /// API may get the same form from another process, too.
  ///
  /// - Parameters:
  ///   - key: The form.
  ///   - revision: The revision of the visit that came with it.
  ///   - wantsTwin: Whether a page's twin is wanted. Page and twin are two answers; a redirect is
  ///     either.
  ///   - work: Makes the answer, with the revision of the visit that it leaves in the browser.
  /// - Returns: The answer; nil where the form was answered before and more has happened since.
  func answer(
    to key: Key,
    at revision: UInt32,
    asTwin wantsTwin: Bool,
    by work: @escaping @Sendable () async -> IdempotencyCache.Answered
  ) async -> Response? {
    let found = await answer(under: key.name, of: key, at: revision, by: work)
    guard case .answered(let response, let origin) = found else { return nil }
    if origin == .work || response.status.kind == .redirection || response.isTwin == wantsTwin {
      return response
    }
    let other = key.name + [wantsTwin ? 1 : 0]
    let foundOther = await answer(under: other, of: key, at: revision, by: work)
    guard case .answered(let response, _) = foundOther else { return nil }
    return response
  }

  private func answer(
    under name: [UInt8],
    of key: Key,
    at revision: UInt32,
    by work: @escaping @Sendable () async -> IdempotencyCache.Answered
  ) async -> IdempotencyCache.Found {
    await memory.answer(to: IdempotencyCache.Key(name), at: revision) {
      await Submission.$current.withValue(key.digest) { await work() }
    }
  }
}

extension Response {
  fileprivate var isTwin: Bool {
    headerFields[.contentType]?.hasPrefix("application/json") ?? false
  }
}
