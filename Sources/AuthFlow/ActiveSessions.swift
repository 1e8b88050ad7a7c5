public import Foundation

/// A session of a person that is on, in whichever browser or app.
public struct ActiveSession: Hashable, Sendable {
  /// The auth API's name for it.
  public let id: String
  /// Whether it is the one at hand.
  public let isCurrent: Bool
  /// Where it is used, as far as that is known.
  public let device: Device
  public let lastActiveAt: Date?

  /// A browser or an app, in its own words.
  public struct Device: Hashable, Sendable {
    /// `Firefox`.
    public var browser: String?
    /// `Macintosh`, `iPhone`.
    public var system: String?
    /// From where it called, as text.
    public var address: String?

    public init(browser: String? = nil, system: String? = nil, address: String? = nil) {
      self.browser = browser
      self.system = system
      self.address = address
    }
  }

  @_spi(Provider) public init(
    id: String,
    isCurrent: Bool,
    device: Device,
    lastActiveAt: Date?
  ) {
    self.id = id
    self.isCurrent = isCurrent
    self.device = device
    self.lastActiveAt = lastActiveAt
  }
}

/// Knows where else a person is signed in, and can end that.
public protocol ActiveSessionProvider: AuthProvider {
  /// Every session of that person which is on, the one at hand among them.
  ///
  /// - Throws: `AuthError` with `.signInAgain` when the one at hand is over, or what stands in the
  ///   way.
  func activeSessions(
    besides session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> [ActiveSession]

  /// Ends a session elsewhere; one that is over already is no error.
  ///
  /// - Throws: `AuthError` where the auth API refuses or does not answer.
  func endActiveSession(
    _ id: String,
    besides session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError)
}

/// Which sessions a person wants to have ended.
public enum SessionEnding: Hashable, Sendable {
  case one(id: String)
  /// All but the one at hand.
  case others
  case all

  /// The values that a form sends for them; any other is a session's id.
  private static let othersValue = "others"
  private static let allValue = "all"

  /// Nil for an empty value.
  public init?(value: String) {
    switch value {
    case "": return nil
    case Self.othersValue: self = .others
    case Self.allValue: self = .all
    default: self = .one(id: value)
    }
  }

  public var value: String {
    switch self {
    case .one(let id): id
    case .others: Self.othersValue
    case .all: Self.allValue
    }
  }
}

extension ActiveSessionProvider {
  /// Ends what was asked for; the session at hand last, so that a refusal leaves the person in.
  ///
  /// - Throws: `AuthError` where the auth API refuses or does not answer.
  public func end(
    _ ending: SessionEnding,
    from session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    switch ending {
    case .one(id: session.id): try await signOut(memory: &memory)
    case .one(let id): try await endActiveSession(id, besides: session, memory: &memory)
    case .others: try await endOthers(from: session, memory: &memory)
    case .all:
      try await endOthers(from: session, memory: &memory)
      try await signOut(memory: &memory)
    }
  }

  private func endOthers(
    from session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    for other in try await activeSessions(besides: session, memory: &memory)
    where !other.isCurrent {
      try await endActiveSession(other.id, besides: session, memory: &memory)
    }
  }
}
