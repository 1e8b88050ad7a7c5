internal import Locking

/// Every open connection, so that slow ones can be cut.
final class ConnectionTable: Sendable {
  private let connections = Locked<[ObjectIdentifier: Connection]>([:])
  private let comfortableCount: Int
  private let report: (@Sendable (MicroHTTPServer.Cut) -> Void)?

  init(limit: Int, reporting report: (@Sendable (MicroHTTPServer.Cut) -> Void)? = nil) {
    comfortableCount = limit / 4 * 3
    self.report = report
  }

  var count: Int { connections.withLock { $0.count } }

  /// Adds a connection; from three quarters of the limit on, another one is cut for it.
  func insert(_ connection: Connection, at now: ContinuousClock.Instant) {
    connections.withLock { connections in
      if connections.count >= comfortableCount {
        let first = Self.dispensable(of: connections.values, at: now).min()
        if let first { cut(first.connection, because: .room) }
      }
      connections[ObjectIdentifier(connection)] = connection
    }
  }

  func remove(_ connection: Connection) {
    connections.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  /// Cuts connections that are past their deadline, and as many others as exceed three quarters of the
  /// limit.
  ///
  /// `insert` alone does not suffice: in a burst, all connections may still be too young to be cut when
  /// the last one arrives, and at the limit no further one is accepted that would make room.
  func sweep(at now: ContinuousClock.Instant) {
    connections.withLock { connections in
      var uncutCount = 0
      for connection in connections.values {
        let progress = connection.currentProgress
        if progress.isCut { continue }
        if let deadline = progress.deadline, deadline <= now {
          cut(connection, because: progress.stage == .kept ? .idle : .deadline)
        } else {
          uncutCount += 1
        }
      }
      guard uncutCount > comfortableCount else { return }
      let dispensable = Self.dispensable(of: connections.values, at: now).sorted()
      for candidate in dispensable.prefix(uncutCount - comfortableCount) {
        cut(candidate.connection, because: .room)
      }
    }
  }

  private func cut(_ connection: Connection, because reason: MicroHTTPServer.Cut) {
    connection.cut()
    report?(reason)
  }
}

// MARK: - Who makes room

extension ConnectionTable {
  /// A connection that could be cut; the least is cut first.
  private struct Candidate: Comparable {
    var isResting: Bool
    var since: ContinuousClock.Instant
    var connection: Connection

    /// Unfinished requests before kept connections, then the oldest first.
    static func < (left: Self, right: Self) -> Bool {
      left.isResting == right.isResting ? left.since < right.since : right.isResting
    }

    static func == (left: Self, right: Self) -> Bool {
      left.connection === right.connection
    }
  }

  /// All connections except those whose stage began less than half a second ago, which are probably
  /// honest clients that have just arrived, and those whose handler is at work.
  private static func dispensable(
    of connections: some Sequence<Connection>,
    at now: ContinuousClock.Instant
  ) -> [Candidate] {
    connections.compactMap { connection in
      let progress = connection.currentProgress
      guard !progress.isCut, progress.since + .milliseconds(500) <= now else { return nil }
      switch progress.stage {
      case .head, .body, .answering:
        return Candidate(isResting: false, since: progress.since, connection: connection)
      case .kept:
        return Candidate(isResting: true, since: progress.since, connection: connection)
      case .handling:
        return nil
      }
    }
  }
}
