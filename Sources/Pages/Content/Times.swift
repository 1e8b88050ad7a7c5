import AuthFlow
import Foundation
import Localization

/// Puts moments into words, for one reader at one moment (N2).
///
/// Everything is computed from the clock it is given, so that moving that clock moves the page.
struct Times: Sendable {
  let now: Date
  /// Nil means UTC, and the words say so.
  let timeZone: TimeZone?
  let catalogue: Catalogue<PhraseKey>

  func prose(_ date: Date, _ form: Phrase.Moment) -> Prose {
    switch form {
    case .from: from(date)
    case .alone: alone(date)
    case .end: end(date)
    case .lasting: lasting(date)
    case .past: past(date)
    case .clock: Prose(spans: [.time(shortly(date), of: date)])
    case .at: Prose(shortlyAt(date))
    }
  }

  /// `at 14:35 UTC (in 12 minutes)`: from when on something is possible.
  ///
  /// Under a minute the seconds are told; else it is the next whole minute, never too early.
  func from(_ date: Date) -> Prose {
    let told = date.roundedUpToSecond
    return moment(shortlyAt(told), told, distance(to: date))
  }

  /// `14:35 UTC, in 12 minutes`: the same on a line of its own.
  func alone(_ date: Date) -> Prose {
    let told = date.roundedUpToSecond
    return catalogue.prose(.common(.timeAlone)) { name in
      .fragment(
        Prose(
          spans: [
            name == "clock"
              ? .time(shortly(told), of: told) : .relative(distance(to: date), to: told)
          ]
        )
      )
    }
  }

  /// `at 14:45 UTC (in 10 minutes)`: when something ends, never too late.
  func end(_ date: Date) -> Prose { moment(at(date, seconds: isNear(date)), date) }

  /// `14:35:20`, in the words of ``from(_:)`` but alone: for the name of a control.
  func shortly(_ date: Date) -> String {
    let date = date.roundedUpToSecond
    let seconds = isNear(date)
    return clock(seconds ? date : roundedUp(date), seconds: seconds)
  }

  /// The same as an adverb.
  private func shortlyAt(_ date: Date) -> String {
    let seconds = isNear(date)
    return at(seconds ? date : roundedUp(date), seconds: seconds)
  }

  /// The hour that ``shortly(_:)`` tells.
  func hour(shortly date: Date) -> Int {
    let date = date.roundedUpToSecond
    return local(isNear(date) ? date : roundedUp(date)).hour
  }

  /// `until 14:45 UTC (10 minutes left)`: how long something lasts.
  func lasting(_ date: Date) -> Prose {
    let until = words(
      .timeUntil,
      ["hour": .count(local(date).hour), "clock": .fragment(clock(date, seconds: isNear(date)))]
    )
    let length = Self.length(of: date.timeIntervalSince(now))
    let left = words(
      .timeLeft,
      ["length": .fragment(words(length.key(in: .length), ["count": .count(length.count)]))]
    )
    return catalogue.prose(.common(.timeLasting)) { name in
      .fragment(
        Prose(spans: [name == "left" ? .remaining(left, until: date) : .time(until, of: date)])
      )
    }
  }

  /// `at 14:45 UTC (2 minutes ago)`.
  func past(_ date: Date) -> Prose { moment(at(date, seconds: false), date) }

  /// `14:35:20 UTC`, exactly.
  func exactly(_ date: Date) -> String { clock(date, seconds: true) }

  /// `10 minutes`: so many seconds in the largest unit of which they are a whole number.
  func words(exactly seconds: Int) -> String {
    let units: [(CommonPhrase, Int)] = [
      (.timeLengthDays, 86_400), (.timeLengthHours, 3_600), (.timeLengthMinutes, 60),
      (.timeLengthSeconds, 1),
    ]
    let unit = units.first { seconds != 0 && seconds % $0.1 == 0 } ?? (.timeLengthSeconds, 1)
    return words(unit.0, ["count": .count(seconds / unit.1)])
  }

  private func words(
    _ key: CommonPhrase,
    _ values: [String: MessageFormat.Value<String>] = [:]
  ) -> String {
    catalogue.text(.common(key), values)
  }

  /// `at 14:35 UTC`, with the date where that is not today's, in the order of the language.
  private func at(_ date: Date, seconds: Bool) -> String {
    let (clock, day, hour) = parts(of: date, seconds: seconds)
    // Some languages have another word before one o'clock.
    guard let day else { return words(.timeAt, ["hour": .count(hour), "clock": .fragment(clock)]) }
    return words(
      .timeAtDated,
      ["hour": .count(hour), "clock": .fragment(clock), "date": .fragment(day)]
    )
  }

  private func moment(_ at: String, _ date: Date, _ distance: String? = nil) -> Prose {
    catalogue.prose(.common(.timeMoment)) { name in
      .fragment(
        Prose(
          spans: [
            name == "at"
              ? .time(at, of: date) : .relative(distance ?? self.distance(to: date), to: date)
          ]
        )
      )
    }
  }

  private func isNear(_ date: Date) -> Bool {
    let distance = date.timeIntervalSince(now)
    return distance > 0 && distance < 60
  }

