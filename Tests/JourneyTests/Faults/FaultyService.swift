import Foundation
import Locking
import TestSupport

/// A relay between the pages and the emulator, until it is told to misbehave.
final class FaultyService: Sendable {
  /// What becomes of a request.
  enum Behaviour: Sendable {
    case relaying
    /// Nobody listens.
    case refusing
    /// The queue of connections is full, and none is accepted.
    case notAccepting
    /// The request is read, then the script has the connection.
    case scripted(@Sendable (LoopbackConnection) -> Void)
    /// Like `scripted`, with an answer of these bytes.
    static func answering(_ text: String) -> Behaviour { .scripted { $0.write(text) } }
  }

  private struct State {
    var behaviour = Behaviour.relaying
    var listener: CInt = -1
    /// The connections that fill the queue of a listener from which no thread accepts.
    var fillers: [CInt] = []
    var open: Set<CInt> = []
  }

  let port: Int
  private let servicePort: Int
  private let state = Locked(State())

  /// Relays to the service on that port of this machine.
  init(to servicePort: Int) throws {
    self.servicePort = servicePort
    let (listener, port) = try LoopbackSocket.listen(backlog: 128)
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
        state.listener = try LoopbackSocket.listen(port: port, backlog: 0).descriptor
        state.fillers = try (0..<2).map { _ in
          try LoopbackSocket.connect(to: port, isWaiting: false)
        }
      case .relaying, .scripted:
        guard state.listener < 0 || !state.fillers.isEmpty else { return }
        Self.end(&state)
        state.listener = try LoopbackSocket.listen(port: port, backlog: 128).descriptor
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
      // Wakes the thread that waits in accept, which closes the listener. If it were closed here,
      // its number could be another socket's by the time the thread accepts again.
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
          serve(LoopbackConnection(descriptor: descriptor))
          state.withLock { state in
            state.open.remove(descriptor)
            close(descriptor)
          }
        }
      }
    }
  }

  private func serve(_ connection: LoopbackConnection) {
    guard let service = try? LoopbackSocket.connect(to: servicePort) else { return }
    defer { close(service) }
    let behind = LoopbackConnection(descriptor: service)
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
