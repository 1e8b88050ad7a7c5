internal import Locking

/// Backstage, made on first use: the first page does not wait for the workbench's templates, nor does a test for
/// pages that it never opens.
final class BackstageOnDemand: Sendable {
  private typealias Outcome = Result<BackstageListener, StartFailure>

  private struct State {
    var making: Task<Outcome, Never>?
    var made: Outcome?
  }

  private let state: Locked<State>
  private let make: @Sendable () throws(StartFailure) -> BackstageListener

  /// - Parameters:
  ///   - isDemanded: Whether to make it at once, so that bad custom files are refused at the start.
  ///   - make: Makes it.
  /// - Throws: `StartFailure` if it is made at once and that fails.
  init(
    isDemanded: Bool,
    make: @escaping @Sendable () throws(StartFailure) -> BackstageListener
  ) throws(StartFailure) {
    self.make = make
    state = Locked(State(made: isDemanded ? .success(try make()) : nil))
  }

  /// Returns backstage; concurrent callers wait for the same one to be made.
  ///
  /// It is made in the pool, so that a connection's thread serves others meanwhile.
  func listener() async throws(StartFailure) -> BackstageListener {
    if let made = state.withLock(\.made) { return try made.get() }
    return try await making().value.get()
  }

  /// Backstage, for callers that must not wait; nil if it has not been made or could not be.
  var made: BackstageListener? {
    guard case .success(let listener)? = state.withLock(\.made) else { return nil }
    return listener
  }

  private func making() -> Task<Outcome, Never> {
    state.withLock { state in
      let making =
        state.making
        ?? Task {
          let outcome = Outcome { () throws(StartFailure) in try self.make() }
          self.state.withLock { $0.made = outcome }
          return outcome
        }
      state.making = making
      return making
    }
  }
}
