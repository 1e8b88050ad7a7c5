internal import AuthFlow
internal import Foundation

/// The codes of the Frontend API and what they mean here.
///
/// One function per table of Clerk's list of errors. If the person can do nothing and we have no
/// better words, the reason is `unrecognised` on purpose, or `forbidden` if the API answers with
/// 403: both show the API's own words.
enum ErrorCatalogue {
  /// Returns nil for a code that is not in the catalogue.
  static func verdict(on code: String, in circumstances: Circumstances) -> Verdict? {
    formFields(code, circumstances) ?? passwords(code, circumstances)
      ?? attempts(code, circumstances) ?? access(code, circumstances)
      ?? authentication(code, circumstances) ?? setUp(code)
  }

  // MARK: Form fields

  private static func formFields(_ code: String, _ given: Circumstances) -> Verdict? {
    switch code {
    case "form_identifier_not_found": .field(.identifierNotFound, at: .identifier)
    case "form_identifier_exists" where given.parameter == "slug": .field(.organizationSlugTaken)
    case "form_identifier_exists", "form_already_exists": .field(.identifierTaken)
    case "form_param_format_invalid": .field(.formatInvalid)
    case "form_param_missing", "form_param_nil", "form_conditional_param_missing":
      .field(given.parameter == Field.legalAccepted.name ? .termsNotAccepted : .missing)
    case "form_conditional_param_disallowed", "form_param_value_invalid",
      "form_param_type_invalid", "form_verification_needed":
      .field(.valueInvalid)
    // The API's own words name the field by its parameter.
    case "form_param_max_length_exceeded": .field(.tooLong(limit: given.limit))
    // These limits are not in characters.
    case "form_param_exceeds_allowed_size", "form_param_value_too_large",
      "form_param_array_size_exceeded":
      .field(.tooLong(limit: nil))
    case "form_param_unknown", "form_param_duplicate", "form_param_deprecated",
      "form_param_value_conflict", "form_resource_not_found", "form_incorrect_signature":
      .banner(.unrecognised)
    case "form_param_value_disabled": .banner(.methodUnavailable)
    case "form_username_invalid_length": .field(.usernameLengthInvalid, at: .username)
    case "form_username_invalid_character": .field(.usernameCharacterInvalid, at: .username)
    case "form_username_needs_non_number_char", "form_username_cannot_be_phone_number":
      .field(.usernameNeedsLetter, at: .username)
    case "legal_not_accepted": .field(.termsNotAccepted, at: .legalAccepted)
    case "form_code_incorrect": .field(.codeIncorrect, at: .code)
    default: nil
    }
  }

  // MARK: Passwords

  private static func passwords(_ code: String, _ given: Circumstances) -> Verdict? {
    switch code {
    case "form_password_incorrect": .field(.passwordIncorrect, at: .password)
    case "form_password_validation_failed": .field(failedValidation(given), at: .password)
    case "form_password_or_identifier_incorrect":
      .field(.passwordOrIdentifierIncorrect, at: .password)
    case "form_password_length_too_short":
      .field(.passwordTooShort(minimum: given.passwordRules?.minimumLength), at: .password)
    case "form_password_length_too_long":
      .field(.passwordTooLong(maximum: given.passwordRules?.maximumLength), at: .password)
    case "form_password_size_in_bytes_exceeded": .field(.passwordTooManyBytes, at: .password)
    case "form_password_no_uppercase": .field(.passwordNeedsUppercase, at: .password)
    case "form_password_no_lowercase": .field(.passwordNeedsLowercase, at: .password)
    case "form_password_no_number": .field(.passwordNeedsNumber, at: .password)
    case "form_password_no_special_char": .field(.passwordNeedsSpecialCharacter, at: .password)
    case "form_password_not_strong_enough": .field(.passwordTooWeak, at: .password)
    case "form_password_pwned":
      .field(given.purpose == .signIn ? .passwordLeaked : .passwordBreached, at: .password)
    case "form_password_compromised", "form_password_untrusted":
      .field(given.purpose == .signIn ? .passwordCompromised : .passwordBreached, at: .password)
    case "form_password_matches_identifier": .field(.passwordMatchesIdentifier, at: .password)
    case "form_new_password_matches_current": .field(.passwordReused, at: .password)
    case "form_password_digest_invalid_code": .banner(.passwordInvalid)
    case "password_reset_required", "password_too_long_needs_reset":
      .banner(.passwordResetRequired)
    case "no_password_set": .banner(.methodUnavailable)
    case "password_required": .banner(.unrecognised)
    case "updating_user_password_deprecated": .banner(.forbidden)
    default: nil
    }
  }

