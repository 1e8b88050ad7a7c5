@_spi(Provider) package import AuthFlow
import Locking
import Testing

/// A provider that answers from a script; a call that is not in it fails the test.
///
/// Only the calls by which a session is looked at or ended need no line in it: `currentSession`,
/// `standingSession` and `signOut` leave one that is not theirs to the call that it is for.
package final class ScriptedProvider: SignUpProvider, InvitationProvider, PasswordResetProvider,
  PasswordResetProgressProvider, EnrolmentProvider, AccessTokenProvider, ResetPasswordTaskProvider,
  StandingSessionProvider
{
  package enum Answer: Sendable {
    case signIn(Outcome<SignInState>)
    case signUp(Outcome<SignUpState>)
    case reset(Outcome<PasswordResetState>)
    case session(Outcome<Session>)
    case task(Outcome<SessionTaskState>)
    case done
    case thrown(AuthError)
  }

  let state: Locked<(script: [Answer], calls: [String])>
  /// What is waited for before a call for a token is answered.
  private let hold: @Sendable () async -> Void

  package convenience init(_ script: Answer...) { self.init(script) }

  /// - Parameters:
  ///   - script: What it answers, in order.
  ///   - lastKnownInstance: What is known about the instance before anyone has asked.
  ///   - instance: The answer when somebody asks for it.
  ///   - hold: What is waited for before a call for a token is answered.
  package init(
    _ script: [Answer],
    lastKnownInstance: InstanceDescription? = nil,
    instance: Result<InstanceDescription, AuthError> = .success(.unknown),
    hold: @escaping @Sendable () async -> Void = {}
  ) {
    self.instance = instance
    self.hold = hold
    state = Locked((script, []))
    self.lastKnownInstance = lastKnownInstance
  }

  /// What was asked, in order; no secrets except the codes and passwords of tests.
  package var calls: [String] { state.withLock { $0.calls } }
  package var isDone: Bool { state.withLock { $0.script.isEmpty } }

  /// Notes the call, and in the memory too: every step has to hand it on.
  package func answer(_ call: String, _ memory: inout ProviderMemory) -> Answer? {
    note(call, &memory)
    return state.withLock { $0.script.isEmpty ? nil : $0.script.removeFirst() }
  }

  private func note(_ call: String, _ memory: inout ProviderMemory) {
    memory["calls"] = (memory["calls"] ?? "") + "."
    state.withLock { $0.calls.append(call) }
  }

  package func unscripted<State>(_ call: String) -> Outcome<State> {
    Issue.record("unscripted call: \(call)")
    return .refused(AuthError(Problem(.unrecognised, code: "unscripted")), at: nil)
  }

  private func signIn(_ call: String, _ memory: inout ProviderMemory) -> Outcome<SignInState> {
    guard case .signIn(let outcome) = answer(call, &memory) else { return unscripted(call) }
    return outcome
  }

  private func signUp(_ call: String, _ memory: inout ProviderMemory) -> Outcome<SignUpState> {
    guard case .signUp(let outcome) = answer(call, &memory) else { return unscripted(call) }
    return outcome
  }

  private func reset(
    _ call: String,
    _ memory: inout ProviderMemory
  ) -> Outcome<PasswordResetState> {
    guard case .reset(let outcome) = answer(call, &memory) else { return unscripted(call) }
    return outcome
  }

  // MARK: - AuthProvider

  private let instance: Result<InstanceDescription, AuthError>

  private let questions = Locked(0)
  /// How often somebody asked for the instance.
  package var questionCount: Int { questions.withLock(\.self) }

  package func describeInstance() async throws(AuthError) -> InstanceDescription {
    questions.withLock { $0 += 1 }
    return try instance.get()
  }

  package let lastKnownInstance: InstanceDescription?

  package func beginSignIn(
    identifier: Identifier,
    password: Password?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    signIn("begin \(identifier.text) \(password?.secret ?? "-")", &memory)
  }

  package func submit(
    _ password: Password,
    for prompt: PasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    signIn("password \(password.secret)", &memory)
  }

  package func choose(
    _ factor: Factor,
    for prompt: FactorPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    signIn("choose \(factor.kind.rawValue) \(factor.reference ?? "-")", &memory)
  }

  package func submit(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    signIn("code \(prompt.factor.kind.rawValue) \(code.secret)", &memory)
  }

  package func resend(_ prompt: CodePrompt, memory: inout ProviderMemory) async -> Outcome<
    SignInState
  > {
    signIn("resend \(prompt.factor.kind.rawValue)", &memory)
  }

  package func enrol(
    _ enrolment: Enrolment,
    for prompt: EnrolmentPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    signIn("enrol \(enrolment.method.kind.rawValue) \(enrolment.contact)", &memory)
  }

  package func permissionsPrompt(of session: Session) -> PermissionsPrompt? {
    session.access.flatMap {
      PermissionsPrompt(session: session, granted: $0.scopes, declined: $0.declined)
    }
  }

  package func acceptGranted(
    _ prompt: PermissionsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    await hold()
    return signIn("accept \(prompt.granted.joined(separator: " "))", &memory)
  }

  package func renewAccess(
    of session: Session,
    scopes: [String],
    claims: String?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    await hold()
    return signIn("renew \(scopes.joined(separator: " ")) \(claims ?? "-")", &memory)
  }

  package func checkPasswordReset(
    _ prompt: ResetWaitPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    reset("check", &memory)
  }

  package func foreseenProblems(with details: SignUpDetails) -> [Problem] { [] }

  package func beginSignUp(
    _ details: SignUpDetails,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    signUp("begin sign-up", &memory)
  }

  package func submit(
    _ details: SignUpDetails,
    for prompt: MissingDetailsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    signUp("missing details", &memory)
  }

  package func submit(
    _ code: VerificationCode,
    for prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    signUp("code \(prompt.contact.rawValue) \(code.secret)", &memory)
  }

  package func resend(
    _ prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    signUp("resend \(prompt.contact.rawValue)", &memory)
  }

  /// An invitation is a `ticket` in the address.
  package func readInvitation(_ parameters: [String: String]) -> Invitation? {
    parameters["ticket"].map { Invitation(parameter: "ticket", ticket: $0) }
  }

  package func accept(
    _ invitation: Invitation,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    signUp("accept \(invitation.ticket)", &memory)
  }

  package var endsOtherSessions: Bool { true }

  package func beginPasswordReset(
    identifier: Identifier,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    reset("begin reset \(identifier.text)", &memory)
  }

  package func submitResetCode(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    reset("reset code \(code.secret)", &memory)
  }

  package func resendResetCode(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    reset("resend reset code", &memory)
  }

  package func submit(
    newPassword: Password,
    signOutOfOtherSessions: Bool,
    for prompt: NewPasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    reset("new password \(newPassword.secret) \(signOutOfOtherSessions)", &memory)
  }

  /// Throws what the script throws next; a call that it does not refuse needs no line in it.
  private func throwIfScripted() throws(AuthError) {
    let refusal = state.withLock { state -> AuthError? in
      guard case .thrown(let error)? = state.script.first else { return nil }
      state.script.removeFirst()
      return error
    }
    if let refusal { throw refusal }
  }

  package func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session {
    try throwIfScripted()
    return session
  }

  package func standingSession(
    _ certain: SessionInTheWay?,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session? {
    note("standing session" + (certain.map { " \($0)" } ?? ""), &memory)
    try throwIfScripted()
    let scripted = state.withLock { state -> Outcome<Session>? in
      guard case .session(let outcome)? = state.script.first else { return nil }
      state.script.removeFirst()
      return outcome
    }
    switch scripted {
    case .moved(let session)?: return session
    case .refused(let error, _)?: throw error
    case nil: return nil
    }
  }

  package func changePassword(
    of session: Session,
    to newPassword: Password,
    signOutOfOtherSessions: Bool,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> {
    let call = "change password \(newPassword.secret) \(signOutOfOtherSessions)"
    guard case .session(let outcome) = answer(call, &memory) else { return unscripted(call) }
    return outcome
  }

  package func signOut(memory: inout ProviderMemory) async throws(AuthError) {
    try throwIfScripted()
  }
}
