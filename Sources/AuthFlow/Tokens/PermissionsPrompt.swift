public import Foundation

/// What the session may do at other services, as its newest token says.
public struct Access: Hashable, Codable, Sendable {
  /// By the auth API's names, in its order.
  public var scopes: [String]
  public var expiresAt: Date
  /// What was asked for and not granted, as long as nobody has decided to go on without it.
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
    // A visit that was sealed before there was this has none.
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
