internal import Glibc
internal import Locking

/// One accepted connection, seen from outside the library: its stage, and how long it may stay there.
///
/// The library's own timeout counts idle time only, so a client could keep a slot for ever by sending a
/// byte now and then.
final class Connection: Sendable {
  let peerAddress: String?
  let descriptor: CInt
  /// Touched on the connection's own thread only, by the access handler.
  nonisolated(unsafe) var lastHead: LastHead?
  private let progress: Locked<ConnectionProgress>

  init(descriptor: CInt, peerAddress: String?, progress: ConnectionProgress) {
    self.descriptor = descriptor
    self.peerAddress = peerAddress
    self.progress = Locked(progress)
  }

  func advance(_ step: ConnectionProgress.Step, deadlines: Deadlines) {
    progress.withLock { $0.advance(step, at: .now, deadlines: deadlines) }
  }

  var currentProgress: ConnectionProgress {
    progress.withLock { $0 }
  }

  /// Ends the connection from outside: the library sees the end of the stream and cleans up.
  ///
  /// The caller must hold the lock of the table that this connection is in: until the connection has
  /// left the table the library does not close the descriptor, so it cannot have been reused.
  func cut() {
    progress.withLock { $0.isCut = true }
    shutdown(descriptor, CInt(SHUT_RDWR))
  }
}
