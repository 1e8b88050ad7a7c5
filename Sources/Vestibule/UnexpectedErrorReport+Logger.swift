internal import Emulators
internal import Logging

extension UnexpectedErrorReport {
  /// A line of the log with the reference that the caller was told.
  static func logged(by logger: Logger) -> Self {
    Self { reference, error in
      logger.error(
        "unexpected error",
        metadata: ["reference": "\(reference)", "error": "\(String(reflecting: error))"]
      )
    }
  }
}
