import HTTPExchange
import Locking
import Testing

@testable import MicroHTTPServer

/// When a client goes away.
enum Departure: String, CaseIterable, Sendable {
  case beforeAnything = ""
  case withinTheRequestLine = "GET /a"
  case withinTheHead = "POST /a HTTP/1.1\r\nHost: localh"
  case beforeTheBody = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
  case withinTheBody = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"
  case withinAChunk =
    "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
  case afterTheRequest = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
  case whileTheHandlerYields = "GET /yield HTTP/1.1\r\nHost: localhost\r\n\r\n"
  case whileTheAnswerIsWritten = "GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n"
}

/// How it goes.
enum Manner: CaseIterable, Sendable {
  case close, reset, halfClose
}

@Suite struct DepartureTests {
  @Test(
    "a client that goes away leaves nothing behind, whenever and however it goes",
    arguments: Departure.allCases,
    Manner.allCases
  )
  func departure(_ departure: Departure, _ manner: Manner) async throws {
    try await serving(TestHandler()) { server in
      let port = server.port
      try await onThread {
        for _ in 0..<10 {
          let client = try RawClient(port: port)
          try client.send(departure.rawValue)
          switch manner {
          case .close: client.close()
          case .reset: client.reset()
          case .halfClose:
            client.endSending()
            _ = try client.receive(atMost: 10)
          }
        }
      }
      #expect(try await eventually { server.liveExchangeCount == 0 && server.connectionCount == 0 })
      let next = try await exchange(
        "GET /next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        port: port
      )
      #expect(next.contains(" 200 OK\r\n"))
    }
  }

