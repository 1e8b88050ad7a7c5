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

  /// Since 1970; dates beyond the years 0 to 9999 are cut.
  private var seconds: TimeInterval {
    min(max(timeIntervalSince1970, -62_167_219_200), 253_402_300_799)
  }

  /// Seconds since 1970, fractions dropped; dates beyond the years 0 to 9999 are cut.
  var wholeSeconds: Int { Int(seconds.rounded(.down)) }

  /// `2026-11-21T14:35:00Z` (RFC 3339, section 5.6).
  package var timestamp: String { timestamp(inMilliseconds: false) }

  /// `2026-11-21T14:35:00.250Z`: what a page counts from, lest all it counts be a second too long.
  package var exactTimestamp: String { timestamp(inMilliseconds: true) }

  private func timestamp(inMilliseconds: Bool) -> String {
    let civil = CivilTime(secondsSince1970: wholeSeconds)
    let milliseconds = inMilliseconds ? Int((seconds - seconds.rounded(.down)) * 1_000) : 0
    // Into place, since every page has one. Years have four digits, since dates are cut.
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
