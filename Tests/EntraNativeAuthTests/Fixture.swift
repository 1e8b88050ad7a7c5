import CryptoExtras
import Foundation
import HTTPExchange
import HTTPTypes
import JWTKit
import Locking
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

/// Answers of each kind that the notes describe, and a tenant that signs tokens.
enum Fixture {
  static let tenant = "/fernwood.onmicrosoft.com"
  static let clientID = "5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911"
  static let issuer = "https://idp.test:8443/94d1b0c2-0f6a-4a53-8f57-6f2f0b1a7e20/v2.0"
  static let now = Date(timeIntervalSince1970: 1_932_887_707)
  static let scopes = ["api://orders/Read", "api://orders/Write"]

  // MARK: Starts and challenges
  static let redirect = #"""
    {"challenge_type":"redirect","redirect_reason":"Client is missing registration_required capability"}
    """#
  static let methods = #"""
    {"continuation_token":"CT-sign-04","methods":[
     {"id":"6e3b1c50-8f12-4b7e-9d10-0a5f2c77e410","challenge_type":"oob","challenge_channel":"email","login_hint":"m***a@fe***od.example"},
     {"id":"a90d42f7-13c6-46f5-b1a2-57d0c9e6b830","challenge_type":"oob","challenge_channel":"sms","login_hint":"+4********71"}]}
    """#
  static let password = #"{"continuation_token":"CT-sign-02","challenge_type":"password"}"#
  static let code = #"""
    {"continuation_token":"CT-sign-03","challenge_type":"oob","binding_method":"prompt","challenge_channel":"email","challenge_target_label":"m***a@fe***od.example","code_length":8,"interval":300}
    """#
  static let begun = #"{"continuation_token":"CT-sign-01"}"#

  // MARK: Password reset
  static let resetContinued = #"{"continuation_token":"CT-reset-03","expires_in":600}"#
  static let resetSubmitted = #"{"continuation_token":"CT-reset-04","poll_interval":2}"#
  static let inProgress = #"{"status":"in_progress"}"#
  static let succeeded = #"{"status":"succeeded","continuation_token":"CT-reset-05"}"#

  // MARK: Registration
  static let registerCode = #"""
    {"continuation_token":"CT-reg-02","challenge_type":"oob","binding_method":"prompt","challenge_target":"mara@example.com","challenge_channel":"email","code_length":8}
    """#
  static let preverified = #"{"continuation_token":"CT-reg-02","challenge_type":"preverified"}"#

  // MARK: Errors
  static let wrongCode = #"""
    {"error":"invalid_grant","suberror":"invalid_oob_value",
     "error_description":"AADSTS50181: Unable to validate the otp. Trace ID: 0f6d… Correlation ID: 7b1e… Timestamp: 2031-04-02 09:15:07Z",
     "error_codes":[50181],"timestamp":"2031-04-02 09:15:07Z",
     "trace_id":"0f6d2c1e-57a4-4c0b-8d35-91c2a6b70e00","correlation_id":"7b1e90aa-64d2-4f0f-9a3c-2f1d6e85c4b9"}
    """#
  static let userExists = #"""
    {"error":"user_already_exists","error_codes":[1003037],"error_description":"AADSTS1003037: An account may already exist for this address.","timestamp":"2031-04-02 09:20:11Z","trace_id":"…","correlation_id":"…"}
    """#
  static let wrongPassword = #"""
    {"error":"invalid_grant","error_codes":[50126],"error_description":"AADSTS50126: Username or password is not valid.","timestamp":"…","trace_id":"…","correlation_id":"…"}
    """#
  static let mfaRequired = #"""
    {"error":"invalid_grant","suberror":"mfa_required","error_codes":[50076],"continuation_token":"CT-sign-M1","error_description":"AADSTS50076: …","timestamp":"…","trace_id":"…","correlation_id":"…"}
    """#
  static let registrationRequired = #"""
    {"error":"invalid_grant","suberror":"registration_required","error_codes":[50079],"continuation_token":"CT-sign-R1","error_description":"AADSTS50079: …"}
    """#
  static let passwordBanned = #"""
    {"error":"invalid_grant","suberror":"password_banned","error_codes":[399246],"error_description":"AADSTS399246: …"}
    """#
  static let credentialRequired = #"""
    {"error":"credential_required","error_codes":[55103],"continuation_token":"CT-up-03","error_description":"AADSTS55103: …"}
    """#
  static let attributesRequired = #"""
    {"error":"attributes_required","error_codes":[55106],"continuation_token":"CT-up-04","required_attributes":[{"name":"displayName","type":"string","required":true},{"name":"postalCode","type":"string","required":true,"options":{"regex":"^[0-9]{4,6}$"}}]}
    """#
  static let attributesInvalid = #"""
    {"error":"invalid_grant","suberror":"attribute_validation_failed","invalid_attributes":[{"name":"postalCode"}],"error_codes":[],"error_description":"…"}
    """#
  static let expired = #"""
    {"error":"expired_token","error_codes":[552003],"error_description":"AADSTS552003: The continuation token has expired."}
    """#
  static let nativeOff = #"""
    {"error":"invalid_client","suberror":"nativeauthapi_disabled","error_codes":[],"error_description":"…"}
    """#
  static let badToken = #"""
    {"error":"invalid_grant","suberror":"bad_token","error_codes":[70008],"error_description":"AADSTS70008: …"}
    """#
  static let interactionRequired = #"""
    {"error":"interaction_required","suberror":"basic_action","error_codes":[50076],"claims":"{\"access_token\":{\"capolids\":{\"essential\":true,\"values\":[\"5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911\"]}}}","error_description":"AADSTS50076: …"}
    """#
  static let protectionPolicy = #"""
    {"error":"unauthorized_client","suberror":"protection_policy_required","error_codes":[53005],"error_description":"AADSTS53005: …"}
    """#

  // MARK: Tokens, documents and throttling
  static let throttled =
    #"{"error":"temporarily_unavailable","error_description":"Too many requests."}"#
  static let configuration = #"""
    {"issuer":"https://idp.test:8443/94d1b0c2-0f6a-4a53-8f57-6f2f0b1a7e20/v2.0",
     "authorization_endpoint":"https://idp.test:8443/94d1…/oauth2/v2.0/authorize",
     "token_endpoint":"https://idp.test:8443/94d1…/oauth2/v2.0/token",
     "jwks_uri":"https://idp.test:8443/94d1/discovery/v2.0/keys",
     "end_session_endpoint":"https://idp.test:8443/94d1…/oauth2/v2.0/logout",
     "response_types_supported":["code"],"subject_types_supported":["pairwise"],
     "id_token_signing_alg_values_supported":["RS256"],"scopes_supported":["openid","profile","email","offline_access"],
     "token_endpoint_auth_methods_supported":["none"],"claims_supported":["sub","iss","aud","exp","iat","nbf","name","oid","tid","preferred_username"]}
    """#
  static let documentedTokens = #"""
    {"token_type":"Bearer","scope":"openid profile offline_access api://orders/Read","expires_in":3599,"ext_expires_in":3599,
     "access_token":"eyJ…","refresh_token":"1.AXk…","id_token":"eyJ…","client_info":"eyJ1aWQiOiIyYzlmMGU3MS0uLi4iLCJ1dGlkIjoiOTRkMS0uLi4ifQ"}
    """#

  static let errors = [
    wrongCode, userExists, wrongPassword, mfaRequired, registrationRequired, passwordBanned,
    credentialRequired, attributesRequired, attributesInvalid, expired, nativeOff, badToken,
    interactionRequired, protectionPolicy, throttled,
  ]
}

/// A tenant that publishes its key and signs tokens with it.
struct SigningTenant: Sendable {
  static let keyID = "k1"
  /// Making a key takes a while: all tests share one.
  static let shared = Task { try await SigningTenant() }
  let documents: [String: Response]
  let publicPEM: String
  private let keys: JWTKeyCollection

  /// - Throws: If the key cannot be made.
  init(keyID: String = Self.keyID) async throws {
    let made = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let key = try Insecure.RSA.PrivateKey(pem: made.pemRepresentation)
    keys = JWTKeyCollection()
    await keys.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: keyID))
    publicPEM = made.publicKey.pemRepresentation
    let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
    func encoded(_ data: Data) -> String {
      data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    documents = [
      Fixture.tenant + "/v2.0/.well-known/openid-configuration": .json(Fixture.configuration),
      "/94d1/discovery/v2.0/keys": .json(
        #"""
        {"keys":[{"kty":"EC","kid":"odd"},{"kty":"RSA","use":"sig","alg":"RS256","kid":"\#(keyID)",
         "n":"\#(encoded(modulus))","e":"\#(encoded(exponent))"}]}
        """#
      ),
    ]
  }

  static func claims(at now: Date = Fixture.now) -> IDToken {
    let seconds = now.timeIntervalSince1970
    return IDToken(
      issuer: Fixture.issuer,
      audience: .init(Fixture.clientID),
      subject: "sub-1",
      objectID: "2c9f0e71",
      issuedAt: seconds,
      expiresAt: seconds + 3_600,
      preferredUsername: "mara@example.com",
      name: "Mara Fern",
      sessionID: "sid-1"
    )
  }

  func sign(_ claims: IDToken) async throws -> String { try await keys.sign(claims) }

  /// An answer of the token endpoint.
  func tokens(
    scope: String? = "openid profile offline_access api://orders/Read api://orders/Write",
    claims: IDToken = Self.claims(),
    expiresIn: Int = 3_600,
    more: String = ""
  ) async throws -> Response {
    let idToken = try await sign(claims)
    let scope = scope.map { #""scope":"\#($0)","# } ?? ""
    return .json(
      #"""
      {"token_type":"Bearer",\#(scope)"expires_in":\#(expiresIn),"access_token":"at",
       "refresh_token":"rt","id_token":"\#(idToken)"\#(more)}
      """#
    )
  }
}

extension ScriptedTransport {
  /// The endpoints that were asked, in order.
  var paths: [String] { requests.map { String($0.path.dropFirst(Fixture.tenant.count)) } }
}

extension Response {
  static func error(_ text: String) -> Response { .json(text, status: .badRequest) }
}

/// Records how long a provider in these tests would wait, without waiting.
final class RecordedPauses: Sendable {
  private let pauses = Locked<[Duration]>([])

  var all: [Duration] { pauses.withLock(\.self) }

  var waiting: Waiting {
    Waiting(now: { .now }, pause: { duration in self.pauses.withLock { $0.append(duration) } })
  }
}

func provider(
  _ transport: ScriptedTransport,
  scopes: [String] = Fixture.scopes,
  capabilities: [String] = ["cp1"],
  clock: WallClock = WallClock { Fixture.now },
  policy: AppPolicy = AppPolicy(),
  pauses: RecordedPauses = RecordedPauses()
) -> EntraProvider {
  EntraProvider(
    transport: transport,
    tenant: NativeTenant(
      path: Fixture.tenant,
      clientID: Fixture.clientID,
      scopes: scopes,
      clientCapabilities: capabilities
    ),
    clock: clock,
    policy: { policy },
    keyRefetchInterval: 300,
    waiting: pauses.waiting,
    version: "1.2.3",
    newCorrelationID: { "correlation-1" }
  )
}
