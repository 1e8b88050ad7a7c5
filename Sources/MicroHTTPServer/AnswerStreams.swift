internal import Locking

/// The answers that are being sent piece by piece, so that a stop can break them off.
final class AnswerStreams: Sendable {
  private struct Entries {
    var isOver = false
    var streams: [ObjectIdentifier: AnswerStream] = [:]
  }

  private let entries = Locked(Entries())

  /// Adds a stream, or breaks it off if `end` has been called.
  func insert(_ stream: AnswerStream) {
    let isOver = entries.withLock { entries in
      if !entries.isOver { entries.streams[ObjectIdentifier(stream)] = stream }
      return entries.isOver
    }
    if isOver { stream.breakOff() }
  }

  func remove(_ stream: AnswerStream) {
    entries.withLock { _ = $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// Breaks off the current streams and any that are still added.
  func end() {
    let streams = entries.withLock { entries in
      entries.isOver = true
      return Array(entries.streams.values)
    }
    for stream in streams { stream.breakOff() }
  }
}
