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

  /// A change of the clock, within its limits.
  public enum Move: Sendable, Hashable {
    /// Moves it by that many seconds, back if negative; it runs on unless frozen.
    case advance(TimeInterval)
    /// Sets it; it runs on from there unless frozen.
    case set(Date)
    /// Stops it, or lets it run on from where it stopped.
    case freeze(Bool)
    /// Makes it the machine's clock again, or one that begins at another time or stands still.
    case reset(at: Date? = nil, isFrozen: Bool = false)

    /// What the clock is to show instead.
    fileprivate func target(from reading: Reading) -> Reading {
      var target = reading
      switch self {
      case .advance(let seconds): target.now += seconds
      case .set(let date): target.now = date
      case .freeze(let isFrozen): target.isFrozen = isFrozen
      case .reset(let start, let isFrozen):
        target.now = start ?? reading.now - reading.offset
        target.isFrozen = isFrozen
      }
      target.now = WorldClock.nearest(to: target.now)
      return target
    }
  }

  /// A move that was made.
  struct Moved: Sendable {
    /// What the clock shows after it.
    let reading: Reading
    fileprivate let before: State
    fileprivate let after: Mode
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

  fileprivate struct State: Sendable {
    var mode = Mode.running(offset: 0)
    var skipped: TimeInterval = 0
  }

  private let machineClock: @Sendable () -> Date
  private let state = Locked(State())

  public init(machineClock: @escaping @Sendable () -> Date) {
    self.machineClock = machineClock
  }

  public var now: Date { reading.now }

  public var reading: Reading {
    state.withLock { reading(in: $0.mode) }
  }

  /// How far the clock was moved forward in all, in seconds; moves back take nothing off.
  public var skipped: TimeInterval { state.withLock(\.skipped) }

  /// Moves it by that many seconds, as `Move.advance` does.
  @discardableResult
  public func advance(_ seconds: TimeInterval) -> Reading { make(.advance(seconds)).reading }

  /// Sets it, as `Move.set` does.
  @discardableResult
  public func set(_ date: Date) -> Reading { make(.set(date)).reading }

  /// Stops it or lets it run on, as `Move.freeze` does.
  @discardableResult
  public func freeze(_ isFrozen: Bool) -> Reading { make(.freeze(isFrozen)).reading }

  /// Makes it the machine's clock again, or lets it begin anew at another time, within its limits.
  ///
  /// - Parameters:
  ///   - start: The time at which it begins; nil is the machine's.
  ///   - isFrozen: Whether it stands still there.
  /// - Returns: What it shows then.
  @discardableResult
  public func reset(at start: Date? = nil, isFrozen: Bool = false) -> Reading {
    make(.reset(at: start, isFrozen: isFrozen)).reading
  }

  /// Makes a move, also one that sets the clock back.
  func make(_ move: Move) -> Moved {
    state.withLock { state in
      let target = move.target(from: reading(in: state.mode))
      return make(move, to: target, in: &state)
    }
  }

  /// Makes a move unless it would set the clock back.
  ///
  /// - Returns: What the clock shows then; nil if it would be set back, and is not.
  func makeForward(_ move: Move) -> Reading? {
    state.withLock { state in
      let present = reading(in: state.mode)
      let target = move.target(from: present)
      return target.now < present.now ? nil : make(move, to: target, in: &state).reading
    }
  }

  /// Undoes a move, unless the clock has been moved again since.
  func undo(_ moved: Moved) {
    state.withLock { state in
      if state.mode == moved.after { state = moved.before }
    }
  }

  /// Continues in the mode of another clock.
  func `continue`(_ mode: Mode) {
    state.withLock { $0.mode = mode }
  }

  private func make(_ move: Move, to target: Reading, in state: inout State) -> Moved {
    let before = state
    state.skipped += max(target.now.timeIntervalSince(reading(in: state.mode).now), 0)
    state.mode =
      if case .reset(at: nil, isFrozen: false) = move {
        .running(offset: 0)
      } else if target.isFrozen {
        .frozen(at: target.now)
      } else {
        .running(offset: target.now.timeIntervalSince(machineClock()))
      }
    return Moved(reading: reading(in: state.mode), before: before, after: state.mode)
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
