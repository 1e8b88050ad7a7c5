internal import Glibc
internal import Locking

/// One accepted connection, seen from outside the library: where it stands, and until when it may
/// stand there.
///
/// The library's own timeout counts idle time, so that a byte now and then keeps a slot for ever.
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
  /// The caller must hold the lock of the table that this connection is in: then the descriptor
  /// is still ours, since the library closes it only after the connection has left the table.
  func cut() {
    progress.withLock { $0.isCut = true }
    shutdown(descriptor, CInt(SHUT_RDWR))
  }
}
