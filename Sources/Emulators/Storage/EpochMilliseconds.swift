internal import Foundation
internal import GRDB

/// A point in time in whole milliseconds since 1970, as the API writes it.
struct EpochMilliseconds: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The years 1 to 9999; no world has a time beyond them.
  static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  var rawValue: Int64

  init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Rounded down; dates beyond the range are clamped to it.
  ///
  /// A binary fraction may be slightly too small: less than 0.01 ms short of a millisecond counts
  /// as one, as other programs display the date.
  init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.01).rounded(.down)
    let clamped = min(
      max(milliseconds, Double(Self.range.lowerBound)),
      Double(Self.range.upperBound)
    )
    rawValue = Int64(exactly: clamped) ?? Self.range.lowerBound
  }

  var date: Date { Date(timeIntervalSince1970: Double(rawValue) / 1000) }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The point that many seconds later, or earlier if negative.
  func adding(seconds: Int) -> Self {
    Self(rawValue: rawValue + Int64(seconds) * 1000)
  }

  /// The millisecond after it.
  var next: Self { Self(rawValue: rawValue + 1) }

  /// The midnight before it, in UTC.
  var startOfDay: Self { Self(rawValue: rawValue - rawValue % 86_400_000) }

  /// How many whole seconds later the other point is, rounded up; negative if it is earlier.
  func secondsUntil(_ other: Self) -> Int {
    Int((Double(other.rawValue - rawValue) / 1000).rounded(.up))
  }
}

extension EpochMilliseconds: DatabaseValueConvertible {}
