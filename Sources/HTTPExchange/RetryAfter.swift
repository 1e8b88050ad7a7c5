public import Foundation
internal import Glibc

/// Reads the header field `Retry-After`: seconds, or a date in any of the three forms of HTTP.
///
/// Source: RFC 9110, sections 10.2.3 and 5.6.7.
public enum RetryAfter {
  /// When to try again, from now to the distant future; nil if the value is absent or malformed.
  public static func date(_ value: String?, now: Date) -> Date? {
    guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else {
      return nil
    }
    let target: Date
    if value.utf8.allSatisfy(\.isASCIIDigit), let seconds = Double(value) {
      target = now.addingTimeInterval(seconds)
    } else if let date = httpDate(value, now: now) {
      target = date
    } else {
      return nil
    }
    return min(max(target, now), .distantFuture)
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
    var moment = tm()
    moment.tm_year = Int32(year - 1_900)
    moment.tm_mon = Int32(month)
    moment.tm_mday = Int32(day)
    moment.tm_hour = Int32(hour)
    moment.tm_min = Int32(minute)
    moment.tm_sec = Int32(second)
    return Date(timeIntervalSince1970: Double(timegm(&moment)))
  }

  private static func number(_ digits: some StringProtocol) -> Int? {
    digits.utf8.allSatisfy(\.isASCIIDigit) && digits.utf8.count <= 4 ? Int(digits) : nil
  }

  /// A two-digit year is taken to be at most 50 years ahead.
  private static func fullYear(_ digits: String, now: Date) -> Int? {
    guard let year = number(digits) else { return nil }
    if digits.utf8.count == 4 { return year }
    guard digits.utf8.count == 2 else { return nil }
    let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
    let year4 = thisYear / 100 * 100 + year
    return year4 > thisYear + 50 ? year4 - 100 : year4
  }
}
