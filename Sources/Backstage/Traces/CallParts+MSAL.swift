internal import Emulators

extension CallParts {
  /// The call in MSAL's native authentication for Apple platforms; nil if MSAL has none.
  ///
  /// Calls that MSAL makes by itself are described in a comment.
  var msal: String? {
    guard let route = entraRoute else { return nil }
    return switch route {
    case .initiate:
      starting("signIn", "MSALNativeAuthSignInParameters")
    case .challenge:
      self["id"] == nil
        ? "// MSAL goes on to this by itself. For another code:\nnewState.resendCode(delegate: self)"
        : "newState.requestChallenge(authMethod: authMethod, delegate: self)"
    case .introspect, .introspectRegistration:
      "// MSAL calls this by itself, and hands on the methods that it is told:\n"
        + "// onSignInAwaitingMFA(authMethods:newState:)"
    case .token: token
    case .startSignUp:
      starting("signUp", "MSALNativeAuthSignUpParameters")
    case .challengeSignUp, .challengeReset:
      "// MSAL goes on to this by itself. For another code:\nnewState.resendCode(delegate: self)"
    case .continueSignUp, .continueReset:
      switch self["grant_type"] {
      case "password": "newState.submitPassword(password: \(value("password")), delegate: self)"
      case "attributes":
        "newState.submitAttributes(attributes: \(attributes), delegate: self)"
      default: "newState.submitCode(code: \(value("oob")), delegate: self)"
      }
    case .startReset:
      starting("resetPassword", "MSALNativeAuthResetPasswordParameters")
    case .submitReset:
      "newState.submitPassword(password: \(value("new_password")), delegate: self)"
    case .pollReset:
      "// MSAL asks by itself until the new password is in force:\n"
        + "// onResetPasswordCompleted(newState:)"
    case .challengeRegistration:
      """
      let parameters = MSALNativeAuthChallengeAuthMethodParameters(
        authMethod: authMethod,
        verificationContact: \(value("challenge_target"))
      )
      newState.challengeAuthMethod(parameters: parameters, delegate: self)
      """
    case .continueRegistration:
      "newState.submitChallenge(challenge: \(value("oob")), delegate: self)"
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

  /// The attributes, sent as JSON, as a dictionary literal.
  private var attributes: String {
    let members = self["attributes"].flatMap { JSON(decoding: Array($0.utf8))?.members } ?? []
    let pairs = members.map { "\(quoted($0.name)): \(quoted($0.value.shown))" }
    return pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
  }
}
