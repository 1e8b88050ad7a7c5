internal import AuthFlow
internal import Foundation
internal import Pages

/// What a flow's result means for the person and for their visit: decided once, for every flow.
extension Dispatcher {
  func conclude<Handler: FlowHandler>(
    _ result: FlowResult<Handler.Scene>,
    by handler: Handler,
    _ context: inout RequestContext
  ) async -> Answer {
    switch result {
    case .show(let scene):
      // The step's own error is shown again, under this request's reference if it has no trace id:
      // log it under that reference.
      if context.flash?.reference == nil, let concern = context.visit.concern(at: context.address),
        concern.traceID == nil
      {
        events.refused(concern, context)
      }
      return shown(scene, by: handler, context)
    case .tell(let scene, let error):
      events.refused(error, context)
      return shown(scene, by: handler, context)
    case .redirect(let address, let notices, let error):
      let told = error ?? context.concern
      if let told { events.refused(told, context) }
      // The flash that is there already says more.
      if context.visit.flash?.path != address.path, !notices.isEmpty || told != nil {
        context.setFlash(
          notices,
          error: error,
          of: told == nil ? nil : context.reference,
          on: address
        )
      }
      return .seeOther(address)
    case .signedIn(let session, let notices): return finish(session, notices, &context)
    case .signedOut: return leave(&context)
    case .misplaced: return movedOn(&context)
    case .alreadyIn: return await alreadyIn(&context) ?? movedOn(&context)
    case .backupCodes(let codes): return .backupCodes(codes)
    case .refused(let error):
      guard context.visit.session == nil, error.contains(where: { $0 == .alreadySignedIn }) else {
        return await refuse(error, by: handler, &context)
      }
      return context.saysWhoItIs
        ? await submitAnew(because: error, by: handler, &context)
        : await adoptSession(because: error, by: handler, &context)
    case .failed(let error): return stay(because: error, by: handler, &context)
    }
  }

  private func shown<Handler: FlowHandler>(
    _ scene: Handler.Scene,
    by handler: Handler,
    _ context: RequestContext
  ) -> Answer {
    .page(
      handler.page(scene, typed: context.typed),
      status: handler.status(of: scene, at: context.now)
    )
  }

  /// Answers a refusal: with the page that it leads to, or with the same page again.
  ///
  /// The visit is already where the refusal left the attempt.
  func refuse(
    _ error: AuthError,
    by handler: some FlowHandler,
    _ context: inout RequestContext
  ) async -> Answer {
    context.refusals += error.problems.map(\.reason)
    if let detour = detour(because: error, context) {
      events.refused(error, context)
      return await follow(detour, &context)
    }
    return stay(because: error, by: handler, &context)
  }

  /// The same page again, or the page of the step at which the refusal left the attempt.
  private func stay(
    because error: AuthError,
    by handler: some FlowHandler,
    _ context: inout RequestContext
  ) -> Answer {
    events.refused(error, context)
    let isDue = handler.isEntryPoint(context) || context.visit.isDue(context.address.page)
    if isDue, let scene = handler.scene(context, refusedBy: error) {
      return .refused(handler.page(scene, typed: context.typed), error)
    }
    let place = context.visit.place(in: context.address.flow)
    context.setFlash([], error: error, on: place)
    return .seeOther(place)
  }

  // MARK: Getting in and out

  /// Signs the person in, perhaps with open tasks: renews the visit's id, and sends them where they
  /// wanted to go.
  private func finish(
    _ session: Session,
    _ notices: [Notice],
    toAccount: Bool = false,
    _ context: inout RequestContext
  ) -> Answer {
    context.visit.enter(session)
    context.visit.renewID(newVisitID())
    events.signedIn(session, context)
    guard session.status == .active else {
      context.setFlash(notices, on: session.address)
      return .seeOther(session.address)
    }
    let sought = toAccount ? nil : context.visit.returnAddress
    if let sought { context.visit.lead(to: sought, at: context.now) }
    return lead(to: sought ?? Address.account.path, telling: notices, &context)
  }

  /// Sends somebody who is in to that address; a page of ours there has the notices.
  private func lead(
    to address: String,
    telling notices: [Notice],
    _ context: inout RequestContext
  ) -> Answer {
    context.visit.returnAddress = nil
    let path = address.prefix { $0 != "?" && $0 != "#" }
    context.setFlash(notices, onPath: Address(path: path)?.path ?? String(path))
    return .seeOther(address)
  }

