extension ClerkErrorCode {
  static let access = [
    Self("not_allowed_access", 403, "This identifier has no access here."),
    Self("sign_up_mode_restricted", 403, "Sign-ups are closed."),
    Self("sign_up_restricted_waitlist", 403, "Sign-ups are closed, but there is a waiting list."),
    Self("waitlist_not_accepting_entries", 403, "The waiting list is closed."),
    Self("captcha_missing_token", 400, "The bot check was not answered."),
    Self("captcha_invalid", 400, "The bot check failed."),
    Self("captcha_unsupported_by_client", 400, "This client cannot show the bot check."),
    Self("captcha_not_enabled", 400, "There is no bot check here."),
    Self("requires_captcha", 401, "Answer a bot check first."),
    Self("captcha_unavailable", 400, "The bot check could not be loaded."),
    Self("captcha_client_attempts_exceeded", 400, "The bot check was tried too often."),
    Self("action_blocked", 403, "This action was blocked."),
    Self("device_blocked", 403, "This device was blocked."),
    Self("requires_protect_check", 403, "Answer a fraud check first."),
    Self("protect_check_already_resolved", 400, "The fraud check was answered already."),
    Self("requires_device_attestation", 401, "This device must be attested."),
    Self("device_attestation_any", 401, "This device could not be attested."),
    Self("invalid_device_attestation_assertion", 401, "The assertion of this device is invalid."),
    Self("invalid_device_attestation_challenge", 401, "The challenge for this device is invalid."),
    Self("too_many_requests", 429, "Too many requests. Try again later."),
    Self("rate_limit_exceeded", 429, "Too many requests. Try again later."),
    Self(
      "verification_code_too_many_requests",
      429,
      "Wait 30 seconds before you ask for another code."
    ),
    Self("signup_rate_limit_exceeded", 429, "Too many sign-ups. Try again later."),
    Self("unsupported_country_code", 403, "No text messages are sent to that country."),
    Self("sms_send_error", 400, "The text message could not be sent."),
    Self(
      "dev_monthly_sms_limit_exceeded",
      400,
      "The month's text messages of a development instance are used up."
    ),
    Self(
      "dev_monthly_email_limit_exceeded",
      400,
      "The month's emails of a development instance are used up."
    ),
    Self("too_many_unverified_identifications", 400, "There are too many unverified contacts."),
  ]

