internal import AuthFlow
internal import Foundation
internal import Pages

/// The state of a browser: exactly one of these at a time.
enum Standing: Codable, Hashable, Sendable {
  /// Nobody is signed in yet.
  case attempts(Attempts)
  indirect case signedIn(SignedIn)
  /// An account is locked: kept, so that its page survives a reload.
  indirect case locked(Lock)
  /// A dead end: kept, so that its page survives a reload.
  indirect case blocked(Block)
}

/// The attempts under way: at most one to get in, and beside it one sign-up.
///
/// They do not disturb each other, since an auth API keeps them apart too. A password reset is a
/// sign-in there, with another factor.
struct Attempts: Codable, Hashable, Sendable {
  /// An attempt with the number that tells its forms from those of another one.
  struct Numbered<State: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    var number: Int
    var state: State
  }

  var entry: Numbered<EntryState>?
  var signUp: Numbered<SignUpState>?

  var isEmpty: Bool { entry == nil && signUp == nil }
}

/// The state of an attempt to get in.
enum EntryState: Codable, Hashable, Sendable {
  case signIn(SignInStep)
  case passwordReset(PasswordResetStep)
  /// The password is changed; a second factor is asked for on the pages of a sign-in.
  case afterPasswordReset(SignInStep)

  var signIn: SignInState? {
    switch self {
    case .signIn(let step), .afterPasswordReset(let step): SignInState(step)
    case .passwordReset: nil
    }
  }

  var passwordReset: PasswordResetStep? {
    switch self {
    case .signIn, .afterPasswordReset: nil
    case .passwordReset(let step): step
    }
  }
}

/// Somebody who is signed in, perhaps with open tasks.
struct SignedIn: Codable, Hashable, Sendable {
  /// What is unfinished in the session.
  enum Pending: Codable, Hashable, Sendable {
    /// What there is to choose from, so that a refused form comes back whole.
    case organization(OrganizationOptions)
    /// The progress of a second factor, including its secret and its backup codes.
    case secondFactor(SecondFactorSetup)
    /// A requested token does not permit all that was requested.
    case permissions(PermissionsPrompt)
  }

  var session: Session
  var pending: Pending?
}

struct Lock: Codable, Hashable, Sendable {
  var problem: Problem
  /// By the world's clock; nil until support unlocks the account, or where the time is unknown.
  var until: Date?
  var traceID: String?
  /// The reference of the refused request; nil in visits that were sealed before it was kept.
  var reference: String?
  /// The sign-up that another tab has under way.
  var signUp: Attempts.Numbered<SignUpState>?
}

struct Block: Codable, Hashable, Sendable {
  var error: AuthError
  /// The session that cannot go on; nil where nobody was in.
  var session: Session?
  /// The reference of the refused request; nil in visits that were sealed before it was kept.
  var reference: String?
  /// The sign-up that another tab has under way; nil if there is a session.
  var signUp: Attempts.Numbered<SignUpState>?
}

extension Block {
  /// Blocks a session whose next task is unknown; nil for any other session.
  init?(ofTaskIn session: Session) {
    guard case .unknown(let key)? = session.tasks.first else { return nil }
    self.init(error: AuthError(Problem(.stepUnsupported, code: key)), session: session)
  }
}

extension SignedIn {
  /// The state of the session's tasks.
  var taskState: SessionTaskState {
    if case .secondFactor(let setup)? = pending {
      return SessionTaskState(of: session, setup: setup)
    }
    return SessionTaskState(of: session)
  }
}

/// A state of a flow that a visit can keep.
protocol FlowState {
  /// The page on which this state is answered.
  var address: Address { get }
  /// The session, if the flow is finished or has changed the given one.
  func completed(since session: Session?) -> Session?
  /// The error that the page of this state shows by itself.
  var concern: AuthError? { get }
  /// Moves the visit to this state.
  func enter(_ visit: inout Visit)
}