  /// Forgets the person, says on the sign-in page that they are signed out, and leads there, or
  /// where the sign-out was to lead.
  private func leave(_ context: inout RequestContext) -> Answer {
    let address = context.visit.addressAfterSignOut
    events.signedOut(context)
    context.hasGoneOut = true
    context.visit.forgetPerson()
    context.visit.renewID(newVisitID())
    context.setFlash([.signedOut], on: .signIn)
    return .seeOther(address ?? Address.signIn.path)
  }

  /// Leads somebody who is signed out already where the sign-out was to lead; nil where that is
  /// unknown, or somebody is in.
  func alreadyOut(_ context: inout RequestContext) -> Answer? {
    guard context.visit.standingSession == nil, let address = context.visit.addressAfterSignOut
    else { return nil }
    context.visit.addressAfterSignOut = nil
    return .seeOther(address)
  }

  /// Sends somebody who is signed in already where they wanted to go, otherwise to their page; nil
  /// where nobody is.
  func alreadyIn(_ context: inout RequestContext) async -> Answer? {
    guard let session = context.visit.session else { return nil }
    if let answer = await leadOn(&context) { return answer }
    if session.status == .active { context.setFlash([.alreadySignedIn], on: session.address) }
    return .seeOther(session.address)
  }

  /// Answers a form whose step is over.
  ///
  /// The start form of a tab that was open while another one signed in leads where that sign-in led.
  func overtaken(_ context: inout RequestContext) async -> Answer {
    if context.address.isStart, let answer = await leadOn(&context) { return answer }
    return movedOn(&context)
  }

  /// Leads somebody who is in already where they wanted to go, as a sign-in would; nil where that is
  /// unknown, or where they are sent round and round.
  ///
  /// The auth API is asked first, as for the account page: if the session is over there, they would
  /// come back at once.
  private func leadOn(_ context: inout RequestContext) async -> Answer? {
    guard context.visit.session?.status == .active, let address = context.soughtAddress else {
      return nil
    }
    let handler = AccountHandler()
    do throws(AuthError) {
      let outcome = try await handler.load(&context)
      guard outcome.isPage else { return await conclude(outcome, by: handler, &context) }
    } catch {
      // The account page asks again, and says what is wrong or asks for a new sign-in.
      return .seeOther(.account)
    }
    guard context.visit.lead(to: address, at: context.now) else { return nil }
    return lead(to: address, telling: [.alreadySignedIn], &context)
  }

  /// The session is over: back to the start, the return address kept (R3a).
  func signInAgain(
    because error: AuthError? = nil,
    _ context: inout RequestContext
  ) async -> Answer {
    await forgetSession(&context)
    context.setFlash([.signInAgain], error: error, on: .signIn)
    return .seeOther(.signIn)
  }

  /// The answer to a form from somebody who was signed in and whose visit has ended since.
  ///
  /// A sign-out is carried out: the auth API may still have the session.
  func endedVisit(_ context: inout RequestContext) async -> Answer {
    if context.address.page == .signOut {
      do {
        try await context.provider.signOut(memory: &context.visit.memory)
        return leave(&context)
      } catch {
        events.refused(error, context)
      }
    }
    context.setFlash([.signInAgain], on: .signIn)
    return .seeOther(.signIn)
  }

  /// Sends the person to the step that is due, and says that they have moved on.
  ///
  /// Somebody who wants to sign out, and is signed out already, is only told that.
  func movedOn(_ context: inout RequestContext) -> Answer {
    // When a link was opened in another tab, returning to the tab that waits for it is not a wrong
    // step.
    if [.link, .signUpLink].contains(context.address.page), let session = context.visit.session {
      return .seeOther(session.address)
    }
    let place = context.visit.place(in: context.address.flow)
    // If the attempt has ended, say that instead: nobody has moved on then.
    let before = context.visit.flash.flatMap { $0.path == place.path ? $0 : nil }
    let isOut = context.address.page == .signOut && context.visit.standingSession == nil
    let notice: Notice? = isOut ? .signedOut : before?.error == nil ? .movedOn : nil
    context.setFlash(
      [notice].compactMap(\.self),
      error: before?.error,
      of: before?.reference,
      on: place
    )
    return .seeOther(place)
  }

