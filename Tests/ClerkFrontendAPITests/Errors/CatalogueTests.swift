import AuthFlow
@testable import ClerkFrontendAPI
import ErrorCodes
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The catalogue of codes")
struct CatalogueTests {
  typealias Row = (code: String, reason: Reason, field: Field?)

  static let formFields: [Row] = [
    ("form_identifier_not_found", .identifierNotFound, .identifier),
    ("form_identifier_exists", .identifierTaken, nil),
    ("form_param_format_invalid", .formatInvalid, nil),
    ("form_param_missing", .missing, nil), ("form_param_nil", .missing, nil),
    ("form_conditional_param_missing", .missing, nil),
    ("form_conditional_param_disallowed", .valueInvalid, nil),
    ("form_param_value_invalid", .valueInvalid, nil),
    ("form_param_value_disabled", .methodUnavailable, nil),
    ("form_param_type_invalid", .valueInvalid, nil),
    ("form_param_max_length_exceeded", .tooLong(limit: nil), nil),
    ("form_param_exceeds_allowed_size", .tooLong(limit: nil), nil),
    ("form_param_value_too_large", .tooLong(limit: nil), nil),
    ("form_param_array_size_exceeded", .tooLong(limit: nil), nil),
    ("form_param_unknown", .unrecognised, nil), ("form_param_duplicate", .unrecognised, nil),
    ("form_param_deprecated", .unrecognised, nil),
    ("form_param_value_conflict", .unrecognised, nil),
    ("form_resource_not_found", .unrecognised, nil),
    ("form_already_exists", .identifierTaken, nil),
    ("form_verification_needed", .valueInvalid, nil),
    ("form_username_invalid_length", .usernameLengthInvalid, .username),
    ("form_username_invalid_character", .usernameCharacterInvalid, .username),
    ("form_username_needs_non_number_char", .usernameNeedsLetter, .username),
    ("form_username_cannot_be_phone_number", .usernameNeedsLetter, .username),
    ("legal_not_accepted", .termsNotAccepted, .legalAccepted),
    ("form_code_incorrect", .codeIncorrect, .code),
    ("form_incorrect_signature", .unrecognised, nil),
  ]

  static let passwords: [Row] = [
    ("form_password_incorrect", .passwordIncorrect, .password),
    ("form_password_validation_failed", .passwordIncorrect, .password),
    ("form_password_or_identifier_incorrect", .passwordOrIdentifierIncorrect, .password),
    ("form_password_length_too_short", .passwordTooShort(minimum: nil), .password),
    ("form_password_length_too_long", .passwordTooLong(maximum: nil), .password),
    ("form_password_size_in_bytes_exceeded", .passwordTooManyBytes, .password),
    ("form_password_no_uppercase", .passwordNeedsUppercase, .password),
    ("form_password_no_lowercase", .passwordNeedsLowercase, .password),
    ("form_password_no_number", .passwordNeedsNumber, .password),
    ("form_password_no_special_char", .passwordNeedsSpecialCharacter, .password),
    ("form_password_not_strong_enough", .passwordTooWeak, .password),
    ("form_password_pwned", .passwordLeaked, .password),
    ("form_password_compromised", .passwordCompromised, .password),
    ("form_password_untrusted", .passwordCompromised, .password),
    ("form_password_matches_identifier", .passwordMatchesIdentifier, .password),
    ("form_new_password_matches_current", .passwordReused, .password),
    ("form_password_digest_invalid_code", .passwordInvalid, nil),
    ("password_reset_required", .passwordResetRequired, nil),
    ("password_too_long_needs_reset", .passwordResetRequired, nil),
    ("no_password_set", .methodUnavailable, nil), ("password_required", .unrecognised, nil),
    ("updating_user_password_deprecated", .forbidden, nil),
  ]

