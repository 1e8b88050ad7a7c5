extension ClerkErrorCode {
  static let attempts = [
    Self("user_locked", 403, "This account is locked. Contact support for help."),
    Self("account_lockout_warning", 422, "One attempt is left before the account is locked."),
    Self("user_banned", 403, "This account is banned."),
    Self("user_deactivated", 403, "This account is deactivated."),
    Self("deprovisioned", 401, "This account was removed by its directory."),
    Self("session_exists", 400, "You're already signed in."),
    Self("identifier_already_signed_in", 400, "This account has a session here already."),
    Self(
      "strategy_for_user_invalid",
      400,
      "The verification strategy is not valid for this account."
    ),
    Self("no_second_factors", 400, "No second factor was found for that strategy."),
    Self("client_state_invalid", 400, "This action is not possible in the present state."),
    Self(
      "sign_in_identification_or_user_deleted",
      400,
      "The account of this sign-in was deleted. Start over."
    ),
    Self("sign_in_no_identification_for_user", 404, "The ticket's account has no identifier."),
    Self("invitation_account_not_exists", 400, "The invitation's account does not exist."),
    Self(
      "sign_in_must_use_enterprise_connection_identifier",
      422,
      "Use your company's email address."
    ),
    Self("sign_up_if_missing_transfer", 404, "There is no account yet. Sign up to go on."),
    Self("sign_up_if_missing_not_allowed", 422, "Signing up on the way is not allowed here."),
    Self(
      "sign_up_if_missing_strategy_not_supported",
      422,
      "Nobody can be signed up by that strategy."
    ),
    Self("account_transfer_invalid", 400, "There is nothing to transfer."),
    Self(
      "identification_claimed",
      400,
      "The identifier belongs to another account by now. Sign up again."
    ),
    Self("external_account_not_found", 404, "No account was found for that external account."),
    Self("oauth_access_denied", 403, "Access to the external account was denied."),
    Self("external_account_exists", 422, "The external account belongs to an account already."),
  ]

  static let verifications = [
    Self("verification_expired", 400, "The code has expired. Ask for a new one."),
    Self(
      "verification_failed",
      400,
      "Too many failed attempts. Ask for a new code or use another method."
    ),
    Self("verification_missing", 400, "No code was asked for yet."),
    Self("verification_not_sent", 400, "No code was sent yet."),
    Self("verification_already_verified", 400, "This is verified already."),
    Self(
      "verification_strategy_invalid",
      400,
      "The code that was sent belongs to another strategy."
    ),
    Self("verification_link_token_invalid", 400, "The link is invalid."),
    Self("verification_link_token_expired", 400, "The link has expired."),
    Self("verification_link_token_stale", 400, "A newer link was sent."),
    Self("verification_link_token_source_invalid", 400, "The link belongs to something else."),
    Self("sign_in_email_link_not_same_client", 403, "The link must be opened where you sign in."),
    Self("sign_up_email_link_not_same_client", 403, "The link must be opened where you sign up."),
    Self("approval_token_invalid", 422, "The approval is invalid."),
    Self("approval_token_expired", 422, "The approval has expired."),
    Self("approval_token_consumed", 422, "The approval was used already."),
    Self("pkce_verification_failed", 422, "The proof does not belong to this link."),
    Self("sign_up_outdated_verification", 410, "There is a newer verification."),
    Self("ticket_invalid_code", 400, "The ticket is invalid."),
    Self("ticket_expired_code", 400, "The ticket has expired."),
    Self("sign_in_token_already_used_code", 400, "The sign-in token was used already."),
    Self("sign_in_token_revoked_code", 400, "The sign-in token was revoked."),
    Self("sign_in_token_cannot_be_used_code", 400, "The sign-in token cannot be used."),
    Self("sign_in_token_not_in_sign_in_code", 400, "The sign-in token is good for a sign-in only."),
    Self("invitation_already_accepted", 400, "The invitation was accepted already."),
    Self("invitation_account_exists", 400, "The invitation's account already exists."),
    Self("revoked_invitation", 400, "The invitation was revoked."),
  ]
}
