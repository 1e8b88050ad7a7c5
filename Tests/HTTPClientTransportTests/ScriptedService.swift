import Foundation
import Synchronization

/// A service on a loopback port that answers each connection with what a script does to it,
/// however wrong that is.
final class ScriptedService: Sendable {
  /// One accepted connection, on a thread of its own.
  struct Caller {
    let descriptor: CInt

    /// Reads one request's head, and a body of the length that it gives.
    func readRequest() -> String {
      var bytes: [UInt8] = []
      while true {
        if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
          let head = String(decoding: bytes[..<end], as: UTF8.self)
          if bytes.count >= end + Self.bodyLength(of: head) { break }
        }
        let more = readSome()
        guard !more.isEmpty else { break }
        bytes += more
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what comes first, and no more; nothing at the end.
    func readSome() -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return Array(buffer.prefix(max(0, count)))
    }

    private static func bodyLength(of head: String) -> Int {
      for line in head.lowercased().split(separator: "\r\n")
      where line.hasPrefix("content-length: ") {
        return Int(line.dropFirst(16)) ?? 0
      }
      return 0
    }

    /// - Returns: Whether the other end still takes bytes.
    @discardableResult
    func write(_ text: String) -> Bool {
      write(Array(text.utf8))
    }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
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

    /// Waits until the other end has gone.
    func waitForEnd() {
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) > 0 {}
    }

    /// Carries bytes to a port of this machine and back, until one of both ends has gone.
    func relay(toPort port: Int) {
      guard let other = try? ScriptedService.connect(toPort: port) else { return }
      let onward = Caller(descriptor: other)
      let isThrough = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        onward.pass(to: self)
        isThrough.signal()
      }
      pass(to: onward)
      isThrough.wait()
      close(other)
    }

    private func pass(to other: Caller) {
      while case let bytes = readSome(), !bytes.isEmpty, other.write(bytes) {}
      shutdown(other.descriptor, CInt(SHUT_RDWR))
    }

    /// Makes the close that follows the script a reset.
    func reset() {
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor,
        SOL_SOCKET,
        SO_LINGER,
        &linger,
        socklen_t(MemoryLayout<Glibc.linger>.size)
      )
    }
  }

  let port: Int
  private let descriptor: CInt
  private let callers = Atomic(0)

  /// How many connections have been accepted.
  var callerCount: Int { callers.load(ordering: .relaxed) }

  init(script: @escaping @Sendable (Caller) -> Void) throws {
    (descriptor, port) = try Self.listen(backlog: 128)
    let descriptor = descriptor
    Thread.detachNewThread { [callers = Unowned(self)] in
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else {
          close(descriptor)
          return
        }
        callers.value?.callers.add(1, ordering: .relaxed)
        Thread.detachNewThread {
          script(Caller(descriptor: accepted))
          close(accepted)
        }
      }
    }
  }

  deinit {
    // The accepting thread closes it: closed here, its number could be another service's by the
    // time the thread accepts again.
    shutdown(descriptor, CInt(SHUT_RDWR))
  }

  struct Failure: Error {}

  static func connect(toPort port: Int, flags: CInt = 0) throws -> CInt {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | flags, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 || errno == EINPROGRESS else { throw Failure() }
    return descriptor
  }

  static func listen(backlog: CInt) throws -> (descriptor: CInt, port: Int) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard code else { throw Failure() }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}

/// Refers to the service from its accepting thread without keeping it.
private final class Unowned: @unchecked Sendable {
  weak var value: ScriptedService?

  init(_ value: ScriptedService) { self.value = value }
}
