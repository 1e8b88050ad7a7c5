public import Foundation
internal import Locking

/// The clock of one world: the machine's clock, which can be moved and stopped.
///
/// An emulator takes every time from this clock: of codes, locks, cooldowns, sessions and the time
/// steps of authenticator apps.
public final class WorldClock: Sendable {
  /// What the clock shows, and how it runs.
  public struct Reading: Sendable, Hashable {
    public var now: Date
    /// How far the clock is ahead of the machine's, in seconds.
    public var offset: TimeInterval
    public var isFrozen: Bool

    public init(now: Date, offset: TimeInterval, isFrozen: Bool) {
      (self.now, self.offset, self.isFrozen) = (now, offset, isFrozen)
    }
  }

  /// How the clock runs.
  enum Mode: Sendable, Hashable {
    case running(offset: TimeInterval)
    case frozen(at: Date)
  }

  /// The years 1970 to 3000, beyond which the clock cannot be moved.
  public static let dates =
    Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 32_503_680_000)
  /// How far ahead of the machine's it may be, in seconds.
  static let offsets =
    -dates.upperBound.timeIntervalSince1970...dates.upperBound.timeIntervalSince1970

  private let machineClock: @Sendable () -> Date
  private let mode = Locked(Mode.running(offset: 0))

  public init(machineClock: @escaping @Sendable () -> Date) {
    self.machineClock = machineClock
  }

  public var now: Date { reading.now }

  public var reading: Reading {
    mode.withLock { reading(in: $0) }
  }

  /// Moves the clock by that many seconds, back if negative, within its limits; it runs on unless
  /// frozen.
  @discardableResult
  public func advance(_ seconds: TimeInterval) -> Reading {
    change { reading in reading.now += seconds }
  }

  /// Sets the clock, within its limits; it runs on from there unless frozen.
  @discardableResult
  public func set(_ date: Date) -> Reading {
    change { reading in reading.now = date }
  }

  /// Stops the clock, or lets it run on from where it stopped.
  @discardableResult
  public func freeze(_ isFrozen: Bool) -> Reading {
    change { reading in reading.isFrozen = isFrozen }
  }

  /// Makes it the machine's clock again.
  @discardableResult
  public func reset() -> Reading {
    mode.withLock { mode in
      mode = .running(offset: 0)
      return reading(in: mode)
    }
  }

  /// The present mode, to be restored later.
  var kept: Mode { mode.withLock(\.self) }

  /// Continues in the mode of another clock.
  func `continue`(_ mode: Mode) {
    self.mode.withLock { $0 = mode }
  }

  private func change(_ body: (inout Reading) -> Void) -> Reading {
    mode.withLock { mode in
      var changed = reading(in: mode)
      body(&changed)
      changed.now = Self.nearest(to: changed.now)
      let offset = changed.now.timeIntervalSince(machineClock())
      mode = changed.isFrozen ? .frozen(at: changed.now) : .running(offset: offset)
      return reading(in: mode)
    }
  }

  private static func nearest(to date: Date) -> Date {
    if dates.contains(date) { return date }
    return date > dates.upperBound ? dates.upperBound : dates.lowerBound
  }

  private func reading(in mode: Mode) -> Reading {
    let machineNow = machineClock()
    return switch mode {
    case .running(let offset):
      // A clock that has reached its upper limit stops.
      Reading(
        now: Self.nearest(to: machineNow.addingTimeInterval(offset)),
        offset: offset,
        isFrozen: false
      )
    case .frozen(let date):
      Reading(now: date, offset: date.timeIntervalSince(machineNow), isFrozen: true)
    }
  }
}
