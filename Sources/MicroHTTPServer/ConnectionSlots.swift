internal import Locking

/// Distributes connections among the library's threads: each goes to the thread with the fewest.
///
/// If the library's threads accepted for themselves, the first to wake would take all that are
/// waiting: of 64 simultaneous connections, 63 went to one of two threads.
final class ConnectionSlots: Sendable {
  private struct State {
    /// The number of connections of each thread.
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

  /// Checks for room for one more connection.
  ///
  /// - Parameter wake: Called as soon as there is room, if there is none now.
  /// - Returns: Whether there is room now.
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

  /// Takes back a connection's slot; its descriptor must not have been reused yet.
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
