/// The problems that the emulator reports, with their codes and statuses.
///
/// Source: clerk-frontend-api.md section 6; the sentences are ours.
extension ClerkRefusal {
  // MARK: Parameters

  static func missing(_ parameter: String) -> Self {
    Self(422, .missing(parameter))
  }

  static func empty(_ parameter: String) -> Self {
    Self(422, .empty(parameter))
  }

  static func required(_ parameter: String, with other: String) -> Self {
    Self(
      422,
      ClerkProblem(
        "form_conditional_param_missing",
        "is missing",
        "\(parameter) is required together with \(other).",
        parameter: parameter
      )
    )
  }

  static func unknownParameter(_ parameter: String) -> Self {
    Self(422, .unknownParameter(parameter))
  }

  static func arrayTooLong(_ parameter: String, limit: Int) -> Self {
    Self(
      422,
      ClerkProblem(
        "form_param_array_size_exceeded",
        "has too many values",
        "\(parameter) may have at most \(limit) values.",
        parameter: parameter
      )
    )
  }

  static func repeated(_ parameter: String) -> Self {
    Self(
      422,
      ClerkProblem(
        "form_param_duplicate",
        "is repeated",
        "\(parameter) was sent more than once.",
        parameter: parameter
      )
    )
  }

  static func invalidValue(_ parameter: String) -> Self {
    Self(422, .invalidValue(parameter))
  }

  static func disabledValue(_ parameter: String) -> Self {
    Self(
      400,
      ClerkProblem(
        "form_param_value_disabled",
        "is disabled",
        "That \(parameter) is switched off for this instance.",
        parameter: parameter
      )
    )
  }

  static func resourceNotFound(parameter: String) -> Self {
    Self(
      422,
      ClerkProblem(
        "form_resource_not_found",
        "not found",
        "The resource that \(parameter) names does not exist.",
        parameter: parameter
      )
    )
  }

  // MARK: Sign-in

  static let identifierNotFound = Self(
    422,
    ClerkProblem(
      "form_identifier_not_found",
      "Couldn't find your account.",
      "No account was found with this identifier.",
      parameter: "identifier"
    )
  )

  static let strategyForUserInvalid = Self(
    400,
    ClerkProblem(
      "strategy_for_user_invalid",
      "Invalid verification strategy",
      "The verification strategy is not valid for this account."
    )
  )

  static let noSecondFactors = Self(
    400,
    ClerkProblem(
      "no_second_factors",
      "No second factors",
      "No second factor was found for that strategy."
    )
  )

  static let stateInvalid = Self(
    400,
    ClerkProblem(
      "client_state_invalid",
      "Invalid action",
      "This action is not possible in the present state."
    )
  )

  static let userBanned = Self(
    403,
    ClerkProblem("user_banned", "User banned", "This account is banned.")
  )

  static func userLocked(secondsLeft: Int?) -> Self {
    Self(
      403,
      ClerkProblem(
        "user_locked",
        "Account locked",
        secondsLeft.map { seconds in
          "This account is locked. You can try again in \(waitingTime(seconds)). "
            + "Contact support for help."
        } ?? "This account is locked. Contact support for help.",
        meta: secondsLeft.map {
          [JSON.Member("lockout_expires_in_seconds", .integer(Int64($0)))]
        } ?? []
      )
    )
  }

  static func sessionExists(_ sessionID: String) -> Self {
    Self(
      400,
      ClerkProblem(
        "session_exists",
        "Session already exists",
        "You're already signed in.",
        meta: [JSON.Member("session_id", .string(sessionID))]
      )
    )
  }

  // MARK: Verifications

  static let verificationMissing = Self(
    400,
    ClerkProblem("verification_missing", "Missing verification", "No code was asked for yet.")
  )

  static let verificationExpired = Self(
    400,
    ClerkProblem("verification_expired", "Expired", "The code has expired. Ask for a new one.")
  )

  static let verificationFailed = Self(
    400,
    ClerkProblem(
      "verification_failed",
      "Too many failed attempts",
      "Too many failed attempts. Ask for a new code or use another method."
    )
  )

  static let verificationAlreadyVerified = Self(
    400,
    ClerkProblem("verification_already_verified", "Already verified", "This is verified already.")
  )

  static let verificationStrategyInvalid = Self(
    400,
    ClerkProblem(
      "verification_strategy_invalid",
      "Invalid verification strategy",
      "The code that was sent belongs to another strategy."
    )
  )

  static func codeTooSoon(retryAfter seconds: Int) -> Self {
    Self(
      429,
      ClerkProblem(
        "verification_code_too_many_requests",
        "Too many requests",
        "Wait \(seconds) seconds before you ask for another code."
      ),
      retryAfter: seconds
    )
  }

  // MARK: Access

  static let authenticationInvalid = Self(
    401,
    ClerkProblem(
      "authentication_invalid",
      "Invalid authentication",
      "There is no valid session for this request."
    )
  )

  static let clientNotFound = Self(
    400,
    ClerkProblem("client_not_found", "Client not found", "This call needs a client token.")
  )

  static let resourceNotFound = Self(
    404,
    ClerkProblem("resource_not_found", "not found", "The resource was not found.")
  )

