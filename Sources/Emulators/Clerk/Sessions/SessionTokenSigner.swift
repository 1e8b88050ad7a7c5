/// Makes the short-lived JWTs of sessions, and the tokens of clients.
///
/// Source: clerk-frontend-api.md sections 1.5 and 3.9; RFC 7519.
struct SessionTokenSigner: Sendable {
  struct Claims: Sendable {
    var userID: String
    var sessionID: String
    var status: String
    /// Minutes, -1 for never.
    var factorAges: [Int]
    var tokenID: String
    /// The organization that is active, where one is.
    var organization: JSON?
    /// The origin of the page that asked, where one did.
    var authorizedParty: String?
    var issuedAt: Instant
  }

  static let lifetimeSeconds = 60

  private let issuer: String
  private let signer: TokenSigner

  init(issuer: String, worlds: Worlds) {
    self.issuer = issuer
    signer = TokenSigner(worlds: worlds)
  }

  /// The signer, once it has its key.
  ///
  /// - Throws: What SQLite reports.
  func prepared() async throws -> SessionTokenSigner {
    _ = try await signer.prepared()
    return self
  }

  /// A signed token; only after `prepared()`.
  func token(_ claims: Claims) throws -> String {
    let seconds = claims.issuedAt.rawValue / 1000
    var payload: JSON = [
      "exp": .integer(seconds + Int64(Self.lifetimeSeconds)),
      "fva": .array(claims.factorAges.map { .integer(Int64($0)) }),
      "iat": .integer(seconds),
      "iss": .string(issuer),
      "jti": .string(claims.tokenID),
      "nbf": .integer(seconds - 10),
      "sid": .string(claims.sessionID),
      "sts": .string(claims.status),
      "sub": .string(claims.userID),
      "v": 2,
    ]
    if let organization = claims.organization { payload["o"] = organization }
    if let party = claims.authorizedParty { payload["azp"] = .string(party) }
    return try signer.token(payload)
  }

  /// A client's own token: whoever holds it acts for every session of the client.
  ///
  /// It is good for as long as the rotating part is the client's newest.
  /// Source: clerk-frontend-api.md section 1.5.
  func clientToken(of clientID: String, rotatingToken: String) throws -> String {
    try signer.token(["id": .string(clientID), "rotating_token": .string(rotatingToken)])
  }

  /// The key set that the tokens verify with.
  func publicKeys() async throws -> JSON { try await signer.publicKeys() }
}
