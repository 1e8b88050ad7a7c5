import Foundation
import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Synchronization
import TestSupport
import Testing

@testable import HTTPClientTransport

@Suite struct ConnectionTests {
  private let request = Request(method: .post, target: "/a", body: Array("b=c".utf8))

  private func transport(
    to port: Int,
    inFlightLimit: Int = 64
  ) throws -> HTTPClientTransport {
    var limits = HTTPClientTransport.Limits()
    limits.totalDeadline = .seconds(60)
    limits.inFlightLimit = inFlightLimit
    return try HTTPClientTransport(to: BaseURL("http://127.0.0.1:\(port)"), limits: limits)
  }

  @Test("a connection is kept for the next request")
  func reuse() async throws {
    let service = try ScriptedService { caller in
      while !caller.readRequest().isEmpty { caller.write("HTTP/1.1 204 No Content\r\n\r\n") }
    }
    let transport = try transport(to: service.port)
    for _ in 0..<5 { #expect(try await transport.send(request).status == .noContent) }
    #expect(service.callerCount == 1)
    await transport.shutdown()
  }

  @Test("the calling thread has a name that the system shows")
  func threadName() async throws {
    let service = try ScriptedService { caller in
      while !caller.readRequest().isEmpty { caller.write("HTTP/1.1 204 No Content\r\n\r\n") }
    }
    let transport = try transport(to: service.port)
    _ = try await transport.send(request)
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map { id in
      // A thread that has ended meanwhile has none.
      try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)
    }
    #expect(names.contains("http-client\n"))
    await transport.shutdown()
  }

  @Test("a request that was lost on a kept connection is not sent again (S27)")
  func swallowed() async throws {
    let counter = Counter()
    let service = try ScriptedService { caller in
      while !caller.readRequest().isEmpty {
        guard counter.next() != 2 else { return }
        caller.write("HTTP/1.1 204 No Content\r\n\r\n")
      }
    }
    let transport = try transport(to: service.port)
    #expect(try await transport.send(request).status == .noContent)
    await #expect(throws: TransportError.connectionLost) { try await transport.send(request) }
    #expect(counter.value == 2)
    #expect(try await transport.send(request).status == .noContent)
    #expect(counter.value == 3)
    await transport.shutdown()
  }

  @Test("a cancelled call returns at once, and the others go on")
  func cancellation() async throws {
    let (entered, enter) = AsyncStream<Void>.makeStream()
    let service = try ScriptedService { caller in
      if caller.readRequest().hasPrefix("POST /stuck") {
        enter.yield()
        caller.waitForEnd()
      } else {
        caller.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
      }
    }
    let transport = try transport(to: service.port)
    let stuck = Task { try await transport.send(Request(method: .post, target: "/stuck")) }
    var entries = entered.makeAsyncIterator()
    await entries.next()
    stuck.cancel()
    await #expect(throws: TransportError.timedOut) { try await stuck.value }
    #expect(try await transport.send(request).status == .noContent)
    await transport.shutdown()
  }

  @Test("a shutdown ends the thread and every call that waits")
  func shutdown() async throws {
    let (entered, enter) = AsyncStream<Void>.makeStream()
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      enter.yield()
      caller.waitForEnd()
      enter.yield()
    }
    let transport = try transport(to: service.port)
    let stuck = (0..<8).map { _ in Task { try await transport.send(request) } }
    var entries = entered.makeAsyncIterator()
    for _ in stuck { await entries.next() }
    await transport.shutdown()
    for call in stuck {
      await #expect(throws: TransportError.connectionLost) { try await call.value }
    }
    // The service sees the connections end.
    for _ in stuck { await entries.next() }
  }

  @Test("a transport that is released ends its thread")
  func release() async throws {
    let service = try ScriptedService { caller in
      while !caller.readRequest().isEmpty { caller.write("HTTP/1.1 204 No Content\r\n\r\n") }
    }
    var transport: HTTPClientTransport? = try transport(to: service.port)
    _ = try await transport?.send(request)
    let calls = transport?.calls
    transport = nil
    await calls?.end()
    #expect(await calls?.outcome(of: request, within: .seconds(60)) == .failure(.shutDown))
  }

  @Test("many calls at once each get their own answer, while some of them are cancelled")
  func crowd() async throws {
    let server = try MicroHTTPServer(
      listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
      handler: FunctionHandler { Response(status: .ok, body: $0.body) },
      refusing: { refusal, _ in Response(status: refusal.status) },
      log: { _ in }
    )
    let transport = try transport(to: server.port, inFlightLimit: 1_000)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<600 {
        group.addTask {
          let body = Array("number \(number)".utf8)
          let call = Task {
            try await transport.send(Request(method: .post, target: "/\(number)", body: body))
          }
          if number.isMultiple(of: 5) { call.cancel() }
          let result = await call.result
          if !number.isMultiple(of: 5) { #expect((try? result.get())?.body == body) }
        }
      }
    }
    await transport.shutdown()
    await server.stop(grace: .zero)
  }
}

/// Counts requests from several threads.
private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