  static let attempts: [Row] = [
    ("user_locked", .locked(until: nil), nil), ("account_lockout_warning", .lockoutNear, nil),
    ("user_banned", .banned, nil), ("user_deactivated", .banned, nil),
    ("deprovisioned", .banned, nil),
    ("session_exists", .alreadySignedIn, nil),
    ("identifier_already_signed_in", .alreadySignedIn, nil),
    ("strategy_for_user_invalid", .methodUnavailable, nil),
    ("no_second_factors", .unrecognised, nil),
    ("client_state_invalid", .attemptEnded, nil),
    ("sign_in_identification_or_user_deleted", .attemptEnded, nil),
    ("sign_in_no_identification_for_user", .identifierNotFound, nil),
    ("invitation_account_not_exists", .identifierNotFound, nil),
    ("sign_in_must_use_enterprise_connection_identifier", .unrecognised, nil),
    ("sign_up_if_missing_transfer", .identifierNotFound, nil),
    ("sign_up_if_missing_not_allowed", .unrecognised, nil),
    ("sign_up_if_missing_strategy_not_supported", .unrecognised, nil),
    ("account_transfer_invalid", .unrecognised, nil),
    ("identification_claimed", .identifierTaken, nil),
    ("external_account_not_found", .identifierNotFound, nil),
    ("oauth_access_denied", .forbidden, nil), ("external_account_exists", .identifierTaken, nil),
    ("verification_expired", .codeExpired, .code),
    ("verification_failed", .codeTriesExhausted, nil),
    ("verification_missing", .codeNotSent, nil), ("verification_not_sent", .codeNotSent, nil),
    ("verification_already_verified", .attemptEnded, nil),
    ("verification_strategy_invalid", .codeNotSent, nil),
    ("verification_link_token_invalid", .linkFailed, nil),
    ("verification_link_token_expired", .linkExpired, nil),
    ("verification_link_token_stale", .linkExpired, nil),
    ("verification_link_token_source_invalid", .linkFailed, nil),
    ("sign_in_email_link_not_same_client", .linkOtherBrowser, nil),
    ("sign_up_email_link_not_same_client", .linkOtherBrowser, nil),
    ("approval_token_invalid", .linkFailed, nil), ("approval_token_expired", .linkExpired, nil),
    ("approval_token_consumed", .linkUsed, nil),
    ("pkce_verification_failed", .linkFailed, nil),
    ("sign_up_outdated_verification", .unrecognised, nil),
    ("ticket_invalid_code", .unrecognised, nil), ("ticket_expired_code", .unrecognised, nil),
    ("sign_in_token_already_used_code", .unrecognised, nil),
    ("sign_in_token_revoked_code", .unrecognised, nil),
    ("sign_in_token_cannot_be_used_code", .unrecognised, nil),
    ("sign_in_token_not_in_sign_in_code", .unrecognised, nil),
    ("invitation_already_accepted", .unrecognised, nil),
    ("invitation_account_exists", .identifierTaken, nil),
    ("revoked_invitation", .unrecognised, nil),
  ]

  static let access: [Row] = [
    ("not_allowed_access", .identifierNotAllowed, nil),
    ("sign_up_mode_restricted", .signUpClosed, nil),
    ("sign_up_restricted_waitlist", .signUpWaitlist, nil),
    ("waitlist_not_accepting_entries", .signUpClosed, nil),
    ("captcha_missing_token", .botCheckFailed, nil), ("captcha_invalid", .botCheckFailed, nil),
    ("captcha_not_enabled", .botCheckFailed, nil), ("requires_captcha", .botCheckRequired, nil),
    ("captcha_unavailable", .botCheckFailed, nil),
    ("captcha_client_attempts_exceeded", .botCheckFailed, nil),
    ("captcha_unsupported_by_client", .botCheckFailed, nil),
    ("action_blocked", .judgedSuspicious, nil), ("device_blocked", .judgedSuspicious, nil),
    ("requires_protect_check", .botCheckRequired, nil),
    ("protect_check_already_resolved", .botCheckFailed, nil),
    ("requires_device_attestation", .botCheckRequired, nil),
    ("device_attestation_any", .botCheckRequired, nil),
    ("invalid_device_attestation_assertion", .botCheckRequired, nil),
    ("invalid_device_attestation_challenge", .botCheckRequired, nil),
    ("too_many_requests", .tooManyRequests(until: nil), nil),
    ("rate_limit_exceeded", .tooManyRequests(until: nil), nil),
    (
      "verification_code_too_many_requests",
      .resendTooSoon(until: now.addingTimeInterval(30)), nil
    ),
    ("signup_rate_limit_exceeded", .tooManyRequests(until: nil), nil),
    ("unsupported_country_code", .countryNotSupported, nil),
    ("sms_send_error", .deliveryFailed, nil),
    ("dev_monthly_sms_limit_exceeded", .messageQuotaUsed, nil),
    ("dev_monthly_email_limit_exceeded", .messageQuotaUsed, nil),
    ("too_many_unverified_identifications", .unrecognised, nil),
    ("not_a_member_in_organization", .notAMember, .organization),
    ("organization_not_found_or_unauthorized", .notAMember, .organization),
  ]

