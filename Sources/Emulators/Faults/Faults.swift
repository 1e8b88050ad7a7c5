internal import Foundation
internal import HTTPExchange
internal import Locking

/// The faults of one world, in the order in which they were added.
public final class Faults: Sendable {
  /// How many may wait at once.
  public static let limit = 1000

  private struct State: Sendable {
    var faults: [Fault] = []
    var addedCount = 0

    /// Removes a fault with those that are one thing with it.
    mutating func remove(at index: Int) {
      let fault = faults.remove(at: index)
      if let group = fault.group { faults.removeAll { $0.group == group } }
    }

    mutating func add(_ fault: Fault) -> Fault {
      addedCount += 1
      var added = fault
      added.id = Fault.id(addedCount)
      faults.append(added)
      return added
    }

    /// Adds a fault by the id that it had where that is free, else by another one.
    mutating func keep(_ fault: Fault) {
      guard let number = fault.number, !faults.contains(where: { $0.id == fault.id }) else {
        _ = add(fault)
        return
      }
      addedCount = max(addedCount, number)
      faults.append(fault)
    }
  }

  private let state = Locked(State())
  private let clock: WorldClock

  /// - Parameter clock: By which faults end.
  init(clock: WorldClock) {
    self.clock = clock
  }

  public var all: [Fault] { withCurrent { $0.faults } }

  /// What is over has ended before anybody looks.
  private func withCurrent<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    state.withLock { state in
      if state.faults.contains(where: { $0.endsAt != nil }) {
        let now = clock.now
        state.faults.removeAll { $0.isOver(at: now) }
      }
      return body(&state)
    }
  }

  /// Adds a fault behind those that are there.
  ///
  /// - Returns: The fault with its id; nil where there are too many.
  public func add(_ fault: Fault) -> Fault? {
    withCurrent { state in
      state.faults.count < Self.limit ? state.add(fault) : nil
    }
  }

  /// Puts other faults in the place of those that are there; they keep their ids, as far as those are free.
  func replace(with faults: [Fault]) {
    state.withLock { state in
      state.faults = []
      for fault in faults { state.keep(fault) }
    }
  }

  /// Removes a fault, and with it the others of its group.
  ///
  /// - Returns: Whether there was one of that id.
  public func remove(_ id: String) -> Bool {
    state.withLock { state in
      guard let index = state.faults.firstIndex(where: { $0.id == id }) else { return false }
      state.remove(at: index)
      return true
    }
  }

  public func removeAll() {
    state.withLock { $0.faults = [] }
  }

  /// The first fault that meets the request, counted down; one that is used up is gone.
  func take(for request: Request) -> Fault? {
    withCurrent { state in
      guard let index = state.faults.firstIndex(where: { $0.match.covers(request) }) else {
        return nil
      }
      let fault = state.faults[index]
      guard let timesLeft = fault.timesLeft else { return fault }
      if timesLeft > 1 {
        state.faults[index].timesLeft = timesLeft - 1
      } else {
        state.remove(at: index)
      }
      return fault
    }
  }
}

extension Fault {
  /// As far as it is counted: beyond that, nobody has counted.
  private static let numbers = 1...1_000_000_000

  fileprivate static func id(_ number: Int) -> String { "fault_\(number)" }

  /// The number in `fault_7`; nil where it is not called so.
  fileprivate var number: Int? {
    guard let number = id.split(separator: "_").last.flatMap({ Int($0) }),
      Self.numbers.contains(number), id == Self.id(number)
    else { return nil }
    return number
  }
}
