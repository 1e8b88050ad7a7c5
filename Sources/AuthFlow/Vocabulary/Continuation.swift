/// What a provider needs to go on with an attempt, opaque to everyone else.
///
/// For Clerk the id of the sign-in or sign-up, for Entra the continuation token.
public struct Continuation: Hashable, Codable, Sendable, Redacted {
  @_spi(Provider) public let token: String

  @_spi(Provider) public init(_ token: String) { self.token = token }

  public init(from decoder: any Decoder) throws {
    token = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(token)
  }

  public static let redaction = "<continuation>"
}
