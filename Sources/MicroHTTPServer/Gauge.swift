internal import Synchronization

/// How many exchanges exist.
final class Gauge: Sendable {
  private let count = Atomic(0)

  func add(_ difference: Int) {
    count.wrappingAdd(difference, ordering: .relaxed)
  }

  var value: Int { count.load(ordering: .relaxed) }
}
