internal import Synchronization

/// Counters that any thread can add to, each known by its place.
///
/// Counting takes one atomic addition: no lock, no allocation, no name to look up.
///
/// `@unchecked Sendable`: the memory is allocated once, and its contents are only accessed
/// atomically.
package final class Counters: @unchecked Sendable {
  package let count: Int
  private let places: UnsafeMutablePointer<Atomic<Int>>

  /// - Parameter count: The number of counters; each begins at 0.
  package init(_ count: Int) {
    self.count = count
    places = .allocate(capacity: count)
    for place in 0..<count { (places + place).initialize(to: Atomic(0)) }
  }

  deinit {
    places.deinitialize(count: count)
    places.deallocate()
  }

  /// Adds to the counter at a place, which must be less than `count`.
  package func add(_ amount: Int = 1, at place: Int) {
    precondition((0..<count).contains(place))
    places[place].wrappingAdd(amount, ordering: .relaxed)
  }

  /// The total of the counter at a place so far.
  package subscript(place: Int) -> Int {
    precondition((0..<count).contains(place))
    return places[place].load(ordering: .relaxed)
  }
}