  private func roundedUp(_ date: Date) -> Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.up) * 60)
  }

  /// `14:35:20 UTC`, with the date where that is not today's.
  func clock(_ date: Date, seconds: Bool) -> String {
    let (clock, day, _) = parts(of: date, seconds: seconds)
    guard let day else { return clock }
    return words(.timeClockDated, ["clock": .fragment(clock), "date": .fragment(day)])
  }

  /// The time of day, the date, which is nil for today's, and the hour.
  private func parts(of date: Date, seconds: Bool) -> (clock: String, day: String?, hour: Int) {
    let moment = local(date)
    let today = local(now)
    var time = "\(twoDigits(moment.hour)):\(twoDigits(moment.minute))"
    if seconds { time += ":\(twoDigits(moment.second))" }
    let clock = words(timeZone == nil ? .timeClockUtc : .timeClock, ["time": .fragment(time)])
    guard moment.days != today.days else { return (clock, nil, moment.hour) }
    let day = words(
      moment.year == today.year ? .dateThisYear : .dateOtherYear,
      [
        "day": .count(moment.day), "month": .fragment(words(CommonPhrase.months[moment.month - 1])),
        "year": .count(moment.year),
      ]
    )
    return (clock, day, moment.hour)
  }

  private func local(_ date: Date) -> CivilTime {
    let offset = timeZone.map { $0.secondsFromGMT(for: date) } ?? 0
    return CivilTime(secondsSince1970: date.wholeSeconds + offset)
  }

  /// `in 12 minutes`, `in 1 minute`, `2 hours ago`.
  private func distance(to date: Date) -> String {
    let interval = date.timeIntervalSince(now)
    if interval == 0 { return words(.timeNow) }
    let length = Self.length(of: abs(interval))
    return words(length.key(in: interval > 0 ? .future : .past), ["count": .count(length.count)])
  }

  /// `12 minutes`; whole units, rounded up.
  private struct Length {
    enum Unit { case seconds, minutes, hours, days }
    enum Use { case length, future, past }

    let count: Int
    let unit: Unit

    func key(in use: Use) -> CommonPhrase {
      switch (use, unit) {
      case (.length, .seconds): .timeLengthSeconds
      case (.length, .minutes): .timeLengthMinutes
      case (.length, .hours): .timeLengthHours
      case (.length, .days): .timeLengthDays
      case (.future, .seconds): .timeInSeconds
      case (.future, .minutes): .timeInMinutes
      case (.future, .hours): .timeInHours
      case (.future, .days): .timeInDays
      case (.past, .seconds): .timeAgoSeconds
      case (.past, .minutes): .timeAgoMinutes
      case (.past, .hours): .timeAgoHours
      case (.past, .days): .timeAgoDays
      }
    }
  }

  private static func length(of interval: TimeInterval) -> Length {
    let seconds = Int(min(max(interval, 0), 1e11).rounded(.up))
    return switch seconds {
    case ..<60: Length(count: seconds, unit: .seconds)
    case ..<3_600: Length(count: (seconds + 59) / 60, unit: .minutes)
    // The nearest: an hour and a second is not two hours.
    case ..<172_800: Length(count: (seconds + 1_800) / 3_600, unit: .hours)
    default: Length(count: (seconds + 43_200) / 86_400, unit: .days)
    }
  }
}

extension CommonPhrase {
  fileprivate static let months: [CommonPhrase] = [
    .month1, .month2, .month3, .month4, .month5, .month6, .month7, .month8, .month9, .month10,
    .month11, .month12,
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
  /// From when on something is possible, told in whole seconds: at the one that is told it is.
  var roundedUpToSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }

  /// Since 1970; dates beyond all calendars are cut.
  private var seconds: TimeInterval { min(max(timeIntervalSince1970, -6e10), 2e11) }

  /// Seconds since 1970, fractions dropped; dates beyond all calendars are cut.
  var wholeSeconds: Int { Int(seconds.rounded(.down)) }

  /// `2026-11-21T14:35:00Z` (RFC 3339, section 5.6).
  var timestamp: String { timestamp(inMilliseconds: false) }

  /// `2026-11-21T14:35:00.250Z`: what a page counts from, lest all it counts be a second too long.
  var exactTimestamp: String { timestamp(inMilliseconds: true) }

  private func timestamp(inMilliseconds: Bool) -> String {
    let civil = CivilTime(secondsSince1970: wholeSeconds)
    let milliseconds = inMilliseconds ? Int((seconds - seconds.rounded(.down)) * 1_000) : 0
    // Into place, since every page has one. Years have four digits, as far as dates are not cut.
    return String(unsafeUninitializedCapacity: inMilliseconds ? 24 : 20) { text in
      var count = 0
      func write(_ byte: UInt8) {
        text.initializeElement(at: count, to: byte)
        count += 1
      }
      func write(_ number: Int, _ mark: Unicode.Scalar? = nil) {
        write(UInt8(ascii: "0") + UInt8(number / 10))
        write(UInt8(ascii: "0") + UInt8(number % 10))
        if let mark { write(UInt8(ascii: mark)) }
      }
      write(civil.year / 100)
      write(civil.year % 100, "-")
      write(civil.month, "-")
      write(civil.day, "T")
      write(civil.hour, ":")
      write(civil.minute, ":")
      write(civil.second)
      if inMilliseconds {
        write(UInt8(ascii: "."))
        write(UInt8(ascii: "0") + UInt8(milliseconds / 100))
        write(milliseconds % 100)
      }
      write(UInt8(ascii: "Z"))
      return count
    }
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

extension JSONValue {
  /// The moment as `2026-11-21T14:35:00Z`, or null.
  static func time(orNull date: Date?) -> JSONValue { .string(orNull: date?.timestamp) }
}
