import HTTPExchange
import HTTPTypes
import Locking
import Testing

@testable import MicroHTTPServer

@Suite struct StopTests {
  private func start(
    _ handler: any HTTPHandler,
    options: MicroHTTPServer.Options = .init()
  ) throws -> MicroHTTPServer {
    try MicroHTTPServer(
      listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
      options: options,
      handler: handler,
      refusing: { refusal, _ in Response(status: refusal.status, body: Array("\(refusal)".utf8)) },
      log: { _ in }
    )
  }

  /// Opens connections that each wait for the handler's gate.
  private func waiters(
    _ count: Int,
    target: String = "/wait",
    port: Int
  ) async throws -> Unchecked<[RawClient]> {
    try await onThread {
      Unchecked(
        try (0..<count).map { _ in
          let client = try RawClient(port: port)
          try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
          return client
        }
      )
    }
  }

  private func answers(_ clients: Unchecked<[RawClient]>) async throws -> [RawClient.Answer?] {
    try await onThread { try clients.value.map { try $0.receiveAnswer() } }
  }

  @Test(
    "running requests finish, a kept connection gets 503, a new one is refused",
    arguments: ["/late", "/ready/late"]
  )
  func graceful(late target: String) async throws {
    let handler = TestHandler()
    let server = try start(handler)
    let port = server.port
    let kept = try await waiters(1, target: "/kept", port: port)
    #expect(try await answers(kept).map { $0?.status } == [200])
    let running = try await waiters(100, port: port)
    #expect(try await eventually { handler.gate.waitingCount == 100 })

    async let stopped: Void = server.stop(grace: .seconds(30))
    let isRefused = try await eventually {
      do {
        _ = try RawClient(port: port)
        return false
      } catch {
        return true
      }
    }
    #expect(isRefused)
    try await onThread {
      try kept.value[0].send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }
    let late = try await answers(kept)[0]
    #expect(late?.status == 503)
    #expect(late?.body == "stopping")
    #expect(late?.closes == true)

    handler.gate.open()
    let finished = try await answers(running)
    #expect(finished.allSatisfy { $0?.status == 200 && $0?.closes == true })
    await stopped
    #expect(!handler.targets.contains(target))
    #expect(server.liveExchangeCount == 0)
    #expect(server.connectionCount == 0)
  }

  @Test("a stop waits for requests that have begun, but not for those that do not end in time")
  func halfSent() async throws {
    let server = try start(TestHandler())
    let port = server.port
    let head = "POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab"
    let clients = try await onThread {
      Unchecked(
        try (0..<2).map { _ in
          let client = try RawClient(port: port)
          try client.send(head)
          return client
        }
      )
    }
    #expect(try await eventually { server.expectedAnswerCount == 2 })
    async let stopped: Void = server.stop(grace: .seconds(2))
    #expect(try await eventually { (try? RawClient(port: port)) == nil })
    try await onThread { try clients.value[0].send("cd") }
    let answered = try await onThread { try clients.value[0].receiveAnswer() }
    #expect(answered?.status == 200 && answered?.closes == true)
    await stopped
    #expect(try await onThread { try clients.value[1].receiveAnswer() } == nil)
    #expect(server.liveExchangeCount == 0)
  }

  @Test("when the grace is over, requests that still wait are cancelled and told so")
  func graceIsOver() async throws {
    let handler = TestHandler()
    let server = try start(handler)
    let running = try await waiters(100, port: server.port)
    #expect(try await eventually { handler.gate.waitingCount == 100 })
    await server.stop(grace: .milliseconds(50))
    #expect(try await answers(running).allSatisfy { $0?.status == 503 && $0?.body == "stopping" })
    #expect(handler.gate.cancelledCount == 100)
    #expect(try await eventually { server.liveExchangeCount == 0 })
  }

  @Test("a stop that is hurried does not let running requests use up the grace")
  func hurried() async throws {
    let handler = TestHandler()
    let server = try start(handler)
    let running = try await waiters(5, port: server.port)
    #expect(try await eventually { handler.gate.waitingCount == 5 })
    let begin = ContinuousClock.now
    async let stopped: Void = server.stop(grace: .seconds(60))
    #expect(try await eventually { server.service.daemon.requestsInFlight.isStopping })
    #expect(handler.gate.cancelledCount == 0)
    server.hurry()
    await stopped
    #expect(ContinuousClock.now - begin < .seconds(30))
    #expect(try await answers(running).allSatisfy { $0?.status == 503 && $0?.body == "stopping" })
    #expect(handler.gate.cancelledCount == 5)
  }

