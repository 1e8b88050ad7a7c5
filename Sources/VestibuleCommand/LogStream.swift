import Glibc
import Locking

/// Standard error for what is logged: where nobody reads a pipe, lines are left out and counted, and nobody
/// who logs waits for long.
final class LogStream: Sendable {
  static let standardError = LogStream(STDERR_FILENO)

  /// How long the first line waits for a reader; those after it do not.
  private static let patienceMilliseconds: CInt = 250
  /// What a pipe takes at once, or not at all (POSIX: `PIPE_BUF`).
  private static let pieceLength = 4096

  private let descriptor: CInt
  /// How many lines have been left out since the last one that was written.
  private let lostCount = Locked(0)

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// - Parameters:
  ///   - line: What is logged.
  ///   - lost: The line that tells how many were left out before it.
  func write(_ line: String, behind lost: (Int) -> String) {
    lostCount.withLock { lostCount in
      guard isReady(within: lostCount == 0 ? Self.patienceMilliseconds : 0) else {
        lostCount += 1
        return
      }
      if lostCount > 0 {
        put("\(lost(lostCount))\n")
        lostCount = 0
      }
      put("\(line)\n")
    }
  }

  /// Piece by piece, each only where it can be written without waiting.
  private func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty, isReady(within: Self.patienceMilliseconds) {
        let count = Glibc.write(descriptor, rest.baseAddress, min(rest.count, Self.pieceLength))
        guard count > 0 || (count < 0 && errno == EINTR) else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
      }
    }
  }

  private func isReady(within milliseconds: CInt) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&watched, 1, milliseconds) > 0 && watched.revents & Int16(POLLOUT) != 0
  }
}
