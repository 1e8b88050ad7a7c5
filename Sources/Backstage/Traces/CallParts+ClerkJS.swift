internal import Emulators

extension CallParts {
  /// The call in Clerk's JavaScript SDK; nil where that has no method of its own for it.
  var clerkJS: String? {
    switch operation {
    case "GET environment", "GET client": "await clerk.load();"
    case "POST client/sign_ins": method("clerk.client.signIn.create")
    case "POST client/sign_ins/*/prepare_first_factor":
      method("clerk.client.signIn.prepareFirstFactor")
    case "POST client/sign_ins/*/attempt_first_factor":
      method("clerk.client.signIn.attemptFirstFactor")
    case "POST client/sign_ins/*/prepare_second_factor":
      method("clerk.client.signIn.prepareSecondFactor")
    case "POST client/sign_ins/*/attempt_second_factor":
      method("clerk.client.signIn.attemptSecondFactor")
    case "POST client/sign_ins/*/reset_password": method("clerk.client.signIn.resetPassword")
    case "POST client/sign_ups": method("clerk.client.signUp.create")
    case "PATCH client/sign_ups/*": method("clerk.client.signUp.update")
    case "POST client/sign_ups/*/prepare_verification":
      method("clerk.client.signUp.prepareVerification")
    case "POST client/sign_ups/*/attempt_verification":
      method("clerk.client.signUp.attemptVerification")
    case "POST client/sessions/*/tokens": "const token = await clerk.session.getToken();"
    case "POST client/sessions/*/touch": "await clerk.session.touch();"
    case "POST client/sessions/*/end": "await clerk.session.end();"
    case "POST client/sessions/*/remove": "await clerk.session.remove();"
    case "DELETE client/sessions": "await clerk.signOut();"
    case "POST me/change_password": method("clerk.user.updatePassword")
    case "POST me/totp": "const totp = await clerk.user.createTOTP();"
    case "POST me/totp/attempt_verification": method("clerk.user.verifyTOTP")
    case "POST me/backup_codes": "const backupCodes = await clerk.user.createBackupCode();"
    case "POST me/phone_numbers": method("clerk.user.createPhoneNumber")
    case "POST organizations": method("clerk.createOrganization")
    case "GET me/sessions/active", "GET me/sessions":
      "const sessions = await clerk.user.getSessions();"
    case "GET me/organization_memberships":
      "const memberships = await clerk.user.getOrganizationMemberships();"
    case "GET me/organization_invitations":
      "const invitations = await clerk.user.getOrganizationInvitations();"
    case "GET me/organization_suggestions":
      "const suggestions = await clerk.user.getOrganizationSuggestions();"
    default: nil
    }
  }

  /// The form as the object that the method takes.
  private func method(_ name: String) -> String {
    guard !call.form.isEmpty else { return "await \(name)();" }
    let lines = call.form.map { field in
      let value = ["true", "false"].contains(field.value) ? field.value : quoted(field.value)
      return "  \(propertyName(Self.camelCased(field.name))): \(value),"
    }
    return "await \(name)({\n\(lines.joined(separator: "\n"))\n});"
  }

  /// As it stands in an object: in quotes where it is no name in JavaScript.
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
