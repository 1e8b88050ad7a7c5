/// Source: <doc:ClerkErrorCodes>; the sentences are ours.
extension ClerkRefusal {
  static let organizationCreationDisabled = Self(
    403,
    ClerkProblem(
      "user_create_organization_not_enabled",
      "Creating organizations is not enabled",
      "You are not allowed to create an organization."
    )
  )

  static let organizationSlugInvalid = Self(
    422,
    ClerkProblem(
      "form_param_format_invalid",
      "is invalid",
      "The slug must consist of lower-case letters, numbers and dashes.",
      parameter: "slug"
    )
  )

  static let organizationNotFound = Self(
    404,
    ClerkProblem(
      "organization_not_found_or_unauthorized",
      "Organization not found",
      "There is no such organization, or you may not use it."
    )
  )

  static let notAMember = Self(
    403,
    ClerkProblem(
      "not_a_member_in_organization",
      "Not a member",
      "You are not a member of that organization."
    )
  )

  static let missingPermission = Self(
    403,
    ClerkProblem(
      "missing_organization_permission",
      "Missing permission",
      "Your role in the organization does not permit this."
    )
  )

  static let lastAdministrator = Self.badRequest(
    "organization_minimum_permissions_needed",
    "There has to be at least one administrator."
  )

  static let organizationInvitationNotFound = Self(
    404,
    ClerkProblem(
      "organization_invitation_not_found",
      "Invitation not found",
      "There is no such invitation."
    )
  )

  static let organizationInvitationAccepted = Self(
    400,
    ClerkProblem(
      "organization_invitation_already_accepted",
      "Invitation accepted",
      "That invitation has been accepted already."
    )
  )

  static let organizationInvitationRevoked = Self(
    400,
    ClerkProblem(
      "organization_invitation_revoked_code",
      "Invitation revoked",
      "The invitation was revoked."
    )
  )

  static let organizationInvitationNotPending = Self(
    404,
    ClerkProblem(
      "organization_invitation_not_pending",
      "Invitation not pending",
      "The invitation is no longer open."
    )
  )

  static let membershipQuotaExceeded = Self(
    403,
    ClerkProblem(
      "organization_membership_quota_exceeded",
      "Membership quota exceeded",
      "The organization has as many members as it may have."
    )
  )

  static let organizationSuggestionAccepted = Self(
    400,
    ClerkProblem(
      "organization_suggestion_already_accepted",
      "Suggestion accepted",
      "You have asked to join that organization already."
    )
  )

  static func missingQueryParameter(_ name: String) -> Self {
    .badRequest("missing_query_parameter", "The query lacks \(name).")
  }

  static func invalidQueryValue(_ name: String) -> Self {
    .badRequest("invalid_query_parameter_value", "\(name) has a value it cannot have.", status: 422)
  }
}
