internal import HTTPTypes

/// The refusals of the emulated API, with their codes and statuses.
///
/// Source: <doc:ClerkErrorCodes>; the sentences are ours.
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

  static func notImplemented(_ method: HTTPRequest.Method, _ path: some StringProtocol) -> Self {
    notImplemented("\(method) \(path)")
  }

  static func notImplemented(_ what: String) -> Self {
    Self(
      501,
      ClerkProblem("emulator_not_implemented", "Not emulated", "\(what) is not emulated.")
    )
  }

  static let notFound = Self(404, ClerkProblem("not_found", "There is nothing at this address."))

  static func failed(_ status: Int, _ sentence: String) -> Self {
    Self(status, ClerkProblem("internal_clerk_error", "Service unavailable", sentence))
  }

  static func badRequest(_ code: String, _ message: String, status: Int = 400) -> Self {
    Self(status, ClerkProblem(code, message))
  }

  private static func waitingTime(_ seconds: Int) -> String {
    if seconds < 60 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
    let minutes = (seconds + 59) / 60
    return minutes == 1 ? "1 minute" : "\(minutes) minutes"
  }
}
