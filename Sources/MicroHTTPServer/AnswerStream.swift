internal import CMicroHTTPD
internal import HTTPExchange
internal import Locking

/// A body on its way to the socket, never more than one piece ahead of what the client has taken.
///
/// The library asks for bytes on the connection's own thread. Where there are none, the next piece is
/// begun; where that waits for something, the connection is suspended until it is there (S5). The
/// library's response holds one reference, given back when the answer is sent or nobody is left to
/// read it.
final class AnswerStream: Sendable {
  fileprivate enum Phase {
    /// Nothing is at hand, and nobody makes anything.
    case idle
    /// The next piece is being made, on this thread so far.
    case making
    /// It waits for something, and the connection for it.
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
  /// Told that a piece is about to be made, and so that the client has taken the one before.
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

  /// What there is for the library to send.
  enum Part: Equatable {
    case bytes(Int)
    /// Nothing yet; the connection has been suspended.
    case later
    case end
    case failure
  }

  /// Fills memory with what comes next; on the connection's own thread.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Part {
    let part = phase.withLock { phase -> Part? in
      if let part = phase.take(into: buffer) { return part }
      // Under the same lock: who breaks it off in between must not be overheard.
      phase = .making
      return nil
    }
    if let part { return part }
    progress()
    // Immediate: a piece that is there at once is sent at once, and nothing is suspended for it.
    let task = Task.immediate { self.finish(await self.makePiece()) }
    return phase.withLock { phase in
      if let part = phase.take(into: buffer) {
        // Nobody is there for what it still makes.
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
        // Under the lock: nothing can get between, and the library only sets a flag here.
        connection.resume()
      case .idle, .ready, .ended, .brokenOff: return
      }
    }
  }

  /// Ends the answer where it stands, from any thread.
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
  /// Moves bytes of the piece at hand; nil where one has to be made first.
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
