import Glibc
import HTTPExchange
import HTTPTypes
import Locking
import Testing

@Suite("The transport that calls a handler in process")
struct InProcessTransportTests {
  /// Answers when the call is given up, or at once.
  private struct Handler: HTTPHandler {
    var waits: Bool

    func respond(to request: Request) async -> Response {
      if waits { try? await Task.sleep(for: .seconds(600)) }
      return Response(status: .ok)
    }
  }

  private let request = Request(method: .get, target: "/")

  @Test("a call without an answer says why in words")
  func words() {
    #expect("\(TransportError.refused)" == "no connection could be made")
    #expect("\(TransportError.timedOut)" == "there was no complete answer in time")
  }

  @Test("the page's deadline ends a call before the transport's own does (S27)")
  func pageDeadline() async throws {
    let transport = InProcessTransport(to: Handler(waits: true), deadline: .seconds(600))
    let start = ContinuousClock.now
    await AnswerDeadline.$current.withValue(start + .milliseconds(50)) {
      for _ in 0..<3 {
        await #expect(throws: TransportError.timedOut) { try await transport.send(request) }
      }
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test("the page's deadline also ends a call of a transport without a deadline")
  func noOwnDeadline() async throws {
    let transport = InProcessTransport(to: Handler(waits: true))
    await AnswerDeadline.$current.withValue(.now + .milliseconds(20)) {
      await #expect(throws: TransportError.timedOut) { try await transport.send(request) }
    }
  }

  /// Answers only when it is let, even if the caller has given up.
  private struct Stubborn: HTTPHandler {
    let answers: AsyncStream<Void>
    let source: AsyncStream<Void>.Continuation

    init() { (answers, source) = AsyncStream.makeStream() }

    func respond(to request: Request) async -> Response {
      await Task { for await _ in answers { return } }.value
      return Response(status: .ok)
    }
  }

  @Test("a deadline ends the wait even for a handler that goes on (S27)")
  func stubborn() async throws {
    let handler = Stubborn()
    let transport = InProcessTransport(to: handler, deadline: .milliseconds(20))
    // Were the handler waited for, this would never end.
    await #expect(throws: TransportError.timedOut) { try await transport.send(request) }
    handler.source.finish()
  }

  @Test("an answer in time is returned")
  func inTime() async throws {
    let transport = InProcessTransport(to: Handler(waits: false), deadline: .seconds(600))
    let response = try await AnswerDeadline.$current.withValue(.now + .seconds(60)) {
      try await transport.send(request)
    }
    #expect(response.status == .ok)
    #expect(try await transport.send(request).status == .ok)
  }

  /// Remembers its thread.
  private struct Witness: HTTPHandler {
    let thread = Locked<pthread_t?>(nil)

    func respond(to request: Request) async -> Response {
      thread.withLock { $0 = pthread_self() }
      return Response(status: .ok)
    }
  }

  @Test("a handler that waits for nothing answers on the caller's thread, even under a deadline")
  func atOnce() async throws {
    let witness = Witness()
    let transport = InProcessTransport(to: witness, deadline: .seconds(600))
    for _ in 0..<3 {
      let own = pthread_self()
      _ = try await transport.send(request)
      #expect(witness.thread.withLock { $0.map { pthread_equal($0, own) != 0 } } == true)
    }
  }

  @Test("a transport gives way before each call, if it is made to", arguments: [true, false])
  func givingWay(givesWay: Bool) async throws {
    let transport = InProcessTransport(
      to: Witness(),
      deadline: .seconds(600),
      givesWay: givesWay
    )
    let hasAnswered = Locked(false)
    let call = Task.immediate {
      _ = try await transport.send(request)
      hasAnswered.withLock { $0 = true }
    }
    let atOnce = hasAnswered.withLock(\.self)
    try await call.value
    #expect(atOnce != givesWay)
  }

  @Test("cancelling the caller ends its call")
  func cancelled() async throws {
    let transport = InProcessTransport(to: Handler(waits: true), deadline: .seconds(600))
    let start = ContinuousClock.now
    let call = Task { try await transport.send(request) }
    call.cancel()
    _ = await call.result
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  /// Answers in pieces of ten bytes, the third of which may not come.
  private struct Streaming: HTTPHandler {
    var breaks = false

    func respond(to request: Request) async -> Response {
      let rest = Locked(3)
      return Response(
        status: .ok,
        content: .pieces(
          BodyPieces {
            let left = rest.withLock { rest in
              rest -= 1
              return rest
            }
            if left == 0, breaks { throw CancellationError() }
            return left < 0 ? nil : Array(repeating: 0x61, count: 10)
          }
        )
      )
    }
  }

  @Test("an answer in pieces arrives whole, or not at all")
  func pieces() async throws {
    let whole = try await InProcessTransport(to: Streaming()).send(request)
    #expect(whole.body.count == 30)
    await #expect(throws: TransportError.connectionLost) {
      try await InProcessTransport(to: Streaming(breaks: true)).send(request)
    }
    await #expect(throws: TransportError.malformedAnswer) {
      try await InProcessTransport(to: Streaming(), answerLimitBytes: 19).send(request)
    }
  }
}
