public import Foundation

/// The source of the time of day: the world's clock, or the machine's.
///
/// Nothing in this room reads the system clock itself, so that a test or a presenter can move time.
public struct WallClock: Sendable {
  private let read: @Sendable () -> Date

  public init(_ read: @escaping @Sendable () -> Date) { self.read = read }

  public var now: Date { read() }
}
