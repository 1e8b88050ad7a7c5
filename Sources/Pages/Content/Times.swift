import AuthFlow
import Foundation

/// Puts moments into words, for one reader at one moment (N2).
///
/// Everything is computed from the clock it is given, so that moving that clock moves the page.
struct Times: Sendable {
  let now: Date
  /// Nil means UTC, and the words say so.
  let timeZone: TimeZone?

  /// `at 14:35 UTC (in 12 minutes)`: from when on something is possible.
  ///
  /// Under a minute the seconds are told; else it is the next whole minute, never too early.
  func from(_ date: Date) -> Prose {
    let seconds = isNear(date)
    let shown = seconds ? date : roundedUp(date)
    return Prose(spans: [
      .time("at " + clock(shown, seconds: seconds), of: date),
      .text(" ("),
      .relative(Self.distance(from: now, to: date), to: date),
      .text(")"),
    ])
  }

  /// `at 14:45 UTC (in 10 minutes)`: when something ends, never too late.
  func end(_ date: Date) -> Prose {
    Prose(spans: [
      .time("at " + clock(date, seconds: isNear(date)), of: date),
      .text(" ("),
      .relative(Self.distance(from: now, to: date), to: date),
      .text(")"),
    ])
  }

  /// `14:35:20`, in the words of ``from(_:)`` but alone: for the name of a control.
  func shortly(_ date: Date) -> String {
    let seconds = isNear(date)
    return clock(seconds ? date : roundedUp(date), seconds: seconds)
  }

  /// `until 14:45 UTC (10 minutes left)`: how long something lasts.
  func until(_ date: Date) -> Prose {
    Prose(spans: [
      .time("until " + clock(date, seconds: isNear(date)), of: date),
      .text(" ("),
      .remaining("\(Self.length(of: date.timeIntervalSince(now))) left", until: date),
      .text(")"),
    ])
  }

  /// `at 14:45 UTC (2 minutes ago)`.
  func past(_ date: Date) -> Prose {
    Prose(spans: [
      .time("at " + clock(date, seconds: false), of: date),
      .text(" ("),
      .relative(Self.distance(from: now, to: date), to: date),
      .text(")"),
    ])
  }

  /// `14:35:20 UTC`, exactly.
  func exactly(_ date: Date) -> String { clock(date, seconds: true) }

  private func isNear(_ date: Date) -> Bool {
    let distance = date.timeIntervalSince(now)
    return distance > 0 && distance < 60
  }

  private func roundedUp(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.up) * 60)
  }

  private func clock(_ date: Date, seconds: Bool) -> String {
    let moment = local(date)
    let today = local(now)
    var words = "\(twoDigits(moment.hour)):\(twoDigits(moment.minute))"
    if seconds { words += ":\(twoDigits(moment.second))" }
    if timeZone == nil { words += " UTC" }
    if moment.days != today.days {
      words += " on \(moment.day) \(Self.months[moment.month - 1])"
      if moment.year != today.year { words += " \(moment.year)" }
    }
    return words
  }

  private func local(_ date: Date) -> CivilTime {
    let offset = timeZone.map { $0.secondsFromGMT(for: date) } ?? 0
    return CivilTime(secondsSince1970: date.wholeSeconds + offset)
  }

  /// `in 12 minutes`, `in 1 minute`, `2 hours ago`.
  static func distance(from now: Date, to date: Date) -> String {
    let interval = date.timeIntervalSince(now)
    if interval == 0 { return "now" }
    return interval > 0 ? "in \(length(of: interval))" : "\(length(of: -interval)) ago"
  }

  /// `12 minutes`; whole units, rounded up.
  private static func length(of interval: TimeInterval) -> String {
    let seconds = Int(min(max(interval, 0), 1e11).rounded(.up))
    let (count, unit) =
      switch seconds {
      case ..<60: (seconds, "second")
      case ..<3_600: ((seconds + 59) / 60, "minute")
      case ..<172_800: ((seconds + 3_599) / 3_600, "hour")
      default: ((seconds + 86_399) / 86_400, "day")
      }
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

/// A date and time of day in the proleptic Gregorian calendar.
struct CivilTime: Hashable {
  var year: Int
  /// From 1.
  var month: Int
  /// From 1.
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int
  /// Since 1 January 1970.
  var days: Int

  /// Counts in eras of 400 years that begin on 1 March, so that the leap day is a year's last.
  init(secondsSince1970 seconds: Int) {
    days = Int((Double(seconds) / 86_400).rounded(.down))
    let time = seconds - days * 86_400
    (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    let sinceMarch = days + 719_468
    let era = (sinceMarch >= 0 ? sinceMarch : sinceMarch - 146_096) / 146_097
    let dayOfEra = sinceMarch - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

extension Date {
  /// Seconds since 1970, fractions dropped; dates beyond all calendars are cut.
  var wholeSeconds: Int { Int(min(max(timeIntervalSince1970, -6e10), 2e11).rounded(.down)) }

  /// `2026-11-21T14:35:00Z` (RFC 3339, section 5.6).
  var timestamp: String {
    let civil = CivilTime(secondsSince1970: wholeSeconds)
    let year = String(civil.year)
    return String(repeating: "0", count: max(0, 4 - year.utf8.count)) + year
      + "-\(twoDigits(civil.month))-\(twoDigits(civil.day))"
      + "T\(twoDigits(civil.hour)):\(twoDigits(civil.minute)):\(twoDigits(civil.second))Z"
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

extension JSONValue {
  /// The moment as `2026-11-21T14:35:00Z`, or null.
  static func time(orNull date: Date?) -> JSONValue { .string(orNull: date?.timestamp) }
}
