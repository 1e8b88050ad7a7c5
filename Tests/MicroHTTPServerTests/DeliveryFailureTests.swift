import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport

@testable import MicroHTTPServer

@Suite("Answers that fail on purpose")
struct DeliveryFailureTests {
  private static func answer(to request: Request) -> Response {
    var response = Response(
      status: .ok,
      headerFields: [.authorization: ""],
      body: Array("0123456789".utf8)
    )
    if request.query == "pieces" { response.content = .pieces(pieces(of: response.body)) }
    response.deliveryFailure = DeliveryFailure(rawValue: String(request.path.dropFirst()))
    return response
  }

  private static func pieces(of body: [UInt8]) -> BodyPieces {
    let rest = Locked(body)
    return BodyPieces { rest.withLock { $0.isEmpty ? nil : [$0.removeFirst()] } }
  }

  private func ask(_ path: String) async throws -> String {
    try await serving(FunctionHandler { Self.answer(to: $0) }) { server in
      try await exchange("GET /\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n", port: server.port)
    }
  }

  @Test("the connection ends without an answer", arguments: ["refused", "reset", "timeout"])
  func noAnswer(path: String) async throws {
    #expect(try await ask(path) == "")
  }

  @Test("the connection ends in the middle of the body")
  func truncated() async throws {
    let text = try await ask("truncated")
    #expect(text.contains("Content-Length: 10\r\n"))
    #expect(text.hasSuffix("\r\n\r\n01234"))
  }

  @Test("a body in pieces is cut after the head, and broken off for a caller in process")
  func truncatedPieces() async throws {
    let text = try await ask("truncated?pieces")
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(text.contains("Content-Length: 2\r\n"))
    #expect(text.hasSuffix("\r\n\r\n"))
    await #expect(throws: TransportError.connectionLost) {
      try await InProcessTransport(to: FunctionHandler { Self.answer(to: $0) }).send(
        Request(method: .get, target: "/truncated?pieces")
      )
    }
    #expect(try await ask("whole?pieces").hasSuffix("\r\n0\r\n\r\n"))
  }

  @Test("other answers arrive whole, even with an empty field")
  func whole() async throws {
    let text = try await ask("whole")
    #expect(text.hasSuffix("\r\n\r\n0123456789"))
    let fields = text.split(separator: "\r\n").filter { $0.hasPrefix("Authorization:") }
    #expect(fields.count == 1)
    #expect(fields.first?.dropFirst("Authorization:".count).allSatisfy { $0 == " " } == true)
  }
}
