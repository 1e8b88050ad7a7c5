internal import AuthAPIClient
internal import AuthFlow
internal import HTTPExchange
internal import Locking

/// Caches the description of the instance, and asks again when it is out of date.
///
/// Concurrent callers share one request. If it fails, the last good answer is used for another
/// lifetime; if it takes long, that answer is used until the new one arrives. So a back end that
/// hangs does not hold up every page.
final class InstanceSource: Sendable {
  typealias Answer = Result<InstanceDescription, AuthError>

  private struct Kept {
    var body: [UInt8]
    var description: InstanceDescription
    var checkedAt: ContinuousClock.Instant
    /// The revision of the instance when it was asked.
    var revision: Int?
  }

  private struct Asking {
    let task: Task<Answer, Never>
    let since: ContinuousClock.Instant
  }

  private struct State {
    var kept: Kept?
    var inFlight: Asking?
  }

  /// The answer to use if a new one does not arrive in time.
  private struct Fallback {
    let description: InstanceDescription
    /// How much longer to wait for the new one; nil for as long as the caller can, since an answer
    /// that is known to be out of date is only better than none.
    let patience: Duration?
  }

  private enum Pending {
    case kept(InstanceDescription)
    case asked(Task<Answer, Never>, orElse: Fallback?)
  }

  private let lifetime: Duration
  private let patience: Duration
  private let revision: @Sendable () -> Int?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let fetch: @Sendable () async throws(AuthError) -> [UInt8]
  private let state = Locked(State())

  /// - Parameters:
  ///   - lifetime: How long an answer is valid; zero asks every time.
  ///   - patience: How long to wait for a new answer if there is an old one; callers that come even
  ///     later get the old one at once.
  ///   - revision: The revision of the instance, if it is known without a call; an answer is valid
  ///     as long as its revision is the present one.
  ///   - now: The monotonic time.
  ///   - fetch: Asks for the body of the environment.
  init(
    lifetime: Duration,
    patience: Duration = .seconds(1),
    revision: @escaping @Sendable () -> Int? = { nil },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
    fetch: @escaping @Sendable () async throws(AuthError) -> [UInt8]
  ) {
    self.lifetime = lifetime
    self.patience = patience
    self.revision = revision
    self.now = now
    self.fetch = fetch
  }

  /// The last description, however old; never asks.
  var lastKnown: InstanceDescription? { state.withLock { $0.kept?.description } }

  func description() async throws(AuthError) -> InstanceDescription {
    let revision = revision()
    let pending: Pending = state.withLock { state in
      let now = self.now()
      if let kept = state.kept, isGood(kept, at: revision, now) { return .kept(kept.description) }
      let asking = state.inFlight ?? ask(at: now)
      state.inFlight = asking
      guard let last = state.kept?.description else { return .asked(asking.task, orElse: nil) }
      // The settings are known to have changed, so the new answer is waited for.
      let rest = revision == nil ? asking.since + patience - now : nil
      if let rest, rest <= .zero { return .kept(last) }
      return .asked(asking.task, orElse: Fallback(description: last, patience: rest))
    }
    switch pending {
    case .kept(let description): return description
    case .asked(let task, let fallback):
      let rest = AnswerDeadline.current.map { $0 - .now }
      let waits = [fallback?.patience, rest].compactMap(\.self)
      if let answer = await Self.answer(of: task, within: waits.min()) { return try answer.get() }
      guard let fallback else { throw AuthError(unanswered: .timedOut) }
      return fallback.description
    }
  }

  /// Begins a request, independent of the caller's task and deadline: a caller with little time
  /// left, or one that goes away, must not end it for the others.
  private func ask(at now: ContinuousClock.Instant) -> Asking {
    let task = Task { await AnswerDeadline.$current.withValue(nil) { await self.refresh() } }
    return Asking(task: task, since: now)
  }

  /// The answer of the task; nil if it takes longer than this caller waits.
  private static func answer(
    of task: Task<Answer, Never>,
    within patience: Duration?
  ) async -> Answer? {
    guard let patience else { return await task.value }
    return await task.value(within: patience)
  }

  private func isGood(
    _ kept: Kept,
    at revision: Int?,
    _ now: ContinuousClock.Instant
  ) -> Bool {
    if let revision, kept.revision == revision { return true }
    return now - kept.checkedAt < lifetime
  }

  private func refresh() async -> Answer {
    // Read before the request: after a change meanwhile, the instance is asked again.
    let revision = revision()
    let fetched: Result<[UInt8], AuthError>
    do {
      fetched = .success(try await fetch())
    } catch {
      fetched = .failure(error)
    }
    return state.withLock { state in
      state.inFlight = nil
      return keep(fetched, of: revision, in: &state.kept)
    }
  }

  private func keep(
    _ fetched: Result<[UInt8], AuthError>,
    of revision: Int?,
    in kept: inout Kept?
  ) -> Answer {
    switch fetched.flatMap({ read($0, last: kept) }) {
    case .success(var new):
      new.revision = revision
      kept = new
      return .success(new.description)
    case .failure(let error):
      guard let last = kept?.description else { return .failure(error) }
      kept?.checkedAt = now()
      return .success(last)
    }
  }

  /// Decodes the body, unless it is the same as the last one.
  private func read(_ body: [UInt8], last: Kept?) -> Result<Kept, AuthError> {
    if let last, last.body == body {
      return .success(Kept(body: body, description: last.description, checkedAt: now()))
    }
    guard let resource = JSONBody.decode(EnvironmentResource.self, from: body) else {
      return .failure(.nonsense("no-\(EnvironmentResource.self)"))
    }
    let description = InstanceDescription(resource)
    return .success(Kept(body: body, description: description, checkedAt: now()))
  }
}
