import HTTPExchange
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("The error catalogue")
struct CatalogueTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var body: String
    var step: Step
    var reason: Reason
    var field: Field?
    var code: String?
    var testDescription: String { "\(step): \(body)" }
  }

  private static func suberror(_ word: String) -> String {
    #"{"error":"invalid_grant","suberror":"\#(word)","error_codes":[399246]}"#
  }

  private static func coded(_ error: String, _ code: Int, _ more: String = "") -> String {
    #"{"error":"\#(error)","error_codes":[\#(code)]\#(more)}"#
  }

  static let rows: [Row] = [
    // What the person can mend.
    Row(
      body: coded("user_not_found", 50034),
      step: .signInStart,
      reason: .identifierNotFound,
      field: .identifier
    ),
    Row(
      body: coded("user_not_found", 50034),
      step: .resetStart,
      reason: .identifierNotFound,
      field: .identifier
    ),
    Row(body: coded("user_not_found", 50034), step: .poll, reason: .attemptEnded),
    // With a demand it takes more than the password again.
    Row(
      body: #"{"error":"interaction_required","claims":"{\"access_token\":{}}"}"#,
      step: .password,
      reason: .extraVerificationRequired
    ),
    Row(body: #"{"error":"interaction_required"}"#, step: .password, reason: .signInAgain),
    Row(
      body: coded("invalid_grant", 50034),
      step: .password,
      reason: .identifierNotFound,
      field: .identifier
    ),
    Row(
      body: Fixture.wrongPassword,
      step: .password,
      reason: .passwordOrIdentifierIncorrect,
      field: .password,
      code: "invalid_grant"
    ),
    Row(body: coded("invalid_request", 50126), step: .password, reason: .unrecognised),
    Row(
      body: Fixture.wrongCode,
      step: .signUpCode,
      reason: .codeNotAccepted,
      field: .code,
      code: "invalid_grant/invalid_oob_value"
    ),
    Row(
      body: Fixture.userExists,
      step: .signUpStart,
      reason: .identifierTaken,
      field: .emailAddress
    ),
    Row(
      body: coded(
        "invalid_request",
        90100,
        #","error_description":"AADSTS90100: username parameter is empty or not valid.""#
      ),
      step: .signInStart,
      reason: .formatInvalid,
      field: .identifier
    ),
    Row(
      body: coded("invalid_request", 90100),
      step: .signUpStart,
      reason: .formatInvalid,
      field: .emailAddress
    ),
    Row(
      body: coded(
        "invalid_request",
        90100,
        #","error_description":"AADSTS90100: client_id parameter is empty or not valid.""#
      ),
      step: .signInStart,
      reason: .unrecognised
    ),
    Row(
      body: coded(
        "invalid_request",
        90100,
        #","error_description":"AADSTS90100: id parameter is empty or not valid. Trace ID: 7""#
      ),
      step: .secondFactorChoice,
      reason: .methodUnavailable
    ),
    Row(body: coded("invalid_request", 90100), step: .enrolment, reason: .unrecognised),
    Row(
      body: coded(
        "invalid_request",
        90100,
        #","error_description":"AADSTS90100: continuation_token parameter is empty. Trace ID: 7""#
      ),
      step: .signInStart,
      reason: .unrecognised
    ),
    Row(
      body: suberror("password_too_weak"),
      step: .newPassword,
      reason: .passwordTooWeak,
      field: .password
    ),
    Row(
      body: suberror("password_too_short"),
      step: .signUpPassword,
      reason: .passwordTooShort(minimum: 8),
      field: .password
    ),
    Row(
      body: suberror("password_too_long"),
      step: .newPassword,
      reason: .passwordTooLong(maximum: 256),
      field: .password
    ),
    Row(
      body: suberror("password_recently_used"),
      step: .newPassword,
      reason: .passwordReused,
      field: .password
    ),
    Row(
      body: Fixture.passwordBanned,
      step: .signUpStart,
      reason: .passwordBanned,
      field: .password
    ),
    Row(
      body: suberror("password_is_invalid"),
      step: .newPassword,
      reason: .passwordInvalid,
      field: .password
    ),
    Row(
      body: Fixture.attributesInvalid,
      step: .attributes,
      reason: .valueInvalid,
      field: Field(named: "postalCode"),
      code: "invalid_grant/attribute_validation_failed"
    ),
    Row(
      body: coded("invalid_request", 901_001),
      step: .enrolment,
      reason: .formatInvalid,
      field: .contact
    ),
    Row(
      body: #"{"error":"access_denied","suberror":"provider_blocked_by_rep"}"#,
      step: .enrolment,
      reason: .contactBlocked,
      field: .contact
    ),
    Row(
      body: #"{"error":"access_denied","suberror":"provider_blocked_by_admin"}"#,
      step: .enrolment,
      reason: .contactBlocked,
      field: .contact
    ),
    Row(
      body: #"{"error":"access_denied","suberror":"provider_blocked_by_rep"}"#,
      step: .secondFactorChoice,
      reason: .contactBlocked
    ),
    Row(body: coded("invalid_request", 500_222), step: .resetStart, reason: .methodUnavailable),
    // Flow and session.
    Row(body: Fixture.expired, step: .signInCode, reason: .codeExpired, field: .code),
    Row(body: Fixture.expired, step: .password, reason: .attemptEnded),
    // A person who has proven a password cannot get another code: no attempt begins with one.
    Row(body: Fixture.expired, step: .secondFactorCode, reason: .attemptEnded),
    Row(body: Fixture.expired, step: .enrolmentCode, reason: .attemptEnded),
    Row(body: coded("invalid_grant", 55200), step: .password, reason: .attemptEnded),
    Row(body: coded("invalid_request", 55000), step: .resetCode, reason: .attemptEnded),
    Row(body: #"{"error":"invalid_grant"}"#, step: .resend, reason: .attemptEnded),
    Row(body: #"{"error":"verification_required"}"#, step: .attributes, reason: .attemptEnded),
    Row(body: coded("invalid_request", 50142), step: .password, reason: .passwordResetRequired),
    Row(body: #"{"error":"slow_down"}"#, step: .poll, reason: .tooManyRequests(until: nil)),
    Row(body: #"{"error":"expired_refresh_token"}"#, step: .finish, reason: .signInAgain),
    Row(body: coded("invalid_request", 701_014), step: .resend, reason: .codeSendsExhausted),
    Row(
      body: coded("invalid_grant", 50053),
      step: .password,
      reason: .lockedForNow,
      code: "user_locked"
    ),
    Row(body: coded("invalid_grant", 50057), step: .password, reason: .banned, code: "user_banned"),
    // Configuration.
    Row(body: coded("invalid_request", 901_007), step: .signInStart, reason: .noUsableMethod),
    Row(
      body: #"{"error":"unsupported_challenge_type"}"#,
      step: .signInStart,
      reason: .noUsableMethod
    ),
    Row(
      body: Fixture.nativeOff,
      step: .password,
      reason: .unrecognised,
      code: "invalid_client/nativeauthapi_disabled"
    ),
    Row(body: coded("unauthorized_client", 700_016), step: .signInStart, reason: .unrecognised),
    Row(body: coded("invalid_scope", 70011), step: .password, reason: .unrecognised),
    Row(body: #"{"error":"unsupported_grant_type"}"#, step: .password, reason: .unrecognised),
    Row(body: #"{"error":"invalid_grant"}"#, step: .signUpCode, reason: .unrecognised),
    Row(body: #"{"error":"invalid_request"}"#, step: .resetCode, reason: .unrecognised),
    Row(body: #"{"error":"server_error"}"#, step: .password, reason: .serviceAnsweredNonsense),
    Row(body: #"{"error":"access_denied"}"#, step: .password, reason: .forbidden),
    Row(body: #"{"error":"access_denied"}"#, step: .browserReturn, reason: .cancelled),
    Row(body: Fixture.protectionPolicy, step: .password, reason: .protectionPolicyRequired),
    Row(
      body: #"{"error":"never_heard_of","suberror":"either"}"#,
      step: .password,
      reason: .unrecognised,
      code: "never_heard_of/either"
    ),
  ]

  @Test("each error has its reason and its place; its own prose is never shown", arguments: rows)
  func row(_ row: Row) throws {
    let server = try #require(JSONBody.decode(ServerError.self, from: Array(row.body.utf8)))
    let error = ErrorCatalogue.error(server, at: row.step, traceID: "t")
    #expect(error.problems.map(\.reason) == [row.reason])
    #expect(error.problems.map(\.field) == [row.field])
    #expect(error.problems.map(\.code) == [row.code ?? server.code])
    #expect(error.problems.allSatisfy { $0.message == nil })
    #expect(error.traceID == "t")
    #expect(error.diagnosis?.contains("AADSTS") == false)
  }

  @Test(
    "an error that affects everybody blames the set-up; one in what somebody typed does not",
    arguments: [
      (coded("unauthorized_client", 700_016), true), (coded("invalid_client", 7_000_218), true),
      (#"{"error":"invalid_client","suberror":"nativeauthapi_disabled"}"#, true),
      (coded("invalid_request", 90002), true), (coded("invalid_request", 550_022), true),
      (coded("invalid_request", 901_007), true), (#"{"error":"unsupported_challenge_type"}"#, true),
      (coded("unsupported_grant_type", 70003), true),
      (#"{"error":"unsupported_auth_method"}"#, true), (coded("invalid_scope", 70011), true),
      (
        coded(
          "invalid_request",
          90100,
          #","error_description":"AADSTS90100: client_id parameter is empty or not valid.""#
        ), true
      ),
      (coded("invalid_request", 90100), false), (Fixture.wrongPassword, false),
      (Fixture.protectionPolicy, false),
    ] as [(String, Bool)]
  )
  func setUp(body: String, blamesSetUp: Bool) throws {
    let server = try #require(JSONBody.decode(ServerError.self, from: Array(body.utf8)))
    let error = ErrorCatalogue.error(server, at: .signInStart, traceID: "t")
    #expect(error.blame == (blamesSetUp ? .setUp : nil))
    #expect(error.diagnosis?.contains(server.error) == true)
  }

  @Test("a wrong scope of a renewal may be the caller's own, and does not blame the set-up")
  func scopesOfARenewal() throws {
    let body = Self.coded("invalid_scope", 70011)
    let server = try #require(JSONBody.decode(ServerError.self, from: Array(body.utf8)))
    #expect(server.blame == nil)
  }

  @Test(
    "every error at every step keeps its code, its trace id and its diagnosis",
    arguments: Step.allCases
  )
  func everywhere(_ step: Step) throws {
    for body in Fixture.errors {
      let server = try #require(JSONBody.decode(ServerError.self, from: Array(body.utf8)))
      let error = ErrorCatalogue.error(server, at: step, traceID: "t")
      #expect(error.problems.allSatisfy { $0.code == server.code }, "\(body)")
      #expect(error.traceID == "t")
      #expect(error.diagnosis == server.diagnosis)
    }
  }

  @Test("no attribute is mistaken for a field of ours, and each gets its name back")
  func attributeNames() {
    for name in [
      "displayName", "givenName", "surname", "password", "form_token", "identifier", "first_name",
      "last_name", "attribute_password", "attribute_attribute_password", "attribute_city",
      "loyaltyNumber",
    ] {
      let field = AttributeName.field(of: name)
      #expect(AttributeName.name(of: field) == name)
      #expect([.firstName, .lastName].contains(field) == ["givenName", "surname"].contains(name))
      #expect(field != .password && field.name != "form_token" && field != .identifier)
    }
    #expect(AttributeName.name(of: .password) == "password")
    let names = ["password", "attribute_password", "attribute_attribute_password"]
    #expect(Set(names.map(AttributeName.field)).count == names.count)
    #expect(AttributeName.label(of: "streetAddress") == "Street address")
    #expect(AttributeName.label(of: "LoyaltyNumber") == "Loyalty number")
    #expect(AttributeName.label(of: "home_Port") == "Home port")
    let app = String(repeating: "a", count: 32)
    #expect(AttributeName.label(of: "extension_\(app)_favouriteColour") == "Favourite colour")
    #expect(AttributeName.label(of: "extension_\(app)_home_Port") == "Home port")
    #expect(AttributeName.label(of: "extension_Age") == "Age")
    #expect(AttributeName.label(of: "extension_favourite_colour") == "Favourite colour")
    #expect(AttributeName.label(of: "extensionNumber") == "Extension number")
    for bare in ["extension", "extension_", "extension_\(app)", "extension_\(app)_"] {
      #expect(AttributeName.label(of: bare).contains { $0.isLetter }, "\(bare)")
    }
  }
}
