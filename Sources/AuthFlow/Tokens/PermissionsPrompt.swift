public import Foundation

/// What the session may do at other services, as its newest token says.
public struct Access: Hashable, Codable, Sendable {
  /// By the auth API's names, in its order.
  public var scopes: [String]
  public var expiresAt: Date

  public init(scopes: [String], expiresAt: Date) {
    self.scopes = scopes
    self.expiresAt = expiresAt
  }
}

/// Asks whether to go on although some permissions were declined.
public struct PermissionsPrompt: Hashable, Codable, Sendable {
  /// Who would be in.
  public let session: Session
  /// Without the scopes that only sign in; may be empty.
  public let granted: [String]
  /// At least one.
  public let declined: [String]

  /// Returns nil where nothing was declined.
  @_spi(Provider) public init?(session: Session, granted: [String], declined: [String]) {
    guard !declined.isEmpty else { return nil }
    self.session = session
    self.granted = granted
    self.declined = declined
  }
}
