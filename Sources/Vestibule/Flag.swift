internal import Synchronization

/// A flag that is raised once, from any thread.
final class Flag: Sendable {
  private let isSet = Atomic<Bool>(false)

  func raise() { isSet.store(true, ordering: .releasing) }

  var isRaised: Bool { isSet.load(ordering: .acquiring) }
}
