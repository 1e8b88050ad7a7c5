import Locking
import Testing

@testable import MicroHTTPServer

@Suite struct ConnectionTableTests {
  private let start = ContinuousClock.now
  private let deadlines = Deadlines(
    head: .seconds(5),
    kept: .seconds(30),
    body: .seconds(10),
    request: .seconds(15),
    answer: .seconds(30)
  )

  /// A connection without a socket; whether it is cut can be read from it.
  private func connection(
    acceptedAfter age: Duration,
    _ steps: ConnectionProgress.Step...
  ) -> Connection {
    var progress = ConnectionProgress(acceptedAt: start + age, deadlines: deadlines)
    for step in steps { progress.advance(step, at: start + age, deadlines: deadlines) }
    return Connection(descriptor: -1, peerAddress: nil, progress: progress)
  }

  /// The connections that are cut when another comes after ten seconds, in a table of this size.
  private func cut(_ connections: [Connection], limit: Int) -> [Int] {
    let table = ConnectionTable(limit: limit)
    for connection in connections { table.insert(connection, at: start) }
    table.insert(connection(acceptedAfter: .seconds(10)), at: start + .seconds(10))
    return connections.indices.filter { connections[$0].currentProgress.isCut }
  }

  @Test("up to three quarters of the limit, no connection is cut to make room (S6)")
  func room() {
    #expect(
      cut([connection(acceptedAfter: .zero), connection(acceptedAfter: .zero)], limit: 4) == []
    )
  }

  @Test("the oldest unfinished request makes room, before any kept connection (S6)")
  func oldest() {
    let connections = [
      connection(acceptedAfter: .seconds(1), .answered),
      connection(acceptedAfter: .seconds(3), .headComplete),
      connection(acceptedAfter: .seconds(2)),
      connection(acceptedAfter: .seconds(4), .answerReady),
    ]
    #expect(cut(connections, limit: 4) == [2])
  }

  @Test("if no request is unfinished, the kept connection that was idle for longest makes room")
  func resting() {
    let connections = [
      connection(acceptedAfter: .seconds(3), .answered),
      connection(acceptedAfter: .seconds(2), .answered),
      connection(acceptedAfter: .seconds(4), .answered),
      connection(acceptedAfter: .seconds(1), .requestComplete),
    ]
    #expect(cut(connections, limit: 4) == [1])
  }

  @Test("new connections are spared, and so are those whose handler works (S6)")
  func spared() {
    let young = Duration.milliseconds(9_600)
    let connections = [
      connection(acceptedAfter: young), connection(acceptedAfter: young),
      connection(acceptedAfter: young, .headComplete),
      connection(acceptedAfter: .zero, .requestComplete),
    ]
    #expect(cut(connections, limit: 4) == [])
  }

  @Test("after a burst, as many make room as exceed the limit, the oldest first (S6)")
  func burst() {
    let table = ConnectionTable(limit: 8)
    let ages = [5, 1, 7, 3, 2, 8, 4, 6]
    let connections = ages.map { connection(acceptedAfter: .milliseconds($0)) }
    for connection in connections { table.insert(connection, at: start + .milliseconds(10)) }
    table.sweep(at: start + .milliseconds(400))
    #expect(connections.allSatisfy { !$0.currentProgress.isCut })
    table.sweep(at: start + .milliseconds(600))
    #expect(connections.indices.filter { connections[$0].currentProgress.isCut } == [1, 4])
  }

  @Test("a connection past its deadline is cut, and no other (S6)")
  func overdue() {
    let table = ConnectionTable(limit: 100)
    let slow = connection(acceptedAfter: .zero)
    let fresh = connection(acceptedAfter: .milliseconds(1))
    for connection in [slow, fresh] { table.insert(connection, at: start) }
    table.sweep(at: start + .seconds(5))
    #expect(slow.currentProgress.isCut)
    #expect(!fresh.currentProgress.isCut)
  }

  @Test("the reason for a cut is reported once: room for others, a deadline, or idleness")
  func reasons() {
    let told = Locked<[MicroHTTPServer.Cut]>([])
    let table = ConnectionTable(limit: 4) { reason in told.withLock { $0.append(reason) } }
    let connections = [
      connection(acceptedAfter: .zero, .answered), connection(acceptedAfter: .zero),
      connection(acceptedAfter: .zero, .requestComplete),
    ]
    for connection in connections { table.insert(connection, at: start) }
    #expect(told.withLock(\.self) == [])
    table.insert(connection(acceptedAfter: .seconds(10)), at: start + .seconds(10))
    #expect(told.withLock(\.self) == [.room])
    table.sweep(at: start + .seconds(16))
    #expect(told.withLock(\.self) == [.room, .deadline])
    for seconds in [31, 32] { table.sweep(at: start + .seconds(seconds)) }
    #expect(told.withLock(\.self) == [.room, .deadline, .idle])
  }
}
