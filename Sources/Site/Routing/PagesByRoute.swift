internal import AuthFlow
internal import Pages

extension Site {
  /// The page of a route as the visit stands, or where to go because it is not due.
  ///
  /// What was posted is shown again, so that the same function answers a refused form.
  func page(_ turn: inout Turn) async -> Answer {
    switch turn.route.page {
    case .account: await accountPage(&turn)
    case .signIn: await signInPage(&turn)
    case .password: passwordPage(&turn)
    case .factors: factorChoicePage(&turn)
    case .secondFactorFactors: secondFactorChoicePage(&turn)
    case .code: codePage(&turn)
    case .link: linkPage(&turn)
    case .secondFactor: secondFactorPage(&turn)
    case .backupCode: backupCodePage(&turn)
    case .device: devicePage(&turn)
    case .enrolment: enrolmentPage(&turn)
    case .permissions: permissionsPage(&turn)
    case .browser: await browserPage(&turn)
    case .signUp: await signUpPage(&turn)
    case .missingDetails: await missingDetailsPage(&turn)
    case .verifyContact: verifyContactPage(&turn)
    case .signUpLink: signUpLinkPage(&turn)
    case .forgotPassword: await forgotPasswordPage(&turn)
    case .resetCode: resetCodePage(&turn)
    case .newPassword: await newPasswordPage(&turn)
    case .resetWaiting: resetWaitingPage(&turn)
    case .task(let task): await taskPage(task, &turn)
    case .locked: lockedPage(&turn)
    case .blocked: blockedPage(&turn)
    case .signOut: signOutPage(&turn)
    case .resend, .restart, .accountToken:
      preconditionFailure("A route's page is never one that only takes forms")
    }
  }

  /// What a form of this site asks for; the form is known to be genuine.
  func act(_ turn: inout Turn) async -> Answer {
    switch turn.route {
    case .signIn: await beginSignIn(&turn)
    case .password: await submitPassword(&turn)
    case .factors: await chooseFactor(&turn)
    case .secondFactorFactors: await chooseSecondFactor(&turn)
    case .code, .secondFactor, .device: await submitCode(&turn)
    case .backupCode: await submitBackupCode(&turn)
    case .resend(.code), .resend(.link), .resend(.secondFactor), .resend(.device),
      .resend(.enrolment):
      await resendCode(&turn)
    case .link: await submitLink(&turn)
    case .enrolment: await submitEnrolment(&turn)
    case .permissions: await decideOnPermissions(&turn)
    case .accountToken: await renewAccess(&turn)
    case .signUp: await beginSignUp(&turn)
    case .missingDetails: await submitMissingDetails(&turn)
    case .verifyContact: await submitContactCode(&turn)
    case .resend(.verifyContact): await resendContactCode(&turn)
    case .signUpLink: await submitSignUpLink(&turn)
    case .resend(.signUpLink): await resendSignUpLink(&turn)
    case .forgotPassword: await beginPasswordReset(&turn)
    case .resetCode: await submitResetCode(&turn)
    case .resend(.resetCode): await resendResetCode(&turn)
    case .newPassword: await submitNewPassword(&turn)
    case .resetWaiting: await checkPasswordReset(&turn)
    case .task(.resetPassword): await submitTaskPassword(&turn)
    case .task(.chooseOrganization): await submitOrganization(&turn)
    case .task(.setUpSecondFactor): await submitSecondFactorSetup(&turn)
    case .resend(.secondFactorSetup): await resendSecondFactorCode(&turn)
    case .restart(let flow): restart(flow, &turn)
    case .signOut: await signOut(&turn)
    case .browser: await finishInBrowser(&turn)
    case .account, .locked, .blocked: turn.movedOn()
    }
  }

  /// The page whose form was posted, with what was typed.
  func formPage(_ turn: inout Turn) async -> Answer { await page(&turn) }

  /// The page with which a flow begins, whether or not it is due.
  func startPage(of flow: Route.FlowRoute, _ turn: Turn) async -> any Page {
    let (instance, _) = await instance(turn)
    return switch flow {
    case .signIn:
      SignInPage(instance: instance, identifier: typedIdentifier(turn), hasAttempt: false)
    case .signUp: signUpForm(of: instance, values: turn.form, isChanging: false)
    case .passwordReset:
      ForgotPasswordPage(instance: instance, identifier: typedIdentifier(turn))
    }
  }

  /// What the instance asks for; the plainest of forms beside the error where it does not answer.
  func instance(_ turn: Turn) async -> (InstanceDescription, AuthError?) {
    if turn.asksNothing { return (turn.provider.lastKnownInstance ?? .unknown, nil) }
    do {
      return (try await turn.provider.describeInstance(), nil)
    } catch {
      return (.unknown, error)
    }
  }
}
