internal import Emulators

extension CallParts {
  /// The call in Clerk's Swift SDK; nil where that has no method of its own for it.
  var clerkKit: String? {
    switch operation {
    case "POST client/sign_ins": beginning
    case "POST client/sign_ins/*/prepare_first_factor": preparing
    case "POST client/sign_ins/*/attempt_first_factor":
      self["strategy"] == "password"
        ? "signIn = try await signIn.authenticateWithPassword(\(value("password")))"
        : "signIn = try await signIn.verifyCode(\(value("code")))"
    case "POST client/sign_ins/*/prepare_second_factor":
      self["strategy"] == "phone_code"
        ? sending("sendMfaPhoneCode", "phoneNumberId", "phone_number_id")
        : sending("sendMfaEmailCode", "emailAddressId", "email_address_id")
    case "POST client/sign_ins/*/attempt_second_factor":
      "signIn = try await signIn.verifyMfaCode(\(value("code")), type: .\(secondFactor))"
    case "POST client/sign_ins/*/reset_password":
      """
      signIn = try await signIn.resetPassword(
        newPassword: \(value("password")),
        signOutOfOtherSessions: \(self["sign_out_of_other_sessions"] ?? "false")
      )
      """
    case "POST client/sign_ups":
      self["ticket"] == nil
        ? "var signUp = try await clerk.auth.signUp(\(signUpArguments))"
        : "var signUp = try await clerk.auth.signUpWithTicket(\(value("ticket")))"
    case "PATCH client/sign_ups/*": "signUp = try await signUp.update(\(signUpArguments))"
    case "POST client/sign_ups/*/prepare_verification":
      "signUp = try await signUp.\(isPhone ? "sendPhoneCode" : "sendEmailCode")()"
    case "POST client/sign_ups/*/attempt_verification":
      """
      signUp = try await signUp.\(isPhone ? "verifyPhoneCode" : "verifyEmailCode")\
      (\(value("code")))
      """
    case "POST client/sessions/*/tokens": "let token = try await clerk.session?.getToken()"
    case "POST client/sessions/*/remove", "POST client/sessions/*/end", "DELETE client/sessions":
      "try await clerk.auth.signOut()"
    default: nil
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
