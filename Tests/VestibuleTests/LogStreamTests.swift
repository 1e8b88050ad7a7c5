import Foundation
import Glibc
import Testing
import TestSupport

@testable import VestibuleCommand

@Suite("The stream that is logged to")
struct LogStreamTests {
  @Test("lines that a full disk does not take are counted, and reported once there is room")
  func full() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/log"
      let descriptor = open("/dev/full", O_WRONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let stream = LogStream(descriptor)
      for line in ["a", "b"] { stream.write(line) { "\($0) lost" } }
      let file = open(path, O_WRONLY | O_CREAT, 0o600)
      try #require(dup2(file, descriptor) == descriptor)
      close(file)
      for line in ["c", "d"] { stream.write(line) { "\($0) lost" } }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "2 lost\nc\nd\n")
    }
  }

  @Test("a line that was written in part is ended before the next one, and counts as lost")
  func torn() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let stream = LogStream(ends[1])
    // More than a pipe holds.
    stream.write(String(repeating: "a", count: 100_000)) { "\($0) lost" }
    let part = Self.text(in: ends[0])
    #expect((1..<100_000).contains(part.utf8.count))
    #expect(part.utf8.allSatisfy { $0 == UInt8(ascii: "a") })
    stream.write("b") { "\($0) lost" }
    #expect(Self.text(in: ends[0]) == "\n1 lost\nb\n")
    stream.write("c") { "\($0) lost" }
    #expect(Self.text(in: ends[0]) == "c\n")
  }

  /// What is in a pipe now.
  private static func text(in pipe: Int32) -> String {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while case let count = read(pipe, &part, part.count), count > 0 { bytes += part[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
