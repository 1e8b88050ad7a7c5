internal import Synchronization

/// Numbers that are counted up from any thread, each known by its place.
///
/// To count takes one atomic addition: no lock, no memory, no name.
///
/// `@unchecked Sendable`: the memory is set aside once, and what is in it is reached atomically alone.
package final class Counters: @unchecked Sendable {
  package let count: Int
  private let places: UnsafeMutablePointer<Atomic<Int>>

  /// - Parameter count: How many there are; all begin at 0.
  package init(_ count: Int) {
    self.count = count
    places = .allocate(capacity: count)
    for place in 0..<count { (places + place).initialize(to: Atomic(0)) }
  }

  deinit {
    places.deinitialize(count: count)
    places.deallocate()
  }

  /// Counts at a place, which must be one of those that there are.
  package func add(_ amount: Int = 1, at place: Int) {
    precondition((0..<count).contains(place))
    places[place].wrappingAdd(amount, ordering: .relaxed)
  }

  /// What has been counted at a place so far.
  package subscript(place: Int) -> Int {
    precondition((0..<count).contains(place))
    return places[place].load(ordering: .relaxed)
  }
}
