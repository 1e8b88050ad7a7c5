public import Foundation

/// Reads the header field `Retry-After`: seconds, or a date in any of the three forms of HTTP.
///
/// Source: RFC 9110, sections 10.2.3 and 5.6.7.
public enum RetryAfter {
  /// The longest wait that is believed, in seconds: one day.
  public static let longestWait: TimeInterval = 86_400

  /// When to come back, never before now and at most a day ahead; nil where it says nothing.
  public static func date(_ value: String?, now: Date) -> Date? {
    guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else {
      return nil
    }
    let target: Date
    if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      target = now.addingTimeInterval(Double(value) ?? longestWait)
    } else if let date = httpDate(value, now: now) {
      target = date
    } else {
      return nil
    }
    return min(max(target, now), now.addingTimeInterval(longestWait))
  }

  /// A date as `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
  /// `Sun Nov  6 08:49:37 1994`.
  private static func httpDate(_ value: String, now: Date) -> Date? {
    let words = value.split { " ,-".contains($0) }.map(String.init)
    let dayFirst = words.count == 6 && words[5] == "GMT"
    if dayFirst {
      return date(day: words[1], month: words[2], year: words[3], time: words[4], now: now)
    }
    guard words.count == 5 else { return nil }
    return date(day: words[2], month: words[1], year: words[4], time: words[3], now: now)
  }

  private static func date(
    day: String,
    month: String,
    year: String,
    time: String,
    now: Date
  ) -> Date? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard let day = number(day), (1...31).contains(day),
      let month = months.firstIndex(of: month),
      let year = fullYear(year, now: now),
      clock.count == 3, let hour = clock[0], hour < 24, let minute = clock[1], minute < 60,
      let second = clock[2], second <= 60
    else { return nil }
    let days = daysSinceEpoch(year: year, month: month + 1, day: day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
  }

  private static func number(_ digits: some StringProtocol) -> Int? {
    digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && digits.utf8.count <= 4 ? Int(digits) : nil
  }

  /// A year of two digits is the one that is not more than 50 years ahead.
  private static func fullYear(_ digits: String, now: Date) -> Int? {
    guard let year = number(digits) else { return nil }
    if digits.utf8.count == 4 { return year }
    guard digits.utf8.count == 2 else { return nil }
    let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let year4 = thisYear / 100 * 100 + year
    return year4 > thisYear + 50 ? year4 - 100 : year4
  }

  /// The days from 1970-01-01 in the Gregorian calendar.
  ///
  /// Years are counted from March, so that the leap day is the last of the year.
  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }
}
