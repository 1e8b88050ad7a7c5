@_spi(Provider) internal import AuthFlow
internal import Foundation
internal import HTTPExchange

/// The tokens of one browser's session; kept in the sealed visit, as part of the memory.
///
/// Source: <doc:EntraTokenRenewal#Keeping-tokens>.
struct TokenCache: Codable, Hashable, Sendable {
  struct AccessToken: Codable, Hashable, Sendable {
    var secret: String
    var scopes: [String]
    var expiresAt: Date
    /// When it should be renewed although it is still valid.
    var refreshAt: Date?

    /// Good for at least five minutes more.
    func isValid(at now: Date) -> Bool {
      expiresAt.timeIntervalSince(now) > TokenCache.margin
    }
  }

  static let margin: TimeInterval = 300
  /// A visit has to fit into a few cookies.
  private static let accessTokenLimit = 2
  private static let bytesLimit = 8_000

  /// The name that the person signed in with; the account's own name may differ.
  var identifier: String?
  var idToken: String?
  var refreshToken: String?
  /// The newest first.
  var accessTokens: [AccessToken] = []

  /// The newest token that is good for those scopes.
  func accessToken(for scopes: [String], at now: Date) -> AccessToken? {
    accessTokens.first { $0.isValid(at: now) && Scopes.cover($0.scopes, scopes) }
  }

  /// Keeps the tokens of a new answer, which replace older ones; those that it does not contain
  /// stay.
  mutating func keep(_ answer: TokenAnswer, grantedTo scopes: [String], at now: Date) {
    let token = AccessToken(
      secret: answer.accessToken,
      scopes: scopes,
      expiresAt: now.addingTimeInterval(answer.expiresIn),
      refreshAt: answer.refreshIn.map(now.addingTimeInterval)
    )
    accessTokens.removeAll { Scopes.intersect($0.scopes, scopes) || !$0.isValid(at: now) }
    accessTokens.insert(token, at: 0)
    accessTokens = Array(accessTokens.prefix(Self.accessTokenLimit))
    keepLasting(answer)
  }

  /// Keeps the tokens of a new answer that serve the whole session; access tokens stay as far as
  /// there is room.
  mutating func keepLasting(_ answer: TokenAnswer) {
    if let refreshToken = answer.refreshToken, !refreshToken.isEmpty {
      self.refreshToken = refreshToken
    }
    if let idToken = answer.idToken { self.idToken = idToken }
    if byteCount > Self.bytesLimit { accessTokens = Array(accessTokens.prefix(1)) }
    // The ID token has been read already; the tokens that grant access come first.
    if byteCount > Self.bytesLimit { idToken = nil }
  }

  private var byteCount: Int {
    let secrets = accessTokens.map(\.secret) + [idToken, refreshToken].compactMap(\.self)
    return secrets.reduce(0) { $0 + $1.utf8.count }
  }
}

extension ProviderMemory {
  private static let tokensKey = "entra.tokens"
  private static let claimsKey = "entra.claims-demand"
  private static let brakeKey = "entra.brake"

  var tokens: TokenCache? {
    get { self[Self.tokensKey, as: TokenCache.self] }
    set { self[Self.tokensKey, as: TokenCache.self] = newValue }
  }

  var claimsDemand: ClaimsDemand? {
    get { self[Self.claimsKey, as: ClaimsDemand.self] }
    set { self[Self.claimsKey, as: ClaimsDemand.self] = newValue }
  }

  /// The throttle that holds for token requests, if any.
  var brake: Brake? {
    get { self[Self.brakeKey, as: Brake.self] }
    set { self[Self.brakeKey, as: Brake.self] = newValue }
  }

  private subscript<Value: Codable>(key: String, as type: Value.Type) -> Value? {
    get { self[key].flatMap { JSONBody.decode(type, from: Array($0.utf8)) } }
    set {
      self[key] = newValue.flatMap { try? JSONEncoder().encode($0) }.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  mutating func forgetTokens() {
    tokens = nil
    brake = nil
  }
}
