internal import HTTPExchange
internal import Locking

/// The requests that are owed an answer: what a stop waits for.
final class RequestsInFlight: Sendable {
  private struct Entries {
    var isStopping = false
    /// Whether the grace is over.
    var isClosed = false
    /// Answers that the handler has not given yet; each has, or may come to have, a suspended
    /// connection, with which the library must not be stopped, or goes on without its client.
    var unansweredCount = 0
    /// Answers that are not wholly written yet, whoever gave them.
    var unfinishedCount = 0
    var waiting: [ObjectIdentifier: Waiting] = [:]
  }

  /// An exchange whose handler has not answered at once, and what it was asked.
  struct Waiting {
    var exchange: Exchange
    var request: Request
  }

  private let entries = Locked(Entries())

  /// Counts an exchange in whose answer a handler is to give, unless the server is stopping.
  ///
  /// One lock for the question and the count: between "not stopping" and "counted" there must be no
  /// gap in which a stop sees nothing to wait for.
  ///
  /// - Parameters:
  ///   - waits: Whether a connection may come to be suspended for it.
  ///   - isExpected: Whether it counts already, since its head came.
  /// - Returns: False where it is not admitted.
  func admit(waits: Bool, isExpected: Bool) -> Bool {
    entries.withLock { entries in
      guard isExpected ? !entries.isClosed : !entries.isStopping else { return false }
      if waits { entries.unansweredCount += 1 }
      if !isExpected { entries.unfinishedCount += 1 }
      return true
    }
  }

  /// Counts an exchange whose head has come and whose body is to follow, unless the server is stopping.
  ///
  /// - Returns: Whether it is counted.
  func expect() -> Bool {
    entries.withLock { entries in
      guard !entries.isStopping else { return false }
      entries.unfinishedCount += 1
      return true
    }
  }

  /// Counts an exchange in that the server answers itself.
  func admitRefusal() {
    entries.withLock { $0.unfinishedCount += 1 }
  }

  /// Notes that the handler waits, so that it can be given up.
  func noteWaiting(_ exchange: Exchange, asking request: Request) {
    let waiting = Waiting(exchange: exchange, request: request)
    entries.withLock { $0.waiting[ObjectIdentifier(exchange)] = waiting }
  }

  /// The handler's part is over; only after the connection has been resumed, or has ended.
  func answered() {
    entries.withLock { $0.unansweredCount -= 1 }
  }

  /// The answer is written; or it is there, or none is to come, and nobody is left to read it.
  func finish(_ exchange: Exchange) {
    entries.withLock { entries in
      entries.unfinishedCount -= 1
      entries.waiting.removeValue(forKey: ObjectIdentifier(exchange))
    }
  }

  /// From now on nothing is admitted but what has begun to come.
  func beginStopping() {
    entries.withLock { $0.isStopping = true }
  }

  /// From now on nothing is admitted at all.
  func close() {
    entries.withLock { $0.isClosed = true }
  }

  var isStopping: Bool { entries.withLock { $0.isStopping } }
  var unansweredCount: Int { entries.withLock { $0.unansweredCount } }
  var unfinishedCount: Int { entries.withLock { $0.unfinishedCount } }
  var waiting: [Waiting] { entries.withLock { Array($0.waiting.values) } }
}
