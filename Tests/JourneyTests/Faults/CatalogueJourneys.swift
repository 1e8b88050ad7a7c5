import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// The codes of Clerk's catalogue after which a person is still where they were; those that lead
/// elsewhere have journeys of their own.
private enum StayingCodes {
  static let all = fields + passwords + attempts + access + setUp + ["never_heard_of"]

  private static let fields = [
    "form_identifier_not_found", "form_identifier_exists", "form_param_format_invalid",
    "form_param_missing", "form_param_nil", "form_conditional_param_missing",
    "form_conditional_param_disallowed", "form_param_value_invalid", "form_param_type_invalid",
    "form_param_max_length_exceeded", "form_param_exceeds_allowed_size",
    "form_param_value_too_large", "form_param_array_size_exceeded", "form_param_unknown",
    "form_param_duplicate", "form_param_deprecated", "form_param_value_conflict",
    "form_already_exists", "form_verification_needed", "form_username_invalid_length",
    "form_username_invalid_character", "form_username_needs_non_number_char",
    "form_username_cannot_be_phone_number", "legal_not_accepted", "form_code_incorrect",
  ]

  private static let passwords = [
    "form_password_incorrect", "form_password_validation_failed",
    "form_password_or_identifier_incorrect", "form_password_length_too_short",
    "form_password_length_too_long", "form_password_size_in_bytes_exceeded",
    "form_password_no_uppercase", "form_password_no_lowercase", "form_password_no_number",
    "form_password_no_special_char", "form_password_not_strong_enough",
    "form_password_matches_identifier", "form_new_password_matches_current",
    "form_password_digest_invalid_code", "password_required", "updating_user_password_deprecated",
  ]

  private static let attempts = [
    "account_lockout_warning", "sign_in_no_identification_for_user",
    "invitation_account_not_exists", "sign_in_must_use_enterprise_connection_identifier",
    "sign_up_if_missing_transfer", "identification_claimed", "external_account_not_found",
    "external_account_exists", "verification_expired", "verification_failed",
    "sign_up_outdated_verification", "ticket_invalid_code", "ticket_expired_code",
    "sign_in_token_already_used_code", "sign_in_token_revoked_code",
    "sign_in_token_cannot_be_used_code", "sign_in_token_not_in_sign_in_code",
    "invitation_already_accepted", "invitation_account_exists", "revoked_invitation",
  ]

  private static let access = [
    "captcha_missing_token", "captcha_invalid", "captcha_not_enabled", "requires_captcha",
    "captcha_unavailable", "captcha_client_attempts_exceeded", "action_blocked", "device_blocked",
    "requires_protect_check", "protect_check_already_resolved", "requires_device_attestation",
    "invalid_device_attestation_assertion", "unsupported_country_code", "sms_send_error",
    "dev_monthly_sms_limit_exceeded", "dev_monthly_email_limit_exceeded",
    "too_many_unverified_identifications", "authorization_invalid",
    "action_for_session_not_authorized", "invalid_action_for_session",
    "session_creation_not_allowed", "feature_not_enabled", "quota_exceeded", "user_quota_exceeded",
  ]

  private static let setUp = [
    "host_invalid", "origin_invalid", "origin_missing", "native_api_disabled",
    "request_invalid_for_environment", "url_based_session_syncing_disabled",
    "instance_type_invalid", "invitations_not_supported", "subdomain_not_allowed",
    "csrf_token_invalid", "api_version_invalid", "bad_request", "malformed_request_parameters",
    "request_body_invalid", "missing_query_parameter", "invalid_query_parameter_value",
    "request_body_too_large", "unsupported_content_type", "gateway_timeout",
    "internal_clerk_error", "verification_status_unknown", "resource_locked",
    "user_settings_invalid", "insecure_url", "invalid_url_scheme", "invalid_redirect_url",
    "prohibited_redirect_url", "redirect_url_domain_mismatch", "resource_missmatch",
    "totp_already_enabled", "backup_codes_not_available", "second_factor_deletion_not_allowed",
    "identification_update_failed", "identification_deletion_failed",
    "form_disable_default_second_factor_not_allowed", "invalid_totp_secret_code",
    "immutable_attribute_modification_not_allowed", "user_delete_self_not_enabled",
    "organization_not_enabled_in_instance", "user_create_organization_not_enabled",
    "organization_quota_exceeded", "org_creation_limit_exceeded",
    "organization_membership_quota_exceeded", "organization_slugs_disabled",
    "missing_organization_permission", "organization_invitation_not_found",
    "organization_invitation_not_pending", "organization_invitation_already_accepted",
    "organization_invitation_revoked_code", "organization_suggestion_already_accepted",
    "personal_accounts_not_allowed",
  ]
}