  @Test("a handler that ignores its cancellation does not hold up the stop")
  func stubborn() async throws {
    let handler = StubbornHandler()
    let server = try start(handler)
    let running = try await waiters(3, port: server.port)
    #expect(try await eventually { handler.waiting.withLock { $0.count } == 3 })
    await server.stop(grace: .zero)
    #expect(try await answers(running).map { $0?.status } == [503, 503, 503])
    for continuation in handler.waiting.withLock({ $0 }) { continuation.resume() }
    #expect(try await eventually { server.liveExchangeCount == 0 })
  }

  @Test("an idle server stops at once, and its port is free again")
  func idle() async throws {
    let server = try start(TestHandler())
    let idle = try await waiters(1, target: "/kept", port: server.port)
    _ = try await answers(idle)
    let port = server.port
    await server.stop(grace: .seconds(30))
    #expect(try await answers(idle).map { $0 == nil } == [true])
    _ = try ListeningSocket(host: "127.0.0.1", port: port)
  }

  @Test("stopping at the same time, and again, waits for the same end")
  func parallel() async throws {
    let handler = TestHandler()
    let server = try start(handler)
    let running = try await waiters(5, port: server.port)
    #expect(try await eventually { handler.gate.waitingCount == 5 })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { await server.stop(grace: .milliseconds(20)) } }
    }
    await server.stop(grace: .seconds(30))
    #expect(try await answers(running).allSatisfy { $0?.status == 503 })
  }

  @Test("a server that is released stops by itself")
  func released() async throws {
    let handler = TestHandler()
    var server: MicroHTTPServer? = try start(handler)
    let port = try #require(server?.port)
    let client = try await waiters(1, target: "/kept", port: port)
    _ = try await answers(client)
    server = nil
    #expect(try await answers(client).map { $0 == nil } == [true])
  }

  @Test("stopping amid a storm of requests never aborts", arguments: 0..<20)
  func storm(round: Int) async throws {
    let handler = TestHandler()
    let server = try start(handler)
    let port = server.port
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          // Ends when a connection is refused, which is what this waits for.
          try? await onThread { try Self.rush(thread, port: port) }
        }
      }
      group.addTask {
        // In the middle of it, and at a different point in each round.
        let isAmid = try await eventually { handler.targets.count > 20 + 7 * round }
        #expect(isAmid)
        await server.stop(grace: .milliseconds(round % 3 * 5))
      }
      try await group.waitForAll()
    }
    #expect(try await eventually { server.liveExchangeCount == 0 })
  }

  /// Asks until the server is gone.
  private static func rush(_ thread: Int, port: Int) throws {
    while true {
      let client = try RawClient(port: port)
      for path in ["/plain", "/yield", "/wait", "/yield"] {
        try client.send("GET \(path)?\(thread) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if path == "/wait" { break }
        guard try client.receiveAnswer() != nil else { break }
      }
    }
  }
}

/// Waits only for the test.
private final class StubbornHandler: HTTPHandler {
  let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

  func respond(to request: Request) async -> Response {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0.append(continuation) }
    }
    return Response(status: .ok)
  }

  @Test("once a stop has begun, no further body is waited for, and one that was expected is")
  func expectedBodies() {
    let requests = RequestsInFlight()
    #expect(requests.expect())
    requests.beginStopping()
    #expect(!requests.expect())
    #expect(requests.unfinishedCount == 1)
    #expect(requests.admit(waits: false, isExpected: true))
    #expect(!requests.admit(waits: false, isExpected: false))
    requests.close()
    #expect(!requests.admit(waits: false, isExpected: true))
  }

  @Test("a sweeper that was stopped is not woken by a late connection")
  func stoppedSweeper() {
    let sweeper = Sweeper(interval: .seconds(60))
    sweeper.stop()
    sweeper.wake { true }
    #expect(sweeper.isResting)
  }
}
