import Foundation
import Logging

/// Logs one line per event, on standard error, with times in UTC (S29).
struct LineLogHandler: LogHandler {
  enum Format: String, CaseIterable { case text, json }

  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let format: Format
  private let isForJournal: Bool

  init(level: Logger.Level, format: Format, isForJournal: Bool = false) {
    logLevel = level
    self.format = format
    self.isForJournal = isForJournal
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  func log(event: LogEvent) {
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }
    func line(_ level: Logger.Level, _ message: String, _ fields: Logger.Metadata) -> String {
      let line = Self.line(
        at: Date(),
        level: level,
        message: message,
        fields: fields,
        format: format
      )
      return prefix(level) + line
    }
    LogStream.standardError.write(line(event.level, "\(event.message)", fields)) { count in
      line(.warning, "the log could not be written: lines were left out", ["count": "\(count)"])
    }
  }

  /// The prefix of a line; empty if the line has to be JSON.
  func prefix(_ level: Logger.Level) -> String {
    isForJournal && format == .text ? Journal.prefix(level) : ""
  }

  /// The line of an event; it stays a single line whatever its fields contain.
  static func line(
    at date: Date,
    level: Logger.Level,
    message: String,
    fields: Logger.Metadata,
    format: Format
  ) -> String {
    let time = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    let sorted = fields.sorted { $0.key < $1.key }
    switch format {
    case .text:
      return
        (["\(time)Z", level.rawValue, escaped(message)]
        + sorted.map { "\(escaped($0.key))=\(escaped("\($0.value)"))" }).joined(separator: " ")
    case .json:
      let all =
        [("time", "\(time)Z"), ("level", level.rawValue), ("message", message)]
        + sorted.map { ($0.key, "\($0.value)") }
      return "{" + all.map { "\"\(escaped($0))\":\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }
  }

  /// Escaped as in a JSON string, in ASCII only, so that no control character or line separator gets through.
  private static func escaped(_ text: String) -> String {
    var line = ""
    for unit in text.utf16 {
      switch unit {
      case 0x22: line += "\\\""
      case 0x5C: line += "\\\\"
      case 0x20...0x7E: line.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return line
  }
}
