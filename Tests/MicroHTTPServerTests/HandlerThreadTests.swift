import Foundation
import HTTPExchange
import Locking
import Testing

@testable import MicroHTTPServer

@Suite("Where handlers run") struct HandlerThreadTests {
  @Test("a handler that has waited continues on its connection's thread")
  func sameThread() async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let clients = try await RawClient.waiting(8, at: "/thread", port: server.port)
      #expect(try await eventually { handler.gate.waitingCount == 8 })
      handler.gate.open()
      let threads = try await onThread { try clients.value.map { try $0.receiveAnswer()?.body } }
      #expect(threads == Array(repeating: "the same", count: 8))
    }
  }

  @Test("a handler that takes many turns lets others run in between")
  func turns() async throws {
    var options = MicroHTTPServer.Options()
    options.threadCount = 1
    try await serving(TestHandler(), options: options) { server in
      let port = server.port
      let answers = try await onThread {
        let (long, short) = (try RawClient(port: port), try RawClient(port: port))
        try long.send("GET /turns HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try short.send("GET /open HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return [try short.receiveAnswer()?.body, try long.receiveAnswer()?.body]
      }
      #expect(answers == ["GET /open ", "GET /turns "])
    }
  }

  @Test("a handler that takes turn after turn is also cancelled when its time is up")
  func endlessTurns() async throws {
    var options = MicroHTTPServer.Options()
    options.handlerDeadline = { _ in .milliseconds(50) }
    try await serving(TestHandler(), options: options) { server in
      let port = server.port
      let status = try await onThread {
        let client = try RawClient(port: port)
        try client.send("GET /turns HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try client.receiveAnswer()?.status
      }
      #expect(status == 504)
      #expect(try await eventually { server.liveExchangeCount == 0 })
    }
  }

  @Test("a handler whose connection has ended finishes on another thread")
  func afterTheEnd() async throws {
    let now = ContinuousClock.now
    let deadlines = Deadlines(
      head: .seconds(1),
      kept: .seconds(1),
      body: .seconds(1),
      request: .seconds(1),
      answer: .seconds(1)
    )
    let connection = Connection(
      descriptor: -1,
      peerAddress: nil,
      progress: ConnectionProgress(acceptedAt: now, deadlines: deadlines)
    )
    let exchange = Exchange(target: [], connection: connection, gauge: Gauge())
    exchange.begin()
    let isDone = Locked(false)
    let task = Task.immediate(executorPreference: exchange) {
      await Task.yield()
      isDone.withLock { $0 = true }
    }
    #expect(!isDone.withLock { $0 })
    #expect(exchange.end())
    await task.value
    #expect(isDone.withLock { $0 })
  }
}
