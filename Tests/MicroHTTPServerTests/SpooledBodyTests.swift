import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@testable import MicroHTTPServer

@Suite("Long bodies that a handler asks for")
struct SpooledBodyTests {
  /// Says where the body was kept, and what was in it.
  private static func read(_ request: Request) -> Response {
    switch request.content {
    case .whole(let bytes): return Response(status: .ok, body: Array("whole ".utf8) + bytes)
    case .spooled(let file):
      do {
        let bytes = try file.bytes(in: 0..<file.count)
        return Response(status: .ok, body: Array("spooled ".utf8) + bytes)
      } catch {
        return Response(status: .internalServerError)
      }
    }
  }

  private func post(_ body: String, to path: String, chunked: Bool) async throws -> String {
    var options = MicroHTTPServer.Options()
    options.bodyLimitBytes = 1_000
    options.spooledBodyLimitBytes = { $0.path == "/long" ? 200_000 : nil }
    return try await serving(FunctionHandler { Self.read($0) }, options: options) { server in
      let framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.utf8.count)"
      let text = chunked ? "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n" : body
      return try await exchange(
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n\(text)",
        port: server.port
      )
    }
  }

  @Test("are in a file beyond the usual limit, and in memory up to it", arguments: [false, true])
  func spools(chunked: Bool) async throws {
    let short = String(repeating: "s", count: 1_000)
    let long = (0..<20_000).map { String($0) }.joined(separator: ",")
    let kept = try await post(short, to: "/long", chunked: chunked)
    #expect(kept.hasSuffix("\r\n\r\nwhole \(short)"))
    let spooled = try await post(long, to: "/long", chunked: chunked)
    #expect(spooled.hasSuffix("\r\n\r\nspooled \(long)"))
  }

  @Test(
    "are refused beyond their limit, and if the handler did not ask for them",
    arguments: [false, true]
  )
  func limits(chunked: Bool) async throws {
    let tooLong = String(repeating: "l", count: 200_001)
    #expect(try await post(tooLong, to: "/long", chunked: chunked).hasPrefix("HTTP/1.1 413"))
    let long = String(repeating: "l", count: 1_001)
    #expect(try await post(long, to: "/other", chunked: chunked).hasPrefix("HTTP/1.1 413"))
  }
}
