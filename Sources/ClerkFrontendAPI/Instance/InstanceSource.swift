internal import AuthAPIClient
internal import AuthFlow
internal import HTTPExchange
internal import Locking

/// Keeps what the instance asks for, and asks again when the answer has grown old.
///
/// Callers at the same time share one request. Where asking fails, the last good answer serves for
/// another lifetime; where it takes its time, that answer serves until the new one is there. So a back
/// end that hangs does not hold up every page.
final class InstanceSource: Sendable {
  typealias Answer = Result<InstanceDescription, AuthError>

  private struct Kept {
    var body: [UInt8]
    var description: InstanceDescription
    var checkedAt: ContinuousClock.Instant
    /// What the instance was at when it was asked.
    var revision: Int?
  }

  /// A request that is under way.
  private struct Asking {
    let task: Task<Answer, Never>
    let since: ContinuousClock.Instant
  }

  private struct State {
    var kept: Kept?
    var inFlight: Asking?
  }

  /// What serves where a new answer is not there in time.
  private struct Fallback {
    let description: InstanceDescription
    /// How much longer to wait; nil for as long as the caller may: what is known to be out of date is only better
    /// than nothing.
    let patience: Duration?
  }

  /// Where an answer comes from.
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
  ///   - lifetime: How long an answer is good for; zero asks every time.
  ///   - patience: How long a new answer is waited for where there is an old one; whoever comes later than that
  ///     while it is still to come has the old one at once.
  ///   - revision: Which revision the instance is at, where that is known without asking; an answer
  ///     of the same revision is good for as long as it stays.
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

  /// What was described last, however long ago; never asks.
  var lastKnown: InstanceDescription? { state.withLock { $0.kept?.description } }

  func description() async throws(AuthError) -> InstanceDescription {
    let revision = revision()
    let pending: Pending = state.withLock { state in
      let now = self.now()
      if let kept = state.kept, isGood(kept, at: revision, now) { return .kept(kept.description) }
      let asking = state.inFlight ?? ask(at: now)
      state.inFlight = asking
      guard let last = state.kept?.description else { return .asked(asking.task, orElse: nil) }
      // Of another revision, it is known to have changed: the new one is waited for.
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

  /// Not a child task, nor with the caller's deadline: who has little time left, or goes away, must not
  /// end it for the others.
  private func ask(at now: ContinuousClock.Instant) -> Asking {
    let task = Task { await AnswerDeadline.$current.withValue(nil) { await self.refresh() } }
    return Asking(task: task, since: now)
  }

  /// What the task brings; nil where that takes longer than this caller waits.
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
    // Read before it is asked: what changes meanwhile is asked for anew.
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

  /// Decodes the body, unless it says what the last one said.
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
