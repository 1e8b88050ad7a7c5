internal import AuthFlow
internal import Foundation
internal import JWTKit

/// The claims of an ID token.
///
/// Source: <doc:EntraTokenRenewal#Id-tokens>.
struct IDToken: JWTPayload, Hashable {
  var issuer: String
  var audience: Audience
  var subject: String
  var objectID: String?
  var issuedAt: Double
  var notBefore: Double?
  var expiresAt: Double
  var nonce: String?
  var preferredUsername: String?
  var name: String?
  var givenName: String?
  var familyName: String?
  var sessionID: String?

  enum CodingKeys: String, CodingKey {
    case issuer = "iss"
    case audience = "aud"
    case subject = "sub"
    case objectID = "oid"
    case issuedAt = "iat"
    case notBefore = "nbf"
    case expiresAt = "exp"
    case nonce
    case preferredUsername = "preferred_username"
    case name
    case givenName = "given_name"
    case familyName = "family_name"
    case sessionID = "sid"
  }

  /// Checks nothing: `fault` compares times, issuer and audience with our own clock and tenant.
  func verify(using algorithm: some JWTAlgorithm) throws {}
}

extension IDToken {
  /// The apps that a token is for: a list, or a single id.
  ///
  /// Source: RFC 7519, section 4.1.3.
  struct Audience: Codable, Hashable {
    var clientIDs: [String]

    init(_ clientIDs: String...) { self.clientIDs = clientIDs }

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      do {
        clientIDs = [try value.decode(String.self)]
      } catch DecodingError.typeMismatch {
        clientIDs = try value.decode([String].self)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      if clientIDs.count == 1 {
        try value.encode(clientIDs[0])
      } else {
        try value.encode(clientIDs)
      }
    }

    /// Whether the token is for that app alone.
    ///
    /// Source: OpenID Connect Core 1.0, section 3.1.3.7, step 3.
    func isAlone(_ clientID: String) -> Bool { Set(clientIDs) == [clientID] }
  }

  /// The values that a token is checked against.
  struct Expectation: Hashable, Sendable {
    var issuer: String
    var audience: String
    /// Nil if none was sent; then the token must not have one, since it was made for someone else.
    var nonce: String?
    var now: Date
  }

  /// How far two clocks may differ, in seconds.
  static let skew: Double = 120

  /// The first claim that is wrong; nil if none is.
  func fault(against expected: Expectation) -> String? {
    let now = expected.now.timeIntervalSince1970
    if issuer != expected.issuer { return "iss" }
    if !audience.isAlone(expected.audience) { return "aud" }
    if nonce != expected.nonce { return "nonce" }
    if expiresAt <= now - Self.skew { return "exp" }
    if issuedAt > now + Self.skew { return "iat" }
    if let notBefore, notBefore > now + Self.skew { return "nbf" }
    return nil
  }

  /// The person, by the name they signed in with.
  func user(named identifier: String) -> Session.User {
    Session.User(
      id: objectID ?? subject,
      identifier: preferredUsername ?? identifier,
      firstName: givenName ?? (familyName == nil ? name : nil),
      lastName: familyName
    )
  }
}
