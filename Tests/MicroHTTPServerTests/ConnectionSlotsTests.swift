import Locking
import Testing

@testable import MicroHTTPServer

@Suite("Slots for connections on the library's threads") struct ConnectionSlotsTests {
  @Test("each connection goes to the thread with the fewest")
  func evenly() {
    let slots = ConnectionSlots(threadCount: 2, limit: 100)
    for descriptor in 0..<CInt(10) { _ = slots.take(for: descriptor) }
    #expect(slots.counts == [5, 5])
    let first = (0..<CInt(10)).filter { $0.isMultiple(of: 2) }
    for descriptor in first { slots.giveBack(descriptor) }
    #expect(slots.counts == [0, 5])
    #expect((10..<CInt(15)).map { slots.take(for: $0) } == [0, 0, 0, 0, 0])
    // A connection without a slot gives none back.
    slots.giveBack(99)
    #expect(slots.counts == [5, 5])
  }

  @Test("a caller that found no room is woken once, when there is room")
  func full() {
    let slots = ConnectionSlots(threadCount: 1, limit: 2)
    let wakes = Locked(0)
    func hasRoom() -> Bool { slots.haveRoom { wakes.withLock { $0 += 1 } } }
    for descriptor in 0..<CInt(2) {
      #expect(hasRoom())
      _ = slots.take(for: descriptor)
    }
    #expect(!hasRoom())
    #expect(wakes.withLock(\.self) == 0)
    slots.giveBack(0)
    slots.giveBack(1)
    #expect(wakes.withLock(\.self) == 1)
    #expect(hasRoom())
  }

  @Test("connections that come together are shared out, and leave nothing behind")
  func together() async throws {
    try await serving(TestHandler()) { server in
      let port = server.port
      let clients = try await onThread {
        Unchecked(try (0..<20).map { _ in try RawClient(port: port) })
      }
      let slots = server.service.daemon.slots
      #expect(try await eventually { slots.counts == [10, 10] })
      let statuses = try await onThread {
        try clients.value.map { client in
          try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
          return try client.receiveAnswer()?.status
        }
      }
      #expect(statuses == Array(repeating: 200, count: 20))
      #expect(try await eventually { slots.counts == [0, 0] })
    }
  }

  @Test("a connection that comes when every slot is taken waits until one is free")
  func waiting() async throws {
    var options = MicroHTTPServer.Options()
    options.connectionLimit = 4
    let handler = TestHandler()
    try await serving(handler, options: options) { server in
      let port = server.port
      let clients = try await RawClient.waiting(4, port: port)
      #expect(try await eventually { handler.gate.waitingCount == 4 })
      #expect(server.service.daemon.slots.counts == [2, 2])
      async let late = exchange("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
      handler.gate.open()
      // Its connection waits in the system's queue until an idle one makes room.
      let received = try await late
      #expect(received.contains(" 200 OK\r\n"))
      withExtendedLifetime(clients) {}
    }
  }
}
