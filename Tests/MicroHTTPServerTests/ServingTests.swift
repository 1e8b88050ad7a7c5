import HTTPExchange
import HTTPTypes
import Testing

@testable import MicroHTTPServer

@Suite struct ServingTests {
  @Test("a handler's answer goes out with length and date, and without a server's name (S8)")
  func answer() async throws {
    try await serving(TestHandler()) { server in
      let port = server.port
      let answer = try await onThread {
        let client = try RawClient(port: port)
        try client.send("GET /a%2Fb?c=%20d HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try client.receiveAnswer()
      }
      #expect(answer?.status == 200)
      #expect(answer?.body == "GET /a%2Fb?c=%20d ")
      #expect(answer?.value(of: "Content-Length") == "18")
      #expect(answer?.value(of: "Date") != nil)
      #expect(answer?.value(of: "Server") == nil)
    }
  }
}
