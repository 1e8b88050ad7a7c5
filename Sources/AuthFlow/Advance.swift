/// A provider's answer to a step.
public enum Outcome<State: Sendable>: Sendable {
  case moved(to: State)
  /// Refused; the attempt is at `at`, or where it was before if that is nil.
  case refused(AuthError, at: State?)
}

extension Outcome {
  /// The same outcome for a flow that this one is part of.
  @_spi(Provider) public func map<Whole: Sendable>(
    _ whole: (State) -> Whole
  ) -> Outcome<Whole> {
    switch self {
    case .moved(let state): .moved(to: whole(state))
    case .refused(let error, let at): .refused(error, at: at.map(whole))
    }
  }
}

/// The result of an input: one of the three answers that a front end has to know.
public enum Advance<State: Sendable>: Sendable {
  /// - Parameters:
  ///   - to: The state of the attempt now.
  ///   - notices: The news to show there.
  ///   - concern: What went wrong after the step itself was done.
  case moved(to: State, notices: [Notice], concern: AuthError? = nil)
  /// The same page again; the attempt is at `at`.
  case refused(AuthError, at: State)
  /// The step is not due: a stale tab, or steps out of order. The auth API was not asked.
  case misplaced
}

/// A state in which the person may be waiting for a message.
protocol MessageAwaiting: Sendable {
  /// Whether a message is on its way to the person.
  var awaitsMessage: Bool { get }
}

extension Outcome where State: MessageAwaiting {
  /// The result of asking for another message, without the notice where it led to a state that
  /// awaits none: then nothing was sent.
  func sentAgain(telling notice: Notice, from state: State) -> Advance<State> {
    switch self {
    case .moved(let next): .moved(to: next, notices: next.awaitsMessage ? [notice] : [])
    case .refused(let error, let at): .refused(error, at: at ?? state)
    }
  }
}

extension Advance: Equatable where State: Equatable {}
extension Outcome: Equatable where State: Equatable {}

/// Good or neutral news.
///
/// The raw values are the codes that pages and their JSON twins show.
public enum Notice: String, Hashable, Codable, Sendable, CaseIterable {
  case codeSent = "code_sent"
  case codeResent = "code_resent"
  case newDevice = "new_device"
  case movedOn = "moved_on"
  case alreadySignedIn = "already_signed_in"
  case signedOut = "signed_out"
  case passwordChanged = "password_changed"
  case accountCreated = "account_created"
  case tokenRenewed = "token_renewed"
  /// A session elsewhere was ended.
  case sessionEnded = "session_ended"
  /// Every session except the current one was ended.
  case otherSessionsEnded = "other_sessions_ended"
  case signInAgain = "sign_in_again"
  case cancelled
  /// The last backup code was used.
  case backupCodesLow = "backup_codes_low"
  case waitlistJoined = "waitlist_joined"
  /// What was checked for has not happened yet.
  case stillWaiting = "still_waiting"
}
