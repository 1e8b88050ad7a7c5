import Glibc
import Locking

/// Standard error for what is logged: where nobody reads a pipe, or a disk is full, lines are left out and
/// counted, and nobody who logs waits for long.
final class LogStream: Sendable {
  static let standardError = LogStream(STDERR_FILENO)

  /// How long the first line waits for a reader; those after it do not.
  private static let patienceMilliseconds: CInt = 250
  /// What a pipe takes at once, or not at all (POSIX: `PIPE_BUF`).
  private static let pieceLength = 4096

  private struct State {
    /// How many lines have been left out since the last one that was written.
    var lostCount = 0
    /// Whether a line has been begun that has no end.
    var isWithinLine = false
  }

  private let descriptor: CInt
  private let state = Locked(State())

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// - Parameters:
  ///   - line: What is logged.
  ///   - lost: The line that tells how many were left out before it.
  func write(_ line: String, behind lost: (Int) -> String) {
    state.withLock { state in
      guard isReady(within: state.lostCount == 0 ? Self.patienceMilliseconds : 0) else {
        state.lostCount += 1
        return
      }
      if state.lostCount > 0 {
        guard put(lost(state.lostCount), &state) else {
          state.lostCount += 1
          return
        }
        state.lostCount = 0
      }
      if !put(line, &state) { state.lostCount += 1 }
    }
  }

  /// Writes a line, on one of its own whatever became of the one before.
  ///
  /// - Returns: Whether all of it has been written.
  private func put(_ line: String, _ state: inout State) -> Bool {
    var text = "\(state.isWithinLine ? "\n" : "")\(line)\n"
    return text.withUTF8 { bytes in
      let count = write(UnsafeRawBufferPointer(bytes))
      if count > 0 { state.isWithinLine = bytes[count - 1] != UInt8(ascii: "\n") }
      // Its end can come before the next one.
      return count >= bytes.count - 1
    }
  }

  /// Piece by piece, each only where it can be written without waiting.
  ///
  /// - Returns: How many bytes have been written.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    var rest = bytes
    while !rest.isEmpty, isReady(within: Self.patienceMilliseconds) {
      let count = Glibc.write(descriptor, rest.baseAddress, min(rest.count, Self.pieceLength))
      guard count > 0 || (count < 0 && errno == EINTR) else { break }
      rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
    }
    return bytes.count - rest.count
  }

  private func isReady(within milliseconds: CInt) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&watched, 1, milliseconds) > 0 && watched.revents & Int16(POLLOUT) != 0
  }
}
