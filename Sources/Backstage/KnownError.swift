internal import Emulators
internal import ErrorCodes

/// An error that the emulated API is known to give, and a form that provokes it.
struct KnownError: Sendable {
  /// The code that pages use for it.
  var code: String
  /// Distinguishes it from others with the same code.
  var id: String
  /// The state of the atlas in which a person gets it.
  var state: String
  /// The form values that they send there.
  var input: [String: String]
  /// The path of the call that is refused; nil for the next `POST`, whatever its path.
  var path: String?
  var status: Int
  /// The body of the API's response.
  var answer: JSON

  var parameter: String? { problem?["meta"]?["param_name"]?.string }
  var message: String? { problem?["message"]?.string ?? answer["error"]?.string }
  var longMessage: String? {
    problem?["long_message"]?.string ?? answer["error_description"]?.string
  }
  private var problem: JSON? { answer["errors"]?[0] }

  /// The body of `POST faults` that provokes it once.
  var fault: JSON {
    [
      "match": ["method": "POST", "path": .optional(path)], "times": 1,
      "answer": ["status": .integer(Int64(status)), "headers": .object([]), "json": answer],
    ]
  }

  static func all(behind api: EmulatedAPI) -> [Self] {
    switch api {
    case .clerk: clerk
    case .entra: entra
    }
  }

  private static let clerk = ClerkErrorCode.listed.map(Self.init(clerk:))
  private static let entra = EntraErrorCode.listed.map(Self.init(entra:))
  private static let password = AccountDescription.demoPassword
  private static let newPassword = "quiet-harbour-77-lamps"

  private init(clerk error: ClerkErrorCode) {
    code = error.code
    id = code
    (state, input) = Self.occasion(of: code)
    status = error.status
    let meta: JSON = error.parameter.map { ["param_name": .string($0)] } ?? .object([])
    answer = [
      "errors": [
        [
          "code": .string(code), "message": .string(error.meaning),
          "long_message": .string(error.meaning), "meta": meta,
        ]
      ],
      "clerk_trace_id": "rehearsed",
    ]
  }

  /// The state in which a code typically occurs, and what a person sends there.
  private static func occasion(of code: String) -> (state: String, input: [String: String]) {
    let signIn = ["identifier": "ada@example.com", "password": password]
    let signUp = ["email_address": "una@example.com", "password": newPassword]
    switch code {
    case "form_code_incorrect", "form_incorrect_signature":
      return ("sign-in-code/just-sent", ["code": "424242"])
    case _ where code.hasPrefix("verification_") && !code.contains("link"):
      return ("sign-in-code/just-sent", ["code": "424242"])
    case "form_password_incorrect", "form_password_or_identifier_incorrect",
      "form_password_compromised", "form_password_untrusted", "form_password_pwned":
      return ("sign-in/fresh", signIn)
    case _ where code.hasPrefix("form_password_") || code.hasPrefix("form_username_"),
      _ where code.hasPrefix("sign_up_"),
      "form_identifier_exists", "form_already_exists", "form_verification_needed",
      "identification_claimed", "legal_not_accepted", "waitlist_not_accepting_entries",
      "signup_rate_limit_exceeded":
      return ("sign-up/fresh", signUp)
    case _ where code.hasPrefix("org"), "user_create_organization_not_enabled",
      "not_a_member_in_organization", "missing_organization_permission":
      let organization = ["organization_name": "Acme", "organization_slug": "acme"]
      return ("tasks-choose-organization/create", organization)
    case "totp_already_enabled", "invalid_totp_secret_code", "backup_codes_not_available":
      return ("tasks-setup-mfa/authenticator", ["code": "424242"])
    default: return ("sign-in/fresh", signIn)
    }
  }

  private init(entra error: EntraErrorCode) {
    code = [error.error, error.suberror].compactMap(\.self).joined(separator: "/")
    let number = error.number.map { " \($0)" } ?? ""
    let call = error.call.rawValue.split(separator: "/")
    id = "\(code)\(number) at \(call.first ?? "")/\(call.last ?? "")"
    path = "/*/\(error.call.rawValue)"
    status = 400
    (state, input) = Self.occasion(of: error)
    var answer: JSON = [
      "error": .string(error.error),
      "error_description": .string("AADSTS\(error.number ?? 1): \(error.meaning)"),
    ]
    if let suberror = error.suberror { answer["suberror"] = .string(suberror) }
    if let number = error.number { answer["error_codes"] = [.integer(Int64(number))] }
    self.answer = answer
  }

  /// The state in which the call is made, and what a person sends there.
  private static func occasion(
    of error: EntraErrorCode
  ) -> (state: String, input: [String: String]) {
    let code = ["code": "42424242"]
    switch error.call {
    case .token where error.suberror == "invalid_oob_value":
      return ("sign-in-code/just-sent", code)
    case .initiate, .challenge, .token:
      return ("sign-in/fresh", ["identifier": "ada@example.com", "password": password])
    case .signUp, .signUpChallenge:
      return ("sign-up/fresh", ["email_address": "una@example.com", "password": newPassword])
    case .signUpContinue where error.suberror?.hasPrefix("password_") == true:
      return ("sign-up-continue/fresh", ["password": newPassword])
    case .signUpContinue: return ("sign-up-verify/email", code)
    case .reset, .resetChallenge:
      return ("forgot-password/fresh", ["identifier": "ada@example.com"])
    case .resetContinue: return ("forgot-password-code/just-sent", code)
    case .resetSubmit, .resetPoll:
      return ("forgot-password-new/fresh", ["password": newPassword])
    case .registerChallenge: return ("sign-in-enrolment/both-methods", [:])
    case .registerContinue: return ("sign-in-enrolment/code-sent", code)
    }
  }
}
