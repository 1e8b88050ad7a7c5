internal import Emulators

extension CallParts {
  /// The call in Clerk's JavaScript SDK; nil if that has no method for it.
  var clerkJS: String? {
    guard let route = clerkRoute else { return nil }
    return switch route {
    case .readEnvironment, .readClient: "await clerk.load();"
    case .createSignIn: method("clerk.client.signIn.create")
    case .prepareFirstFactor:
      method("clerk.client.signIn.prepareFirstFactor")
    case .attemptFirstFactor:
      method("clerk.client.signIn.attemptFirstFactor")
    case .prepareSecondFactor:
      method("clerk.client.signIn.prepareSecondFactor")
    case .attemptSecondFactor:
      method("clerk.client.signIn.attemptSecondFactor")
    case .resetPassword: method("clerk.client.signIn.resetPassword")
    case .createSignUp: method("clerk.client.signUp.create")
    case .updateSignUp: method("clerk.client.signUp.update")
    case .prepareSignUp:
      method("clerk.client.signUp.prepareVerification")
    case .attemptSignUp:
      method("clerk.client.signUp.attemptVerification")
    case .createSessionToken: "const token = await clerk.session.getToken();"
    case .touchSession: "await clerk.session.touch();"
    case .endSession: "await clerk.session.end();"
    case .removeSession: "await clerk.session.remove();"
    case .deleteSessions: "await clerk.signOut();"
    case .changePassword: method("clerk.user.updatePassword")
    case .createAuthenticator: "const totp = await clerk.user.createTOTP();"
    case .attemptAuthenticator: method("clerk.user.verifyTOTP")
    case .createBackupCodes: "const backupCodes = await clerk.user.createBackupCode();"
    case .createPhone: method("clerk.user.createPhoneNumber")
    case .createOrganization: method("clerk.createOrganization")
    case .readActiveSessions, .readAllSessions:
      "const sessions = await clerk.user.getSessions();"
    case .readOwnMemberships:
      "const memberships = await clerk.user.getOrganizationMemberships();"
    case .readOwnInvitations:
      "const invitations = await clerk.user.getOrganizationInvitations();"
    case .readSuggestions:
      "const suggestions = await clerk.user.getOrganizationSuggestions();"
    case .updateEnvironment, .readHealth, .readKeys, .readBackendKeys, .readOpenIDConfiguration,
      .handshake, .createDevelopmentBrowser, .createClient, .createClientByPost, .deleteClient,
      .readSignIn, .completeMagicLink, .verifyLink, .readSignUp, .joinWaitingList, .readSession,
      .createTemplateToken, .beginReverification, .prepareFirstReverification,
      .attemptFirstReverification, .prepareSecondReverification, .attemptSecondReverification,
      .revokeSession, .readUser, .updateUser, .deleteUser, .updateMetadata, .readEmailAddresses,
      .createEmailAddress, .readEmailAddress, .deleteEmailAddress, .prepareEmailAddress,
      .attemptEmailAddress, .readPhones, .readPhone, .updatePhone, .deletePhone, .preparePhone,
      .attemptPhone, .deleteAuthenticator, .readOrganization, .updateOrganization,
      .deleteOrganization, .readMemberships, .createMembership, .updateMembership,
      .deleteMembership, .readRoles, .readInvitations, .readPendingInvitations, .createInvitation,
      .revokeInvitation, .acceptInvitation, .acceptSuggestion, .readCreationDefaults:
      nil
    }
  }

  /// A call of the method, with the form's fields as its object argument.
  private func method(_ name: String) -> String {
    guard !call.form.isEmpty else { return "await \(name)();" }
    let lines = call.form.map { field in
      let value = ["true", "false"].contains(field.value) ? field.value : quoted(field.value)
      return "  \(propertyName(Self.camelCased(field.name))): \(value),"
    }
    return "await \(name)({\n\(lines.joined(separator: "\n"))\n});"
  }

  /// A property name in an object literal, in quotes if it is not an identifier.
  private func propertyName(_ name: String) -> String {
    let isName = name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil
    return isName ? name : quoted(name)
  }

  private static func camelCased(_ name: String) -> String {
    let words = name.split(separator: "_")
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return (words.first.map(String.init) ?? "") + rest.joined()
  }
}
