package import AuthFlow
package import Foundation
import Locking

/// A clock that stands still until a test moves it.
package final class MovableClock: Sendable {
  private let time: Locked<Date>

  package init(_ start: Date = Example.now) { time = Locked(start) }

  package var now: Date { time.withLock(\.self) }

  /// The same time, as a provider and its pages get it.
  package var wallClock: WallClock { WallClock { self.now } }

  package func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
