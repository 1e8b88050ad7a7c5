internal import HTTPExchange
internal import Locking

/// The requests that are owed an answer, for which a stop waits.
final class RequestsInFlight: Sendable {
  private struct Entries {
    var isStopping = false
    /// Whether the grace is over.
    var isClosed = false
    /// Requests whose handler has not answered yet.
    ///
    /// Each may have or get a suspended connection, with which the library must not be stopped; or its
    /// client has gone, and the handler runs on.
    var unansweredCount = 0
    /// Requests whose answer is not wholly written yet, be it the handler's or the server's.
    var unfinishedCount = 0
    var waiting: [ObjectIdentifier: Waiting] = [:]
  }

  /// An exchange whose handler did not answer at once, and its request.
  struct Waiting {
    var exchange: Exchange
    var request: Request
  }

  private let entries = Locked(Entries())

  /// Counts in an exchange that a handler is to answer, unless the server is stopping.
  ///
  /// The check and the count share one lock: if there were a gap between them, a stop could find nothing
  /// to wait for.
  ///
  /// - Parameters:
  ///   - waits: Whether a connection may be suspended for it.
  ///   - isExpected: Whether it has been counted since its head arrived.
  /// - Returns: Whether it is admitted.
  func admit(waits: Bool, isExpected: Bool) -> Bool {
    entries.withLock { entries in
      guard isExpected ? !entries.isClosed : !entries.isStopping else { return false }
      if waits { entries.unansweredCount += 1 }
      if !isExpected { entries.unfinishedCount += 1 }
      return true
    }
  }

  /// Counts in an exchange whose head has arrived and whose body is to follow, unless the server is stopping.
  ///
  /// - Returns: Whether it is counted.
  func expect() -> Bool {
    entries.withLock { entries in
      guard !entries.isStopping else { return false }
      entries.unfinishedCount += 1
      return true
    }
  }

  /// Counts in an exchange that the server answers itself.
  func admitRefusal() {
    entries.withLock { $0.unfinishedCount += 1 }
  }

  /// Notes that the handler waits, so that it can be given up.
  func noteWaiting(_ exchange: Exchange, asking request: Request) {
    let waiting = Waiting(exchange: exchange, request: request)
    entries.withLock { $0.waiting[ObjectIdentifier(exchange)] = waiting }
  }

  /// Notes that a handler has answered; to be called only once its connection has been resumed or has ended.
  func answered() {
    entries.withLock { $0.unansweredCount -= 1 }
  }

  /// Notes that an exchange is over: its answer is written, or its client has gone and the handler has ended.
  func finish(_ exchange: Exchange) {
    entries.withLock { entries in
      entries.unfinishedCount -= 1
      entries.waiting.removeValue(forKey: ObjectIdentifier(exchange))
    }
  }

  /// Admits from now on only requests whose body has been expected.
  func beginStopping() {
    entries.withLock { $0.isStopping = true }
  }

  /// Admits nothing from now on.
  func close() {
    entries.withLock { $0.isClosed = true }
  }

  var isStopping: Bool { entries.withLock { $0.isStopping } }
  var unansweredCount: Int { entries.withLock { $0.unansweredCount } }
  var unfinishedCount: Int { entries.withLock { $0.unfinishedCount } }
  var waiting: [Waiting] { entries.withLock { Array($0.waiting.values) } }
}
