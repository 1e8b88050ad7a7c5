/// What a session's short-lived JWT says.
struct SessionTokenClaims: Sendable {
  static let lifetimeSeconds = 60

  var issuer: String
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
  var issuedAt: EpochMilliseconds

  /// What a session token says.
  var json: JSON {
    var payload = templateJSON
    payload["fva"] = .array(factorAges.map { .integer(Int64($0)) })
    payload["sid"] = .string(sessionID)
    payload["sts"] = .string(status)
    payload["v"] = 2
    payload["o"] = organization
    return payload
  }

  /// What it says but for when, and for its own number.
  var lasting: JSON {
    var claims = self
    claims.issuedAt = EpochMilliseconds(rawValue: 0)
    claims.tokenID = ""
    return claims.json
  }

  /// What a token of a template says: the claims that every one has.
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
