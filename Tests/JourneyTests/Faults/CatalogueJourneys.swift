import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Codes of the auth API on the pages")
struct CatalogueJourneys {
  /// The first page of each flow, the call behind it, and what is typed.
  private static let starts: [(path: String, call: String, typed: [String: String])] = [
    (
      "/sign-in", "/v1/client/sign_ins", ["identifier": "ada@example.com", "password": password]
    ),
    (
      "/sign-up", "/v1/client/sign_ups",
      ["email_address": "noor@example.com", "password": "a-good-new-password-7"]
    ),
    ("/forgot-password", "/v1/client/sign_ins", ["identifier": "ada@example.com"]),
  ]

  @Test(
    "a code leads to a page that tells of it, at its field where the page has that (E1, E2)",
    arguments: [
      "form_identifier_not_found", "form_param_format_invalid", "form_param_unknown",
      "form_already_exists", "account_lockout_warning",
      "sign_in_must_use_enterprise_connection_identifier", "identification_claimed",
      "ticket_invalid_code", "not_allowed_access", "captcha_invalid", "action_blocked",
      "unsupported_country_code", "sms_send_error", "native_api_disabled",
      "session_creation_not_allowed", "quota_exceeded", "never_heard_of",
    ]
  )
  func told(code: String) async throws {
    try await Stage.inProcess.play { scene in
      for start in Self.starts {
        for parameter in [nil, start.typed.keys.sorted()[0], "email_address_id"] {
          let meta = parameter.map { #", "meta": {"param_name": "\#($0)"}"# } ?? ""
          _ = try await scene.workbench.call(
            .post,
            "faults",
            json: """
              {"match": {"method": "POST", "path": "\(start.call)"}, "times": 1,
               "answer": {"status": 422, "json": {"clerk_trace_id": "trace-7", "errors":
                 [{"code": "\(code)", "message": "m", "long_message": "Long words"\(meta)}]}}}
              """
          )
          let browser = scene.newBrowser()
          try await browser.open(start.path)
          let page = try await browser.submit(start.typed)
          #expect((400...599).contains(page.status))
          let atField = parameter.map { page.errorCodes(at: $0) } ?? []
          let everywhere =
            page.errorCodes + (page.form?.fields.flatMap { $0.errors?.map(\.code) ?? [] } ?? [])
          #expect(everywhere == [code], "\(code) on \(start.path) with \(parameter ?? "-")")
          if parameter == start.typed.keys.sorted()[0] { #expect(atField == [code]) }
          if let told = page.errors.first { #expect(told.reference == "trace-7") }
          #expect(page.title.hasPrefix("Error: ") || page.page == "blocked")
          let typed = start.typed.filter { $0.key != "password" }
          for (name, value) in typed {
            #expect(page.form?.field(name)?.value == value)
          }
        }
      }
    }
  }
}
