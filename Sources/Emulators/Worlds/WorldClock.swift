public import Foundation
internal import Locking

/// The clock of one world: the machine's, moved or stopped by whoever drives the world.
///
/// Whatever an emulator dates, it dates by this clock: codes, locks, cooldowns, sessions and the
/// time steps of authenticator apps.
public final class WorldClock: Sendable {
  /// Where the clock stands, as it is shown and moved from outside.
  public struct Reading: Sendable, Hashable {
    public var now: Date
    /// How far the clock is ahead of the machine's, in seconds.
    public var offset: TimeInterval
    public var isFrozen: Bool

    public init(now: Date, offset: TimeInterval, isFrozen: Bool) {
      (self.now, self.offset, self.isFrozen) = (now, offset, isFrozen)
    }
  }

  /// How the clock goes.
  enum Mode: Sendable, Hashable {
    case running(offset: TimeInterval)
    case frozen(at: Date)
  }

  /// The years 1970 to 3000, within which the clock is moved.
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

  /// Moves the clock by that many seconds, back if negative, as far as it goes; it runs on unless
  /// frozen.
  @discardableResult
  public func advance(_ seconds: TimeInterval) -> Reading {
    change { reading in reading.now += seconds }
  }

  /// Sets the clock, as far as it goes; it runs on from there unless frozen.
  @discardableResult
  public func set(_ date: Date) -> Reading {
    change { reading in reading.now = date }
  }

  /// Stops the clock where it stands, or lets it run on from there.
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

  /// How it goes, to go on so later.
  var kept: Mode { mode.withLock(\.self) }

  /// Goes on as another clock went.
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
      // A clock that has run to the end of its years stands there.
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
