/// Every open connection, so that those that take too long can be cut.
final class ConnectionTable: Sendable {
  private let connections = Locked<[ObjectIdentifier: Connection]>([:])
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { connections.withLock { $0.count } }

  /// Enters a connection; over three quarters of the limit another one is cut for it.
  func insert(_ connection: Connection, at now: ContinuousClock.Instant) {
    connections.withLock { connections in
      if connections.count > limit / 4 * 3 {
        Self.mostDispensable(of: connections.values, at: now)?.cut()
      }
      connections[ObjectIdentifier(connection)] = connection
    }
  }

  func remove(_ connection: Connection) {
    connections.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  /// Cuts what is past its deadline.
  func cutOverdue(at now: ContinuousClock.Instant) {
    connections.withLock { connections in
      for connection in connections.values {
        let progress = connection.currentProgress
        guard let deadline = progress.deadline, deadline <= now, !progress.isCut else { continue }
        connection.cut()
      }
    }
  }

  /// The oldest unfinished request, else the kept connection that has rested longest.
  ///
  /// Those younger than half a second are spared: they are the honest ones that have just come.
  private static func mostDispensable(
    of connections: some Sequence<Connection>,
    at now: ContinuousClock.Instant
  ) -> Connection? {
    var unfinished: (since: ContinuousClock.Instant, connection: Connection)?
    var resting: (since: ContinuousClock.Instant, connection: Connection)?
    for connection in connections {
      let progress = connection.currentProgress
      guard !progress.isCut, progress.since + .milliseconds(500) <= now else { continue }
      switch progress.stage {
      case .head, .body, .answering:
        if progress.since < unfinished?.since ?? now {
          unfinished = (progress.since, connection)
        }
      case .kept:
        if progress.since < resting?.since ?? now { resting = (progress.since, connection) }
      case .handling:
        continue
      }
    }
    return unfinished?.connection ?? resting?.connection
  }
}
