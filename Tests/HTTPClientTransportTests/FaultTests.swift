import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport

@testable import HTTPClientTransport

/// Something that goes wrong, and what it is called.
struct Mishap: Sendable, CustomTestStringConvertible {
  var label: String
  var expected: TransportError
  var script: @Sendable (ScriptedService.Caller) -> Void

  var testDescription: String { label }

  init(
    _ label: String,
    _ expected: TransportError,
    script: @escaping @Sendable (ScriptedService.Caller) -> Void
  ) {
    self.label = label
    self.expected = expected
    self.script = script
  }

  /// One after the request has been read: these bytes, then the end.
  init(_ label: String, _ expected: TransportError, answering text: String) {
    self.init(label, expected) { caller in
      _ = caller.readRequest()
      caller.write(text)
    }
  }
}

private let mishaps: [Mishap] = [
  Mishap("reset before the request is read", .connectionLost) { $0.reset() },
  Mishap("reset before the answer", .connectionLost) { caller in
    _ = caller.readRequest()
    caller.reset()
  },
  Mishap("end before the answer", .connectionLost, answering: ""),
  Mishap("end within the status line", .connectionLost, answering: "HTTP/1.1 20"),
  Mishap("end within the head", .connectionLost, answering: "HTTP/1.1 200 OK\r\nA: b\r\n"),
  Mishap(
    "body shorter than its length",
    .connectionLost,
    answering: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"
  ),
  Mishap(
    "chunked body without its end",
    .connectionLost,
    answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
  ),
  Mishap("reset within the body", .connectionLost) { caller in
    _ = caller.readRequest()
    caller.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    caller.reset()
  },
  Mishap("no answer", .timedOut) { caller in
    _ = caller.readRequest()
    caller.waitForEnd()
  },
  Mishap("stall within the body", .timedOut) { caller in
    _ = caller.readRequest()
    caller.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    caller.waitForEnd()
  },
  Mishap("drip within the head", .timedOut) { caller in
    _ = caller.readRequest()
    caller.write("HTTP/1.1 200 OK\r\nA: ")
    while caller.write("a") { usleep(10_000) }
  },
  Mishap("drip within the body", .timedOut) { caller in
    _ = caller.readRequest()
    caller.write("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n")
    while caller.write("a") { usleep(10_000) }
  },
  Mishap("garbage", .malformedAnswer, answering: "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
  Mishap("another protocol's version", .malformedAnswer, answering: "HTTP/x 200 OK\r\n\r\n"),
  Mishap("another protocol's answer", .malformedAnswer, answering: "HTTP/1.1 OK\r\n\r\n"),
  Mishap(
    "a switch to another protocol",
    .malformedAnswer,
    answering: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n"
  ),
  Mishap(
    "a field without a colon",
    .malformedAnswer,
    answering: "HTTP/1.1 200 OK\r\nNonsense\r\nContent-Length: 0\r\n\r\n"
  ),
  Mishap(
    "a field with a blank in its name",
    .malformedAnswer,
    answering: "HTTP/1.1 200 OK\r\nA b: c\r\nContent-Length: 0\r\n\r\n"
  ),
  Mishap(
    "a field that is folded",
    .malformedAnswer,
    answering: "HTTP/1.1 200 OK\r\nA: b\r\n c: d\r\nContent-Length: 0\r\n\r\n"
  ),
  Mishap(
    "a line without end in the head",
    .malformedAnswer,
    answering: "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 300_000)
  ),
  Mishap("a head without end", .malformedAnswer) { caller in
    _ = caller.readRequest()
    caller.write("HTTP/1.1 200 OK\r\n")
    while caller.write("A: " + String(repeating: "a", count: 256) + "\r\n") {}
  },
  Mishap("interim answers without end", .malformedAnswer) { caller in
    _ = caller.readRequest()
    while caller.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
  },
  Mishap(
    "two lengths",
    .malformedAnswer,
    answering: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"
  ),
  Mishap(
    "broken chunk size",
    .connectionLost,
    answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
  ),
  Mishap(
    "body longer than the limit",
    .malformedAnswer,
    answering: "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"
      + String(repeating: "a", count: 1_001)
  ),
  Mishap("body without end", .malformedAnswer) { caller in
    _ = caller.readRequest()
    caller.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while caller.write("100\r\n" + String(repeating: "a", count: 256) + "\r\n") {}
  },
]

@Suite struct FaultTests {
  private var limits: HTTPClientTransport.Limits {
    var limits = HTTPClientTransport.Limits()
    limits.connectDeadline = .milliseconds(300)
    limits.totalDeadline = .milliseconds(600)
    limits.answerLimitBytes = 1_000
    return limits
  }

  private func transport(
    to port: Int,
    limits: HTTPClientTransport.Limits
  ) throws -> HTTPClientTransport {
    try HTTPClientTransport(to: BaseURL("http://127.0.0.1:\(port)"), limits: limits)
  }

  @Test(
    "every fault has one name, is reported in time, and is not tried again (S27)",
    arguments: mishaps
  )
  func mishap(_ mishap: Mishap) async throws {
    let service = try ScriptedService(script: mishap.script)
    let transport = try transport(to: service.port, limits: limits)
    let start = ContinuousClock.now
    await #expect(throws: mishap.expected) {
      try await transport.send(Request(method: .post, target: "/a", body: Array("b=c".utf8)))
    }
    // Generous for a machine under load; it must not be as long as the service takes.
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(service.callerCount <= 1)
    await transport.shutdown()
  }

  @Test("if a plain http connection is closed without an answer, the report asks about https")
  func closedWithoutAWord() async throws {
    let service = try ScriptedService { caller in _ = caller.readRequest() }
    #expect(
      try await reports(ofLosing: service) == [
        "127.0.0.1:\(service.port) closes the connection before it answers: does it speak https?"
      ]
    )
    let secure = try HTTPClientTransport(to: BaseURL("https://127.0.0.1:1"))
    #expect(!secure.words(for: .connectionLost).contains("https"))
    await secure.shutdown()
  }

  @Test("if the connection ends within the answer, the report says that, and asks about nothing")
  func brokenOff() async throws {
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      caller.write("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n12345")
    }
    #expect(
      try await reports(ofLosing: service) == [
        "127.0.0.1:\(service.port) breaks off its answer before the end"
      ]
    )
  }

  /// The reports of a call whose connection that service closes.
  private func reports(ofLosing service: ScriptedService) async throws -> [String] {
    let reports = Locked<[String]>([])
    let transport = try HTTPClientTransport(
      to: BaseURL("http://127.0.0.1:\(service.port)"),
      limits: limits,
      report: { report in reports.withLock { $0.append(report) } }
    )
    await #expect(throws: TransportError.connectionLost) {
      try await transport.send(Request(method: .post, target: "/"))
    }
    await transport.shutdown()
    return reports.withLock(\.self)
  }

  @Test("a port where nobody listens is refused")
  func refused() async throws {
    let (descriptor, port) = try LoopbackSocket.listen(backlog: 1)
    close(descriptor)
    let transport = try transport(to: port, limits: limits)
    await #expect(throws: TransportError.refused) {
      try await transport.send(Request(method: .get, target: "/"))
    }
    await transport.shutdown()
  }

  @Test(
    "a missing socket is not reported as a port where nothing listens",
    arguments: [
      (0, .noSocket), (ECONNREFUSED, .nothingListens), (ENETUNREACH, .noNetwork),
      (ECONNRESET, .connectionLost),
    ] as [(CInt, Fault)]
  )
  func connecting(_ systemError: CInt, _ expected: Fault) {
    #expect(Fault(connecting: systemError) == expected)
  }

  @Test("a service that does not accept the connection counts as refused, in time")
  func noConnect() async throws {
    // A full queue of one: the kernel drops the next connection.
    let (descriptor, port) = try LoopbackSocket.listen(backlog: 0)
    let fillers = try (0..<2).map { _ in try LoopbackSocket.connect(to: port, isWaiting: false) }
    let transport = try transport(to: port, limits: limits)
    await #expect(throws: TransportError.refused) {
      try await transport.send(Request(method: .get, target: "/"))
    }
    await transport.shutdown()
    for filler in fillers { close(filler) }
    close(descriptor)
  }

  @Test("a host that does not exist is offline")
  func noSuchHost() async throws {
    let transport = try HTTPClientTransport(
      to: try BaseURL("https://no-such-host.invalid"),
      limits: limits
    )
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(Request(method: .get, target: "/"))
    }
    // A resolver that does not answer times out before it can report a missing name.
    #expect([.offline, .timedOut, .refused].contains(error))
    await transport.shutdown()
  }

  @Test("beyond the limit of requests in flight a call is busy, and later calls are served (S27)")
  func busy() async throws {
    let (entered, enter) = AsyncStream<Void>.makeStream()
    let gate = DispatchSemaphore(value: 0)
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      enter.yield()
      gate.wait()
      caller.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    }
    var limits = limits
    limits.totalDeadline = .seconds(20)
    limits.inFlightLimit = 2
    let transport = try transport(to: service.port, limits: limits)
    let request = Request(method: .get, target: "/")
    async let first = transport.send(request)
    async let second = transport.send(request)
    var entries = entered.makeAsyncIterator()
    await entries.next()
    await entries.next()
    await #expect(throws: TransportError.busy) { try await transport.send(request) }
    for _ in 0..<3 { gate.signal() }
    #expect(try await [first.status, second.status] == [.noContent, .noContent])
    #expect(try await transport.send(request).status == .noContent)
    await transport.shutdown()
  }

  @Test("a call that libcurl does not accept is not reported as busy, and the next is served")
  func notPrepared() async throws {
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      caller.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    }
    let reports = Locked<[String]>([])
    let transport = try HTTPClientTransport(
      to: BaseURL("http://127.0.0.1:\(service.port)"),
      report: { report in reports.withLock { $0.append(report) } }
    )
    // Longer than the 8,000,000 bytes that libcurl accepts for any option.
    let long = Request(method: .get, target: "/" + String(repeating: "a", count: 8_000_000))
    await #expect(throws: TransportError.offline) { try await transport.send(long) }
    // 10266 is CURLOPT_REQUEST_TARGET.
    #expect(
      reports.withLock(\.self) == [
        "127.0.0.1:\(service.port) cannot be called: libcurl does not accept its option 10266"
      ]
    )
    let answer = try await transport.send(Request(method: .get, target: "/"))
    #expect(answer.status == .noContent)
    await transport.shutdown()
    #expect(service.callerCount == 1)
  }

  @Test("a transport that cannot be set up for any call says so")
  func neverPrepared() async throws {
    let reports = Locked<[String]>([])
    let transport = try HTTPClientTransport(
      to: BaseURL("http://127.0.0.1:1"),
      userAgent: String(repeating: "a", count: 8_000_001),
      report: { report in reports.withLock { $0.append(report) } }
    )
    await #expect(throws: TransportError.offline) {
      try await transport.send(Request(method: .get, target: "/"))
    }
    // 10018 is CURLOPT_USERAGENT.
    let fault = "127.0.0.1:1 cannot be called: libcurl does not accept its option 10018"
    #expect(reports.withLock(\.self) == [fault])
    #expect(transport.words(for: .notPrepared(option: nil)).contains("no more calls"))
    await transport.shutdown()
  }

  @Test("the calls of one page share one deadline (S27)")
  func sharedDeadline() async throws {
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      caller.waitForEnd()
    }
    var limits = limits
    limits.totalDeadline = .seconds(60)
    let transport = try transport(to: service.port, limits: limits)
    let request = Request(method: .get, target: "/")
    let start = ContinuousClock.now
    await AnswerDeadline.$current.withValue(start + .milliseconds(300)) {
      for _ in 0..<3 {
        await #expect(throws: TransportError.timedOut) { try await transport.send(request) }
      }
    }
    // Generous for a machine under load; it must not be the transport's own minute.
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(service.callerCount <= 1)
    await transport.shutdown()
  }

  @Test("cancelling the task that waits ends the wait")
  func cancellation() async throws {
    let (entered, enter) = AsyncStream<Void>.makeStream()
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      enter.yield()
      caller.waitForEnd()
      enter.finish()
    }
    var limits = limits
    limits.totalDeadline = .seconds(60)
    let transport = try transport(to: service.port, limits: limits)
    let waiting = Task { try await transport.send(Request(method: .get, target: "/")) }
    var entries = entered.makeAsyncIterator()
    await entries.next()
    waiting.cancel()
    await #expect(throws: TransportError.timedOut) { try await waiting.value }
    // The service sees the connection end, too.
    #expect(await entries.next() == nil)
    await transport.shutdown()
  }

  @Test("a task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let service = try ScriptedService { _ in }
    let transport = try transport(to: service.port, limits: limits)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(Request(method: .get, target: "/"))
    }
    await #expect(throws: TransportError.timedOut) { try await waiting.value }
    await transport.shutdown()
    #expect(service.callerCount == 0)
  }

  @Test("a transport that has been shut down sends nothing")
  func afterShutdown() async throws {
    let service = try ScriptedService { _ in }
    let transport = try transport(to: service.port, limits: limits)
    await transport.shutdown()
    await transport.shutdown()
    await #expect(throws: TransportError.offline) {
      try await transport.send(Request(method: .get, target: "/"))
    }
    #expect(service.callerCount == 0)
  }
}