  /// The reason of the one code for a wrong password, a wrong current one, and an unacceptable new
  /// one.
  private static func failedValidation(_ given: Circumstances) -> Reason {
    if given.parameter == "current_password" { return .currentPasswordIncorrect }
    return given.purpose == .signIn ? .passwordIncorrect : .passwordInvalid
  }

  // MARK: Sign-in, sign-up, verification state

  private static func attempts(_ code: String, _ given: Circumstances) -> Verdict? {
    switch code {
    case "user_locked": .banner(.locked(until: given.lockedUntil))
    case "account_lockout_warning": .banner(.lockoutNear)
    case "user_banned", "user_deactivated", "deprovisioned": .banner(.banned)
    case "session_exists", "identifier_already_signed_in": .banner(.alreadySignedIn)
    case "strategy_for_user_invalid": .banner(.methodUnavailable)
    case "client_state_invalid", "sign_in_identification_or_user_deleted",
      "verification_already_verified":
      .banner(.attemptEnded)
    case "sign_in_no_identification_for_user", "invitation_account_not_exists",
      "sign_up_if_missing_transfer", "external_account_not_found":
      .banner(.identifierNotFound)
    case "identification_claimed", "external_account_exists", "invitation_account_exists":
      .banner(.identifierTaken)
    // Who gives up does so at a provider's page; anywhere else somebody may not do what they asked for.
    case "oauth_access_denied": .banner(given.isOfProvidersPage ? .cancelled : .forbidden)
    case "verification_expired": .field(.codeExpired, at: .code)
    case "verification_failed": .banner(.codeTriesExhausted)
    case "verification_missing", "verification_not_sent", "verification_strategy_invalid":
      .banner(.codeNotSent)
    case "verification_link_token_expired", "verification_link_token_stale",
      "approval_token_expired":
      .banner(.linkExpired)
    case "approval_token_consumed": .banner(.linkUsed)
    case "verification_link_token_invalid", "verification_link_token_source_invalid",
      "approval_token_invalid", "pkce_verification_failed":
      .banner(.linkFailed)
    case "sign_in_email_link_not_same_client", "sign_up_email_link_not_same_client":
      .banner(.linkOtherBrowser)
    // Not expired: only a newer message is valid, so asking for another does not help.
    case "sign_up_outdated_verification": .banner(.unrecognised)
    case "sign_in_must_use_enterprise_connection_identifier", "no_second_factors",
      "sign_up_if_missing_not_allowed", "sign_up_if_missing_strategy_not_supported",
      "account_transfer_invalid",
      "ticket_invalid_code", "ticket_expired_code", "sign_in_token_already_used_code",
      "sign_in_token_revoked_code", "sign_in_token_cannot_be_used_code",
      "sign_in_token_not_in_sign_in_code", "invitation_already_accepted", "revoked_invitation":
      .banner(.unrecognised)
    default: nil
    }
  }

  // MARK: Access, bots, rate

  private static func access(_ code: String, _ given: Circumstances) -> Verdict? {
    switch code {
    case "not_allowed_access": .field(.identifierNotAllowed)
    case "sign_up_mode_restricted", "waitlist_not_accepting_entries": .banner(.signUpClosed)
    case "sign_up_restricted_waitlist": .banner(.signUpWaitlist)
    case "requires_captcha", "requires_protect_check", "requires_device_attestation",
      "invalid_device_attestation_assertion", "invalid_device_attestation_challenge":
      .banner(.botCheckRequired)
    case _ where code.hasPrefix("device_attestation_"): .banner(.botCheckRequired)
    case "protect_check_already_resolved": .banner(.botCheckFailed)
    case _ where code.hasPrefix("captcha_"): .banner(.botCheckFailed)
    case "action_blocked", "device_blocked": .banner(.judgedSuspicious)
    case "too_many_requests", "rate_limit_exceeded", "signup_rate_limit_exceeded":
      .banner(.tooManyRequests(until: given.retryAt))
    case "verification_code_too_many_requests":
      .banner(
        .resendTooSoon(
          until: given.retryAt ?? given.now.addingTimeInterval(Circumstances.resendWait)
        )
      )
    case "unsupported_country_code": .field(.countryNotSupported)
    case "sms_send_error": .banner(.deliveryFailed)
    case "dev_monthly_sms_limit_exceeded", "dev_monthly_email_limit_exceeded":
      .banner(.messageQuotaUsed)
    case "too_many_unverified_identifications": .banner(.unrecognised)
    default: nil
    }
  }

