internal import Foundation
internal import Pages

/// Points in time as ISO 8601 in UTC, `2026-11-21T14:35:00Z`, written as pages write theirs.
enum Timestamp {
  private static let whole = Date.ISO8601FormatStyle()
  private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// Whole seconds are written without a fraction, others with milliseconds.
  static func text(_ date: Date) -> String {
    // Binary fractions lie beside the decimal ones: what is all but a millisecond is one, and half
    // of one more keeps the writer, which cuts off, from cutting that.
    let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.01).rounded(.down)
    let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
    let moment = Date(timeIntervalSince1970: (milliseconds + 0.5) / 1000)
    return isWhole ? moment.timestamp : moment.exactTimestamp
  }

  /// Without a fraction, which nobody types.
  static func inSeconds(_ date: Date) -> String {
    text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
  }

  /// - Returns: Nil where the text is no time, such as one of a day that the month has not.
  static func date(_ text: String) -> Date? {
    let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)/
    // The parsers pass over what follows, and take a thirtieth of February for one of March's days.
    let seconds = "\(text.prefix(19))Z"
    guard text.wholeMatch(of: form) != nil, let day = try? whole.parse(seconds),
      inSeconds(day) == seconds
    else { return nil }
    // Either of the two forms will do; the reason why the other failed says nothing.
    return (try? whole.parse(text)) ?? (try? fractional.parse(text))
  }
}
