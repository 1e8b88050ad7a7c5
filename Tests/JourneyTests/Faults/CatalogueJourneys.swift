import ErrorCodes
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import VestibuleTesting

/// The codes that leave a person where they were.
private enum StayingCodes {
  static let all =
    ClerkErrorCode.listed.map(\.code).filter { !leaving.contains($0) } + ["never_heard_of"]

  /// Those that lead elsewhere have journeys of their own.
  private static let leaving: Set = [
    "identification_claimed", "form_param_value_disabled", "form_resource_not_found",
    "form_incorrect_signature",
    "form_password_pwned", "form_password_compromised", "form_password_untrusted",
    "password_reset_required", "password_too_long_needs_reset", "no_password_set",
    "user_locked", "user_banned", "user_deactivated", "deprovisioned", "session_exists",
    "identifier_already_signed_in", "strategy_for_user_invalid", "no_second_factors",
    "client_state_invalid", "sign_in_identification_or_user_deleted",
    "sign_up_if_missing_not_allowed", "sign_up_if_missing_strategy_not_supported",
    "account_transfer_invalid", "verification_missing",
    "verification_not_sent", "verification_already_verified",
    "verification_strategy_invalid", "verification_link_token_invalid",
    "verification_link_token_expired", "verification_link_token_stale",
    "verification_link_token_source_invalid", "sign_in_email_link_not_same_client",
    "sign_up_email_link_not_same_client", "approval_token_invalid",
    "approval_token_expired", "approval_token_consumed", "pkce_verification_failed",
    "not_allowed_access", "sign_up_mode_restricted", "sign_up_restricted_waitlist",
    "waitlist_not_accepting_entries", "device_attestation_any",
    "invalid_device_attestation_challenge", "too_many_requests", "rate_limit_exceeded",
    "verification_code_too_many_requests", "signup_rate_limit_exceeded",
    "authentication_invalid", "signed_out", "authorization_header_format_invalid",
    "dev_browser_unauthenticated", "client_not_found", "resource_not_found",
    "resource_forbidden", "session_reverification_required",
    "session_reverification_missing", "invalid_action_for_session_reverification",
    "multiple_origin_header_values_forbidden",
    "multiple_authorization_header_values_forbidden",
    "origin_authorization_headers_conflict",
    "redirect_url_not_associated_with_instance",
    "identification_update_second_factor_unverified",
    "last_required_identification_deletion_failed",
    "delete_linked_identification_disallowed", "not_a_member_in_organization",
    "organization_not_found_or_unauthorized",
  ]
}

@Suite("Codes of the auth API on the pages", .inTurn)
struct CatalogueJourneys {
  /// The pages that send something: all but `tasks-setup-mfa`, which only asks.
  private static let steps = UpstreamStep.all(over: .clerk).filter { $0.name != "tasks-setup-mfa" }

  /// The codes that a page shows, in its banner and at its fields.
  private func told(_ page: PageSnapshot) -> [String] {
    page.errorCodes + (page.form?.fields.flatMap { $0.errors?.map(\.code) ?? [] } ?? [])
  }

  private func rehearse(_ items: [String], _ scene: Scene) async throws {
    _ = try await scene.backstage.call(
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
    "every page shows every code, several at once, and none twice (E1, E2, E3)",
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
        // A parameter's name is not part of the words (E4).
        let errors = page.errors + (page.form?.fields.flatMap { $0.errors ?? [] } ?? [])
        #expect(!errors.contains { $0.message.contains("email_address_id") })
      }
    }
  }

  @Test(
    "a code that closes the sign-up is shown once, in one way, with its reference (E3)",
    arguments: [
      ("sign_up_restricted_waitlist", ["waiting_list", "email_address"]),
      ("sign_up_mode_restricted", nil), ("waitlist_not_accepting_entries", nil),
    ]
  )
  func closing(code: String, fields: [String]?) async throws {
    try await Stage.inProcess.play { scene in
      for parameter in [nil, "email_address", "email_address_id"] {
        try await rehearse([item(code, parameter)], scene)
        let browser = scene.newBrowser()
        let page = try await browser.signUp("noor@example.com", "a-good-new-password-7")
        #expect(page.step == "closed")
        #expect(told(page) == [code], "\(parameter ?? "-")")
        #expect(page.errors.first?.reference == "trace-7")
        #expect(page.form?.fields.map(\.name) == fields)
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
    "a code is shown at its field if the page has one, otherwise with its reference (E1, E2)",
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
