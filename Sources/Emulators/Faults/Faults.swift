internal import HTTPExchange

/// The faults of one world, in the order in which they were added.
public final class Faults: Sendable {
  /// How many may wait at once.
  public static let limit = 1000

  private let faults = Locked<[Fault]>([])
  private let addedCount = Locked(0)

  init() {}

  public var all: [Fault] { faults.withLock { $0 } }

  /// Adds a fault behind those that are there.
  ///
  /// - Returns: The fault with its id; nil where there are too many.
  public func add(_ fault: Fault) -> Fault? {
    let count = addedCount.withLock { count in
      count += 1
      return count
    }
    return faults.withLock { faults in
      guard faults.count < Self.limit else { return nil }
      var added = fault
      added.id = "fault_\(count)"
      faults.append(added)
      return added
    }
  }

  /// Removes a fault.
  ///
  /// - Returns: Whether there was one of that id.
  public func remove(_ id: String) -> Bool {
    faults.withLock { faults in
      guard let index = faults.firstIndex(where: { $0.id == id }) else { return false }
      faults.remove(at: index)
      return true
    }
  }

  public func removeAll() {
    faults.withLock { $0 = [] }
  }

  /// The first fault that meets the request, counted down; one that is used up is gone.
  func take(for request: Request) -> Fault? {
    faults.withLock { faults in
      guard let index = faults.firstIndex(where: { $0.match.covers(request) }) else { return nil }
      let fault = faults[index]
      guard let timesLeft = fault.timesLeft else { return fault }
      if timesLeft > 1 {
        faults[index].timesLeft = timesLeft - 1
      } else {
        faults.remove(at: index)
      }
      return fault
    }
  }
}