  /// Forgets the session, and ends it at an auth API that keeps track of it: there it would be in
  /// the way of the next sign-in, or let somebody else in.
  ///
  /// The person counts as signed out whatever the auth API answers. If nobody was signed in, only
  /// the attempt of this flow is over: one in another tab may still succeed.
  private func forgetSession(_ context: inout RequestContext) async {
    guard context.visit.standingSession != nil else {
      context.keepTypedDetails()
      return context.dropAttempt()
    }
    if context.visit.session != nil, let provider = context.provider.standingSessions {
      do {
        try await provider.signOut(memory: &context.visit.memory)
      } catch {
        events.refused(error, context)
      }
    }
    context.hasGoneOut = true
    let identifier = context.visit.identifier ?? context.visit.session?.user.identifier
    let returnAddress = context.visit.returnAddress
    context.visit.forgetPerson()
    context.visit.renewID(newVisitID())
    context.visit.identifier = identifier
    context.visit.returnAddress = returnAddress
  }

  /// Ends the session that the auth API has for this browser, but the visit has not, and submits
  /// the form once more.
  ///
  /// The person has named themselves, but proven nothing yet: the session may be somebody else's.
  private func submitAnew(
    because error: AuthError,
    by handler: some FlowHandler,
    _ context: inout RequestContext
  ) async -> Answer {
    events.refused(error, context)
    do {
      try await context.provider.signOut(memory: &context.visit.memory)
    } catch {
      return await refuse(error, by: handler, &context)
    }
    let result = await handler.submit(&context)
    if case .refused(let error) = result, error.contains(where: { $0 == .alreadySignedIn }) {
      context.refusals += error.problems.map(\.reason)
      events.refused(error, context)
      return await follow(.start(notices: [], .ended), &context)
    }
    return await conclude(result, by: handler, &context)
  }

  /// Takes over the session that the auth API has for this browser while the visit has none.
  ///
  /// Such a session is left where the answer to the last step of an attempt got lost. Nobody could
  /// sign in beside it, so it is adopted, or given up where it cannot be found, and the person
  /// starts anew. Where the refusal names a session, no other one is adopted.
  private func adoptSession(
    because error: AuthError,
    by handler: some FlowHandler,
    _ context: inout RequestContext
  ) async -> Answer {
    // The input of this request has proven nothing.
    context.refusals += error.problems.map(\.reason)
    events.refused(error, context)
    do {
      let standing = try await context.provider.standingSessions?.standingSession(
        error.sessionInTheWay,
        memory: &context.visit.memory
      )
      if let session = standing {
        return finish(session, [.alreadySignedIn], toAccount: true, &context)
      }
      try await context.provider.signOut(memory: &context.visit.memory)
    } catch {
      let isOver = error.contains {
        $0 == .signInAgain || $0 == .attemptEnded || $0 == .alreadySignedIn
      }
      if !isOver { return await refuse(error, by: handler, &context) }
    }
    return await follow(.start(notices: [], .ended), &context)
  }
}

extension RequestContext {
  /// Where somebody who is in already wants to go; nil where that is unknown.
  fileprivate var soughtAddress: String? {
    visit.returnAddress ?? (isPosted && address.isStart ? visit.ledTo?.address : nil)
  }

  /// Whether the request is a form that begins an attempt, or the one with the password.
  fileprivate var saysWhoItIs: Bool { isPosted && (address.isStart || address == .password) }
}

// MARK: - Detours

/// Where a refusal leads if it has a page of its own, or ends the attempt (R3).
private enum Detour {
  case locked(Lock)
  case blocked(AuthError)
  /// The start of the same flow.
  case start(notices: [Notice], AuthError?)
  /// What was under way in a task is lost, but not the session.
  case task(Address, AuthError)
  case signInAgain(AuthError?)
  case resetPassword(AuthError)
  case account

  func address(from flow: AttemptFlow) -> Address {
    switch self {
    case .locked: .locked
    case .blocked: .blocked
    case .start: flow.start
    case .task(let address, _): address
    case .signInAgain: .signIn
    case .resetPassword: .forgotPassword
    case .account: .account
    }
  }
}