  @Test(
    "a client that goes away while the handler waits leaves nothing behind",
    arguments: [Manner.close, .reset]
  )
  func whileSuspended(_ manner: Manner) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let port = server.port
      let clients = try await RawClient.waiting(20, port: port)
      #expect(try await eventually { handler.gate.waitingCount == 20 })
      for client in clients.value {
        if manner == .reset { client.reset() } else { client.close() }
      }
      #expect(server.liveExchangeCount == 20)
      handler.gate.open()
      #expect(try await eventually { server.liveExchangeCount == 0 && server.connectionCount == 0 })
    }
  }

  @Test(
    "where places are scarce, a client that has gone leaves its own to others (S6)",
    arguments: manners
  )
  func scarcePlaces(_ manner: Manner) async throws {
    let handler = TestHandler()
    let told = Locked<[MicroHTTPServer.Cut]>([])
    var options = Self.fewPlaces
    options.reportCut = { reason in told.withLock { $0.append(reason) } }
    try await serving(handler, options: options) { server in
      let clients = try await RawClient.waiting(8, port: server.port)
      #expect(try await eventually { handler.gate.waitingCount == 8 })
      for client in clients.value {
        if manner == .reset { client.reset() } else { client.close() }
      }
      let next = try await exchange(
        "GET /next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        port: server.port
      )
      #expect(next.contains(" 200 OK\r\n"))
      #expect(try await eventually { server.liveExchangeCount == 0 && server.connectionCount == 0 })
      #expect(handler.gate.cancelledCount == 8)
      #expect(told.withLock(\.self) == Array(repeating: MicroHTTPServer.Cut.room, count: 8))
    }
  }

  @Test("where places are scarce, what must be finished is finished although its client has gone")
  func scarceFinish() async throws {
    let handler = TestHandler()
    try await serving(handler, options: Self.fewPlaces) { server in
      let clients = try await RawClient.waiting(8, at: "/finish", port: server.port)
      #expect(try await eventually { handler.gate.waitingCount == 8 })
      for client in clients.value { client.close() }
      #expect(try await eventually { server.connectionCount == 0 })
      #expect(server.expectedAnswerCount == 8)
      #expect(handler.gate.cancelledCount == 0)
      handler.gate.open()
      #expect(try await eventually { server.liveExchangeCount == 0 })
      #expect(handler.cancelledBehindCount == 8)
      #expect(server.expectedAnswerCount == 0)
    }
  }

  @Test("where places are scarce, a client that has not gone keeps its own and is answered")
  func staying() async throws {
    let handler = TestHandler()
    try await serving(handler, options: Self.fewPlaces) { server in
      let clients = try await RawClient.waiting(8, port: server.port)
      #expect(try await eventually { handler.gate.waitingCount == 8 })
      let table = server.service.daemon.connections
      #expect(table.cutDeserted(at: .now + .seconds(3_600)).isEmpty)
      handler.gate.open()
      let statuses = try await onThread { try clients.value.map { try $0.receiveAnswer()?.status } }
      #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
    }
  }

  @Test("a client that has gone keeps its place while there is room")
  func room() async throws {
    let handler = TestHandler()
    try await serving(handler, options: Self.fewPlaces) { server in
      let clients = try await RawClient.waiting(5, port: server.port)
      #expect(try await eventually { handler.gate.waitingCount == 5 })
      for client in clients.value { client.close() }
      let table = server.service.daemon.connections
      #expect(table.cutDeserted(at: .now + .seconds(3_600)).isEmpty)
      handler.gate.open()
    }
  }

  private static var fewPlaces: MicroHTTPServer.Options {
    var options = MicroHTTPServer.Options()
    options.connectionLimit = 8
    return options
  }

  @Test("a handler whose client has gone between two waits is cancelled", arguments: manners)
  func betweenWaits(_ manner: Manner) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      try await Self.leave(manner, amid: "/turns", of: handler, server)
      #expect(try await eventually { server.liveExchangeCount == 0 && server.connectionCount == 0 })
      handler.gate.open()
    }
  }

  @Test(
    "what must be finished is finished although its client has gone, and a stop waits for it",
    arguments: manners
  )
  func finishing(_ manner: Manner) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      try await Self.leave(manner, amid: "/finish-turns", of: handler, server)
      #expect(try await eventually { server.connectionCount == 0 })
      #expect(server.expectedAnswerCount == 2)
      async let stop: Void = server.stop(grace: .seconds(60))
      #expect(try await eventually { server.service.daemon.requestsInFlight.isStopping })
      handler.gate.open()
      await stop
      #expect(handler.finishedCount == 2)
    }
  }

  @Test(
    "a handler that ignores cancellation is given up at its deadline, though its client has gone"
  )
  func stubborn() async throws {
    let handler = TestHandler()
    var options = MicroHTTPServer.Options()
    options.handlerDeadline = { _ in .milliseconds(200) }
    try await serving(handler, options: options) { server in
      try await Self.leave(.close, amid: "/finish-turns", of: handler, server)
      #expect(try await eventually { server.expectedAnswerCount == 0 })
      handler.gate.open()
      #expect(try await eventually { handler.finishedCount == 2 && server.liveExchangeCount == 0 })
    }
  }

  private static let manners = [Manner.close, .reset]

  /// Has two clients ask, and go while their handlers take turn after turn.
  private static func leave(
    _ manner: Manner,
    amid target: String,
    of handler: TestHandler,
    _ server: MicroHTTPServer
  ) async throws {
    let clients = try await RawClient.waiting(2, at: target, port: server.port)
    #expect(try await eventually { handler.targets == [target, target] })
    for client in clients.value {
      if manner == .reset { client.reset() } else { client.close() }
    }
  }

  @Test("the handler is released once the server has stopped")
  func handlerIsReleased() async throws {
    let watch = try await {
      let handler = TestHandler()
      try await serving(handler) { server in
        _ = try await exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", port: server.port)
      }
      return Watch(handler: handler)
    }()
    // The thread that has ended the server lets go of it a moment after it has said so.
    #expect(try await eventually { watch.handler == nil })
  }

  private struct Watch: Sendable {
    weak let handler: TestHandler?
  }
}