  static let authentication: [Row] = [
    ("authentication_invalid", .signInAgain, nil), ("signed_out", .signInAgain, nil),
    ("authorization_invalid", .forbidden, nil),
    ("authorization_header_format_invalid", .attemptEnded, nil),
    ("dev_browser_unauthenticated", .attemptEnded, nil), ("client_not_found", .attemptEnded, nil),
    ("resource_not_found", .attemptEnded, nil), ("resource_forbidden", .attemptEnded, nil),
    ("action_for_session_not_authorized", .forbidden, nil),
    ("invalid_action_for_session", .unrecognised, nil),
    ("session_reverification_required", .signInAgain, nil),
    ("session_reverification_missing", .attemptEnded, nil),
    ("invalid_action_for_session_reverification", .attemptEnded, nil),
    ("session_creation_not_allowed", .unrecognised, nil),
    ("gateway_timeout", .serviceTimedOut, nil),
    ("internal_clerk_error", .serviceAnsweredNonsense, nil),
    ("verification_status_unknown", .serviceAnsweredNonsense, nil),
    ("resource_locked", .busy, nil),
    ("immutable_attribute_modification_not_allowed", .forbidden, nil),
    ("user_delete_self_not_enabled", .forbidden, nil), ("feature_not_enabled", .forbidden, nil),
    ("quota_exceeded", .quotaExceeded, nil), ("user_quota_exceeded", .quotaExceeded, nil),
  ]

  /// Codes that the API answers with 403, in words of its own.
  static let forbidden =
    [
      "subdomain_not_allowed", "csrf_token_invalid", "organization_not_enabled_in_instance",
      "user_create_organization_not_enabled", "organization_slugs_disabled",
      "missing_organization_permission",
    ].map { Row($0, .forbidden, nil) }
    + [
      "organization_quota_exceeded", "org_creation_limit_exceeded",
      "organization_membership_quota_exceeded",
    ].map { Row($0, .quotaExceeded, nil) }

  /// Codes of faults to be mended elsewhere: the API's own words are shown.
  static let wordsOfTheAPI = [
    "host_invalid", "origin_invalid", "origin_missing", "multiple_origin_header_values_forbidden",
    "multiple_authorization_header_values_forbidden", "origin_authorization_headers_conflict",
    "native_api_disabled", "request_invalid_for_environment", "url_based_session_syncing_disabled",
    "instance_type_invalid", "invitations_not_supported", "api_version_invalid", "bad_request",
    "malformed_request_parameters",
    "request_body_invalid", "missing_query_parameter", "invalid_query_parameter_value",
    "request_body_too_large", "unsupported_content_type", "user_settings_invalid", "insecure_url",
    "invalid_url_scheme", "invalid_redirect_url", "prohibited_redirect_url",
    "redirect_url_domain_mismatch", "redirect_url_not_associated_with_instance",
    "resource_missmatch", "totp_already_enabled", "backup_codes_not_available",
    "second_factor_deletion_not_allowed", "identification_update_failed",
    "identification_update_second_factor_unverified", "identification_deletion_failed",
    "last_required_identification_deletion_failed", "delete_linked_identification_disallowed",
    "form_disable_default_second_factor_not_allowed", "invalid_totp_secret_code",
    "organization_invitation_not_found",
    "organization_invitation_not_pending", "organization_invitation_already_accepted",
    "organization_invitation_revoked_code", "organization_suggestion_already_accepted",
    "personal_accounts_not_allowed", "gone", "already_a_member_in_organization",
    "duplicate_record", "organization_minimum_permissions_needed",
  ].map { Row($0, .unrecognised, nil) }

