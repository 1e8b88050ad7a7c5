internal import Locking

/// Backstage, made when somebody asks for it for the first time: the first page does not wait for the templates
/// of the workbench, nor does a test for what it never looks at.
final class BackstageOnDemand: Sendable {
  private typealias Outcome = Result<BackstageListener, StartFailure>

  private let outcome = Locked<Outcome?>(nil)
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
    if isDemanded { _ = try listener() }
  }

  /// Who else asks while it is made waits for that.
  func listener() throws(StartFailure) -> BackstageListener {
    try outcome.withLock { outcome in
      if let outcome { return outcome }
      let made = Outcome { () throws(StartFailure) in try make() }
      outcome = made
      return made
    }
    .get()
  }
}
