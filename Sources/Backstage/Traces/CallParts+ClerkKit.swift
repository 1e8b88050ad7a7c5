internal import Emulators

extension CallParts {
  /// The call in Clerk's Swift SDK; nil if that has no method for it.
  var clerkKit: String? {
    guard let route = clerkRoute else { return nil }
    return switch route {
    case .createSignIn: beginning
    case .prepareFirstFactor: preparing
    case .attemptFirstFactor:
      self["strategy"] == "password"
        ? "signIn = try await signIn.authenticateWithPassword(\(value("password")))"
        : "signIn = try await signIn.verifyCode(\(value("code")))"
    case .prepareSecondFactor:
      self["strategy"] == "phone_code"
        ? sending("sendMfaPhoneCode", "phoneNumberId", "phone_number_id")
        : sending("sendMfaEmailCode", "emailAddressId", "email_address_id")
    case .attemptSecondFactor:
      "signIn = try await signIn.verifyMfaCode(\(value("code")), type: .\(secondFactor))"
    case .resetPassword:
      """
      signIn = try await signIn.resetPassword(
        newPassword: \(value("password")),
        signOutOfOtherSessions: \(self["sign_out_of_other_sessions"] ?? "false")
      )
      """
    case .createSignUp:
      self["ticket"] == nil
        ? "var signUp = try await clerk.auth.signUp(\(signUpArguments))"
        : "var signUp = try await clerk.auth.signUpWithTicket(\(value("ticket")))"
    case .updateSignUp: "signUp = try await signUp.update(\(signUpArguments))"
    case .prepareSignUp:
      "signUp = try await signUp.\(isPhone ? "sendPhoneCode" : "sendEmailCode")()"
    case .attemptSignUp:
      """
      signUp = try await signUp.\(isPhone ? "verifyPhoneCode" : "verifyEmailCode")\
      (\(value("code")))
      """
    case .createSessionToken: "let token = try await clerk.session?.getToken()"
    case .removeSession, .endSession, .deleteSessions:
      "try await clerk.auth.signOut()"
    case .readEnvironment, .updateEnvironment, .readHealth, .readKeys, .readBackendKeys,
      .readOpenIDConfiguration, .handshake, .createDevelopmentBrowser, .readClient, .createClient,
      .createClientByPost, .deleteClient, .readSignIn, .completeMagicLink, .verifyLink, .readSignUp,
      .joinWaitingList, .readSession, .touchSession, .createTemplateToken, .beginReverification,
      .prepareFirstReverification, .attemptFirstReverification, .prepareSecondReverification,
      .attemptSecondReverification, .readAllSessions, .readActiveSessions, .revokeSession,
      .readUser, .updateUser, .deleteUser, .updateMetadata, .changePassword, .readEmailAddresses,
      .createEmailAddress, .readEmailAddress, .deleteEmailAddress, .prepareEmailAddress,
      .attemptEmailAddress, .readPhones, .createPhone, .readPhone, .updatePhone, .deletePhone,
      .preparePhone, .attemptPhone, .createAuthenticator, .attemptAuthenticator,
      .deleteAuthenticator, .createBackupCodes, .createOrganization, .readOrganization,
      .updateOrganization, .deleteOrganization, .readMemberships, .createMembership,
      .updateMembership, .deleteMembership, .readRoles, .readInvitations, .readPendingInvitations,
      .createInvitation, .revokeInvitation, .readOwnMemberships, .readOwnInvitations,
      .acceptInvitation, .readSuggestions, .acceptSuggestion, .readCreationDefaults:
      nil
    }
  }

  private var beginning: String? {
    let identifier = value("identifier")
    let call: String? =
      switch self["strategy"] {
      case "email_code": "signInWithEmailCode(emailAddress: \(identifier))"
      case "phone_code": "signInWithPhoneCode(phoneNumber: \(identifier))"
      case "ticket": "signInWithTicket(\(value("ticket")))"
      case "enterprise_sso": "startEnterpriseSSO(emailAddress: \(identifier))"
      case nil, "password":
        self["password"] == nil
          ? "signIn(\(identifier))"
          : "signInWithPassword(identifier: \(identifier), password: \(value("password")))"
      default: nil
      }
    return call.map { "var signIn = try await clerk.auth.\($0)" }
  }

  private var preparing: String? {
    switch self["strategy"] {
    case "email_code": sending("sendEmailCode", "emailAddressId", "email_address_id")
    case "phone_code": sending("sendPhoneCode", "phoneNumberId", "phone_number_id")
    case "email_link": sending("sendEmailLink", "emailAddressId", "email_address_id")
    case "reset_password_email_code":
      sending("sendResetPasswordEmailCode", "emailAddressId", "email_address_id")
    case "reset_password_phone_code":
      sending("sendResetPasswordPhoneCode", "phoneNumberId", "phone_number_id")
    default: nil
    }
  }

  private func sending(_ method: String, _ label: String, _ name: String) -> String {
    let argument = self[name].map { "\(label): \(quoted($0))" } ?? ""
    return "signIn = try await signIn.\(method)(\(argument))"
  }

  private var secondFactor: String {
    switch self["strategy"] {
    case "phone_code": "phoneCode"
    case "email_code": "emailCode"
    case "backup_code": "backupCode"
    default: "totp"
    }
  }

  private var isPhone: Bool { self["strategy"] == "phone_code" }

  private var signUpArguments: String {
    let labels = [
      ("email_address", "emailAddress"), ("password", "password"), ("first_name", "firstName"),
      ("last_name", "lastName"), ("username", "username"), ("phone_number", "phoneNumber"),
    ]
    let texts = labels.compactMap { name, label in self[name].map { "\(label): \(quoted($0))" } }
    let accepted = self["legal_accepted"].map { ["legalAccepted: \($0)"] } ?? []
    return (texts + accepted).joined(separator: ", ")
  }
}
