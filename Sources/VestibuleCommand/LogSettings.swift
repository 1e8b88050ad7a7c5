import Foundation
import Logging
import Vestibule

/// The level and format of the log.
struct LogSettings {
  private let level: Environment.Setting?
  private let format: Environment.Setting?
  private let defaultLevel: Logger.Level

  /// - Parameters:
  ///   - options: The command line's options.
  ///   - environment: The environment's settings.
  ///   - defaultLevel: The level if neither sets one.
  init(
    _ options: LogOptions,
    _ environment: Environment,
    unlessSaid defaultLevel: Logger.Level = .info
  ) {
    self.defaultLevel = defaultLevel
    level = environment.setting(options.logLevel, "log-level")
    format = environment.setting(options.logFormat, "log-format")
  }

  /// - Throws: `StartFailure` if the level or the format is unknown.
  func logger() throws(StartFailure) -> Logger {
    var chosenLevel = defaultLevel
    if let level {
      guard let known = Logger.Level(rawValue: level.text) else {
        throw level.failure("is not a level (trace, debug, info, notice, warning, error, critical)")
      }
      chosenLevel = known
    }
    var chosenFormat = LineLogHandler.Format.text
    if let format {
      guard let known = LineLogHandler.Format(rawValue: format.text) else {
        throw format.failure("is neither text nor json")
      }
      chosenFormat = known
    }
    let handler = LineLogHandler(
      level: chosenLevel,
      format: chosenFormat,
      isForJournal: Journal.isStandardError
    )
    return Logger(label: "vestibule") { _ in handler }
  }

  /// Says why nothing is served, in one line on standard error; as JSON if the log is JSON, for its reader's sake.
  func complain(_ failure: StartFailure) { complain(failure.description) }

  /// Says why nothing is served or played, in the same form.
  func complain(_ reason: String) {
    guard format?.text == LineLogHandler.Format.json.rawValue else {
      return Terminal.complain(reason)
    }
    Terminal.report(
      LineLogHandler.line(
        at: Date(),
        level: .error,
        message: "not started",
        fields: ["reason": "\(reason)"],
        format: .json
      )
    )
  }
}
