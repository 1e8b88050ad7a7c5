public import Foundation
public import HTTPExchange
public import Localization
internal import Locking
public import Logging
public import Pages

extension Site {
  /// What the site is told at the start.
  public struct Configuration: Sendable {
    /// `scheme://host[:port]`, as people type it.
    public var publicOrigin: String
    public var hosts: HostPolicy
    /// Origins outside to which a finished sign-in may lead (S15).
    public var redirectOrigins: [String]
    /// Whether the site has limits of its own in front of the auth API's (S21).
    public var hasThrottle: Bool
    /// The proxies that are believed about a browser's address (S7).
    public var trustedProxies: [IPAddress]
    /// How long a page may wait for the auth API in all (S27).
    public var upstreamDeadline: Duration
    /// The one language of the pages; nil where each reader has their own.
    public var language: LanguageTag?

    public init(
      publicOrigin: String,
      hosts: HostPolicy,
      redirectOrigins: [String] = [],
      hasThrottle: Bool = false,
      trustedProxies: [IPAddress] = [],
      upstreamDeadline: Duration = .seconds(8),
      language: LanguageTag? = nil
    ) {
      self.publicOrigin = publicOrigin
      self.hosts = hosts
      self.redirectOrigins = redirectOrigins
      self.hasThrottle = hasThrottle
      self.trustedProxies = trustedProxies
      self.upstreamDeadline = upstreamDeadline
      self.language = language
    }

    var isSecure: Bool { publicOrigin.lowercased().hasPrefix("https:") }
  }

  /// What a site remembers about the forms that it was sent.
  ///
  /// It is handed to the site that takes its place. A form that is sent twice then still counts
  /// once, nobody's failures are forgotten, and answers that the old site still gives do not undo
  /// those of the new one.
  public struct Memory: Sendable {
    let submissions: SubmissionDeduplicator
    let throttle: Throttle
    let visitsUnderWay = VisitsUnderWay()
    /// Whether a trusted proxy was found that does not name the client.
    let hasFoundSilentProxy = Locked(false)
    /// Whether an untrusted sender was found that names one.
    let hasFoundUntrustedProxy = Locked(false)
    let unreadableVisits: LineLimit

    /// - Parameter monotonicNow: The machine's monotonic clock.
    public init(monotonicNow: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
      submissions = SubmissionDeduplicator(now: monotonicNow)
      throttle = Throttle(now: monotonicNow)
      unreadableVisits = LineLimit(now: monotonicNow)
    }
  }

  /// Why the site itself turns a request away.
  public enum TurnedAway: Sendable, Hashable {
    case refused(SiteRefusal)
    /// There have been too many forms, by a limit of ours (S21).
    case throttled
  }

  /// What a refusal of a flow is to be blamed on, which decides the log level.
  public enum Blame: String, CaseIterable, BitwiseCopyable, Sendable {
    /// Somebody who filled in a form, or nothing in particular.
    case person
    /// The auth API or the connection to it fails, or it was asked too often.
    case service
    /// How this program is set up: it breaks for everybody.
    case setUp = "set-up"
  }

  /// Events of visits and flows that are logged, for counting.
  public enum Event: Sendable, Hashable {
    case refused(Blame)
    /// Pending while tasks are open.
    case signedIn(isPending: Bool)
    case signedOut
    /// A request has a visit that cannot be read, and is answered as one without.
    case unreadableVisit
  }

  /// What the site needs from its surroundings; a test replaces it.
  public struct Environment: Sendable {
    /// The machine's clock: seals are dated by it (S34).
    public var machineNow: @Sendable () -> Date
    /// The machine's monotonic clock: limits are measured by it (S34).
    public var monotonicNow: @Sendable () -> ContinuousClock.Instant
    /// Returns that many random bytes.
    public var random: @Sendable (Int) -> [UInt8]
    public var logger: Logger
    /// Why requests should go elsewhere, for `/readyz`; nil while all is well.
    public var notReady: @Sendable () async -> String?
    /// Called for every request that the site itself turns away; nil where nobody counts them.
    public var turnedAway: (@Sendable (TurnedAway, Request) -> Void)?
    /// Called for every event, whatever the log's level; nil where nobody counts them.
    public var happened: (@Sendable (Event) -> Void)?

    public init(
      machineNow: @escaping @Sendable () -> Date,
      monotonicNow: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
      random: @escaping @Sendable (Int) -> [UInt8],
      logger: Logger,
      notReady: @escaping @Sendable () async -> String? = { nil },
      turnedAway: (@Sendable (TurnedAway, Request) -> Void)? = nil,
      happened: (@Sendable (Event) -> Void)? = nil
    ) {
      self.machineNow = machineNow
      self.monotonicNow = monotonicNow
      self.random = random
      self.logger = logger
      self.notReady = notReady
      self.turnedAway = turnedAway
      self.happened = happened
    }
  }
}
