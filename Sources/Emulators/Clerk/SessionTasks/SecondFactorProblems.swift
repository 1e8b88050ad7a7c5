/// Source: <doc:ClerkErrorCodes>; the sentences are ours.
extension ClerkRefusal {
  static let authenticatorExists = Self.badRequest(
    "totp_already_enabled",
    "An authenticator app is set up already."
  )

  static let backupCodesUnavailable = Self.badRequest(
    "backup_codes_not_available",
    "Backup codes need another second factor."
  )

  static let secondFactorNeeded = Self.badRequest(
    "second_factor_deletion_not_allowed",
    "The last second factor cannot be removed."
  )

  static let secondFactorUnverified = Self.badRequest(
    "identification_update_second_factor_unverified",
    "Verify the number before it becomes a second factor."
  )

  static let defaultSecondFactorStays = Self.badRequest(
    "form_disable_default_second_factor_not_allowed",
    "The default second factor stays.",
    status: 422
  )

  static let identificationUpdateFailed = Self.badRequest(
    "identification_update_failed",
    "The only number to sign in with cannot become a second factor."
  )

  static let lastIdentification = Self.badRequest(
    "last_required_identification_deletion_failed",
    "The last identifier cannot be removed."
  )

  static let tooManyUnverifiedContacts = Self.badRequest(
    "too_many_unverified_identifications",
    "Verify or remove some of the added numbers first."
  )
}
