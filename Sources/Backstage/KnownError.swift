internal import Emulators
internal import ErrorCodes

/// An error that the emulated API is known to give, and a form that it answers.
struct KnownError: Sendable {
  /// As the page calls it.
  var code: String
  /// Tells it from others that the page calls the same.
  var id: String
  /// Where a person stands who gets it.
  var state: String
  /// What they send there.
  var input: [String: String]
  /// The call that is refused; nil is the next change.
  var path: String?
  var status: Int
  /// What the API says, as JSON.
  var answer: JSON

  var parameter: String? { problem?["meta"]?["param_name"]?.string }
  var message: String? { problem?["message"]?.string ?? answer["error"]?.string }
  var longMessage: String? {
    problem?["long_message"]?.string ?? answer["error_description"]?.string
  }
  private var problem: JSON? { answer["errors"]?[0] }

  /// The fault that gives it once, as a call takes it.
  var fault: JSON {
    [
      "match": ["method": "POST", "path": path.map(JSON.string) ?? .null], "times": 1,
      "answer": ["status": .integer(Int64(status)), "headers": .object([]), "json": answer],
    ]
  }

  static func all(behind api: EmulatedAPI) -> [Self] {
    switch api {
    case .clerk: clerk
    case .entra: entra
    }
  }

  private static let clerk = ClerkErrorCodes.listed.map(Self.init(clerk:))
  private static let entra = EntraErrorCode.listed.map(Self.init(entra:))
  private static let password = "walk-right-in-42"
  private static let newPassword = "quiet-harbour-77-lamps"

  private init(clerk code: String) {
    self.code = code
    id = code
    let occasion = Self.occasion(of: code)
    (state, input) = (occasion.state, occasion.input)
    status = Self.status(of: code)
    let words = code.split(separator: "_").joined(separator: " ")
    let meta: JSON = occasion.parameter.map { ["param_name": .string($0)] } ?? .object([])
    answer = [
      "errors": [
        [
          "code": .string(code), "message": .string(words),
          "long_message": .string("The API says: \(words)."), "meta": meta,
        ]
      ],
      "clerk_trace_id": "rehearsed",
    ]
  }

  /// Where a code is at home: what is asked there, and which parameter the API names with it.
  private static func occasion(
    of code: String
  ) -> (state: String, input: [String: String], parameter: String?) {
    let signIn = ["identifier": "ada@example.com", "password": password]
    let signUp = ["email_address": "una@example.com", "password": newPassword]
    switch code {
    case "form_code_incorrect", "form_incorrect_signature":
      return ("sign-in-code/just-sent", ["code": "424242"], "code")
    case _ where code.hasPrefix("verification_") && !code.contains("link"):
      return ("sign-in-code/just-sent", ["code": "424242"], nil)
    case "form_identifier_exists", "form_already_exists", "identification_claimed":
      return ("sign-up/fresh", signUp, "email_address")
    case "form_password_incorrect", "form_password_or_identifier_incorrect",
      "form_password_compromised", "form_password_untrusted", "form_password_pwned":
      return ("sign-in/fresh", signIn, "password")
    case _ where code.hasPrefix("form_password_"): return ("sign-up/fresh", signUp, "password")
    case _ where code.hasPrefix("form_username_"), "legal_not_accepted":
      return ("sign-up/fresh", signUp, nil)
    case _ where code.hasPrefix("sign_up_"), "waitlist_not_accepting_entries",
      "signup_rate_limit_exceeded":
      return ("sign-up/fresh", signUp, nil)
    case _ where code.hasPrefix("form_param_"), "form_identifier_not_found",
      "form_conditional_param_missing", "form_conditional_param_disallowed":
      return ("sign-in/fresh", signIn, "identifier")
    case _ where code.hasPrefix("org"), "user_create_organization_not_enabled",
      "not_a_member_in_organization", "missing_organization_permission":
      let organization = ["organization_name": "Acme", "organization_slug": "acme"]
      return ("tasks-choose-organization/create", organization, nil)
    case "totp_already_enabled", "invalid_totp_secret_code", "backup_codes_not_available":
      return ("tasks-setup-mfa/authenticator", ["code": "424242"], nil)
    default: return ("sign-in/fresh", signIn, nil)
    }
  }

  /// The status with which one comes, as far as it is another than 422.
  private static func status(of code: String) -> Int {
    switch code {
    case _ where code.contains("too_many") || code.contains("rate_limit"): 429
    case _ where code.hasSuffix("_not_found") && !code.hasPrefix("form_"): 404
    case "authentication_invalid", "signed_out": 401
    case "user_locked", "user_banned", "not_allowed_access", "authorization_invalid": 403
    case "internal_clerk_error": 500
    case "gateway_timeout": 504
    default: 422
    }
  }

  private init(entra error: EntraErrorCode) {
    code = [error.error, error.suberror].compactMap(\.self).joined(separator: "/")
    let call = error.call.rawValue.split(separator: "/").last ?? ""
    let number = error.number.map { " \($0)" } ?? ""
    id = "\(code)\(number) at \(error.call.rawValue.prefix { $0 != "/" })/\(call)"
    path = "/*/\(error.call.rawValue)"
    status = 400
    var answer: JSON = [
      "error": .string(error.error),
      "error_description": .string("AADSTS\(error.number ?? 1): Rehearsed in backstage."),
    ]
    if let suberror = error.suberror { answer["suberror"] = .string(suberror) }
    if let number = error.number { answer["error_codes"] = [.integer(Int64(number))] }
    self.answer = answer
    switch error.call {
    case .token where error.suberror == "invalid_oob_value":
      (state, input) = ("sign-in-code/just-sent", ["code": "42424242"])
    case .initiate, .token:
      (state, input) = (
        "sign-in/fresh", ["identifier": "ada@example.com", "password": Self.password]
      )
    case .signUp:
      (state, input) = (
        "sign-up/fresh", ["email_address": "una@example.com", "password": Self.newPassword]
      )
    case .reset:
      (state, input) = ("forgot-password/fresh", ["identifier": "ada@example.com"])
    }
  }
}
