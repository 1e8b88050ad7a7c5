internal import AuthFlow
internal import HTTPExchange
internal import Locking

/// The site's own limits in front of a real auth API, which sees one address for all (S21).
///
/// Per browser address and identifier 5 failures in 15 minutes, per address 30 forms a minute. Time
/// is monotonic: no jump of a clock makes a wait longer (S34).
final class Throttle: Sendable {
  /// So many within so long.
  struct Limit: Sendable {
    var count: Int
    var window: Duration

    static let failures = Limit(count: 5, window: .seconds(15 * 60))
    static let forms = Limit(count: 30, window: .seconds(60))
  }

  private enum Key: Hashable {
    case forms(network: [UInt8])
    case failures(network: [UInt8], identifier: String)

    var limit: Limit {
      switch self {
      case .forms: .forms
      case .failures: .failures
      }
    }
  }

  private typealias Moments = [ContinuousClock.Instant]

  private let now: @Sendable () -> ContinuousClock.Instant
  private let moments = Locked<[Key: Moments]>([:])
  /// Beyond so many, what lies longest in the past is forgotten: memory is bounded whoever asks.
  private static let keyLimit = 20_000

  init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.now = now
  }

  /// Counts a form, unless there have been too many.
  ///
  /// - Parameters:
  ///   - address: The browser's address.
  ///   - identifier: Who is meant, where that is known.
  /// - Returns: How long to wait, where the form is refused.
  func wait(for address: IPAddress, identifier: String?) -> Duration? {
    let forms = Key.forms(network: address.network)
    let failures = identifier.map { key(of: address, $0) }
    let now = now()
    return moments.withLock { moments in
      let waits = [forms, failures].compactMap(\.self).compactMap { key in
        Self.wait(moments[key] ?? [], key.limit, now)
      }
      if let longest = waits.max() { return longest }
      Self.note(forms, at: now, in: &moments)
      return nil
    }
  }

  func noteFailure(of address: IPAddress, identifier: String) {
    let now = now()
    moments.withLock { Self.note(key(of: address, identifier), at: now, in: &$0) }
  }

  /// Whoever is in has not been guessing.
  func forgetFailures(of address: IPAddress, identifier: String) {
    moments.withLock { $0[key(of: address, identifier)] = nil }
  }

  private func key(of address: IPAddress, _ identifier: String) -> Key {
    .failures(
      network: address.network,
      identifier: identifier.trimmed.lowercased()
    )
  }

  private static func wait(
    _ moments: Moments,
    _ limit: Limit,
    _ now: ContinuousClock.Instant
  ) -> Duration? {
    let recent = moments.filter { now - $0 < limit.window }
    guard recent.count >= limit.count else { return nil }
    return limit.window - (now - recent[recent.count - limit.count])
  }

  private static func note(
    _ key: Key,
    at now: ContinuousClock.Instant,
    in moments: inout [Key: Moments]
  ) {
    if moments.count >= keyLimit, moments[key] == nil {
      moments = moments.filter { key, value in
        value.last.map { now - $0 < key.limit.window } ?? false
      }
      if moments.count >= keyLimit, let oldest = moments.min(by: Self.isOlder)?.key {
        moments[oldest] = nil
      }
    }
    let recent = (moments[key] ?? []).filter { now - $0 < key.limit.window }
    moments[key] = recent + [now]
  }

  private static func isOlder(
    _ left: (key: Key, value: Moments),
    _ right: (key: Key, value: Moments)
  ) -> Bool {
    guard let left = left.value.last, let right = right.value.last else { return true }
    return left < right
  }
}
