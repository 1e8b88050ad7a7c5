import Glibc
import Locking

/// Standard error for the log: if nobody reads a pipe or a disk is full, lines are left out and counted, so that
/// no caller waits for long.
final class LogStream: Sendable {
  static let standardError = LogStream(STDERR_FILENO)

  /// How long the first line that cannot be written waits; the lines after it do not wait.
  private static let patienceMilliseconds: CInt = 250
  /// How much a pipe takes either at once or not at all (POSIX: `PIPE_BUF`).
  private static let pieceLength = 4096

  private struct State {
    /// How many lines have been left out since one was last written.
    var lostCount = 0
    /// Whether the last line has been written only in part.
    var isWithinLine = false
  }

  private let descriptor: CInt
  private let state = Locked(State())

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// - Parameters:
  ///   - line: The line to log.
  ///   - lost: Makes the line that says how many were left out before it.
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

  /// Writes a line, and first ends the one before if that was cut off.
  ///
  /// - Returns: Whether all of it has been written.
  private func put(_ line: String, _ state: inout State) -> Bool {
    var text = "\(state.isWithinLine ? "\n" : "")\(line)\n"
    return text.withUTF8 { bytes in
      let count = write(UnsafeRawBufferPointer(bytes))
      if count > 0 { state.isWithinLine = bytes[count - 1] != UInt8(ascii: "\n") }
      // Without its line end it counts as whole, since the next line adds that.
      return count >= bytes.count - 1
    }
  }

  /// Writes piece by piece, each only if that is possible without waiting for long.
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
