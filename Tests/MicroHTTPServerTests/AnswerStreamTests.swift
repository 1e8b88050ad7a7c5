import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Testing

@testable import MicroHTTPServer

@Suite("Answers in pieces")
struct AnswerStreamTests {
  /// Answers with numbered pieces; the path decides what else happens.
  private final class Pieces: HTTPHandler {
    static let bytes = 100_000
    let gate = Gate()
    private let made = Locked(0)
    private let held = Locked<[Weak]>([])

    var madeCount: Int { made.withLock { $0 } }
    /// Whether nobody holds the pieces of any answer any more.
    var areAllLetGoOf: Bool { held.withLock { $0.allSatisfy { $0.pieces == nil } } }

    func respond(to request: Request) async -> Response {
      let count = Int(request.query ?? "") ?? 3
      let number = Locked(0)
      let path = request.path
      let pieces = BodyPieces { [self] in
        let next = number.withLock { number in
          number += 1
          return number
        }
        if path == "/wait", next > 1 { await gate.wait() }
        if path == "/yield" { await Task.yield() }
        if path == "/broken", next == count { throw Broken() }
        guard next <= count else { return nil }
        made.withLock { $0 += 1 }
        let letter = UInt8(ascii: "a") + UInt8(next % 26)
        return path == "/large" ? Array(repeating: letter, count: Self.bytes) : [letter]
      }
      held.withLock { $0.append(Weak(pieces: pieces)) }
      return Response(status: .ok, content: .pieces(pieces))
    }
  }

  private struct Broken: Error {}

  private struct Weak: Sendable {
    weak var pieces: BodyPieces?
  }

  private let handler = Pieces()

  private func ask(_ target: String, version: String = "1.1") async throws -> String {
    try await serving(handler) { server in
      let request = "GET \(target) HTTP/\(version)\r\nHost: localhost\r\n\r\n"
      return try await exchange(request, port: server.port)
    }
  }

  @Test("go out in chunks, whether a piece is there at once or later", arguments: ["/", "/yield"])
  func chunks(path: String) async throws {
    let text = try await ask("\(path)?3")
    #expect(text.contains("Transfer-Encoding: chunked\r\n"))
    #expect(!text.contains("Content-Length"))
    #expect(text.hasSuffix("\r\n0\r\n\r\n"))
    #expect(text.chunks == "bcd")
  }

  @Test("end with the connection if the client speaks HTTP/1.0")
  func oldVersion() async throws {
    let text = try await ask("/yield?3", version: "1.0")
    #expect(!text.contains("Transfer-Encoding"))
    #expect(text.hasSuffix("\r\n\r\nbcd"))
  }

  @Test("leave the connection open for the next request")
  func kept() async throws {
    let text = try await serving(handler) { server in
      let request = "GET /yield?3 HTTP/1.1\r\nHost: localhost\r\n\r\n"
      return try await exchange(request + request, port: server.port)
    }
    #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
    #expect(text.hasSuffix("\r\n0\r\n\r\n"))
  }

  @Test("are not made for HEAD")
  func head() async throws {
    let text = try await serving(handler) { server in
      try await exchange("HEAD /?3 HTTP/1.1\r\nHost: localhost\r\n\r\n", port: server.port)
    }
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(text.hasSuffix("\r\n\r\n"))
    #expect(handler.madeCount == 0)
  }

  @Test("have no last chunk if they end early")
  func broken() async throws {
    let text = try await ask("/broken?3")
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(!text.hasSuffix("\r\n0\r\n\r\n"))
  }

  @Test("are made no faster than the client takes them, and no more once it has gone")
  func backPressure() async throws {
    try await serving(handler) { server in
      let port = server.port
      try await onThread {
        let client = try RawClient(port: port, receiveBufferBytes: 4_096)
        try client.send("GET /large?100000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.receive(atMost: 1_000)
        client.reset()
      }
      #expect(try await eventually { server.liveExchangeCount == 0 && handler.areAllLetGoOf })
      // What the buffers of the two sockets hold: a few megabytes of the ten thousand.
      #expect(handler.madeCount < 200)
    }
  }

  @Test("a client that goes away while a piece is made ends the answer")
  func departure() async throws {
    try await serving(handler) { server in
      let port = server.port
      let client = try await onThread {
        let client = try RawClient(port: port)
        try client.send("GET /wait?100000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.receive(atMost: 1_000)
        return Unchecked(client)
      }
      #expect(try await eventually { handler.gate.waitingCount == 1 })
      client.value.reset()
      handler.gate.open()
      #expect(try await eventually { server.liveExchangeCount == 0 && handler.areAllLetGoOf })
      #expect(handler.madeCount < 100_000)
    }
  }

  @Test("a stop breaks off an answer that is still being made when the grace is over")
  func stop() async throws {
    let text = try await serving(handler) { server in
      let port = server.port
      async let answer = onThread {
        let client = try RawClient(port: port)
        try client.send("GET /wait?3 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try client.receiveAll()
      }
      #expect(try await eventually { handler.gate.waitingCount == 1 })
      await server.stop(grace: .milliseconds(10))
      return try await answer
    }
    #expect(!text.hasSuffix("\r\n0\r\n\r\n"))
    #expect(handler.gate.cancelledCount == 1)
    #expect(try await eventually { handler.areAllLetGoOf })
  }

  @Test("a client that takes no piece for too long is cut")
  func deadline() async throws {
    var options = MicroHTTPServer.Options()
    options.answerDeadline = .milliseconds(300)
    try await serving(handler, options: options) { server in
      let port = server.port
      let client = try await onThread {
        let client = try RawClient(port: port, receiveBufferBytes: 4_096)
        try client.send("GET /large?100000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return Unchecked(client)
      }
      #expect(try await eventually { server.connectionCount == 0 && handler.areAllLetGoOf })
      client.value.close()
    }
  }
}

extension String {
  /// The bodies of the chunks of an answer, put together.
  fileprivate var chunks: String {
    let lines = components(separatedBy: "\r\n\r\n").dropFirst().joined().split(separator: "\r\n")
    return lines.enumerated().filter { $0.offset % 2 == 1 }.map(\.element).joined()
  }
}
