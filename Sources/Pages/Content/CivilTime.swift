package import Foundation

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
  /// Days since 1 January 1970.
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
  /// The date rounded up to whole seconds, for when something becomes possible: at the second that
  /// is shown, it is possible.
  var roundedUpToSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }

  /// Seconds since 1970; dates outside the years 0 to 9999 are clamped.
  private var seconds: TimeInterval {
    min(max(timeIntervalSince1970, -62_167_219_200), 253_402_300_799)
  }

  /// Whole seconds since 1970, rounded down; dates outside the years 0 to 9999 are clamped.
  var wholeSeconds: Int { Int(seconds.rounded(.down)) }

  /// `2026-11-21T14:35:00Z` (RFC 3339, section 5.6).
  package var timestamp: String { timestamp(inMilliseconds: false) }

  /// `2026-11-21T14:35:00.250Z`: the moment that a page's script counts from, exact so that no
  /// count is up to a second too long.
  package var exactTimestamp: String { timestamp(inMilliseconds: true) }

  private func timestamp(inMilliseconds: Bool) -> String {
    let civil = CivilTime(secondsSince1970: wholeSeconds)
    let milliseconds = inMilliseconds ? Int((seconds - seconds.rounded(.down)) * 1_000) : 0
    // Written in place because every page has a timestamp. Years have four digits because dates are
    // clamped.
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
