/// Histograms of durations, in several series that share their bounds.
package final class Histograms: Sendable {
  /// The totals of one series.
  package struct Reading: Sendable, Equatable {
    /// How many durations were within each bound, and last how many there were in all.
    package var cumulativeCounts: [Int]
    package var sum: Duration

    package var count: Int { cumulativeCounts.last ?? 0 }
  }

  /// From half a millisecond, the time that a page takes, to fifteen seconds, the most a handler
  /// may take.
  package static let bounds: [Duration] = [
    .microseconds(500), .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10),
    .milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(250),
    .milliseconds(500), .seconds(1), .milliseconds(2_500), .seconds(5), .seconds(10), .seconds(15),
  ]

  private let bounds = Histograms.bounds.map(\.wholeNanoseconds)
  /// For each series: one place for each bound, one for durations beyond them, and the sum in
  /// nanoseconds.
  private let counters: Counters
  private let width: Int

  /// - Parameter seriesCount: The number of series.
  package init(seriesCount: Int) {
    width = bounds.count + 2
    counters = Counters(seriesCount * width)
  }

  /// Adds a duration to a series.
  package func note(_ duration: Duration, of series: Int) {
    let time = duration.wholeNanoseconds
    var bucket = 0
    while bucket < bounds.count, time > bounds[bucket] { bucket += 1 }
    counters.add(at: series * width + bucket)
    counters.add(time, at: series * width + width - 1)
  }

  package func reading(of series: Int) -> Reading {
    var total = 0
    let counts = (0..<(width - 1)).map { bucket in
      total += counters[series * width + bucket]
      return total
    }
    return Reading(
      cumulativeCounts: counts,
      sum: .nanoseconds(counters[series * width + width - 1])
    )
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }

  /// In seconds.
  package var inSeconds: Double { self / .seconds(1) }
}