  static let authentication = [
    Self("authentication_invalid", 401, "There is no valid session for this request."),
    Self("signed_out", 401, "You are signed out."),
    Self("authorization_invalid", 403, "You are not permitted to do this."),
    Self(
      "authorization_header_format_invalid",
      401,
      "The header field Authorization is malformed."
    ),
    Self(
      "dev_browser_unauthenticated",
      401,
      "This browser is unknown to the development instance."
    ),
    Self("client_not_found", 400, "This call needs a client token."),
    Self("resource_not_found", 404, "The resource was not found."),
    Self("resource_forbidden", 403, "The resource is not the client's present one."),
    Self(
      "action_for_session_not_authorized",
      401,
      "You are not permitted to do this with the session."
    ),
    Self("invalid_action_for_session", 400, "This cannot be done with the session."),
    Self("session_reverification_required", 403, "Verify again that it is you."),
    Self("session_reverification_missing", 400, "The session is not being verified again."),
    Self(
      "invalid_action_for_session_reverification",
      400,
      "This cannot be done while the session is verified again."
    ),
    Self("session_creation_not_allowed", 409, "No session can be made beside an impersonated one."),
    Self("host_invalid", 400, "The host is unknown."),
    Self("origin_invalid", 400, "The origin is not allowed."),
    Self("origin_missing", 400, "The origin is missing."),
    Self(
      "multiple_origin_header_values_forbidden",
      400,
      "The header field Origin has more than one value."
    ),
    Self(
      "multiple_authorization_header_values_forbidden",
      400,
      "The header field Authorization has more than one value."
    ),
    Self(
      "origin_authorization_headers_conflict",
      400,
      "Origin and Authorization exclude each other."
    ),
    Self("native_api_disabled", 400, "The Native API is switched off for this instance."),
    Self("request_invalid_for_environment", 400, "This request is not for this kind of instance."),
    Self(
      "url_based_session_syncing_disabled",
      400,
      "Sessions in addresses are switched off for this instance."
    ),
    Self("instance_type_invalid", 400, "This is not for this type of instance."),
    Self("invitations_not_supported", 400, "This instance has no invitations."),
    Self("subdomain_not_allowed", 403, "This subdomain is not allowed."),
    Self("csrf_token_invalid", 403, "The token against forged requests is invalid."),
    Self("api_version_invalid", 400, "This version of the API does not exist."),
    Self("bad_request", 400, "The request is malformed."),
    Self("malformed_request_parameters", 400, "The parameters are malformed."),
    Self("request_body_invalid", 400, "The body is malformed."),
    Self("missing_query_parameter", 400, "A parameter of the query is missing."),
    Self("invalid_query_parameter_value", 400, "A parameter of the query has an invalid value."),
    Self("request_body_too_large", 413, "The body is too large."),
    Self("unsupported_content_type", 415, "Bodies of this type are not read."),
    Self("gone", 410, "This is no longer there."),
    Self("gateway_timeout", 504, "The service did not answer in time."),
    Self("internal_clerk_error", 500, "The service has failed."),
    Self("verification_status_unknown", 500, "The status of the verification is unknown."),
    Self("resource_locked", 409, "The resource is busy. Try again."),
    Self("user_settings_invalid", 409, "The settings of the instance contradict each other."),
    Self("insecure_url", 422, at: "redirect_url", "The address must use https."),
    Self(
      "invalid_url_scheme",
      422,
      at: "redirect_url",
      "Addresses of this scheme are not allowed."
    ),
    Self("invalid_redirect_url", 422, at: "redirect_url", "The address to return to is malformed."),
    Self(
      "prohibited_redirect_url",
      422,
      at: "redirect_url",
      "The address to return to is not allowed."
    ),
    Self(
      "redirect_url_domain_mismatch",
      422,
      at: "redirect_url",
      "The address to return to is of another domain."
    ),
    Self(
      "redirect_url_not_associated_with_instance",
      422,
      at: "redirect_url",
      "The address to return to is not the instance's."
    ),
    Self("resource_missmatch", 400, "The resources do not belong together."),
    Self("totp_already_enabled", 400, "There is an authenticator app already."),
    Self("backup_codes_not_available", 400, "Backup codes need another second factor first."),
    Self("second_factor_deletion_not_allowed", 400, "This second factor cannot be removed."),
    Self("identification_update_failed", 400, "The contact could not be changed."),
    Self(
      "identification_update_second_factor_unverified",
      400,
      "Only a verified contact can be a second factor."
    ),
    Self("identification_deletion_failed", 400, "The contact could not be removed."),
    Self(
      "last_required_identification_deletion_failed",
      400,
      "The last contact of a kind that is required stays."
    ),
    Self("delete_linked_identification_disallowed", 400, "A contact of a linked account stays."),
    Self("form_disable_default_second_factor_not_allowed", 422, "The default second factor stays."),
    Self("invalid_totp_secret_code", 422, "The secret of the authenticator app is invalid."),
    Self("immutable_attribute_modification_not_allowed", 403, "This attribute cannot be changed."),
    Self("user_delete_self_not_enabled", 403, "Accounts cannot be deleted by their owners here."),
    Self("feature_not_enabled", 403, "This feature is switched off for the instance."),
    Self("quota_exceeded", 403, "The quota is used up."),
    Self("user_quota_exceeded", 403, "The instance has as many accounts as it may have."),
  ]

  static let organizations = [
    Self("organization_not_enabled_in_instance", 403, "This instance has no organizations."),
    Self("user_create_organization_not_enabled", 403, "You may not create an organization."),
    Self(
      "organization_quota_exceeded",
      403,
      "The instance has as many organizations as it may have."
    ),
    Self("org_creation_limit_exceeded", 403, "You have created as many organizations as you may."),
    Self(
      "organization_membership_quota_exceeded",
      403,
      "The organization has as many members as it may have."
    ),
    Self("organization_slugs_disabled", 403, "Organizations have no slugs here."),
    Self("not_a_member_in_organization", 403, "You are not a member of this organization."),
    Self(
      "missing_organization_permission",
      403,
      "Your role in the organization does not permit this."
    ),
    Self("organization_not_found_or_unauthorized", 404, "The organization was not found."),
    Self("organization_invitation_not_found", 404, "The invitation was not found."),
    Self("organization_invitation_not_pending", 404, "The invitation is no longer open."),
    Self("organization_invitation_already_accepted", 400, "The invitation was accepted already."),
    Self("organization_invitation_revoked_code", 400, "The invitation was revoked."),
    Self("organization_suggestion_already_accepted", 400, "The suggestion was accepted already."),
    Self("personal_accounts_not_allowed", 422, "Everybody here must be in an organization."),
    Self("already_a_member_in_organization", 400, "They are a member already."),
    Self("duplicate_record", 400, "They are invited already."),
    Self(
      "organization_minimum_permissions_needed",
      400,
      "There has to be at least one administrator."
    ),
  ]
}
