package import ErrorCodes

extension ClerkErrorCode {
  /// Codes that the catalogue does not have.
  package static let unheardOfCodes = [
    "never_heard_of", "Strange Code!", "form_param_from_next_year",
  ]

  package static let allCodes = listed.map(\.code) + unheardOfCodes
}
