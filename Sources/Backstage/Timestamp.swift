internal import Foundation
internal import Pages

/// Points in time as ISO 8601 in UTC, such as `2026-11-21T14:35:00Z`, written as on the pages.
enum Timestamp {
  private static let whole = Date.ISO8601FormatStyle()
  private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The text of a time: whole seconds without a fraction, others with milliseconds.
  static func text(_ date: Date) -> String {
    // Binary fractions miss decimal ones slightly. The 0.01 ms completes a millisecond that falls
    // just short, and the half millisecond keeps the truncating formatter from losing it.
    let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.01).rounded(.down)
    let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
    let moment = Date(timeIntervalSince1970: (milliseconds + 0.5) / 1000)
    return isWhole ? moment.timestamp : moment.exactTimestamp
  }

  /// The time in whole seconds: nobody types a fraction.
  static func inSeconds(_ date: Date) -> String {
    text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
  }

  /// - Returns: Nil if the text is not a time, such as one of a day that its month does not have.
  static func date(_ text: String) -> Date? {
    let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)/
    // The parsers ignore trailing text, and read 30 February as a day in March.
    let seconds = "\(text.prefix(19))Z"
    guard text.wholeMatch(of: form) != nil, let day = try? whole.parse(seconds),
      inSeconds(day) == seconds
    else { return nil }
    // Either format will do; why the other failed is irrelevant.
    return (try? whole.parse(text)) ?? (try? fractional.parse(text))
  }
}
