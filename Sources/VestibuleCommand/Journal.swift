import Foundation
import Glibc
import Logging

/// The journal of systemd, which takes a line's priority from the number before it.
///
/// Source: sd-daemon(3); systemd.exec(5), `$JOURNAL_STREAM`.
enum Journal {
  /// Whether standard error is connected directly to the journal.
  static let isStandardError = isNamed(
    STDERR_FILENO,
    by: getenv("JOURNAL_STREAM").map { String(cString: $0) }
  )

  /// Whether the descriptor is the stream that the variable names by device and inode: a program started with another
  /// standard error inherits the variable too.
  static func isNamed(_ descriptor: CInt, by variable: String?) -> Bool {
    let numbers = (variable ?? "").split(separator: ":", omittingEmptySubsequences: false)
    var status = stat()
    guard numbers.count == 2, fstat(descriptor, &status) == 0 else { return false }
    return UInt64(numbers[0]) == UInt64(status.st_dev)
      && UInt64(numbers[1]) == UInt64(status.st_ino)
  }

  /// The prefix of a line of that level.
  static func prefix(_ level: Logger.Level) -> String {
    let priority =
      switch level {
      case .trace, .debug: 7
      case .info: 6
      case .notice: 5
      case .warning: 4
      case .error: 3
      case .critical: 2
      }
    return "<\(priority)>"
  }
}
