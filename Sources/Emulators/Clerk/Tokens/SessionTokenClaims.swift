/// The claims of a session's short-lived JWT.
struct SessionTokenClaims: Sendable {
  static let lifetimeSeconds = 60

  var issuer: String
  var userID: String
  var sessionID: String
  var status: String
  /// Minutes since each factor was verified; -1 for never.
  var factorAges: [Int]
  var tokenID: String
  /// The active organization, if there is one.
  var organization: JSON?
  /// The origin of the calling page, if a page called.
  var authorizedParty: String?
  var issuedAt: EpochMilliseconds

  /// The claims of a session token.
  var json: JSON {
    var payload = templateJSON
    payload["fva"] = .array(factorAges.map { .integer(Int64($0)) })
    payload["sid"] = .string(sessionID)
    payload["sts"] = .string(status)
    payload["v"] = 2
    payload["o"] = organization
    return payload
  }

  /// The claims of a session token, except for its times and its id.
  var lasting: JSON {
    var claims = self
    claims.issuedAt = EpochMilliseconds(rawValue: 0)
    claims.tokenID = ""
    return claims.json
  }

  /// The claims of a token made from a template, which every token has.
  var templateJSON: JSON {
    let seconds = issuedAt.rawValue / 1000
    var payload: JSON = [
      "exp": .integer(seconds + Int64(Self.lifetimeSeconds)),
      "iat": .integer(seconds),
      "iss": .string(issuer),
      "jti": .string(tokenID),
      "nbf": .integer(seconds - 10),
      "sub": .string(userID),
    ]
    payload["azp"] = authorizedParty.map(JSON.string)
    return payload
  }
}