  static let all = [
    formFields, passwords, attempts, access, authentication, forbidden, wordsOfTheAPI,
  ]
  .flatMap(\.self)

  @Test("every listed code has its reason and its usual field", arguments: all)
  func listed(code: String, reason: Reason, field: Field?) throws {
    let refusal = reading().refusal(of: .error(code, status: 400))
    let problem = try #require(refusal.error.problems.first)
    #expect(problem.plain == Problem(reason, at: field, code: code, message: "long"))
    #expect(ErrorCatalogue.verdict(on: code, in: circumstances()) != nil)
    #expect(refusal.error.traceID == "trace_1")
  }

  @Test("each code of the catalogue is listed here once")
  func complete() {
    #expect(Self.all.map(\.code).sorted() == ClerkErrorCode.listed.map(\.code).sorted())
  }

  @Test(
    "the parameter says which field it is, under the flows' name for it",
    arguments: [
      ("form_identifier_exists", "email_address", Field.emailAddress),
      ("form_identifier_exists", "phone_number", .phoneNumber),
      ("form_password_length_too_short", "new_password", .password),
      ("form_password_validation_failed", "current_password", Field(named: "current_password")),
      ("form_password_or_identifier_incorrect", "identifier", .identifier),
      ("not_allowed_access", "phone_number", .phoneNumber),
      ("never_heard_of", "first_name", .firstName),
      // Even codes that are usually shown in the banner (E1).
      ("form_param_unknown", "password", .password), ("verification_failed", "code", .code),
    ] as [(String, String, Field?)]
  )
  func parameter(code: String, parameter: String, field: Field?) {
    let refusal = reading().refusal(of: .error(code, parameter))
    #expect(refusal.error.problems.map(\.field) == [field])
  }