  // MARK: Authentication

  private static func authentication(_ code: String, _ given: Circumstances) -> Verdict? {
    switch code {
    // The API does not know the person any more (R3a). It never knew one who signs up: then the
    // sign-up begins again, with what was typed (N6).
    case "authentication_invalid", "signed_out":
      .banner(given.purpose == .signUp ? .attemptEnded : .signInAgain)
    // A person who is signing in was not signed in yet: only the attempt is gone.
    case "authorization_header_format_invalid", "dev_browser_unauthenticated":
      .banner(given.purpose.isOfSession ? .browserUnknown : .attemptEnded)
    case "client_not_found":
      .banner(given.purpose.isOfSession ? .signInAgain : .attemptEnded)
    case "resource_not_found", "resource_forbidden":
      .banner(given.purpose == .session ? .signInAgain : .attemptEnded)
    case "not_a_member_in_organization", "organization_not_found_or_unauthorized":
      .field(.notAMember, at: .organization)
    case "session_reverification_required": .banner(.signInAgain)
    case "session_reverification_missing", "invalid_action_for_session_reverification":
      .banner(.attemptEnded)
    case "authorization_invalid", "action_for_session_not_authorized", "feature_not_enabled",
      "user_delete_self_not_enabled", "immutable_attribute_modification_not_allowed",
      "subdomain_not_allowed", "csrf_token_invalid", "organization_not_enabled_in_instance",
      "user_create_organization_not_enabled", "organization_slugs_disabled",
      "missing_organization_permission":
      .banner(.forbidden)
    case "quota_exceeded", "user_quota_exceeded", "organization_quota_exceeded",
      "org_creation_limit_exceeded", "organization_membership_quota_exceeded":
      .banner(.quotaExceeded)
    case "invalid_action_for_session", "session_creation_not_allowed": .banner(.unrecognised)
    case "gateway_timeout": .banner(.serviceTimedOut)
    case "resource_locked": .banner(.busy)
    case "internal_clerk_error", "verification_status_unknown": .banner(.serviceAnsweredNonsense)
    default: nil
    }
  }

  // MARK: Set-up, contacts, organizations

  /// Errors that the operator or a later page has to resolve: the API's own words describe them
  /// best.
  private static func setUp(_ code: String) -> Verdict? {
    codesOfSetUp.contains(code) || codesToldInAPIWords.contains(code)
      ? .banner(.unrecognised) : nil
  }

  /// The codes that blame this program's set-up: nothing works for anybody, whatever they type.
  static let codesOfSetUp: Set<String> = [
    "host_invalid", "origin_invalid", "origin_missing", "native_api_disabled",
    "request_invalid_for_environment", "instance_type_invalid", "instance_deleted",
    "api_version_invalid",
  ]

  private static let codesToldInAPIWords: Set<String> = [
    "multiple_origin_header_values_forbidden", "multiple_authorization_header_values_forbidden",
    "origin_authorization_headers_conflict", "url_based_session_syncing_disabled",
    "invitations_not_supported",
    // Malformed requests: our own mistakes.
    "bad_request", "malformed_request_parameters", "request_body_invalid",
    "missing_query_parameter", "invalid_query_parameter_value", "request_body_too_large",
    "unsupported_content_type", "user_settings_invalid",
    // What is gone is not necessarily the attempt or the session.
    "gone",
    // Redirect addresses.
    "insecure_url", "invalid_url_scheme", "invalid_redirect_url", "prohibited_redirect_url",
    "redirect_url_domain_mismatch", "redirect_url_not_associated_with_instance",
    "resource_missmatch",
    // Second factors and contacts of a signed-in person.
    "totp_already_enabled", "backup_codes_not_available", "second_factor_deletion_not_allowed",
    "identification_update_failed", "identification_update_second_factor_unverified",
    "identification_deletion_failed", "last_required_identification_deletion_failed",
    "delete_linked_identification_disallowed", "form_disable_default_second_factor_not_allowed",
    "invalid_totp_secret_code",
    // Organizations.
    "organization_invitation_not_found",
    "organization_invitation_not_pending", "organization_invitation_already_accepted",
    "organization_invitation_revoked_code", "organization_suggestion_already_accepted",
    "personal_accounts_not_allowed", "already_a_member_in_organization", "duplicate_record",
    "organization_minimum_permissions_needed",
  ]
}
