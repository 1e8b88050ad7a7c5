import HTTPExchange
import HTTPTypes
import Locking
import Testing

@testable import MicroHTTPServer

@Suite struct AnswerTests {
  /// Sends one request and reads the answer.
  private func ask(
    _ line: String,
    body: [UInt8] = [],
    port: Int
  ) async throws -> RawClient.Answer? {
    try await onThread {
      let client = try RawClient(port: port)
      try client.send(
        "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n"
      )
      try client.send(body)
      return try client.receiveAnswer(toHead: line.hasPrefix("HEAD "))
    }
  }

  @Test(
    "a header value with a control character is refused, not stripped (S10)",
    arguments: [0x01, 0x09, 0x0B, 0x1B, 0x1F, 0x7F] as [UInt8]
  )
  func controlInValue(_ byte: UInt8) async throws {
    let lines = Locked<[String]>([])
    let server = try MicroHTTPServer(
      listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
      handler: TestHandler(),
      refusing: { refusal, _ in Response(status: refusal.status, body: Array("page".utf8)) },
      log: { line in lines.withLock { $0.append(line) } }
    )
    let answer = try await ask("POST /field", body: [0x61, byte, 0x62], port: server.port)
    await server.stop(grace: .zero)
    #expect(answer?.status == 500)
    #expect(answer?.body == "page")
    #expect(answer?.value(of: "X-Echo") == nil)
    #expect(
      lines.withLock { $0 } == [
        "an answer could not be sent: the value of X-Echo has control characters"
      ]
    )
  }

  @Test("a header value in UTF-8 is sent as it is")
  func textInValue() async throws {
    try await serving(TestHandler()) { server in
      let answer = try await ask("POST /field", body: Array("café".utf8), port: server.port)
      #expect(answer?.value(of: "X-Echo") == "café")
    }
  }

  @Test("line breaks never reach the wire: the field type itself has replaced them (S10)")
  func lineBreak() async throws {
    try await serving(TestHandler()) { server in
      let value = Array("a\r\nSet-Cookie: b=c".utf8)
      let answer = try await ask("POST /field", body: value, port: server.port)
      #expect(answer?.status == 200)
      #expect(answer?.value(of: "X-Echo") == "a  Set-Cookie: b=c")
      #expect(answer?.value(of: "Set-Cookie") == nil)
    }
  }

  @Test("HEAD is answered like GET, without the body")
  func head() async throws {
    try await serving(TestHandler()) { server in
      let answer = try await ask("HEAD /abc", port: server.port)
      #expect(answer?.status == 200)
      #expect(answer?.value(of: "Content-Length") == "10")
      #expect(answer?.body == "")
    }
  }

  @Test(
    "an invalid status is refused with 500",
    arguments: [(199, 500), (600, 500), (200, 200), (303, 303), (422, 422), (599, 599)]
  )
  func status(code: Int, expected: Int) async throws {
    try await serving(TestHandler()) { server in
      let answer = try await ask("GET /status?\(code)", port: server.port)
      #expect(answer?.status == expected)
    }
  }

  @Test("an answer without content has no body, whatever the handler says", arguments: [204, 304])
  func withoutBody(_ code: Int) async throws {
    try await serving(TestHandler()) { server in
      let text = "GET /status?\(code) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let received = try await exchange(text, port: server.port)
      #expect(received.hasPrefix("HTTP/1.1 \(code) "))
      #expect(received.hasSuffix("\r\n\r\n"))
    }
  }

  @Test("an unmodified page has the length that its full answer would have (RFC 9110, 8.6)")
  func lengthOfTheUnmodified() async throws {
    try await serving(TestHandler()) { server in
      let text = "GET /unmodified HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let received = try await exchange(text, port: server.port)
      #expect(received.hasPrefix("HTTP/1.1 304 "))
      #expect(received.contains("\r\nContent-Length: 25259\r\n"))
      #expect(received.hasSuffix("\r\n\r\n"))
    }
  }
}
