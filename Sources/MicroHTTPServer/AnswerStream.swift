internal import CMicroHTTPD
internal import HTTPExchange
internal import Locking

/// A body on its way to the socket, never more than one piece ahead of what the client has taken.
///
/// The library asks for bytes on the connection's own thread. If there are none, the next piece is
/// started; if that has to wait, the connection is suspended until the piece is ready (S5). The
/// library's response holds one reference, which it gives back when the answer has been sent or the
/// client has gone.
final class AnswerStream: Sendable {
  fileprivate enum Phase {
    /// No piece is ready, and none is being made.
    case idle
    /// The next piece is being made, on this thread so far.
    case making
    /// The next piece is waiting for something, and the connection for the piece.
    case suspended(SuspendedConnection, Task<Void, Never>)
    case ready([UInt8], sent: Int)
    case ended
    /// The rest is never sent.
    case brokenOff
  }

  private let pieces: BodyPieces
  /// Used only while the library asks for bytes of it.
  private nonisolated(unsafe) let connection: OpaquePointer
  private let log: @Sendable (String) -> Void
  /// Called when a piece is about to be made, which means that the client has taken the one before.
  private let progress: @Sendable () -> Void
  private let phase = Locked(Phase.idle)

  init(
    of pieces: BodyPieces,
    on connection: OpaquePointer,
    log: @escaping @Sendable (String) -> Void,
    progress: @escaping @Sendable () -> Void
  ) {
    self.pieces = pieces
    self.connection = connection
    self.log = log
    self.progress = progress
  }

  /// The result of one request of the library for bytes.
  enum Part: Equatable {
    case bytes(Int)
    /// Nothing yet; the connection has been suspended.
    case later
    case end
    case failure
  }

  /// Fills the buffer with the next bytes; called on the connection's own thread.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Part {
    let part = phase.withLock { phase -> Part? in
      if let part = phase.take(into: buffer) { return part }
      // Under the same lock, so that a `breakOff` in between is not overwritten.
      phase = .making
      return nil
    }
    if let part { return part }
    progress()
    // Immediate: a piece that needs no waiting is sent without suspending the connection.
    let task = Task.immediate { self.finish(await self.makePiece()) }
    return phase.withLock { phase in
      if let part = phase.take(into: buffer) {
        // Broken off meanwhile: nobody needs the piece that is still being made.
        if part == .failure { task.cancel() }
        return part
      }
      phase = .suspended(SuspendedConnection(suspending: connection), task)
      return .later
    }
  }

  private func makePiece() async -> Phase {
    do {
      return try await pieces.next().map { .ready($0, sent: 0) } ?? .ended
    } catch {
      log("an answer was broken off: \(error)")
      return .brokenOff
    }
  }

  private func finish(_ next: Phase) {
    phase.withLock { phase in
      switch phase {
      case .making: phase = next
      case .suspended(let connection, _):
        phase = next
        // Under the lock, so that nothing comes between; the library only sets a flag here.
        connection.resume()
      case .idle, .ready, .ended, .brokenOff: return
      }
    }
  }

  /// Breaks the answer off at this point; can be called from any thread.
  func breakOff() {
    phase.withLock { phase in
      defer { phase = .brokenOff }
      guard case .suspended(let connection, let task) = phase else { return }
      task.cancel()
      connection.resume()
    }
  }
}

extension AnswerStream.Phase {
  /// Moves bytes of the current piece into the buffer; nil if a piece has to be made first.
  fileprivate mutating func take(
    into buffer: UnsafeMutableRawBufferPointer
  ) -> AnswerStream.Part? {
    switch self {
    case .idle, .making, .suspended: return nil
    case .ended: return .end
    case .brokenOff: return .failure
    case .ready(let piece, let sent):
      let part = piece[sent...].prefix(buffer.count)
      buffer.copyBytes(from: part)
      self = part.endIndex < piece.endIndex ? .ready(piece, sent: part.endIndex) : .idle
      return .bytes(part.count)
    }
  }
}
