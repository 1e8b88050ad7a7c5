import AuthFlow
@testable import ClerkFrontendAPI
import ErrorCodes
import Foundation
import HTTPExchange
import HTTPTypes
@testable import Pages
@testable import Site
import Testing
import TestSupport

/// How an answer of the Frontend API can report a code.
enum ErrorShape: String, CaseIterable, Sendable {
  case withParameter = "with a parameter of the page"
  case foreignParameter = "with a parameter that no page has"
  case withoutParameter = "without a parameter"
  case several = "with others"
  case singular = "in the singular form"
  case emptyMessage = "with empty messages"
  case markup = "with markup in its message"

  static let markupText = #"<script>alert("x")</script><b>bold</b>"#

  /// A body that reports the code, and all the codes in it, with their parameters.
  func body(_ code: String, own: String?) throws -> (Data, [(code: String, parameter: String?)]) {
    var item: [String: Any] = ["code": code, "message": "Short.", "long_message": "A sentence."]
    var told: [(code: String, parameter: String?)] = [(code, nil)]
    func name(_ parameter: String?) {
      guard let parameter else { return }
      item["meta"] = ["param_name": parameter]
      told[0].parameter = parameter
    }
    switch self {
    case .withParameter: name(own)
    case .foreignParameter: name("email_address_id")
    case .withoutParameter: break
    case .several:
      let others: [[String: Any]] = [
        ["code": "a_code_of_another_field", "meta": ["param_name": "phone_number_id"]],
        ["code": "yet_another_code", "message": "Another sentence."],
      ]
      told += [("a_code_of_another_field", "phone_number_id"), ("yet_another_code", nil)]
      return (try JSONSerialization.data(withJSONObject: ["errors": [item] + others]), told)
    case .singular:
      item["meta"] = own.map { ["name": $0] } ?? [:]
      told[0].parameter = own
      return (
        try JSONSerialization.data(
          withJSONObject: ["error": item, "clerk_trace_id": "trace-1"] as [String: Any]
        ), told
      )
    case .emptyMessage:
      item["message"] = ""
      item["long_message"] = ""
      name(own)
    case .markup: item["long_message"] = Self.markupText
    }
    return (
      try JSONSerialization.data(
        withJSONObject: ["errors": [item], "clerk_trace_id": "trace-1"] as [String: Any]
      ), told
    )
  }
}

@Suite("Every error on every page (E1 to E4)")
struct ErrorPropertyTests {
  private static let now = PageExample.now

  /// One example of each page with its set of fields.
  static let pages: [PageExample] = PageExample.all.reduce(into: []) { pages, example in
    let isKnown = pages.contains {
      $0.page.name == example.page.name && $0.page.fields == example.page.fields
    }
    if !isKnown { pages.append(example) }
  }

  private func error(_ body: Data, status: Int) -> AuthError {
    let reading = ErrorReading(purpose: .signIn, now: Self.now)
    return reading.refusal(
      of: Response(status: HTTPResponse.Status(code: status), headerFields: [:], body: Array(body))
    ).error
  }

  private func frame(_ error: AuthError) -> PageFrame {
    PageFrame(error: error, reference: "reference-1", now: Self.now) { _ in "token" }
  }

  @Test("no error is lost or shown raw, and a field of the page gets its own", arguments: pages)
  func placed(example: PageExample) throws {
    let fields = example.page.fields
    let own = fields.first?.name
    // The page's own messages are shown in any case.
    let renderer = try PageRenderer()
    let nothing = frame(AuthError(Problem(.cancelled, code: "-")))
    let before = renderer.presentation(of: example.page, in: nothing).general.map(\.code)
      .filter { $0 != "-" }
    for code in ClerkErrorCode.allCodes {
      for shape in ErrorShape.allCases {
        let (body, told) = try shape.body(code, own: own)
        let error = error(body, status: 422)
        let shown = renderer.presentation(of: example.page, in: frame(error))
        let general = shown.general.map(\.code)
        for item in told {
          let field = item.parameter.map(Field.init(parameter:))
          if let field, fields.contains(field) {
            #expect(shown.messages(at: field).contains { $0.code == item.code }, "\(code) \(shape)")
          } else if item.parameter != nil {
            #expect(general.contains(item.code), "\(code) \(shape)")
          } else {
            let isAtField = shown.fieldMessages.contains { wrong in
              wrong.messages.contains { $0.code == item.code }
            }
            #expect(isAtField || general.contains(item.code), "\(code) \(shape)")
          }
        }
        let count = shown.fieldMessages.reduce(shown.general.count) { $0 + $1.messages.count }
        // The page does not repeat what it is about already (E3).
        let others = before.filter { code in !told.contains { $0.code == code } }
        let counts = [told.count + before.count, told.count + others.count]
        #expect(counts.contains(count), "\(code) \(shape)")
        for message in shown.general + shown.fieldMessages.flatMap(\.messages) {
          let words = message.words.text
          #expect(!words.isEmpty && !words.contains("_"), "\(code) \(shape): \(words)")
          #expect(!shown.text(of: message.reference).isEmpty)
        }
        #expect(error.status(on: fields) >= 400)
      }
    }
  }

