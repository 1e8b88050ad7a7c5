/// The entries of a refusal's list `errors`, with their codes.
///
/// Source: <doc:ClerkErrorCodes>; the sentences are ours.
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
  /// The problem for the field: `password`, or `new_password` when a password is changed.
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
