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
    /// Whose word about a browser's address is taken (S7).
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

  /// What a site remembers of the forms that it has been sent: handed to the site that takes its place, a form
  /// that is sent twice stays one, nobody who has been guessing begins anew, and what the one still answers does
  /// not undo what the other has.
  public struct Memory: Sendable {
    let submissions: SubmissionDeduplicator
    let throttle: Throttle
    let visitsUnderWay = VisitsUnderWay()
    /// Whether a trusted proxy has been found that does not say who asks.
    let hasFoundSilentProxy = Locked(false)
    /// Whether one that is not trusted has been found that says so.
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

  /// Whom a refusal of a flow is about, as the log's level tells it.
  public enum Blame: String, CaseIterable, BitwiseCopyable, Sendable {
    /// Whoever filled in a form, or nobody.
    case person
    /// The auth API fails, or the way to it, or it has been asked too often.
    case service
    /// How this program is set up: it breaks for everybody.
    case setUp = "set-up"
  }

  /// What the log tells of visits and flows, for whoever counts it.
  public enum Event: Sendable, Hashable {
    case refused(Blame)
    /// Pending while tasks are open.
    case signedIn(isPending: Bool)
    case signedOut
    /// A request has a visit that nobody here can read, and is answered as one without.
    case unreadableVisit
  }

  /// What the site asks of the world around it; a test puts its own in.
  public struct Environment: Sendable {
    /// The machine's clock: seals are dated by it (S34).
    public var machineNow: @Sendable () -> Date
    /// The machine's monotonic clock: limits are measured by it (S34).
    public var monotonicNow: @Sendable () -> ContinuousClock.Instant
    /// So many random bytes.
    public var random: @Sendable (Int) -> [UInt8]
    public var logger: Logger
    /// Why requests should go elsewhere, for `/readyz`; nil while all is well.
    public var notReady: @Sendable () async -> String?
    /// Is told of every request that the site turns away itself; nil where nobody counts them.
    public var turnedAway: (@Sendable (TurnedAway, Request) -> Void)?
    /// Is told of every such event beside its line in the log, whatever the log's level; nil where nobody
    /// counts them.
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
