internal import Glibc
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

  /// Cuts the connections whose handler works although the client has gone, from three quarters of the
  /// limit on.
  ///
  /// The library does not look at a connection while its handler waits, so each would keep its place
  /// until then; where there is room it may. A client that has only ended its sending counts as gone,
  /// since the library would not answer it either.
  /// - Returns: These connections, which their handlers' exchanges still have to be told of; also those
  ///   that were cut before.
  func cutDeserted(at now: ContinuousClock.Instant) -> [ObjectIdentifier: Connection] {
    connections.withLock { connections in
      guard connections.count >= comfortableCount else { return [:] }
      let waiting = connections.values.filter { connection in
        let progress = connection.currentProgress
        return progress.stage == .handling && progress.isSettled(at: now)
      }
      // Under the lock, since no descriptor in the table can have been reused.
      var watched = waiting.map { pollfd(fd: $0.descriptor, events: Self.hangUp, revents: 0) }
      poll(&watched, nfds_t(watched.count), 0)
      var deserted: [ObjectIdentifier: Connection] = [:]
      for (connection, result) in zip(waiting, watched) where result.revents != 0 {
        if !connection.currentProgress.isCut { cut(connection, because: .room) }
        deserted[ObjectIdentifier(connection)] = connection
      }
      return deserted
    }
  }

  /// That the other end sends nothing any more; a reset and the like are reported in any case.
  ///
  /// It is `POLLRDHUP` of poll(2), which glibc's header declares only for _GNU_SOURCE.
  private static let hangUp: Int16 = 0x2000

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
      guard !progress.isCut, progress.isSettled(at: now) else { return nil }
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

extension ConnectionProgress {
  /// Whether the stage has lasted for half a second.
  fileprivate func isSettled(at now: ContinuousClock.Instant) -> Bool {
    since + .milliseconds(500) <= now
  }
}
