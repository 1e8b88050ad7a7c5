internal import AuthAPIClient
internal import AuthFlow
internal import HTTPExchange
internal import Locking

/// Keeps what the instance asks for, and asks again when the answer has grown old.
///
/// Callers at the same time share one request. Where asking fails, the last good answer serves for
/// another lifetime, so that a back end that hangs does not hold up every page.
final class InstanceSource: Sendable {
  typealias Answer = Result<InstanceDescription, AuthError>

  private struct Kept {
    var body: [UInt8]
    var description: InstanceDescription
    var checkedAt: ContinuousClock.Instant
    /// What the instance was at when it was asked.
    var revision: Int?
  }

  private struct State {
    var kept: Kept?
    var inFlight: Task<Answer, Never>?
  }

  /// Where an answer comes from.
  private enum Pending {
    case kept(InstanceDescription)
    case asked(Task<Answer, Never>)
  }

  private let lifetime: Duration
  private let revision: @Sendable () -> Int?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let fetch: @Sendable () async throws(AuthError) -> [UInt8]
  private let state = Locked(State())

  /// - Parameters:
  ///   - lifetime: How long an answer is good for; zero asks every time.
  ///   - revision: Which revision the instance is at, where that is known without asking; an answer
  ///     of the same revision is good for as long as it stays.
  ///   - now: The monotonic time.
  ///   - fetch: Asks for the body of the environment.
  init(
    lifetime: Duration,
    revision: @escaping @Sendable () -> Int? = { nil },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
    fetch: @escaping @Sendable () async throws(AuthError) -> [UInt8]
  ) {
    self.lifetime = lifetime
    self.revision = revision
    self.now = now
    self.fetch = fetch
  }

  /// What was described last, however long ago; never asks.
  var lastKnown: InstanceDescription? { state.withLock { $0.kept?.description } }

  func description() async throws(AuthError) -> InstanceDescription {
    let revision = revision()
    let pending: Pending = state.withLock { state in
      if let kept = state.kept, isGood(kept, at: revision) { return .kept(kept.description) }
      if let inFlight = state.inFlight { return .asked(inFlight) }
      // Not a child task, nor with this caller's deadline: who has little time left, or goes away,
      // must not end it for the others.
      let task = Task { await AnswerDeadline.$current.withValue(nil) { await self.refresh() } }
      state.inFlight = task
      return .asked(task)
    }
    switch pending {
    case .kept(let description): return description
    case .asked(let task):
      return try await Self.answer(of: task, until: AnswerDeadline.current).get()
    }
  }

  /// What the task brings, or that it took too long for this caller.
  private static func answer(
    of task: Task<Answer, Never>,
    until deadline: ContinuousClock.Instant?
  ) async -> Answer {
    guard let deadline else { return await task.value }
    return await task.value(within: deadline - .now) ?? .failure(AuthError(.timedOut))
  }

  private func isGood(_ kept: Kept, at revision: Int?) -> Bool {
    if let revision, kept.revision == revision { return true }
    return now() - kept.checkedAt < lifetime
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
      return .failure(.nonsense())
    }
    let description = InstanceDescription(resource)
    return .success(Kept(body: body, description: description, checkedAt: now()))
  }
}
