import Foundation
import Synchronization

/// Stands between the pages and the emulator: relays every request, until it is told to do worse.
final class FaultyService: Sendable {
  /// What becomes of a request.
  enum Behaviour: Sendable {
    case relaying
    /// Nobody listens.
    case refusing
    /// The queue of connections is full, and nobody takes one.
    case notAccepting
    /// The request is read, then the script has the connection.
    case scripted(@Sendable (Connection) -> Void)
    /// Like `scripted`, with an answer of these bytes.
    static func answering(_ text: String) -> Behaviour { .scripted { $0.write(text) } }
  }

  struct Failure: Error {}

  private struct State {
    var behaviour = Behaviour.relaying
    var listener: CInt = -1
    /// What fills the queue of a listener that no thread accepts from; none otherwise.
    var fillers: [CInt] = []
    var open: Set<CInt> = []
  }

  let port: Int
  private let servicePort: Int
  private let state = Mutex(State())

  /// Relays to the service on that port of this machine.
  init(to servicePort: Int) throws {
    self.servicePort = servicePort
    let (listener, port) = try Self.listen(port: 0, backlog: 128)
    self.port = port
    state.withLock { $0.listener = listener }
    acceptConnections(of: listener)
  }

  /// Behaves differently from the next request on.
  func behave(_ behaviour: Behaviour) throws {
    try state.withLock { state in
      state.behaviour = behaviour
      switch behaviour {
      case .refusing: Self.end(&state)
      case .notAccepting:
        Self.end(&state)
        state.listener = try Self.listen(port: port, backlog: 0).descriptor
        state.fillers = try (0..<2).map { _ in try Self.connect(to: port, isWaiting: false) }
      case .relaying, .scripted:
        guard state.listener < 0 || !state.fillers.isEmpty else { return }
        Self.end(&state)
        state.listener = try Self.listen(port: port, backlog: 128).descriptor
        acceptConnections(of: state.listener)
      }
    }
  }

  func stop() {
    state.withLock { Self.end(&$0) }
  }

  private static func end(_ state: inout State) {
    for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
    if state.listener >= 0 {
      // Wakes the thread that waits in accept, which closes it: closed here, its number could be
      // another socket's by the time the thread accepts again.
      shutdown(state.listener, CInt(SHUT_RDWR))
      if !state.fillers.isEmpty { close(state.listener) }
      state.listener = -1
    }
    for filler in state.fillers { close(filler) }
    state.fillers = []
  }

  private func acceptConnections(of listener: CInt) {
    Thread.detachNewThread { [self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
          close(listener)
          return
        }
        state.withLock { _ = $0.open.insert(descriptor) }
        Thread.detachNewThread { [self] in
          serve(Connection(descriptor: descriptor))
          state.withLock { state in
            state.open.remove(descriptor)
            close(descriptor)
          }
        }
      }
    }
  }

  private func serve(_ connection: Connection) {
    guard let service = try? Self.connect(to: servicePort, isWaiting: true) else { return }
    defer { close(service) }
    let behind = Connection(descriptor: service)
    while let request = connection.readMessage() {
      switch state.withLock({ $0.behaviour }) {
      case .relaying:
        behind.write(addressed(request))
        guard let answer = behind.readMessage() else { return }
        connection.write(answer)
      case .refusing, .notAccepting: return
      case .scripted(let script): return script(connection)
      }
    }
  }

  /// The request with the `Host` of the service behind.
  private func addressed(_ request: [UInt8]) -> [UInt8] {
    guard let host = request.firstRange(of: Array("127.0.0.1:\(port)\r\n".utf8)) else {
      return request
    }
    return request[..<host.lowerBound] + Array("127.0.0.1:\(servicePort)\r\n".utf8)
      + request[host.upperBound...]
  }
}

// MARK: - Sockets

extension FaultyService {
  /// One end of a connection, read and written by a thread of its own.
  struct Connection {
    let descriptor: CInt

    /// Reads a head and a body of the length that it gives; nil when the other end has gone.
    func readMessage() -> [UInt8]? {
      var bytes: [UInt8] = []
      while true {
        if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound,
          bytes.count >= end + Self.bodyLength(of: String(decoding: bytes[..<end], as: UTF8.self))
        {
          return bytes
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        bytes += buffer.prefix(count)
      }
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

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Waits until the other end has gone.
    func waitForEnd() {
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) > 0 {}
    }

    /// Makes the close that follows a reset.
    func reset() {
      var linger = linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout<Glibc.linger>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
    }
  }

  private static func listen(
    port: Int,
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
    guard isListening else { throw Failure() }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func connect(to port: Int, isWaiting: Bool) throws -> CInt {
    let kind = CInt(SOCK_STREAM.rawValue) | (isWaiting ? 0 : CInt(SOCK_NONBLOCK.rawValue))
    let descriptor = socket(AF_INET, kind, 0)
    var address = loopback(port)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 || !isWaiting else {
      close(descriptor)
      throw Failure()
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
