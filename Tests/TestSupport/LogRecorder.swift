internal import Locking
package import Logging

/// Keeps what is logged, at every level.
package final class LogRecorder: LogHandler {
  /// An event, its fields in the order of their names.
  package struct Event: Sendable {
    package var level: Logger.Level
    package var message: String
    package var fields: [(name: String, value: String)]

    /// Message and fields, as the program's own lines have them.
    package var line: String {
      ([message] + fields.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
    }
  }

  private let kept = Locked<[Event]>([])

  package init() {}

  package var events: [Event] { kept.withLock(\.self) }
  package var lines: [String] { events.map(\.line) }
  /// The level of the newest line of each event.
  package var levels: [String: Logger.Level] {
    Dictionary(events.map { ($0.message, $0.level) }) { $1 }
  }

  package var logger: Logger { Logger(label: "test") { _ in self } }

  package var logLevel: Logger.Level {
    get { .trace }
    set {}
  }

  package var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  package func log(event: LogEvent) {
    let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
    kept.withLock {
      $0.append(Event(level: event.level, message: "\(event.message)", fields: fields))
    }
  }
}
