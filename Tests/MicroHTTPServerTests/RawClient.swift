import Foundation
import TestSupport

/// A client that says exactly the bytes it is told to, however wrong they are.
///
/// It blocks, so it is used on threads of its own (`onThread`): the cooperative pool belongs to the
/// handlers under test.
final class RawClient {
  private var descriptor: CInt
  private var unread: [UInt8] = []

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(port: Int, receiveBufferBytes: CInt? = nil) throws {
    descriptor = try LoopbackSocket.connect(to: port, receiveBufferBytes: receiveBufferBytes)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close() }

  func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Ends the connection with a reset instead of an orderly end.
  func reset() {
    LoopbackConnection(descriptor: descriptor).reset()
    close()
  }

  func endSending() {
    shutdown(descriptor, CInt(SHUT_WR))
  }

  func send(_ text: String) throws {
    try send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) throws {
    guard LoopbackConnection(descriptor: descriptor).write(bytes) else {
      throw Failure(description: "send: errno \(errno)")
    }
  }

  /// More bytes, or none at the end of the stream (or after a reset).
  func receive(atMost limit: Int = 65_536) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    if count < 0, errno == ECONNRESET { return [] }
    guard count >= 0 else { throw Failure(description: "receive: errno \(errno)") }
    return Array(buffer.prefix(count))
  }

  /// Everything until the server closes.
  func receiveAll() throws -> String {
    var all = unread
    unread = []
    while true {
      let bytes = try receive()
      if bytes.isEmpty { return String(decoding: all, as: UTF8.self) }
      all += bytes
    }
  }

  struct Answer: Equatable {
    var status: Int
    var head: String
    var body: String

    func value(of name: String) -> String? {
      head.split(separator: "\r\n").lazy
        .compactMap { line -> String? in
          let parts = line.split(separator: ":", maxSplits: 1)
          guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
          return parts[1].trimmingCharacters(in: .whitespaces)
        }
        .first
    }

    var closes: Bool { value(of: "Connection")?.lowercased() == "close" }
  }

  /// One answer; nil if the server closed without one.
  func receiveAnswer(toHead: Bool = false) throws -> Answer? {
    guard let end = try fill(until: { Self.endOfHead(in: $0) }) else { return nil }
    let head = String(decoding: unread[..<end], as: UTF8.self)
    unread.removeFirst(end)
    var answer = Answer(status: 0, head: head, body: "")
    answer.status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    let length = toHead ? 0 : Int(answer.value(of: "Content-Length") ?? "0") ?? 0
    guard let bodyEnd = try fill(until: { $0.count >= length ? length : nil }) else {
      throw Failure(description: "the body is cut short")
    }
    answer.body = String(decoding: unread[..<bodyEnd], as: UTF8.self)
    unread.removeFirst(bodyEnd)
    return answer
  }

  private func fill(until isFull: ([UInt8]) -> Int?) throws -> Int? {
    while true {
      if let end = isFull(unread) { return end }
      let bytes = try receive()
      if bytes.isEmpty { return nil }
      unread += bytes
    }
  }

  private static func endOfHead(in bytes: [UInt8]) -> Int? {
    bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
  }
}

extension RawClient {
  /// This many clients that each wait for an answer, from a handler that waits for its gate.
  static func waiting(
    _ count: Int,
    at path: String = "/wait",
    port: Int
  ) async throws -> Unchecked<[RawClient]> {
    try await onThread {
      Unchecked(
        try (0..<count).map { _ in
          let client = try RawClient(port: port)
          try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
          return client
        }
      )
    }
  }
}

/// Runs something that blocks on a thread of its own.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}

/// Waits for a condition that no callback reports.
///
/// - Returns: Whether it did within the limit.
func eventually(
  within limit: Duration = .seconds(10),
  _ condition: @Sendable () -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}
