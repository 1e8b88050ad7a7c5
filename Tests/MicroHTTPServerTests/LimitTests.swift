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
      // If the server has closed already, the answer matters, not the rest that was not sent.
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

  @Test("a body that is far too long is read and discarded first, so that the 413 arrives")
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

  @Test("a client that asks before it sends is told to go on, or that it is too much")
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

  /// The statuses for a GET with so many bytes of cookies, on one connection each.
  private func statuses(
    ofCookies counts: [Int],
    inFieldsOf fieldLength: Int = .max
  ) async throws -> [Int?] {
    try await serving(TestHandler()) { server in
      let port = server.port
      return try await onThread {
        try counts.map { count in
          let client = try RawClient(port: port)
          let lines = stride(from: 0, to: count, by: min(fieldLength, count)).map { start in
            "Cookie: " + String(repeating: "c", count: min(fieldLength, count - start)) + "\r\n"
          }
          // If the server has closed already, its answer matters.
          do {
            try client.send("GET /cookies HTTP/1.1\r\nHost: localhost\r\n\(lines.joined())\r\n")
          } catch is RawClient.Failure {}
          return try client.receiveAnswer()?.status
        }
      }
    }
  }

  @Test("a query of thousands of arguments is one target like any other (S4)")
  func arguments() async throws {
    let handler = TestHandler()
    let target = "/a?" + String(repeating: "&", count: 30_000)
    try await serving(handler) { server in
      let received = try await exchange(
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        port: server.port
      )
      #expect(received.hasPrefix("HTTP/1.1 200 "))
      #expect(handler.targets == [target])
    }
  }

  @Test("four cookies of ours, 16 KiB of others and a browser's own fields are answered (S4)")
  func browserWithCookies() async throws {
    let ours = 4 * 3_800, others = 16 * 1_024, browser = 2_048
    #expect(try await statuses(ofCookies: [ours + others + browser]) == [200])
  }

  @Test(
    "a head of any size is answered, while four cookies are set (S4)",
    arguments: [200, 4_000, Int.max]
  )
  func everySize(fieldLength: Int) async throws {
    let sizes = Array(stride(from: 1_000, to: 140_000, by: 997))
    let statuses = try await statuses(ofCookies: sizes, inFieldsOf: fieldLength)
    let limit = MicroHTTPServer.Options().headLimitBytes
    for (size, status) in zip(sizes, statuses) {
      #expect(
        status == 431 || status == 200 && size < limit,
        "\(size): \(String(describing: status))"
      )
    }
  }
}