extension Dispatcher {
  /// Where a refusal leads; nil where the page stays, and for a page that is opened and would lead
  /// to itself.
  private func detour(because error: AuthError, _ context: RequestContext) -> Detour? {
    for problem in error.problems {
      guard let detour = detour(because: problem, of: error, context) else { continue }
      if !context.isPosted, detour.address(from: context.address.flow) == context.address {
        return nil
      }
      return detour
    }
    return nil
  }

  private func detour(
    because problem: Problem,
    of error: AuthError,
    _ context: RequestContext
  ) -> Detour? {
    let session = context.visit.session
    switch problem.reason {
    case .locked(let until):
      return .locked(Lock(problem: problem, until: until, traceID: error.traceID))
    case .lockedForNow:
      return .locked(Lock(problem: problem, until: nil, traceID: error.traceID))
    case .banned, .noUsableMethod, .stepUnsupported, .protectionPolicyRequired,
      .deviceRequirementUnmet:
      return .blocked(error)
    case .attemptEnded where session == nil: return .start(notices: [], error)
    case .attemptEnded where session?.status == .pending:
      return session.map { .task($0.address, error) }
    // The notice says it all, even to somebody who was not signed in yet (R3a).
    case .signInAgain, .attemptEnded: return .signInAgain(nil)
    case .browserUnknown, .extraVerificationRequired, .consentRequired: return .signInAgain(error)
    case .passwordResetRequired: return .resetPassword(error)
    case .alreadySignedIn: return session == nil ? nil : .account
    case .cancelled: return .start(notices: [.cancelled], nil)
    case .missing, .formatInvalid, .valueInvalid, .tooLong, .identifierNotFound, .identifierTaken,
      .usernameLengthInvalid, .usernameCharacterInvalid, .usernameNeedsLetter, .termsNotAccepted,
      .noneChosen, .organizationSlugTaken, .notAMember,
      .passwordIncorrect, .passwordOrIdentifierIncorrect, .currentPasswordIncorrect,
      .passwordCompromised, .passwordLeaked, .passwordTooShort, .passwordTooLong,
      .passwordTooManyBytes, .passwordNeedsUppercase, .passwordNeedsLowercase,
      .passwordNeedsNumber, .passwordNeedsSpecialCharacter, .passwordTooWeak, .passwordBreached,
      .passwordBanned, .passwordReused, .passwordMatchesIdentifier, .passwordInvalid,
      .codeIncorrect, .codeNotAccepted, .codeLength, .codeExpired, .codeTriesExhausted,
      .codeNotSent, .resendTooSoon, .codeSendsExhausted, .deliveryFailed, .countryNotSupported,
      .messageQuotaUsed,
      .linkExpired, .linkUsed, .linkOtherBrowser, .linkFailed,
      .lockoutNear, .methodUnavailable, .passwordResetUnavailable, .contactBlocked, .signUpClosed,
      .signUpWaitlist, .identifierNotAllowed, .judgedSuspicious, .botCheckFailed,
      .botCheckRequired, .quotaExceeded, .forbidden, .busy, .tooManyRequests,
      .offline, .serviceUnreachable, .serviceAnswerLost, .serviceUnavailable, .serviceTimedOut,
      .serviceAnsweredNonsense, .unrecognised:
      return nil
    }
  }

  private func follow(_ detour: Detour, _ context: inout RequestContext) async -> Answer {
    switch detour {
    case .locked(var lock):
      lock.reference = context.reference
      lock.signUp = context.attemptBeside
      context.visit.standing = .locked(lock)
    case .blocked(let error):
      context.visit.standing = .blocked(
        Block(
          error: error,
          session: context.visit.session,
          reference: context.reference,
          signUp: context.attemptBeside
        )
      )
    case .start(let notices, let error):
      context.keepTypedDetails()
      context.dropAttempt()
      context.setFlash(notices, error: error, on: context.address.flow.start)
    case .task(let address, let error):
      if let session = context.visit.session { context.visit.enter(session) }
      context.setFlash([], error: error, on: address)
    case .signInAgain(let error):
      return await signInAgain(because: error, &context)
    case .resetPassword(let error):
      await forgetSession(&context)
      context.setFlash([], error: error, on: .forgotPassword)
    case .account:
      context.setFlash([.alreadySignedIn], on: .account)
    }
    return .seeOther(detour.address(from: context.address.flow))
  }
}
