import Foundation

/// Opens TCP sockets on this machine.
package enum LoopbackSocket {
  /// The system refused a socket.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    init(_ call: String) { description = "\(call): errno \(errno)" }
  }

  /// Listens.
  ///
  /// - Parameters:
  ///   - port: Zero for a free one.
  ///   - backlog: How many connections wait to be accepted.
  /// - Returns: The socket, which is the caller's to close, and its port.
  /// - Throws: `Failure` if the system refuses it.
  package static func listen(
    port: Int = 0,
    backlog: CInt
  ) throws -> (descriptor: CInt, port: Int) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var isReused: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, size)
    var address = loopback(port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isListening else {
      close(descriptor)
      throw Failure("listen")
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Connects.
  ///
  /// - Parameters:
  ///   - port: The port that is listened on.
  ///   - isWaiting: False to return at once, even if nobody accepts the connection.
  ///   - receiveBufferBytes: How much may be on its way to it unread; nil for the system's own.
  /// - Returns: The socket, which is the caller's to close.
  /// - Throws: `Failure` if nobody accepts it.
  package static func connect(
    to port: Int,
    isWaiting: Bool = true,
    receiveBufferBytes: CInt? = nil
  ) throws -> CInt {
    let kind = CInt(SOCK_STREAM.rawValue) | (isWaiting ? 0 : CInt(SOCK_NONBLOCK.rawValue))
    let descriptor = socket(AF_INET, kind, 0)
    if var bytes = receiveBufferBytes {
      let size = socklen_t(MemoryLayout<CInt>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, size)
    }
    var address = loopback(port)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 || !isWaiting else {
      close(descriptor)
      throw Failure("connect")
    }
    return descriptor
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
