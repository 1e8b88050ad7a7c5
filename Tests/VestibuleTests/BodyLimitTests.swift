import Foundation
import HTTPExchange
import HTTPTypes
import Logging
import MicroHTTPServer
import Testing
import TestSupport

@testable import Vestibule

@Suite("How much of a body is taken (S4, S23)")
struct BodyLimitTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  private static let mark = "X-Vestibule-Backstage: 1"

  /// At free ports, unless another is named.
  private static func configuration(over api: AuthAPI, port: Int = 0) -> Configuration {
    var configuration = Configuration()
    configuration.dataFolder = nil
    configuration.service = .pages(at: Configuration.Address(port: port), over: api)
    configuration.metrics = Configuration.Address(port: 0)
    return configuration
  }

  /// Announces 100 MB to `POST import`, of which no byte follows.
  private struct Sender {
    var listener: String
    /// Nil for the listener's own.
    var host: String?
    var lines: [String]
    var status: Int?
  }

  /// The statuses of their answers, on a connection each; nil if one is cut without an answer.
  private static func statuses(
    _ senders: [Sender],
    over api: AuthAPI
  ) async throws -> [Int?] {
    let running = try RunningVestibule.start(configuration(over: api), logger: logger)
    var statuses: [Int?] = []
    for sender in senders {
      let port = running.listeners.first { $0.name == sender.listener }?.port ?? 0
      let lines =
        ["POST /backstage/api/import HTTP/1.1", "Host: \(sender.host ?? "127.0.0.1:\(port)")"]
        + sender.lines + ["Content-Type: application/json", "Content-Length: 100000000", "", ""]
      statuses.append(try? await status(of: lines.joined(separator: "\r\n"), port: port))
    }
    await running.stop(grace: .zero)
    return statuses
  }

  /// It blocks, so it has a thread of its own.
  private static func status(of head: String, port: Int) async throws -> Int? {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.answered(to: head, port: port) })
      }
    }
  }

  private static func answered(to head: String, port: Int) throws -> Int? {
    let connection = LoopbackConnection(descriptor: try LoopbackSocket.connect(to: port))
    defer { close(connection.descriptor) }
    connection.write(head)
    guard let message = connection.readMessage() else { return nil }
    let words = String(decoding: message, as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }

  @Test("a sender who may not import is refused before a byte has come, on every port (S2)")
  func refused() async throws {
    let senders = [
      Sender(listener: "pages", host: "evil.example", lines: [Self.mark], status: 400),
      Sender(listener: "pages", lines: [], status: 403),
      Sender(
        listener: "pages",
        lines: [Self.mark, "Origin: http://evil.example"],
        status: 403
      ),
      Sender(listener: "pages", lines: [Self.mark, "Sec-Fetch-Site: same-site"], status: 403),
      Sender(listener: "emulated clerk", host: "evil.example", lines: [Self.mark], status: 413),
      Sender(listener: "emulated clerk", lines: [], status: 403),
      Sender(
        listener: "emulated clerk",
        lines: [Self.mark, "Origin: http://evil.example"],
        status: 403
      ),
      Sender(listener: "metrics", lines: [Self.mark], status: 413),
    ]
    let emulated = AuthAPI.emulated(.clerk, at: Configuration.Address(port: 0))
    let statuses = try await Self.statuses(senders, over: emulated)
    #expect(statuses == senders.map(\.status))
  }

  @Test("over a real API, which has no backstage, nobody may import")
  func real() async throws {
    let senders = [
      Sender(listener: "pages", lines: [Self.mark], status: 404),
      Sender(listener: "metrics", lines: [Self.mark], status: 413),
    ]
    let real = AuthAPI.remote(try .clerk(at: "http://127.0.0.1:9"))
    let statuses = try await Self.statuses(senders, over: real)
    #expect(statuses == senders.map(\.status))
  }

  @Test("a refused long body is logged once, under the reference that the answer names")
  func referenced() throws {
    let log = LogRecorder()
    let emulated = AuthAPI.emulated(.clerk, at: Configuration.Address(port: 8081))
    let composition = try Composition(
      Self.configuration(over: emulated, port: 8080),
      logger: log.logger
    )
    let ports = [("localhost:8080", "pages"), ("localhost:8081", "emulator")]
    for (endpoint, (host, listener)) in zip(composition.endpoints, ports) {
      let request = Request(
        method: .post,
        target: "/backstage/api/import",
        headerFields: [.host: host]
      )
      let answer = endpoint.refusing(MicroHTTPServer.Refusal.bodyTooLarge, request)
      #expect(answer.status == .forbidden, "\(listener)")
      let lines = log.lines.filter { $0.contains("turned away code=") }
        .filter { $0.contains(" listener=\(listener) ") }
      let line = try #require(lines.first, "\(listener)")
      #expect(lines.count == 1 && line.contains("code=header_required"), "\(lines)")
      let reference = try #require(line.split(separator: "=").last)
      #expect(String(decoding: answer.body, as: UTF8.self).contains(reference))
    }
  }

  @Test("a caller of backstage may send a whole world, and in other calls more than a form")
  func taken() throws {
    let emulated = AuthAPI.emulated(.clerk, at: Configuration.Address(port: 8081))
    let composition = try Composition(
      Self.configuration(over: emulated, port: 8080),
      logger: Self.logger
    )
    let mark = try #require(HTTPField.Name("X-Vestibule-Backstage"))
    for (endpoint, host) in zip(composition.endpoints, ["localhost:8080", "localhost:8081"]) {
      for (path, limitBytes) in [
        ("/backstage/api/import", 512 * 1024 * 1024), ("/backstage/api/stories", 1024 * 1024),
        ("/sign-in", nil), ("/backstage/users", nil),
      ] as [(String, Int?)] {
        let request = Request(
          method: .post,
          target: path,
          headerFields: [.host: host, mark: "1", .origin: "http://\(host)"]
        )
        #expect(endpoint.spooledBodyLimitBytes(request) == limitBytes, "\(endpoint.name) \(path)")
      }
    }
  }
}
