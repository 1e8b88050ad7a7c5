import Foundation

/// One end of a TCP connection on this machine, read and written by a thread that may block.
package struct LoopbackConnection: Sendable {
  package let descriptor: CInt

  package init(descriptor: CInt) { self.descriptor = descriptor }

  /// Reads a head and a body of the length that it gives; nil when the other end has gone.
  package func readMessage() -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound,
        bytes.count >= end + Self.bodyLength(of: String(decoding: bytes[..<end], as: UTF8.self))
      {
        return bytes
      }
      let more = readSome()
      guard !more.isEmpty else { return nil }
      bytes += more
    }
  }

  /// Reads what comes first, and no more; nothing at the end.
  package func readSome() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }

  private static func bodyLength(of head: String) -> Int {
    for line in head.lowercased().split(separator: "\r\n")
    where line.hasPrefix("content-length:") {
      return Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0
    }
    return 0
  }

  /// Returns whether the other end still takes bytes.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Waits until the other end has gone.
  package func waitForEnd() {
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) > 0 {}
  }

  /// Turns the close that follows into a reset.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<Glibc.linger>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
  }
}
