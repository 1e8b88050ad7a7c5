internal import AuthFlow

extension SignInState {
  /// The page on which this state is answered.
  var route: Route {
    switch self {
    case .identifierRequired: .signIn
    case .passwordRequired: .password
    case .factorChoiceRequired: .factors
    case .codeRequired: .code
    case .linkRequired: .link
    case .secondFactorChoiceRequired: .secondFactorFactors
    case .secondFactorRequired(let prompt):
      prompt.factor.kind == .backupCode ? .backupCode : .secondFactor
    case .deviceTrustRequired: .device
    case .enrolmentRequired, .enrolmentCodeRequired: .enrolment
    case .permissionsRequired: .permissions
    case .browserRequired: .browser
    case .resettingPassword(let state): state.route
    case .complete: .account
    }
  }
}

extension PasswordResetState {
  /// The page on which this state is answered.
  var route: Route {
    switch self {
    case .identifierRequired: .forgotPassword
    case .codeRequired: .resetCode
    case .newPasswordRequired: .newPassword
    case .waiting: .resetWaiting
    case .continuing(let state): state.route
    }
  }
}

extension SignUpState {
  /// The page on which this state is answered.
  var route: Route {
    switch self {
    case .detailsRequired: .signUp
    case .detailsMissing: .missingDetails
    case .codeRequired: .verifyContact
    case .linkRequired: .signUpLink
    case .complete: .account
    case .continuing(let state): state.route
    }
  }
}

extension Session {
  /// Where its owner stands: at the first open task, or in.
  var route: Route {
    switch tasks.first {
    case nil: .account
    case .resetPassword: .task(.resetPassword)
    case .chooseOrganization: .task(.chooseOrganization)
    case .setUpSecondFactor: .task(.setUpSecondFactor)
    case .unknown: .blocked
    }
  }
}

extension Visit {
  /// Where the person stands in that flow; its start where nothing is under way.
  func standing(in flow: Route.FlowRoute) -> Route {
    if let session { return session.route }
    switch flow {
    case .signIn:
      if let signIn { return signIn.state.route }
      return passwordReset?.route ?? .signIn
    case .signUp: return signUp?.route ?? .signUp
    case .passwordReset: return passwordReset?.route ?? signIn?.state.route ?? .forgotPassword
    }
  }

  /// Every step at which the person stands: one, or one in each attempt that is under way.
  var places: [Route] {
    if let session { return [session.route] }
    let ends: [Route] = [lock.map { _ in .locked }, block.map { _ in .blocked }].compactMap(\.self)
    return ends + [signIn?.state.route, signUp?.route, passwordReset?.route].compactMap(\.self)
  }
}
