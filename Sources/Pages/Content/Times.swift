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

  /// `at 14:35 UTC (in 12 minutes)`: when something becomes possible.
  ///
  /// In the last minute the time includes seconds; before that it is rounded up to the next minute,
  /// so that it is never too early.
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

  /// `10 minutes`: a number of seconds in the largest unit of which it is a whole number.
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

  /// `12 minutes`: whole units, rounded up for seconds and minutes, to the nearest for hours and
  /// days.
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

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

extension JSONValue {
  /// The moment as `2026-11-21T14:35:00Z`, or null.
  static func time(orNull date: Date?) -> JSONValue { .string(orNull: date?.timestamp) }
}
