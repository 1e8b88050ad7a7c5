import Foundation
import Testing

@testable import MicroHTTPServer

@Suite struct KeptConnectionTests {
  @Test("pipelined requests are answered in order, whether the handler waits or not (S5)")
  func pipelining() async throws {
    try await serving(TestHandler()) { server in
      let port = server.port
      let bodies = try await onThread {
        let client = try RawClient(port: port)
        let text = (0..<20).map { number in
          let path = number.isMultiple(of: 3) ? "/yield" : "/plain"
          return "POST \(path)?\(number) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi"
        }
        try client.send(text.joined())
        return try text.indices.map { _ in try client.receiveAnswer()?.body }
      }
      let expected = (0..<20).map { number in
        "POST \(number.isMultiple(of: 3) ? "/yield" : "/plain")?\(number) hi"
      }
      #expect(bodies == expected)
    }
  }

  @Test("a ready answer is sent in its turn, and the handler is not asked again")
  func ready() async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let port = server.port
      let targets = (0..<20).map { "\($0.isMultiple(of: 3) ? "/yield" : "/ready")?\($0)" }
      let bodies = try await onThread {
        let client = try RawClient(port: port)
        let heads = targets.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
        try client.send(heads.joined())
        return try heads.map { _ in try client.receiveAnswer()?.body }
      }
      #expect(bodies == targets.map { "GET \($0) " })
      #expect(handler.targets == targets.filter { $0.hasPrefix("/yield") })
    }
  }

  @Test("a client that asks to close is closed, one that does not is kept")
  func closing() async throws {
    try await serving(TestHandler()) { server in
      let port = server.port
      let answers = try await onThread {
        let client = try RawClient(port: port)
        try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let kept = try client.receiveAnswer()
        try client.send("GET /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return [kept, try client.receiveAnswer(), try client.receiveAnswer()]
      }
      #expect(answers.map { $0?.body } == ["GET /a ", "GET /b ", nil])
      #expect(answers[1]?.closes == true)
    }
  }

  @Test("header lines that a connection sends again are read as they are now")
  func linesAgain() async throws {
    let long = "Long: " + String(repeating: "l", count: LastHead.limitBytes)
    let heads = [
      ["A: x", "B: y"], ["A: x", "B: y"], ["A: x", "B: z"], ["A: x", "B: zz"], ["A: x", "Bb: y"],
      ["a: x", "Bb: y"], ["Bb: y", "a: x"], ["Bb: y"], ["Bb: y", "a: x", "C:"],
      ["Bb: y", "a: x", "C: w"],
      ["Bb:  y", "a: x ", "C: w"], [long, "A: x"], [long, "A: y"], ["A: y"], ["A: ü"], ["A: ü"],
      ["Content-Length: 2", "A: x"], ["Content-Length: 2", "A: x"], ["Content-Length: 3", "A: x"],
      ["A: x"], ["Expect: 100-continue", "Content-Length: 1"], ["Content-Length: 1"],
    ]
    try await serving(TestHandler()) { server in
      let port = server.port
      let (together, alone) = try await onThread {
        func answers(by client: RawClient, to lines: [String]) throws -> [String?] {
          let isAwaited = lines.contains("Expect: 100-continue")
          let length = lines.compactMap { Int($0.dropFirst("Content-Length: ".count)) }.first ?? 0
          let head =
            "POST /fields HTTP/1.1\r\nHost: localhost\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n"
          try client.send(head + String(repeating: "b", count: length))
          return try (0..<(isAwaited ? 2 : 1)).map { _ in try client.receiveAnswer()?.body }
        }
        let kept = try RawClient(port: port)
        return (
          try heads.map { try answers(by: kept, to: $0) },
          try heads.map { try answers(by: RawClient(port: port), to: $0) }
        )
      }
      #expect(together == alone)
      #expect(together[2] == ["Host=localhost\nA=x\nB=z\n"])
      #expect(together.last == ["Host=localhost\nContent-Length=1\nb"])
    }
  }

  @Test("256 kept connections of mixed requests get nothing but their own answers (S5)")
  func load() async throws {
    let handler = TestHandler()
    // This is about whose answer comes, not how soon: under a sanitizer, beside other tests, a head
    // takes seconds.
    var options = MicroHTTPServer.Options()
    options.headDeadline = .seconds(60)
    options.bodyDeadline = .seconds(60)
    options.requestDeadline = .seconds(120)
    options.keptDeadline = .seconds(60)
    options.answerDeadline = .seconds(60)
    try await serving(handler, options: options) { server in
      let port = server.port
      // Eight threads with 32 connections each; on every round all 32 have a request on its way.
      let wrong = try await withThrowingTaskGroup(of: [String].self) { group in
        for thread in 0..<8 {
          group.addTask { try await onThread { try Self.converse(thread: thread, port: port) } }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(wrong == [])
      #expect(handler.targets.count == 8 * 32 * Self.roundCount)
      #expect(try await eventually { server.liveExchangeCount == 0 })
    }
  }

  private static let roundCount = 20

  /// Asks in rounds over 32 connections and returns what was answered wrongly.
  private static func converse(thread: Int, port: Int) throws -> [String] {
    let clients = try (0..<32).map { _ in try RawClient(port: port) }
    var wrong: [String] = []
    for round in 0..<roundCount {
      let questions = clients.indices.map { Question(thread: thread, client: $0, round: round) }
      for (client, question) in zip(clients, questions) { try client.send(question.bytes) }
      for (client, question) in zip(clients, questions) {
        let answer = try client.receiveAnswer()
        if answer?.status != 200 || answer?.body != question.answer {
          wrong.append(
            "\(question.answer.prefix(60)) was answered with \(answer?.body ?? "nothing")"
          )
        }
      }
    }
    return wrong
  }

  /// A GET or a POST, with a body of some size, to a handler that waits or does not.
  private struct Question {
    var method: String
    var target: String
    var body: String

    init(thread: Int, client: Int, round: Int) {
      let kind = (thread + client + round) % 4
      method = kind < 2 ? "GET" : "POST"
      target = "\(kind.isMultiple(of: 2) ? "/plain" : "/yield")?\(thread)-\(client)-\(round)"
      body = kind < 2 ? "" : String(repeating: "\(client)", count: client * round * 3)
    }

    var bytes: String {
      "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    var answer: String { "\(method) \(target) \(body)" }
  }
}