  @Test("markup in a message reaches no page as markup (S17)", arguments: pages)
  func escaped(example: PageExample) throws {
    let renderer = try PageRenderer()
    for code in ClerkErrorCode.unheardOfCodes + ["host_invalid", "form_param_unknown"] {
      let (body, _) = try ErrorShape.markup.body(code, own: nil)
      let html = try renderer.html(example.page, in: frame(error(body, status: 422)))
      let text = String(decoding: html, as: UTF8.self)
      #expect(!text.contains("<script>alert") && !text.contains("<b>bold"))
      #expect(text.contains("&lt;b&gt;bold"))
    }
  }

  @Test(
    "the status is honest (R3)",
    arguments: [
      (400, 422), (401, 403), (403, 422), (402, 422), (404, 422), (409, 422), (410, 422),
      (422, 422),
      (429, 429), (500, 502), (503, 503), (504, 504),
    ]
  )
  func status(upstream: Int, ours: Int) throws {
    let (body, _) = try ErrorShape.withoutParameter.body("never_heard_of", own: nil)
    #expect(error(body, status: upstream).status() == ours)
  }

  @Test(
    "a code in the catalogue has the status of its reason (R3a, R3b)",
    arguments: [
      ("password_required", 400, 422), ("invalid_action_for_session", 400, 422),
      ("session_creation_not_allowed", 409, 422), ("pkce_verification_failed", 422, 422),
      ("resource_locked", 409, 422), ("approval_token_expired", 422, 422),
      ("verification_link_token_expired", 400, 422), ("sign_up_outdated_verification", 410, 422),
      ("captcha_invalid", 400, 422), ("captcha_unsupported_by_client", 400, 422),
      ("dev_monthly_sms_limit_exceeded", 400, 422), ("form_resource_not_found", 422, 422),
      ("account_transfer_invalid", 400, 422), ("requires_captcha", 401, 403),
      ("requires_device_attestation", 401, 403), ("requires_protect_check", 403, 403),
      ("action_for_session_not_authorized", 401, 403), ("action_blocked", 403, 403),
      ("unsupported_country_code", 403, 403), ("feature_not_enabled", 403, 403),
      ("organization_quota_exceeded", 403, 403), ("csrf_token_invalid", 403, 403),
      ("updating_user_password_deprecated", 403, 403), ("not_allowed_access", 403, 403),
      ("oauth_access_denied", 403, 403),
    ]
  )
  func listedStatus(code: String, upstream: Int, ours: Int) throws {
    let (body, _) = try ErrorShape.withoutParameter.body(code, own: nil)
    #expect(error(body, status: upstream).status() == ours)
    let (named, _) = try ErrorShape.withParameter.body(code, own: "phone_number")
    #expect(error(named, status: upstream).status(on: [.phoneNumber]) == 422)
    #expect(error(named, status: upstream).status(on: [.code]) == ours)
  }

  @Test("a spent link is a 410 only on the page that it leads to")
  func goneLinks() {
    for reason in [Reason.linkExpired, .linkUsed] {
      #expect(AuthError(Problem(reason, code: "c")).linkLandingStatus == 410)
      #expect(AuthError(Problem(reason, code: "c")).status() == 422)
    }
    #expect(AuthError(Problem(.linkOtherBrowser, code: "c")).linkLandingStatus == 403)
  }

  @Test(
    "each meaning has words of its own",
    arguments: [
      ("not_allowed_access", "That email address may not be used"),
      ("action_blocked", "suspicious"),
      ("feature_not_enabled", "A sentence."), ("authorization_invalid", "A sentence."),
      ("session_creation_not_allowed", "A sentence."), ("password_required", "A sentence."),
      ("quota_exceeded", "A sentence."), ("resource_locked", "at the same moment"),
      ("unsupported_country_code", "numbers in that country"),
      ("dev_monthly_email_limit_exceeded", "used up its messages"),
      ("captcha_unsupported_by_client", "bot check"), ("no_second_factors", "A sentence."),
    ]
  )
  func ownWords(code: String, words: String) throws {
    let (body, _) = try ErrorShape.withoutParameter.body(code, own: nil)
    let page = try #require(Self.pages.first).page
    let shown = try PageRenderer().presentation(
      of: page,
      in: frame(error(body, status: 400))
    )
    #expect(shown.general.contains { $0.words.text.contains(words) }, "\(shown.general)")
  }
}
