internal import Foundation
internal import HTTPExchange
internal import Locking

/// The faults of one world, in the order in which they were added.
public final class Faults: Sendable {
  /// How many faults a world may have at once.
  public static let limit = 1000

  private struct State: Sendable {
    var faults: [Fault] = []
    var addedCount = 0

    /// Removes a fault and the others of its group.
    mutating func remove(at index: Int) {
      let fault = faults.remove(at: index)
      if let group = fault.group { faults.removeAll { $0.group == group } }
    }

    /// Removes the faults that are over, and with each the others of its group.
    mutating func removeOver(at now: Date) {
      let groups = Set(faults.filter { $0.isOver(at: now) }.compactMap(\.group))
      faults.removeAll { $0.isOver(at: now) || $0.group.map(groups.contains) ?? false }
    }

    mutating func add(_ fault: Fault) -> Fault {
      addedCount += 1
      var added = fault
      added.id = Fault.id(addedCount)
      faults.append(added)
      return added
    }

    /// Adds a fault under its own id if that is well-formed and free, otherwise under a new one.
    mutating func keep(_ fault: Fault) {
      guard let number = fault.number, !faults.contains(where: { $0.id == fault.id }) else {
        _ = add(fault)
        return
      }
      addedCount = max(addedCount, number)
      faults.append(fault)
    }
  }

  /// Whether the calls of the current task meet no faults.
  @TaskLocal private static var areHeldBack = false
  private let state = Locked(State())
  private let clock: WorldClock

  /// - Parameter clock: The clock by which faults end.
  init(clock: WorldClock) {
    self.clock = clock
  }

  public var all: [Fault] { withCurrent { $0.faults } }

  /// Removes the faults that are over, with their groups, then calls the closure.
  private func withCurrent<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    state.withLock { state in
      if state.faults.contains(where: { $0.endsAt != nil }) { state.removeOver(at: clock.now) }
      return body(&state)
    }
  }

  /// Adds a fault after the others.
  ///
  /// - Returns: The fault with its id; nil where there are too many.
  public func add(_ fault: Fault) -> Fault? {
    withCurrent { state in
      state.faults.count < Self.limit ? state.add(fault) : nil
    }
  }

  /// Replaces all faults; the new ones keep their ids where these are well-formed and unique.
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

  /// Does work whose own calls meet no faults and use none up; others' calls still meet them.
  public static func heldBack<Value: Sendable>(during work: () async -> Value) async -> Value {
    await $areHeldBack.withValue(true, operation: work)
  }

  /// Returns the first fault that matches the request and counts it down; removes it if it is used up.
  func take(for request: Request) -> Fault? {
    guard !Self.areHeldBack else { return nil }
    return withCurrent { state in
      guard let index = state.faults.firstIndex(where: { $0.match.covers(request) }) else {
        return nil
      }
      let fault = state.faults[index]
      state.faults[index].applied += 1
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
  /// The numbers of imported ids, limited so that counting on cannot overflow.
  private static let numbers = 1...1_000_000_000

  fileprivate static func id(_ number: Int) -> String { "fault_\(number)" }

  /// The number in an id such as `fault_7`; nil for an id of another form.
  fileprivate var number: Int? {
    guard let number = id.split(separator: "_").last.flatMap({ Int($0) }),
      Self.numbers.contains(number), id == Self.id(number)
    else { return nil }
    return number
  }
}
