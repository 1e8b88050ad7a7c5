package import ErrorCodes

extension ClerkErrorCodes {
  /// Codes that the catalogue does not have.
  package static let unheardOf = ["never_heard_of", "Strange Code!", "form_param_from_next_year"]

  package static let all = listed + unheardOf
}
