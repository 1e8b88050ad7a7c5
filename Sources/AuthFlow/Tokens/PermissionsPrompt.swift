public import Foundation

/// What the session may do at other services, as its newest token says.
public struct Access: Hashable, Codable, Sendable {
  /// By the auth API's names, in its order.
  public var scopes: [String]
  public var expiresAt: Date
  /// The scopes that were requested and not granted, until somebody decides to go on without them.
  public var declined: [String]

  public init(scopes: [String], expiresAt: Date, declined: [String] = []) {
    self.scopes = scopes
    self.expiresAt = expiresAt
    self.declined = declined
  }

  private enum Key: String, CodingKey { case scopes, expiresAt, declined }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    scopes = try container.decode([String].self, forKey: .scopes)
    expiresAt = try container.decode(Date.self, forKey: .expiresAt)
    // Visits that were sealed before this existed do not have it.
    declined = try container.decodeIfPresent([String].self, forKey: .declined) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(expiresAt, forKey: .expiresAt)
    if !declined.isEmpty { try container.encode(declined, forKey: .declined) }
  }
}

/// Asks whether to go on although some permissions were declined.
public struct PermissionsPrompt: Hashable, Codable, Sendable {
  /// The session that the decision is about.
  public let session: Session
  /// Without the scopes that only serve to sign in; may be empty.
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
