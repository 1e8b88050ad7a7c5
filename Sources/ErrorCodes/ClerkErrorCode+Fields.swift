extension ClerkErrorCode {
  static let formFields = [
    Self(
      "form_identifier_not_found",
      422,
      at: "identifier",
      "No account was found with this identifier."
    ),
    Self(
      "form_identifier_exists",
      422,
      at: "email_address",
      "That email address is already in use. Choose another."
    ),
    Self(
      "form_param_format_invalid",
      422,
      at: "identifier",
      "identifier must be a valid email address."
    ),
    Self("form_param_missing", 422, at: "identifier", "identifier was not sent."),
    Self("form_param_nil", 422, at: "identifier", "Enter a value for identifier."),
    Self(
      "form_conditional_param_missing",
      422,
      at: "identifier",
      "identifier is required together with password."
    ),
    Self(
      "form_conditional_param_disallowed",
      422,
      at: "identifier",
      "identifier is not allowed together with ticket."
    ),
    Self(
      "form_param_value_invalid",
      422,
      at: "identifier",
      "The value of identifier is not among the allowed ones."
    ),
    Self(
      "form_param_value_disabled",
      400,
      at: "strategy",
      "That strategy is switched off for this instance."
    ),
    Self(
      "form_param_type_invalid",
      422,
      at: "identifier",
      "The value of identifier has the wrong type."
    ),
    Self(
      "form_param_max_length_exceeded",
      422,
      at: "identifier",
      "The value of identifier is too long."
    ),
    Self(
      "form_param_exceeds_allowed_size",
      422,
      at: "identifier",
      "The value of identifier takes too many bytes."
    ),
    Self(
      "form_param_value_too_large",
      422,
      at: "identifier",
      "The value of identifier is too large."
    ),
    Self(
      "form_param_array_size_exceeded",
      422,
      at: "identifier",
      "identifier has too many values."
    ),
    Self(
      "form_param_unknown",
      422,
      at: "identifier",
      "identifier is not a parameter of this request."
    ),
    Self("form_param_duplicate", 422, at: "identifier", "identifier was sent more than once."),
    Self(
      "form_param_deprecated",
      422,
      at: "identifier",
      "identifier is no longer a parameter of this request."
    ),
    Self(
      "form_param_value_conflict",
      422,
      at: "identifier",
      "The value of identifier contradicts another one."
    ),
    Self(
      "form_resource_not_found",
      422,
      at: "email_address_id",
      "The resource that email_address_id names does not exist."
    ),
    Self("form_already_exists", 422, at: "email_address", "That email address is there already."),
    Self(
      "form_verification_needed",
      422,
      at: "email_address",
      "That email address must be verified first."
    ),
    Self(
      "form_username_invalid_length",
      422,
      at: "username",
      "A username must have 4 to 64 characters."
    ),
    Self(
      "form_username_invalid_character",
      422,
      at: "username",
      "A username may have letters, numbers, - and _ only."
    ),
    Self(
      "form_username_needs_non_number_char",
      422,
      at: "username",
      "A username must have a character that is no number."
    ),
    Self(
      "form_username_cannot_be_phone_number",
      422,
      at: "username",
      "A username cannot be a phone number."
    ),
    Self("legal_not_accepted", 422, at: "legal_accepted", "The terms must be accepted."),
    Self("form_code_incorrect", 422, at: "code", "The code is wrong."),
    Self("form_incorrect_signature", 422, "The signature is wrong."),
  ]

  static let passwords = [
    Self(
      "form_password_incorrect",
      422,
      at: "password",
      "The password is wrong. Try again or choose another method."
    ),
    Self("form_password_validation_failed", 422, at: "password", "The password is wrong."),
    Self("form_password_or_identifier_incorrect", 422, "The identifier or the password is wrong."),
    Self(
      "form_password_length_too_short",
      422,
      at: "password",
      "Passwords must be 8 or more characters."
    ),
    Self(
      "form_password_length_too_long",
      422,
      at: "password",
      "Passwords must be at most 72 characters."
    ),
    Self(
      "form_password_size_in_bytes_exceeded",
      422,
      at: "password",
      "Passwords must be at most 72 bytes."
    ),
    Self(
      "form_password_no_uppercase",
      422,
      at: "password",
      "Passwords must contain an upper-case letter."
    ),
    Self(
      "form_password_no_lowercase",
      422,
      at: "password",
      "Passwords must contain a lower-case letter."
    ),
    Self("form_password_no_number", 422, at: "password", "Passwords must contain a number."),
    Self(
      "form_password_no_special_char",
      422,
      at: "password",
      "Passwords must contain a special character."
    ),
    Self(
      "form_password_not_strong_enough",
      422,
      at: "password",
      "The password is not strong enough."
    ),
    Self(
      "form_password_pwned",
      422,
      at: "password",
      "This password was found in an online data breach. Use another one."
    ),
    Self(
      "form_password_compromised",
      422,
      at: "password",
      "Your password may be compromised. Sign in with another method, then set a new password."
    ),
    Self(
      "form_password_untrusted",
      422,
      at: "password",
      "Your password cannot be trusted. Sign in with another method, then set a new password."
    ),
    Self(
      "form_password_matches_identifier",
      422,
      at: "password",
      "The password must differ from the identifier."
    ),
    Self(
      "form_new_password_matches_current",
      422,
      at: "new_password",
      "The new password must differ from the current one."
    ),
    Self("form_password_digest_invalid_code", 422, "The digest of the password is invalid."),
    Self("password_reset_required", 422, "The password must be reset before you sign in."),
    Self(
      "password_too_long_needs_reset",
      422,
      "The password is too long by now and must be reset."
    ),
    Self("no_password_set", 400, "This account has no password."),
    Self("password_required", 400, "The password of this account cannot be removed."),
    Self("updating_user_password_deprecated", 403, "Passwords are changed by another call."),
  ]
}