  @Test("a code may mean something else when a password is chosen or a session acts")
  func purposes() {
    func reason(_ code: String, _ parameter: String? = nil, _ purpose: Call.Purpose) -> Reason? {
      reading(purpose).refusal(of: .error(code, parameter)).error.reasons.first
    }
    #expect(reason("form_password_pwned", "password", .newPassword) == .passwordBreached)
    #expect(reason("form_password_pwned", "password", .signUp) == .passwordBreached)
    #expect(reason("form_password_pwned", "new_password", .session) == .passwordBreached)
    for code in ["form_password_compromised", "form_password_untrusted"] {
      #expect(reason(code, "password", .newPassword) == .passwordBreached)
      #expect(reason(code, "new_password", .session) == .passwordBreached)
    }
    #expect(reason("form_password_validation_failed", "password", .signUp) == .passwordInvalid)
    #expect(
      reason("form_password_validation_failed", "current_password", .session)
        == .currentPasswordIncorrect
    )
    #expect(reason("authentication_invalid", nil, .session) == .signInAgain)
    #expect(reason("resource_not_found", nil, .session) == .signInAgain)
    #expect(reason("authorization_header_format_invalid", nil, .session) == .browserUnknown)
    #expect(reason("dev_browser_unauthenticated", nil, .task) == .browserUnknown)
    #expect(reason("form_param_nil", "legal_accepted", .signUp) == .termsNotAccepted)
  }

  @Test(
    "the session in the way is the named one, or unnamed if the identifier is signed in already",
    arguments: [
      ("session_exists", #"{"session_id": "sess_1"}"#, .named("sess_1")),
      ("session_exists", "null", nil),
      ("identifier_already_signed_in", #"{"session_id": "sess_1"}"#, .named("sess_1")),
      ("identifier_already_signed_in", #"{"session_id": 7}"#, .unnamed),
      ("identifier_already_signed_in", "null", .unnamed),
    ] as [(String, String, SessionInTheWay?)]
  )
  func sessionInTheWay(code: String, meta: String, session: SessionInTheWay?) {
    let item = #"{"code": "\#(code)", "message": "m", "meta": \#(meta)}"#
    let error = reading().refusal(of: .errors(item, status: 400)).error
    #expect(error.reasons == [.alreadySignedIn] && error.sessionInTheWay == session)
  }

  @Test("the instance's password lengths are given if they are known")
  func lengths() {
    var reading = reading()
    reading.passwordRules = PasswordRules(minimumLength: 12, maximumLength: 64)
    #expect(
      reading.refusal(of: .error("form_password_length_too_short")).error.reasons
        == [.passwordTooShort(minimum: 12)]
    )
    #expect(
      reading.refusal(of: .error("form_password_length_too_long")).error.reasons
        == [.passwordTooLong(maximum: 64)]
    )
  }

  @Test(
    "a lock says when it ends, if the API does",
    arguments: [
      ("1800", 1800), ("1800.0", 1800), ("0", 0), ("-5", 0), ("null", nil), ("\"soon\"", nil),
      ("1e300", 315_360_000),
    ] as [(String, Double?)]
  )
  func locked(seconds: String, wait: Double?) {
    let refusal = reading().refusal(
      of: .errors(
        #"{"code": "user_locked", "meta": {"lockout_expires_in_seconds": \#(seconds)}}"#,
        status: 403
      )
    )
    #expect(refusal.error.reasons == [.locked(until: wait.map(now.addingTimeInterval))])
  }

  @Test("all problems of an answer are kept, in its order")
  func several() {
    let refusal = reading(.newPassword).refusal(
      of: .errors(
        #"{"code": "form_password_no_uppercase", "meta": {"param_name": "password"}}"#,
        #"{"code": "form_password_no_number", "meta": {"param_name": "password"}}"#,
        #"{"code": "account_lockout_warning", "message": "Two left"}"#,
        status: 422
      )
    )
    #expect(
      refusal.error.plain.problems == [
        Problem(.passwordNeedsUppercase, at: .password, code: "form_password_no_uppercase"),
        Problem(.passwordNeedsNumber, at: .password, code: "form_password_no_number"),
        Problem(.lockoutNear, code: "account_lockout_warning", message: "Two left"),
      ]
    )
  }

  // MARK: - Status before code

  @Test(
    "a 429 is too many requests, whatever the code; Retry-After says until when",
    arguments: [
      ("too_many_requests", "7", .tooManyRequests(until: now.addingTimeInterval(7))),
      ("form_password_incorrect", nil, .tooManyRequests(until: nil)),
      ("never_heard_of", "3600", .tooManyRequests(until: now.addingTimeInterval(3600))),
      (
        "too_many_requests", "Thu, 01 Jan 2026 00:01:00 GMT",
        .tooManyRequests(until: now.addingTimeInterval(60))
      ),
      (
        "verification_code_too_many_requests", "12",
        .resendTooSoon(until: now.addingTimeInterval(12))
      ),
      (
        "verification_code_too_many_requests", nil,
        .resendTooSoon(until: now.addingTimeInterval(30))
      ),
    ] as [(String, String?, Reason)]
  )
  func tooMany(code: String, retryAfter: String?, reason: Reason) {
    var fields = HTTPFields()
    fields[.retryAfter] = retryAfter
    let refusal = reading().refusal(of: .error(code, "code", status: 429, headerFields: fields))
    #expect(refusal.error.plain.problems == [Problem(reason, code: code, message: "long")])
  }

  @Test(
    "an answer without an envelope is read by its status",
    arguments: [
      (429, .tooManyRequests(until: now.addingTimeInterval(9)), "too_many_requests"),
      (503, .serviceUnavailable, "service_unavailable"),
      (504, .serviceTimedOut, "service_timed_out"),
      (500, .serviceAnsweredNonsense, "service_answered_nonsense"),
      (502, .serviceAnsweredNonsense, "service_answered_nonsense"),
      (404, .serviceAnsweredNonsense, "service_answered_nonsense"),
      (422, .serviceAnsweredNonsense, "service_answered_nonsense"),
      (301, .serviceAnsweredNonsense, "service_answered_nonsense"),
      (307, .serviceAnsweredNonsense, "service_answered_nonsense"),
    ] as [(Int, Reason, String)]
  )
  func withoutEnvelope(status: Int, reason: Reason, code: String) {
    for body in ["", "<html>oops</html>", "{", "[]", #"{"errors": []}"#, #"{"errors": null}"#] {
      let response = Response(
        status: HTTPResponse.Status(code: status),
        headerFields: [.retryAfter: "9"],
        body: Array(body.utf8)
      )
      let error = reading().refusal(of: response).error
      #expect(error.plain.problems == [Problem(reason, code: code)], "\(body)")
    }
  }

  @Test(
    "a fault of the service keeps the API's code and trace id",
    arguments: [
      (500, "internal_clerk_error", .serviceAnsweredNonsense),
      (500, "never_heard_of", .serviceAnsweredNonsense),
      (503, "never_heard_of", .serviceUnavailable), (504, "gateway_timeout", .serviceTimedOut),
    ] as [(Int, String, Reason)]
  )
  func trouble(status: Int, code: String, reason: Reason) {
    let error = reading().refusal(of: .error(code, status: status)).error
    #expect(error.reasons == [reason])
    #expect(error.problems.map(\.code) == [code])
    #expect(error.traceID == "trace_1")
  }

  @Test(
    "a length limit is taken from the API's sentence only if that is unambiguous",
    arguments: [
      ("form_param_max_length_exceeded", "last_name must have at most 256 characters.", 256),
      ("form_param_max_length_exceeded", "line_2 must have at most 256 characters.", nil),
      ("form_param_max_length_exceeded", "last_name is too long.", nil),
      ("form_param_array_size_exceeded", "tags may have at most 5 values.", nil),
    ] as [(String, String, Int?)]
  )
  func lengthLimit(code: String, sentence: String, limit: Int?) {
    let item = #"{"code": "\#(code)", "message": "is too long", "long_message": "\#(sentence)"}"#
    let error = reading().refusal(of: .errors(item, status: 422)).error
    #expect(error.reasons == [.tooLong(limit: limit)])
  }

  @Test("an error that affects everybody blames the set-up; one in what somebody typed does not")
  func setUp() {
    for (code, blame) in [
      ("host_invalid", .setUp), ("origin_invalid", .setUp), ("instance_deleted", .setUp),
      ("native_api_disabled", .setUp), ("form_password_incorrect", nil),
      ("form_param_unknown", nil),
    ] as [(String, AuthError.Blame?)] {
      let error = reading().refusal(of: .error(code, status: 400)).error
      #expect(error.blame == blame, "\(code)")
    }
  }

  @Test(
    "an error of the set-up is shown in the API's own words, whatever its status",
    arguments: ErrorCatalogue.codesOfSetUp.sorted()
  )
  func wordsOfSetUp(code: String) {
    for status in [400, 401, 403, 422, 500] {
      let error = reading().refusal(of: .error(code, status: status)).error
      #expect(error.problems.map(\.plain) == [Problem(.unrecognised, code: code, message: "long")])
    }
  }

  private func reading(_ purpose: Call.Purpose = .signIn) -> ErrorReading {
    ErrorReading(purpose: purpose, now: now)
  }

  private func circumstances() -> Circumstances {
    Circumstances(purpose: .signIn, now: now)
  }
}
