import Locking
import Logging

/// Keeps what is logged: level, event and fields, as the program's own lines have them.
final class LineRecorder: LogHandler {
  private let kept = Locked<[String]>([])

  var lines: [String] { kept.withLock(\.self) }

  var logger: Logger { Logger(label: "test") { _ in self } }

  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }
    let words = [event.level.rawValue, "\(event.message)"] + fields
    kept.withLock { $0.append(words.joined(separator: " ")) }
  }
}
