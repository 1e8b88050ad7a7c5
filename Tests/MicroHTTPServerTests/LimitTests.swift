import HTTPExchange
import HTTPTypes
import Testing

@testable import MicroHTTPServer

@Suite struct LimitTests {
  private let limit = 1_000

  private var options: MicroHTTPServer.Options {
    var options = MicroHTTPServer.Options()
    options.bodyLimitBytes = limit
    options.swallowLimitBytes = 100_000
    return options
  }

  /// Sends a body of that many bytes and reads the answer.
  private func post(
    _ count: Int,
    port: Int,
    chunked: Bool = false,
    fields: String = ""
  ) async throws -> RawClient.Answer? {
    try await onThread {
      let client = try RawClient(port: port)
      let body = String(repeating: "b", count: count)
      let framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(count)"
      try client.send("POST /a HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\(fields)\r\n")
      // Where the server has closed already, the answer matters, not what we did not get rid of.
      do {
        try client.send(chunked ? "\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n" : body)
      } catch is RawClient.Failure {}
      return try client.receiveAnswer()
    }
  }

  @Test(
    "a body up to the limit reaches the handler, one byte more is answered with 413 (S4)",
    arguments: [999, 1_000, 1_001],
    [false, true]
  )
  func bodyLimit(count: Int, chunked: Bool) async throws {
    let handler = TestHandler()
    try await serving(handler, options: options) { server in
      let answer = try await post(count, port: server.port, chunked: chunked)
      if count <= limit {
        #expect(answer?.status == 200)
        #expect(answer?.body == "POST /a " + String(repeating: "b", count: count))
      } else {
        #expect(answer?.status == 413)
        #expect(answer?.closes == true)
        #expect(handler.targets.isEmpty)
      }
    }
  }

  @Test("a body that is far too long is read away first, so that the 413 arrives")
  func swallowed() async throws {
    try await serving(TestHandler(), options: options) { server in
      let answer = try await post(100_000, port: server.port)
      #expect(answer?.status == 413)
      let chunked = try await post(100_000, port: server.port, chunked: true)
      #expect(chunked?.status == 413)
    }
  }

  @Test("a body beyond all bounds is not read at all")
  func beyond() async throws {
    let handler = TestHandler()
    try await serving(handler, options: options) { server in
      let port = server.port
      let answer = try await onThread {
        let client = try RawClient(port: port)
        try client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100001\r\n\r\n")
        return try client.receiveAnswer()
      }
      #expect(answer?.status == 413)
      #expect(answer?.closes == true)
      let chunked = try await post(100_001, port: port, chunked: true)
      #expect(chunked?.status ?? 413 == 413)
      #expect(handler.targets.isEmpty)
    }
  }

  @Test("who asks before sending is told to go on, or that it is too much")
  func expectContinue() async throws {
    try await serving(TestHandler(), options: options) { server in
      let port = server.port
      let answers = try await onThread {
        let small = try RawClient(port: port)
        let fields = "Host: localhost\r\nExpect: 100-continue\r\n"
        try small.send("POST /a HTTP/1.1\r\n\(fields)Content-Length: 2\r\n\r\n")
        let goOn = try small.receiveAnswer()
        try small.send("hi")
        let large = try RawClient(port: port)
        try large.send("POST /a HTTP/1.1\r\n\(fields)Content-Length: 5000\r\n\r\n")
        return [goOn, try small.receiveAnswer(), try large.receiveAnswer()]
      }
      #expect(answers.map { $0?.status } == [100, 200, 413])
    }
  }

  @Test("four large cookies fit, a head beyond its memory does not (S4)")
  func headerMemory() async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let port = server.port
      let statuses = try await onThread {
        try [16_000, 40_000].map { count in
          let client = try RawClient(port: port)
          let cookie = String(repeating: "c", count: count)
          try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nCookie: a=\(cookie)\r\n\r\n")
          return try client.receiveAnswer()?.status
        }
      }
      #expect(statuses == [200, 431])
      #expect(handler.targets == ["/a"])
    }
  }
}
