public import Foundation

/// An active session of a person, in any browser or app.
public struct ActiveSession: Hashable, Sendable {
  /// The auth API's identifier of the session.
  public let id: String
  /// Whether it is the session of this browser.
  public let isCurrent: Bool
  /// The device that uses it, as far as that is known.
  public let device: Device
  public let lastActiveAt: Date?

  /// A browser or an app, as the auth API describes it.
  public struct Device: Hashable, Sendable {
    /// `Firefox`.
    public var browser: String?
    /// `Macintosh`, `iPhone`.
    public var system: String?
    /// Its network address, as text.
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

/// Lists the active sessions of a person, and ends those elsewhere.
public protocol ActiveSessionProvider: AuthProvider {
  /// Every active session of that person, including the current one and those that become active
  /// once their tasks are done.
  ///
  /// - Throws: `AuthError` with `.signInAgain` when the current session is over; another one where
  ///   the auth API refuses or does not answer.
  func activeSessions(
    besides session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> [ActiveSession]

  /// Ends a session elsewhere; it is not an error if that session is over already.
  ///
  /// - Throws: `AuthError` where the auth API refuses or does not answer.
  func endActiveSession(
    _ id: String,
    besides session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError)
}

/// The sessions that a person asks to end.
public enum SessionEnding: Hashable, Sendable {
  case one(id: String)
  /// All except the current one.
  case others
  case all

  /// The form values of `others` and `all`; any other value is the id of a session.
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
  /// Ends the sessions that were asked for, the current one last, so that a refusal leaves the
  /// person signed in.
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
