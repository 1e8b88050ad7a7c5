internal import Locking

/// Backstage, made when somebody asks for it for the first time: the first page does not wait for the templates
/// of the workbench, nor does a test for what it never looks at.
final class BackstageOnDemand: Sendable {
  private typealias Outcome = Result<BackstageListener, StartFailure>

  private struct State {
    var making: Task<Outcome, Never>?
    var made: Outcome?
  }

  private let state: Locked<State>
  private let make: @Sendable () throws(StartFailure) -> BackstageListener

  /// - Parameters:
  ///   - isDemanded: Whether it is made at once, so that files of one's own are refused at the start.
  ///   - make: Makes it.
  /// - Throws: `StartFailure` where it is made at once and cannot be.
  init(
    isDemanded: Bool,
    make: @escaping @Sendable () throws(StartFailure) -> BackstageListener
  ) throws(StartFailure) {
    self.make = make
    state = Locked(State(made: isDemanded ? .success(try make()) : nil))
  }

  /// Who else asks while it is made waits for that.
  ///
  /// It is made in the pool: a connection's thread serves others meanwhile.
  func listener() async throws(StartFailure) -> BackstageListener {
    if let made = state.withLock(\.made) { return try made.get() }
    return try await making().value.get()
  }

  /// What there is of it already, for who must not wait; nil where nobody has asked or it cannot be made.
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
