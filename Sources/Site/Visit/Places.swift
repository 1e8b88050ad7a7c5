internal import AuthFlow
internal import Pages

extension SignInState {
  /// The page on which this state is answered.
  var address: Address {
    switch self {
    case .identifierRequired: .signIn
    case .passwordRequired: .password
    case .factorRequired(let prompt): prompt.stage.methodsAddress
    case .codeRequired(let prompt):
      prompt.factor.kind == .backupCode ? .backupCode : prompt.stage.codeAddress
    case .linkRequired: .link
    case .enrolmentRequired: .enrolment
    case .permissionsRequired: .permissions
    case .browserRequired: .browser
    case .resettingPassword(let step): step.address
    case .complete: .account
    }
  }

  /// The same prompt, to be answered with a backup code; nil where that is not possible.
  var backupCodePrompt: CodePrompt? {
    if case .codeRequired(let prompt) = self { return prompt.withBackupCode }
    return nil
  }
}

extension PasswordResetState {
  /// The page on which this state is answered.
  var address: Address {
    switch self {
    case .identifierRequired: .forgotPassword
    case .step(let step): step.address
    case .browserRequired: .browser
    case .continuing(let step): SignInState(step).address
    }
  }
}

extension PasswordResetStep {
  /// The page on which this step is answered.
  var address: Address {
    switch self {
    case .codeRequired: .resetCode
    case .newPasswordRequired: .newPassword
    case .waiting: .resetWaiting
    }
  }
}

extension EntryState {
  /// The page on which this state is answered.
  var address: Address {
    switch self {
    case .signIn(let step), .afterPasswordReset(let step): SignInState(step).address
    case .passwordReset(let step): step.address
    }
  }

  /// The first factors to choose from: those of the sign-in, or the alternatives to a reset.
  var firstFactorPrompt: FactorPrompt? {
    switch self {
    case .signIn(let step), .afterPasswordReset(let step):
      SignInState(step).factorPrompt.flatMap { $0.stage == .firstFactor ? $0 : nil }
    case .passwordReset(let step): step.factorPrompt
    }
  }

  /// The second factors to choose from, including those for a new device.
  var secondFactorPrompt: FactorPrompt? {
    signIn?.factorPrompt.flatMap { $0.stage == .firstFactor ? nil : $0 }
  }

  /// The flow that the pages of this attempt name.
  var flow: FlowName {
    switch self {
    case .signIn: .signIn
    case .passwordReset, .afterPasswordReset: .passwordReset
    }
  }

  /// The page that is due, and every other that may be opened from there.
  var addresses: [Address] {
    [address] + (firstFactorPrompt == nil ? [] : [.methods])
      + (secondFactorPrompt == nil ? [] : [.secondFactorMethods])
      + (signIn?.backupCodePrompt == nil ? [] : [.backupCode])
  }
}

extension SignUpState {
  /// The page on which this state is answered.
  var address: Address {
    switch self {
    case .detailsRequired: .signUp
    case .detailsMissing: .missingDetails
    case .codeRequired: .verifyContact
    case .linkRequired: .signUpLink
    case .continuing(let state): state.address
    }
  }
}

extension Session {
  /// The page of its first open task, or the account.
  var address: Address {
    switch tasks.first {
    case nil: .account
    case .resetPassword: .resetPasswordTask
    case .chooseOrganization: .chooseOrganizationTask
    case .setUpSecondFactor: .setUpSecondFactorTask
    case .unknown: .blocked
    }
  }
}

extension SessionTaskState {
  var address: Address { session.address }
}

extension Visit {
  /// The page that is due in that flow; its start where nothing is under way.
  func place(in flow: AttemptFlow) -> Address {
    if let session { return session.address }
    return switch flow {
    case .signIn, .passwordReset: attempts.entry?.state.address ?? flow.start
    case .signUp: attempts.signUp?.state.address ?? flow.start
    }
  }

  /// The error that the step at that page shows by itself whenever it is opened; nil where there is
  /// none.
  func concern(at page: Address) -> AuthError? {
    if attempts.entry?.state.address == page { return signIn?.concern }
    return attempts.signUp?.state.address == page ? attempts.signUp?.state.concern : nil
  }

  /// The pages that are due: one, or one for each attempt under way.
  var places: [Address] {
    switch standing {
    case .signedIn(let signedIn): [signedIn.session.address]
    // A sign-up beside it can go on.
    case .locked: placesOfAttempts + [.locked]
    case .blocked: placesOfAttempts + [.blocked]
    case .attempts: placesOfAttempts
    }
  }

  private var placesOfAttempts: [Address] {
    [attempts.entry?.state.address, attempts.signUp?.state.address].compactMap(\.self)
  }

  /// Whether that page is due here, or one that may be opened at any time.
  func isDue(_ page: Address) -> Bool {
    if page.isAlwaysOpen { return true }
    return switch standing {
    case .signedIn(let signedIn):
      page == signedIn.session.address || (page == .permissions && signedIn.asksForPermissions)
    case .attempts, .locked, .blocked:
      attempts.entry?.state.addresses.contains(page) ?? false
        || attempts.signUp?.state.address == page
    }
  }

  /// Whether an attempt is under way that a start form of that flow would replace.
  func hasAttempt(in flow: AttemptFlow) -> Bool {
    switch flow {
    case .signIn, .passwordReset: attempts.entry != nil
    case .signUp: attempts.signUp != nil
    }
  }

  var attemptNumbers: AttemptNumbers {
    AttemptNumbers(entry: attempts.entry?.number, signUp: attempts.signUp?.number)
  }
}

/// The attempts that the forms of a page belong to.
struct AttemptNumbers: Sendable {
  var entry: Int?
  var signUp: Int?

  /// The attempt of a form at that address; 0 where the form begins one, or belongs to none.
  func number(of address: Address) -> Int {
    if address.isStart { return 0 }
    return switch address.flow {
    case .signUp: signUp ?? 0
    case .signIn, .passwordReset: entry ?? 0
    }
  }
}

extension SignedIn {
  fileprivate var asksForPermissions: Bool {
    if case .permissions? = pending { return true }
    return false
  }
}

/// A flow that has a start of its own, and attempts.
enum AttemptFlow: Sendable {
  case signIn, signUp, passwordReset

  /// Its name on pages.
  var name: FlowName {
    switch self {
    case .signIn: .signIn
    case .signUp: .signUp
    case .passwordReset: .passwordReset
    }
  }

  var start: Address { name.start }
}

extension Address {
  /// Whether a flow begins there.
  var isStart: Bool { self == .signIn || self == .signUp || self == .forgotPassword }

  /// Whether a form there begins a flow anew.
  var isRestart: Bool {
    self == .restartSignIn || self == .restartSignUp || self == .restartPasswordReset
  }

  /// Whether the page itself decides what it shows, whatever the state of the visit.
  fileprivate var isAlwaysOpen: Bool {
    isStart || [.account, .signOut, .locked, .blocked].contains(self)
  }

  /// The flow whose attempt a form there belongs to; the sign-in for the pages of a signed-in
  /// person.
  var flow: AttemptFlow {
    switch part {
    case .signUp, .signUpLink: .signUp
    case .passwordReset: .passwordReset
    case .signIn, .signInLink, .resetPasswordTask, .chooseOrganizationTask, .setUpSecondFactorTask,
      .account, .signOut, .standstill:
      .signIn
    }
  }
}
