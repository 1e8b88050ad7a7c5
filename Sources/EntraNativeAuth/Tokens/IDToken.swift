internal import AuthFlow
internal import Foundation
internal import JWTKit

/// What an id token says of the person and of itself.
///
/// Source: <doc:EntraTokenRenewal#Id-tokens>.
struct IDToken: JWTPayload, Hashable {
  var issuer: String
  var audience: String
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

  /// Times, issuer and audience are held against our own clock and tenant, in `fault`.
  func verify(using algorithm: some JWTAlgorithm) throws {}
}

extension IDToken {
  /// What the token is held against.
  struct Expectation: Hashable, Sendable {
    var issuer: String
    var audience: String
    /// Nil where none was sent: then the token must have none, as it was made for someone else.
    var nonce: String?
    var now: Date
  }

  /// How far two clocks may be apart, in seconds.
  static let skew: Double = 120

  /// What is wrong with the claims; nil where nothing is.
  func fault(against expected: Expectation) -> String? {
    let now = expected.now.timeIntervalSince1970
    if issuer != expected.issuer { return "iss" }
    if audience != expected.audience { return "aud" }
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
