internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Pages

/// Passes a request to the handler of its address, and turns the result into an answer.
struct Dispatcher: Sendable {
  let events: EventLog
  let newVisitID: @Sendable () -> String

  /// Opens a page.
  func open(_ context: inout RequestContext) async -> Answer {
    await open(by: context.address.handler, &context)
  }

  /// Does what a genuine form asks for.
  func submit(_ context: inout RequestContext) async -> Answer {
    guard !context.address.isRestart else {
      context.dropAttempt()
      return .seeOther(context.address.page)
    }
    return await submit(to: context.address.handler, &context)
  }

  /// The page that a form came from, made without a call; the start of its flow where that page is
  /// not due.
  func known(_ context: RequestContext) -> any Page {
    page(by: context.address.handler, context)
      ?? page(by: context.address.flow.start.handler, context.moved(to: context.address.flow.start))
      ?? ErrorPage(status: 403, refusal: .formTokenInvalid)
  }

  /// Keeps what was typed into the form of a sign-up that has expired (N6).
  func keepTypedDetails(_ context: inout RequestContext) async {
    guard context.address.flow == .signUp else { return }
    await learnInstance(context, within: Self.patience)
    context.keepTypedDetails()
  }

  /// Refuses a form before the auth API was asked.
  func refuse(_ error: AuthError, _ context: inout RequestContext) async -> Answer {
    await refuse(error, by: context.address.handler, &context)
  }

  // MARK: One handler

  /// How long a page waits for the instance's description if it can be shown without.
  private static let patience = Duration.milliseconds(500)

  private func open(
    by handler: some FlowHandler,
    _ context: inout RequestContext
  ) async -> Answer {
    if let answer = await turnBack(handler.isEntryPoint(context), &context) { return answer }
    do throws(AuthError) {
      let outcome = try await handler.load(&context)
      // Not for a redirect. A page that needs no other call waits only this long.
      if outcome.isPage { await learnInstance(context, within: Self.patience) }
      return await conclude(outcome, by: handler, &context)
    } catch {
      return await conclude(.refused(error), by: handler, &context)
    }
  }

  private func submit(
    to handler: some FlowHandler,
    _ context: inout RequestContext
  ) async -> Answer {
    if let answer = await turnBack(handler.isEntryPoint(context), &context) { return answer }
    await learnInstance(context)
    return await conclude(await handler.submit(&context), by: handler, &context)
  }

  /// Asks for the instance's description if it is not known, so that the page is complete; a
  /// failure is left for the page's own call to report.
  private func learnInstance(_ context: RequestContext, within patience: Duration? = nil) async {
    guard context.provider.lastKnownInstance == nil else { return }
    let end = patience.map { ContinuousClock.now + $0 }
    let deadline = [AnswerDeadline.current, end].compactMap(\.self).min()
    _ = await AnswerDeadline.$current.withValue(deadline) { try? await context.instance() }
  }

  /// The answer to a page or form that is not due; nil where it is.
  private func turnBack(_ isEntryPoint: Bool, _ context: inout RequestContext) async -> Answer? {
    let page = context.address.page
    if let session = context.visit.session, session.expiresAt <= context.now {
      if page.isStart {
        forgetExpired(session, &context)
      } else if page != .signOut {
        return await signInAgain(&context)
      }
    }
    if page.isStart, let answer = await alreadyIn(&context) { return answer }
    if page == .signOut, let answer = alreadyOut(&context) { return answer }
    return isEntryPoint || context.visit.isDue(page) ? nil : movedOn(&context)
  }

  /// Forgets a session that has expired, and says so if the person opens the sign-in page.
  private func forgetExpired(_ session: Session, _ context: inout RequestContext) {
    context.visit.standing = .attempts(Attempts())
    guard !context.isPosted, context.address == .signIn else { return }
    if context.visit.identifier == nil { context.visit.identifier = session.user.identifier }
    context.setFlash([.signInAgain], on: .signIn)
    context.flash = context.visit.flash
  }

  private func page(by handler: some FlowHandler, _ context: RequestContext) -> (any Page)? {
    guard handler.isEntryPoint(context) || context.visit.isDue(context.address.page) else {
      return nil
    }
    return handler.scene(context).map { handler.page($0, typed: context.typed) }
  }
}
