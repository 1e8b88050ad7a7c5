internal import Locking

/// The slots for connections on the library's threads: each goes where the fewest are.
///
/// The library's threads would each accept for themselves, and whoever wakes first takes all that have
/// come: of 64 connections at once 63 went to one of two threads.
final class ConnectionSlots: Sendable {
  private struct State {
    /// By thread.
    var counts: [Int]
    /// The thread of each connection, by its descriptor.
    var threads: [CInt: Int] = [:]
    var waiting: (@Sendable () -> Void)?
  }

  private let limit: Int
  private let state: Locked<State>

  init(threadCount: Int, limit: Int) {
    self.limit = limit
    state = Locked(State(counts: Array(repeating: 0, count: threadCount)))
  }

  /// Looks for room for one more.
  ///
  /// - Parameter wake: Called once there is some, where there is none now.
  /// - Returns: Whether there is some now.
  func haveRoom(orWake wake: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      let isFull = state.threads.count >= limit
      state.waiting = isFull ? wake : nil
      return !isFull
    }
  }

  /// Gives a connection its slot.
  ///
  /// - Returns: The thread.
  func take(for descriptor: CInt) -> Int {
    state.withLock { state in
      let thread = state.counts.indices.min { state.counts[$0] < state.counts[$1] } ?? 0
      state.counts[thread] += 1
      state.threads[descriptor] = thread
      return thread
    }
  }

  /// Takes the slot of a connection back, whose descriptor nobody else can have yet.
  func giveBack(_ descriptor: CInt) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      guard let thread = state.threads.removeValue(forKey: descriptor) else { return nil }
      state.counts[thread] -= 1
      defer { state.waiting = nil }
      return state.waiting
    }
    wake?()
  }

  /// How many connections each thread has.
  var counts: [Int] { state.withLock(\.counts) }
}
