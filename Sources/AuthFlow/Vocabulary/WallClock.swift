public import Foundation

/// Where the time of day comes from: the world's clock, or the machine's.
///
/// Nothing here reads the system clock by itself, so that a test or a presenter can move time.
public struct WallClock: Sendable {
  private let read: @Sendable () -> Date

  public init(_ read: @escaping @Sendable () -> Date) { self.read = read }

  public var now: Date { read() }
}
