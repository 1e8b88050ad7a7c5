import HTTPExchange
import HTTPTypes
import Testing

@Suite("The transport that only calls")
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

  @Test("the page's deadline ends a call before the transport's own does (S27, A13)")
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

  @Test("without a deadline of its own, too")
  func noOwnDeadline() async throws {
    let transport = InProcessTransport(to: Handler(waits: true))
    await AnswerDeadline.$current.withValue(.now + .milliseconds(20)) {
      await #expect(throws: TransportError.timedOut) { try await transport.send(request) }
    }
  }

  @Test("who answers in time is heard")
  func inTime() async throws {
    let transport = InProcessTransport(to: Handler(waits: false), deadline: .seconds(600))
    let response = try await AnswerDeadline.$current.withValue(.now + .seconds(60)) {
      try await transport.send(request)
    }
    #expect(response.status == .ok)
    #expect(try await transport.send(request).status == .ok)
  }
}