  static let resourceForbidden = Self(
    403,
    ClerkProblem(
      "resource_forbidden",
      "Forbidden",
      "The resource is not the client's present one."
    )
  )

  static let reverificationRequired = Self(
    403,
    ClerkProblem(
      "session_reverification_required",
      "Reverification required",
      "Verify again that it is you."
    )
  )

  static let identificationClaimed = Self(
    400,
    ClerkProblem(
      "identification_claimed",
      "Identifier claimed",
      "The identifier belongs to another account by now. Sign up again."
    )
  )

  static let transferInvalid = Self(
    400,
    ClerkProblem("account_transfer_invalid", "Invalid transfer", "There is nothing to transfer.")
  )

  static func notImplemented(_ what: String) -> Self {
    Self(
      501,
      ClerkProblem(
        "emulator_not_implemented",
        "Not emulated",
        "\(what) is not emulated."
      )
    )
  }

  static let unavailable = Self(
    503,
    ClerkProblem(
      "internal_clerk_error",
      "Service unavailable",
      "The emulator cannot store this now. Try again later."
    )
  )

  static func badRequest(_ code: String, _ message: String, status: Int = 400) -> Self {
    Self(status, ClerkProblem(code, message))
  }

  private static func waitingTime(_ seconds: Int) -> String {
    if seconds < 60 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
    let minutes = (seconds + 59) / 60
    return minutes == 1 ? "1 minute" : "\(minutes) minutes"
  }
}

extension ClerkProblem {
  static func missing(_ parameter: String) -> Self {
    Self("form_param_missing", "is missing", "\(parameter) was not sent.", parameter: parameter)
  }

  static func empty(_ parameter: String) -> Self {
    Self("form_param_nil", "is empty", "Enter a value for \(parameter).", parameter: parameter)
  }

  static func unknownParameter(_ parameter: String) -> Self {
    Self(
      "form_param_unknown",
      "is unknown",
      "\(parameter) is not a parameter of this request.",
      parameter: parameter
    )
  }

  static func invalidValue(_ parameter: String) -> Self {
    Self(
      "form_param_value_invalid",
      "is invalid",
      "The value of \(parameter) is not among the allowed ones.",
      parameter: parameter
    )
  }

  static func invalidFormat(_ parameter: String, _ kind: Contact.Kind) -> Self {
    Self(
      "form_param_format_invalid",
      "is invalid",
      "\(parameter) must be \(kind.description).",
      parameter: parameter
    )
  }

  static func identifierExists(_ parameter: String) -> Self {
    Self(
      "form_identifier_exists",
      "is taken",
      "That \(parameter.replacing("_", with: " ")) is already in use. Choose another.",
      parameter: parameter
    )
  }

  static let passwordIncorrect = Self(
    "form_password_incorrect",
    "Wrong password.",
    "The password is wrong. Try again or choose another method.",
    parameter: "password"
  )

  static let passwordOrIdentifierIncorrect = Self(
    "form_password_or_identifier_incorrect",
    "Wrong identifier or password.",
    "The identifier or the password is wrong."
  )

  static let passwordCompromised = Self(
    "form_password_compromised",
    "",
    "Your password may be compromised. Sign in with another method, then set a new password.",
    parameter: "password"
  )

  static let codeIncorrect = Self(
    "form_code_incorrect",
    "is incorrect",
    "The code is wrong.",
    parameter: "code"
  )

  static func passwordPwned(_ parameter: String) -> Self {
    Self(
      "form_password_pwned",
      "Password found in a leak.",
      "This password was found in an online data breach. Use another one.",
      parameter: parameter
    )
  }

  static func lockoutWarning(attemptsLeft: Int) -> Self {
    Self(
      "account_lockout_warning",
      "Account will be locked",
      attemptsLeft == 1
        ? "One attempt is left before the account is locked."
        : "\(attemptsLeft) attempts are left before the account is locked."
    )
  }
}

extension PasswordFlaw {
  /// What is reported at the field: `password`, or `new_password` when one is changed.
  func problem(_ parameter: String) -> ClerkProblem {
    let (code, text): (String, String) =
      switch self {
      case .tooShort(let minimum):
        ("form_password_length_too_short", "Passwords must be \(minimum) or more characters.")
      case .tooLong(let maximum):
        ("form_password_length_too_long", "Passwords must be at most \(maximum) characters.")
      case .tooManyBytes(let maximum):
        ("form_password_size_in_bytes_exceeded", "Passwords must be at most \(maximum) bytes.")
      case .lacks(.upper):
        ("form_password_no_uppercase", "Passwords must contain an upper-case letter.")
      case .lacks(.lower):
        ("form_password_no_lowercase", "Passwords must contain a lower-case letter.")
      case .lacks(.number): ("form_password_no_number", "Passwords must contain a number.")
      case .lacks(.special):
        ("form_password_no_special_char", "Passwords must contain a special character.")
      case .matchesIdentifier:
        ("form_password_matches_identifier", "The password must differ from the identifier.")
      case .leaked: ("form_password_pwned", "")
      }
    if self == .leaked { return .passwordPwned(parameter) }
    return ClerkProblem(code, text, parameter: parameter)
  }
}
