import Foundation
import Synchronization
import TestSupport

/// A service on a loopback port that answers each connection with what a script does to it,
/// however wrong that is.
final class ScriptedService: Sendable {
  /// A connection, on a thread of its own.
  typealias Caller = LoopbackConnection

  let port: Int
  private let descriptor: CInt
  private let callers = Atomic(0)

  /// How many connections have been accepted.
  var callerCount: Int { callers.load(ordering: .relaxed) }

  init(script: @escaping @Sendable (Caller) -> Void) throws {
    (descriptor, port) = try LoopbackSocket.listen(backlog: 128)
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
}

extension LoopbackConnection {
  /// One request as it came; empty if the other end has gone.
  func readRequest() -> String { String(decoding: readMessage() ?? [], as: UTF8.self) }

  /// Carries bytes to a port of this machine and back, until either end has gone.
  func relay(toPort port: Int) {
    guard let other = try? LoopbackSocket.connect(to: port) else { return }
    let onward = LoopbackConnection(descriptor: other)
    let isThrough = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      onward.pass(to: self)
      isThrough.signal()
    }
    pass(to: onward)
    isThrough.wait()
    close(other)
  }

  private func pass(to other: LoopbackConnection) {
    while case let bytes = readSome(), !bytes.isEmpty, other.write(bytes) {}
    shutdown(other.descriptor, CInt(SHUT_RDWR))
  }
}

/// Refers to the service from its accepting thread without keeping it.
private final class Unowned: @unchecked Sendable {
  weak var value: ScriptedService?

  init(_ value: ScriptedService) { self.value = value }
}
