import HTTPExchange
import HTTPTypes
import Locking
import Testing

@testable import MicroHTTPServer

@Suite struct DeadlineTests {
  private var short: MicroHTTPServer.Options {
    var options = MicroHTTPServer.Options()
    options.headDeadline = .milliseconds(150)
    options.bodyDeadline = .milliseconds(150)
    options.keptDeadline = .milliseconds(150)
    options.answerDeadline = .milliseconds(150)
    return options
  }

  /// Sends these bytes, and then trickles more, until the server closes.
  private func isCut(after text: String, trickling: String, port: Int) async throws -> Bool {
    let client = try await onThread {
      let client = try RawClient(port: port)
      try client.send(text)
      return Unchecked(client)
    }
    return try await eventually {
      do {
        try client.value.send(trickling)
        return false
      } catch {
        return true
      }
    }
  }

  @Test(
    "a client that trickles a request is cut, while others are served (S6)",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "a"),
      ("GET /", "a"),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n", "a"),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", "a"),
    ]
  )
  func trickle(text: String, more: String) async throws {
    let handler = TestHandler()
    try await serving(handler, options: short) { server in
      async let isCut = isCut(after: text, trickling: more, port: server.port)
      let other = try await exchange(
        "GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        port: server.port
      )
      #expect(other.contains(" 200 OK\r\n"))
      #expect(try await isCut)
      #expect(handler.targets == ["/other"])
      #expect(try await eventually { server.liveExchangeCount == 0 && server.connectionCount == 0 })
    }
  }

  @Test("deadlines wake nothing while nobody is connected, and hold again after a rest")
  func rest() async throws {
    try await serving(TestHandler(), options: short) { server in
      let port = server.port
      #expect(server.isResting)
      for _ in 0..<2 {
        let rest = try await onThread {
          let client = try RawClient(port: port)
          try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
          _ = try client.receiveAnswer()
          let isResting = server.isResting
          return (isResting, try client.receiveAll())
        }
        #expect(rest.0 == false)
        #expect(rest.1 == "")
        #expect(try await eventually { server.isResting })
      }
    }
  }

  @Test("a silent client is cut, at first and after an answer (S6)", arguments: [0, 1])
  func silence(requests: Int) async throws {
    let told = Locked<[MicroHTTPServer.Cut]>([])
    var options = short
    options.reportCut = { reason in told.withLock { $0.append(reason) } }
    try await serving(TestHandler(), options: options) { server in
      let port = server.port
      let rest = try await onThread {
        let client = try RawClient(port: port)
        for _ in 0..<requests {
          try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
          _ = try client.receiveAnswer()
        }
        return try client.receiveAll()
      }
      #expect(rest == "")
      #expect(try await eventually { server.connectionCount == 0 })
      #expect(told.withLock(\.self) == [requests == 0 ? .deadline : .idle])
    }
  }

  @Test("a client that does not read the answer is cut (S6)")
  func slowReader() async throws {
    let handler = TestHandler()
    try await serving(handler, options: short) { server in
      let port = server.port
      let client = try await onThread {
        let client = try RawClient(port: port, receiveBufferBytes: 4_096)
        try client.send("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return Unchecked(client)
      }
      #expect(try await eventually { handler.targets == ["/big"] })
      #expect(try await eventually { server.liveExchangeCount == 0 && server.connectionCount == 0 })
      let received = try await onThread { try client.value.receiveAll().utf8.count }
      #expect(received < 3_000_000)
    }
  }

  @Test("a handler that takes too long is cancelled, and 504 is answered")
  func slowHandler() async throws {
    // The other deadlines are long: the client, too, may be late with its next request.
    var options = MicroHTTPServer.Options()
    options.handlerDeadline = { $0.path == "/wait" ? .milliseconds(50) : .seconds(15) }
    let handler = TestHandler()
    try await serving(handler, options: options) { server in
      let port = server.port
      let answers = try await onThread {
        let client = try RawClient(port: port)
        try client.send("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let late = try client.receiveAnswer()
        try client.send("GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return [late, try client.receiveAnswer()]
      }
      #expect(answers.map { $0?.status } == [504, 200])
      #expect(answers.first??.body == "refused: handlerTimedOut")
      #expect(handler.gate.cancelledCount == 1)
      #expect(try await eventually { server.liveExchangeCount == 0 })
    }
  }

  @Test("a handler that takes too long still finishes what must be finished, and 504 is answered")
  func slowFinish() async throws {
    var options = MicroHTTPServer.Options()
    options.handlerDeadline = { _ in .milliseconds(50) }
    let handler = TestHandler()
    try await serving(handler, options: options) { server in
      let port = server.port
      let answer = try await onThread {
        let client = try RawClient(port: port)
        try client.send("POST /finish HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        return try client.receiveAnswer()
      }
      #expect(answer?.status == 504)
      #expect(handler.gate.cancelledCount == 0)
      #expect(handler.gate.waitingCount == 1)
      handler.gate.open()
      #expect(try await eventually { handler.cancelledBehindCount == 1 })
      #expect(try await eventually { server.liveExchangeCount == 0 })
    }
  }

  @Test("the connection is not cut while the handler takes its time")
  func patientHandler() async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let clients = try await RawClient.waiting(1, port: server.port)
      #expect(try await eventually { handler.gate.waitingCount == 1 })
      // Later than every deadline for what the client owes us.
      server.service.daemon.connections.sweep(at: .now + .seconds(3_600))
      handler.gate.open()
      let statuses = try await onThread { try clients.value.map { try $0.receiveAnswer()?.status } }
      #expect(statuses == [200])
    }
  }

  @Test("over three quarters of the limit, the oldest unfinished requests make room (S6)")
  func eviction() async throws {
    var options = MicroHTTPServer.Options()
    options.connectionLimit = 40
    // So long that nothing but eviction can make room within this test.
    options.headDeadline = .seconds(600)
    try await serving(TestHandler(), options: options) { server in
      let port = server.port
      var clients: [RawClient] = []
      for count in 1...40 {
        let client = try await onThread {
          let client = try RawClient(port: port)
          try client.send("GET /idle HTTP/1.1\r\n")
          return Unchecked(client)
        }
        clients.append(client.value)
        // One after the other: two threads accept, and age counts from there.
        #expect(try await eventually { server.connectionCount >= min(count, 30) })
      }
      let idlers = Unchecked(clients)
      // The ten oldest make room, at the latest when they have been there for a while.
      let farewells = try await onThread {
        try idlers.value.prefix(10).map { try $0.receiveAll() }
      }
      #expect(farewells == Array(repeating: "", count: 10))
      #expect(try await eventually { server.connectionCount == 30 })
      for _ in 0..<20 {
        let received = try await exchange(
          "GET /honest HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
          port: port
        )
        #expect(received.contains(" 200 OK\r\n"))
      }
      withExtendedLifetime(idlers) {}
    }
  }
}

/// A client that is handed from thread to thread, one after the other.
struct Unchecked<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