@Suite("Codes of the auth API on the pages")
struct CatalogueJourneys {
  /// The pages that send something; the last one of a second factor's set-up only asks.
  private static let steps = UpstreamStep.all(over: .clerk).filter { $0.name != "tasks-setup-mfa" }

  /// What of one answer is told on a page, at its fields and in its banner.
  private func told(_ page: PageSnapshot) -> [String] {
    page.errorCodes + (page.form?.fields.flatMap { $0.errors?.map(\.code) ?? [] } ?? [])
  }

  private func rehearse(_ items: [String], _ scene: Scene) async throws {
    _ = try await scene.workbench.call(
      .post,
      "faults",
      json: """
        {"match": {"method": "POST"}, "times": 1, "answer": {"status": 422, "json":
         {"clerk_trace_id": "trace-7", "errors": [\(items.joined(separator: ", "))]}}}
        """
    )
  }

  private func item(_ code: String, _ parameter: String?) -> String {
    let meta = parameter.map { #", "meta": {"param_name": "\#($0)"}"# } ?? ""
    return #"{"code": "\#(code)", "message": "m", "long_message": "Long words"\#(meta)}"#
  }

  @Test(
    "every page tells of every code, several at once, and of none twice (E1, E2, E3)",
    arguments: steps.indices
  )
  func everyCode(index: Int) async throws {
    let step = Self.steps[index]
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await step.lead(browser, scene)
      let typed = try await step.typed(scene)
      let own = try #require(await browser.page).form?.fields.first { $0.type != "hidden" }?.name
      for start in stride(from: 0, to: StayingCodes.all.count, by: 8) {
        let codes = StayingCodes.all[start...].prefix(8)
        let items = codes.enumerated().map { place, code in
          item(code, [nil, "email_address_id", own][place % 3])
        }
        try await rehearse(items, scene)
        let page = try await browser.submit(typed, form: step.form)
        #expect(page.page == step.name, "\(codes)")
        #expect((400...599).contains(page.status))
        #expect(page.title.hasPrefix("Error: "))
        #expect(told(page).filter(codes.contains).sorted() == codes.sorted(), "\(step.name)")
        // For support alone, beside the words (E4).
        let errors = page.errors + (page.form?.fields.flatMap { $0.errors ?? [] } ?? [])
        #expect(!errors.contains { $0.message.contains("email_address_id") })
      }
    }
  }

  /// The first page of each flow, the call behind it, and what is typed.
  private static let starts: [(path: String, typed: [String: String])] = [
    ("/sign-in", ["identifier": "ada@example.com", "password": password]),
    ("/sign-up", ["email_address": "noor@example.com", "password": "a-good-new-password-7"]),
    ("/forgot-password", ["identifier": "ada@example.com"]),
  ]

  @Test(
    "a code stands at its field where the page has that, with its reference else (E1, E2)",
    arguments: [
      "form_param_format_invalid", "form_already_exists", "identification_claimed",
      "not_allowed_access", "action_blocked", "native_api_disabled", "never_heard_of",
    ]
  )
  func placed(code: String) async throws {
    try await Stage.inProcess.play { scene in
      for start in Self.starts {
        for parameter in [nil, start.typed.keys.sorted()[0], "email_address_id"] {
          try await rehearse([item(code, parameter)], scene)
          let browser = scene.newBrowser()
          try await browser.open(start.path)
          let page = try await browser.submit(start.typed)
          #expect((400...599).contains(page.status))
          #expect(told(page) == [code], "\(code) on \(start.path) with \(parameter ?? "-")")
          if parameter == start.typed.keys.sorted()[0] {
            #expect(page.errorCodes(at: start.typed.keys.sorted()[0]) == [code])
          }
          if let error = page.errors.first { #expect(error.reference == "trace-7") }
          #expect(page.title.hasPrefix("Error: ") || page.page == "blocked")
          for (name, value) in start.typed where name != "password" {
            #expect(page.form?.field(name)?.value == value)
          }
        }
      }
    }
  }
}