extension FlowState {
  /// Most states are due because the step before was taken.
  var concern: AuthError? { nil }
}

extension SignInState: FlowState {
  var concern: AuthError? {
    if case .factorRequired(let prompt) = self { return prompt.concern }
    return nil
  }

  func completed(since session: Session?) -> Session? {
    if case .complete(let session) = self { return session }
    return nil
  }

  func enter(_ visit: inout Visit) {
    switch branch {
    case .signIn(.identifierRequired), .signIn(.complete):
      visit.attempts.entry = nil
    case .passwordReset(let step):
      visit.stand(at: .passwordReset(step))
    case .signIn(.permissionsRequired(let prompt)) where visit.session != nil:
      visit.enter(prompt.session, pending: .permissions(prompt))
    case .signIn(let step):
      if case .afterPasswordReset? = visit.attempts.entry?.state {
        visit.stand(at: .afterPasswordReset(step))
      } else {
        visit.stand(at: .signIn(step))
      }
    }
  }
}

extension PasswordResetState: FlowState {
  var concern: AuthError? {
    if case .continuing(let step) = self { return SignInState(step).concern }
    return nil
  }

  func completed(since session: Session?) -> Session? {
    if case .continuing(let step) = self { return SignInState(step).completed(since: session) }
    return nil
  }

  func enter(_ visit: inout Visit) {
    switch self {
    case .identifierRequired:
      // A reset that did not begin leaves alone the sign-in from which the person came.
      if case .passwordReset? = visit.attempts.entry?.state { visit.attempts.entry = nil }
    case .continuing(.identifierRequired), .continuing(.complete):
      visit.attempts.entry = nil
    case .continuing(let step): visit.stand(at: .afterPasswordReset(step))
    case .step(let step): visit.stand(at: .passwordReset(step))
    case .browserRequired(let prompt): visit.stand(at: .signIn(.browserRequired(prompt)))
    }
  }
}

extension SignUpState: FlowState {
  var concern: AuthError? {
    if case .continuing(let state) = self { return state.concern }
    return nil
  }

  func completed(since session: Session?) -> Session? {
    switch self {
    case .continuing(let state): state.completed(since: session)
    case .detailsRequired, .detailsMissing, .codeRequired, .linkRequired: nil
    }
  }

  func enter(_ visit: inout Visit) {
    switch self {
    case .detailsRequired: visit.attempts.signUp = nil
    case .continuing(let state):
      visit.attempts.signUp = nil
      visit.attempts.entry = nil
      state.enter(&visit)
    case .detailsMissing, .codeRequired, .linkRequired:
      let number = visit.attempts.signUp?.number ?? visit.nextAttemptNumber()
      visit.attempts.signUp = Attempts.Numbered(number: number, state: self)
    }
  }
}

extension SessionTaskState: FlowState {
  /// A completed task changes the session.
  func completed(since before: Session?) -> Session? { session == before ? nil : session }

  func enter(_ visit: inout Visit) {
    switch setup {
    case nil, .methodRequired?:
      visit.enter(session, pending: visit.offeredOrganizations(to: session))
    case let setup?: visit.enter(session, pending: .secondFactor(setup))
    }
  }
}

extension Visit {
  /// The organizations to choose from, as long as that is the task that is due.
  fileprivate func offeredOrganizations(to session: Session) -> SignedIn.Pending? {
    guard session.tasks.first == .chooseOrganization, case .signedIn(let signedIn) = standing,
      case .organization? = signedIn.pending
    else { return nil }
    return signedIn.pending
  }

  fileprivate mutating func stand(at state: EntryState) {
    let number = attempts.entry?.number ?? nextAttemptNumber()
    attempts.entry = Attempts.Numbered(number: number, state: state)
  }
}

extension SignInState {
  /// The identifier of the person who signs in, as it was typed.
  var identifier: Identifier? {
    if case .browserRequired(let prompt) = self { return prompt.identifier }
    return attempt?.identifier
  }
}
