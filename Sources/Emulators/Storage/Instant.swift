internal import Foundation
internal import GRDB

/// A point in time in whole milliseconds since 1970, as the API writes it.
struct Instant: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  var rawValue: Int64

  init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Rounded down; dates beyond what 64 bits hold are clamped.
  init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
    rawValue = Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max / 2 : .min / 2)
  }

  var date: Date { Date(timeIntervalSince1970: Double(rawValue) / 1000) }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The point that many seconds later, or earlier if negative.
  func adding(seconds: Int) -> Self {
    Self(rawValue: rawValue + Int64(seconds) * 1000)
  }

  /// Midnight before it, in UTC.
  var startOfDay: Self { Self(rawValue: rawValue - rawValue % 86_400_000) }

  /// How many whole seconds later the other point is, rounded up; negative if it is earlier.
  func secondsUntil(_ other: Self) -> Int {
    Int((Double(other.rawValue - rawValue) / 1000).rounded(.up))
  }
}

extension Instant: DatabaseValueConvertible {}
