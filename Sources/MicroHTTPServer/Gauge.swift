internal import Synchronization

/// Counts the exchanges that exist.
final class Gauge: Sendable {
  private let count = Atomic(0)

  func add(_ difference: Int) {
    count.wrappingAdd(difference, ordering: .relaxed)
  }

  var value: Int { count.load(ordering: .relaxed) }
}
