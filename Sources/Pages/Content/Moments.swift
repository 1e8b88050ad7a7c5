package import Foundation

/// Moments in English words, for views that are of no page.
package struct Moments: Sendable {
  private let times: Times

  init(_ times: Times) { self.times = times }

  /// The time that the words are relative to.
  package var now: Date { times.now }

  /// `14:35 UTC`, with the date where that is not today's.
  package func clock(_ date: Date, seconds: Bool = false) -> String {
    times.clock(date, seconds: seconds)
  }

  /// `14:36 UTC`, from when on something is possible: never too early, and to the second in its last minute.
  package func shortly(_ date: Date) -> String { times.shortly(date) }

  /// `14:35 UTC on 22 November 2026`.
  package func inFull(_ date: Date) -> String {
    // From another year every date is told whole.
    Times(now: .distantPast, timeZone: times.timeZone, catalogue: times.catalogue)
      .clock(date, seconds: false)
  }

  /// `at 14:45 UTC (2 minutes ago)`.
  package func past(_ date: Date) -> ProseView { ProseView(times.past(date)) }

  /// `until 14:45 UTC (10 minutes left)`.
  package func lasting(_ date: Date) -> ProseView { ProseView(times.lasting(date)) }

  /// `10 minutes`, exactly: in the largest unit of which it is a whole number.
  package func length(of seconds: Int) -> String { times.words(exactly: seconds) }
}

extension PageRenderer {
  /// Puts moments into words for a reader in that time zone; nil means UTC, and the words say so.
  package func moments(at now: Date, in timeZone: TimeZone?) -> Moments {
    Moments(Times(now: now, timeZone: timeZone, catalogue: english))
  }
}
