internal import AuthFlow
internal import HTTPExchange
internal import Locking

/// The site's own limits in front of a real auth API, which sees one address for all (S21).
///
/// There may be 5 failures in 15 minutes per network and identifier, and 30 forms a minute per
/// network: an IPv4 address, or the first 64 bits of an IPv6 address. Time is monotonic, so that no
/// jump of a clock makes a wait longer (S34).
///
/// Emulated worlds share nothing, so each life of one counts for itself, and moving its clock forward
/// makes its waits shorter.
final class Throttle: Sendable {
  /// A number of events within a period.
  struct Limit: Sendable {
    var count: Int
    var window: Duration

    static let failures = Limit(count: 5, window: .seconds(15 * 60))
    static let forms = Limit(count: 30, window: .seconds(60))
  }

  /// Why a form waits, and how long.
  struct Wait: Sendable {
    /// What the limit counts by.
    enum Subject: String, Sendable {
      case address, identifier
    }

    var subject: Subject
    var duration: Duration
  }

  private struct Key: Hashable {
    enum Counted: Hashable {
      case forms
      case failures(identifier: String)
    }

    /// The number of the world's life.
    var life: Int
    var network: [UInt8]
    var counted: Counted

    var limit: Limit {
      switch counted {
      case .forms: .forms
      case .failures: .failures
      }
    }

    var subject: Wait.Subject {
      switch counted {
      case .forms: .address
      case .failures: .identifier
      }
    }
  }

  /// A time as limits measure it.
  private struct Moment {
    var instant: ContinuousClock.Instant
    /// How far the world's clock had been moved forward by then.
    var skipped = Duration.zero

    /// Never less than what has really passed.
    func since(_ earlier: Moment) -> Duration {
      instant - earlier.instant + max(skipped - earlier.skipped, .zero)
    }
  }

  private struct Count {
    var moments: [Moment] = []
    /// Forms that have passed and may yet turn out to be failures.
    var pending = 0

    func recent(within window: Duration, of now: Moment) -> [Moment] {
      moments.filter { now.since($0) < window }
    }
  }

  private let now: @Sendable () -> ContinuousClock.Instant
  private let counts = Locked<[Key: Count]>([:])
  /// The wait where forms whose result is still open make up the limit.
  private static let pendingWait = Duration.seconds(1)
  /// The number of counts above which the oldest are forgotten, so that memory is bounded.
  private static let keyLimit = 20_000

  init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.now = now
  }

  /// Counts a form, unless there have been too many.
  ///
  /// One that names an account counts as a possible failure until it is settled, so that
  /// simultaneous guesses get no further than successive ones.
  ///
  /// - Parameters:
  ///   - address: The browser's address.
  ///   - identifier: The account that is meant, where that is known.
  ///   - life: The life of the world.
  /// - Returns: How long to wait, and why; nil where the form may pass.
  func wait(for address: IPAddress, identifier: String?, in life: WorldLife = .only) -> Wait? {
    let forms = Key(life: life.number, network: address.network, counted: .forms)
    let failures = identifier.map { key(of: address, $0, in: life) }
    let now = moment(in: life)
    return counts.withLock { counts in
      let waits = [forms, failures].compactMap(\.self).compactMap { key -> Wait? in
        let duration = counts[key].flatMap { Self.wait($0, key.limit, now) }
        return duration.map { Wait(subject: key.subject, duration: $0) }
      }
      let longest = waits.max { $0.duration < $1.duration }
      if let longest { return longest }
      Self.note(forms, at: now, in: &counts)
      if let failures {
        Self.makeRoom(for: failures, at: now, in: &counts)
        counts[failures, default: Count()].pending += 1
      }
      return nil
    }
  }

  /// Records the result of a form that has passed and named an account; the life is the one that it
  /// has passed in.
  func settle(
    of address: IPAddress,
    identifier: String,
    isFailure: Bool,
    in life: WorldLife = .only
  ) {
    let key = key(of: address, identifier, in: life)
    let now = moment(in: life)
    counts.withLock { counts in
      if isFailure { Self.note(key, at: now, in: &counts) }
      let pending = max((counts[key]?.pending ?? 0) - 1, 0)
      counts[key]?.pending = pending
      if pending == 0, counts[key]?.moments.isEmpty == true { counts[key] = nil }
    }
  }

  /// Forgets failures, since somebody who has signed in was not guessing.
  func forgetFailures(of address: IPAddress, identifier: String, in life: WorldLife = .only) {
    let key = key(of: address, identifier, in: life)
    counts.withLock { counts in
      counts[key]?.moments = []
      if counts[key]?.pending == 0 { counts[key] = nil }
    }
  }

  private func key(of address: IPAddress, _ identifier: String, in life: WorldLife) -> Key {
    Key(
      life: life.number,
      network: address.network,
      counted: .failures(identifier: identifier.trimmed.lowercased())
    )
  }

  private func moment(in life: WorldLife) -> Moment {
    Moment(instant: now(), skipped: life.skipped)
  }

  private static func wait(_ count: Count, _ limit: Limit, _ now: Moment) -> Duration? {
    let recent = count.recent(within: limit.window, of: now)
    guard recent.count + count.pending >= limit.count else { return nil }
    guard recent.count >= limit.count else { return pendingWait }
    return limit.window - now.since(recent[recent.count - limit.count])
  }

  private static func note(_ key: Key, at now: Moment, in counts: inout [Key: Count]) {
    makeRoom(for: key, at: now, in: &counts)
    var count = counts[key] ?? Count()
    count.moments = count.recent(within: key.limit.window, of: now) + [now]
    counts[key] = count
  }

  private static func makeRoom(for key: Key, at now: Moment, in counts: inout [Key: Count]) {
    guard counts.count >= keyLimit, counts[key] == nil else { return }
    // Counts of other worlds have clocks of their own: only what has really passed is sure of all.
    let now = Moment(instant: now.instant)
    counts = counts.filter { key, count in
      count.pending > 0 || !count.recent(within: key.limit.window, of: now).isEmpty
    }
    guard counts.count >= keyLimit else { return }
    // Several at once: searching all of them for one would take time at every request.
    let oldest = counts.filter { $0.value.pending == 0 }.sorted(by: isOlder).prefix(keyLimit / 20)
    for (key, _) in oldest { counts[key] = nil }
  }

  private static func isOlder(
    _ left: (key: Key, value: Count),
    _ right: (key: Key, value: Count)
  ) -> Bool {
    guard let left = left.value.moments.last, let right = right.value.moments.last else {
      return true
    }
    return left.instant < right.instant
  }
}
