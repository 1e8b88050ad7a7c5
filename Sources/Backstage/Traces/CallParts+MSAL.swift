internal import Emulators

extension CallParts {
  /// The call in MSAL's native authentication for Apple's systems; nil where MSAL has nothing for it.
  ///
  /// What MSAL calls of its own accord is told as a comment.
  var msal: String? {
    switch operation {
    case "POST oauth2/v2.0/initiate":
      starting("signIn", "MSALNativeAuthSignInParameters")
    case "POST oauth2/v2.0/challenge":
      self["id"] == nil
        ? "// MSAL goes on to this by itself. For another code:\nnewState.resendCode(delegate: self)"
        : "newState.requestChallenge(authMethod: authMethod, delegate: self)"
    case "POST oauth2/v2.0/introspect", "POST register/v1.0/introspect":
      "// MSAL calls this by itself, and hands on the methods that it is told:\n"
        + "// onSignInAwaitingMFA(authMethods:newState:)"
    case "POST oauth2/v2.0/token": token
    case "POST signup/v1.0/start":
      starting("signUp", "MSALNativeAuthSignUpParameters")
    case "POST signup/v1.0/challenge", "POST resetpassword/v1.0/challenge":
      "// MSAL goes on to this by itself. For another code:\nnewState.resendCode(delegate: self)"
    case "POST signup/v1.0/continue", "POST resetpassword/v1.0/continue":
      switch self["grant_type"] {
      case "password": "newState.submitPassword(password: \(value("password")), delegate: self)"
      case "attributes":
        "newState.submitAttributes(attributes: \(attributes), delegate: self)"
      default: "newState.submitCode(code: \(value("oob")), delegate: self)"
      }
    case "POST resetpassword/v1.0/start":
      starting("resetPassword", "MSALNativeAuthResetPasswordParameters")
    case "POST resetpassword/v1.0/submit":
      "newState.submitPassword(password: \(value("new_password")), delegate: self)"
    case "POST resetpassword/v1.0/poll_completion":
      "// MSAL asks by itself until the new password is in force:\n"
        + "// onResetPasswordCompleted(newState:)"
    case "POST register/v1.0/challenge":
      """
      let parameters = MSALNativeAuthChallengeAuthMethodParameters(
        authMethod: authMethod,
        verificationContact: \(value("challenge_target"))
      )
      newState.challengeAuthMethod(parameters: parameters, delegate: self)
      """
    case "POST register/v1.0/continue":
      "newState.submitChallenge(challenge: \(value("oob")), delegate: self)"
    default: nil
    }
  }

  private func starting(_ method: String, _ parameters: String) -> String {
    var lines = ["let parameters = \(parameters)(username: \(value("username")))"]
    if self["password"] != nil { lines.append("parameters.password = \(value("password"))") }
    if self["attributes"] != nil { lines.append("parameters.attributes = \(attributes)") }
    lines.append("nativeAuth.\(method)(parameters: parameters, delegate: self)")
    return lines.joined(separator: "\n")
  }

  private var token: String? {
    switch self["grant_type"] {
    case "password": "newState.submitPassword(password: \(value("password")), delegate: self)"
    case "oob": "newState.submitCode(code: \(value("oob")), delegate: self)"
    case "mfa_oob": "newState.submitChallenge(challenge: \(value("oob")), delegate: self)"
    case "continuation_token":
      "newState.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: self)"
    case "refresh_token":
      """
      let parameters = MSALNativeAuthGetAccessTokenParameters()
      parameters.forceRefresh = true
      account.getAccessToken(parameters: parameters, delegate: self)
      """
    default: nil
    }
  }

  /// The attributes that are sent as JSON, as a dictionary.
  private var attributes: String {
    let members = self["attributes"].flatMap { JSON(decoding: Array($0.utf8))?.members } ?? []
    let pairs = members.map { "\(quoted($0.name)): \(quoted($0.value.shown))" }
    return pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
  }
}
