internal import Locking

/// The answers that are being sent piece by piece, so that a stop can break them off.
final class AnswerStreams: Sendable {
  private struct Entries {
    var isOver = false
    var streams: [ObjectIdentifier: AnswerStream] = [:]
  }

  private let entries = Locked(Entries())

  /// Enters a stream; breaks it off where there are to be no more.
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

  /// Breaks off those that are under way, and all that are still to come.
  func end() {
    let streams = entries.withLock { entries in
      entries.isOver = true
      return Array(entries.streams.values)
    }
    for stream in streams { stream.breakOff() }
  }
}
