public import Assets
internal import AuthFlow
public import HTTPExchange
internal import HTTPTypes
public import Pages

/// The pages of sign-in, sign-up, second factor and password reset, as one HTTP handler.
///
/// A request passes the edge (is it for us?), the gate (is it a form of ours, for the first time?)
/// and the handler of its flow, each once. The site does not know which auth API answers, nor
/// whether it is emulated, except for what its `WorldContext` says.
public final class Site: HTTPHandler {
  let configuration: Configuration
  let environment: Environment
  let worlds: any WorldDirectory
  let edge: Edge
  let gate: Gate
  private let dispatcher: Dispatcher
  let responder: Responder
  let visits: VisitStore
  private let returnAddresses: ReturnAddresses
  private let events: EventLog
  let firstAnswers = FirstAnswers()
  private let visitsUnderWay: VisitsUnderWay
  private let unreadableVisits: LineLimit

  public init(
    _ configuration: Configuration,
    keys: KeyRing,
    worlds: any WorldDirectory,
    renderer: PageRenderer,
    files: StaticFiles,
    watch: FileWatch? = nil,
    environment: Environment,
    memory: Memory? = nil
  ) {
    self.configuration = configuration
    self.environment = environment
    self.worlds = worlds
    edge = Edge(
      hosts: configuration.hosts,
      hasWorlds: worlds.hasWorlds,
      files: files,
      changes: watch.map(FileChanges.init)
    )
    let memory = memory ?? Memory(monotonicNow: environment.monotonicNow)
    gate = Gate(configuration, keys: keys, memory: memory)
    visitsUnderWay = memory.visitsUnderWay
    unreadableVisits = memory.unreadableVisits
    events = EventLog(
      logger: environment.logger,
      key: keys.derivedKeys(for: "log/1")[0],
      happened: environment.happened
    )
    dispatcher = Dispatcher(events: events) { Self.newVisitID(environment) }
    visits = VisitStore(
      ring: keys,
      publicOrigin: configuration.publicOrigin,
      isSecure: configuration.isSecure,
      random: environment.random
    )
    responder = Responder(
      renderer: renderer,
      headers: SecurityHeaders(
        redirectOrigins: configuration.redirectOrigins,
        isSecure: configuration.isSecure
      ),
      visits: visits,
      tokens: gate.tokens,
      languages: Languages(
        fixed: configuration.language,
        menu: renderer.languages,
        choosable: renderer.choosableLanguages,
        isSecure: configuration.isSecure
      ),
      presence: DemoPresence(isOffered: worlds.hasWorlds, isSecure: configuration.isSecure),
      environment: environment
    )
    returnAddresses = ReturnAddresses(allowedOrigins: configuration.redirectOrigins)
  }

  public func respond(to request: Request) async -> Response {
    if let answer = readyAnswer(to: request) { return answer() }
    let reference = newReference()
    do throws(EdgeRefusal) {
      switch try edge.destination(of: request) {
      case .file(let file):
        return responder.file(file, for: request)
      case .changes(let changes):
        return secured(await changes.answer(to: request))
      case .liveness:
        return responder.plain(.ok, "ok")
      case .readiness:
        let reason = await environment.notReady()
        return responder.plain(reason == nil ? .ok : .serviceUnavailable, reason ?? "ok")
      case .page(let address, let world):
        let isPart = request.isPartOfForeignPage
        if !isPart, let choice = responder.choice(in: request) { return choice }
        let form = try edge.form(of: request)
        // Nobody sees the answer: it sets no cookie, changes no visit, and creates no world (S14,
        // S24).
        if isPart { throw EdgeRefusal(403, .originRefused) }
        let context = try await openWorld(world, for: request)
        return await AnswerDeadline.$current.withValue(.now + configuration.upstreamDeadline) {
          await answer(request, at: address, form, world, context, reference)
        }
      }
    } catch {
      environment.turnedAway?(.refused(error.refusal), request)
      return errorPage(error, for: request, reference)
    }
  }

  /// The page for an unknown visitor, if it was made for another one before.
  public func readyAnswer(to request: Request) -> ReadyAnswer? {
    guard let first = firstAnswers.answer(to: request),
      let world = worlds.known(first.worldName), world.edition == first.edition
    else { return nil }
    return { [self] in
      responder.response(
        first,
        in: world,
        to: request,
        reference: newReference()
      )
    }
  }

  private func openWorld(
    _ world: WorldName,
    for request: Request
  ) async throws(EdgeRefusal) -> WorldContext {
    let links = linkAddresses(for: request)
    if gate.origins.isForeign(request), worlds.opened(world, links: links) == nil {
      throw EdgeRefusal(403, .originRefused)
    }
    do {
      return try await worlds.open(world, links: links)
    } catch {
      throw EdgeRefusal(503, .worldUnavailable, reason: error.reason)
    }
  }

  private func answer(
    _ request: Request,
    at address: Address,
    _ form: FormData,
    _ name: WorldName,
    _ world: WorldContext,
    _ reference: String
  ) async -> Response {
    let now = world.clock.now
    let machineNow = environment.machineNow()
    let opened = visits.open(from: request, world: name, machineNow: machineNow, worldNow: now)
    if case .unreadable(let reason) = opened {
      events.unreadableVisit(reason, count: unreadableVisits.counted(), reference: reference)
    }
    let visit =
      opened.visit
      ?? Visit(
        id: Self.newVisitID(environment),
        world: name.text,
        machineNow: machineNow,
        worldNow: now
      )
    let question = RequestContext.Question(
      request,
      form,
      to: world,
      in: responder.languages.language(of: request),
      reference: reference,
      now: now,
      keptVisit: opened.unchanged
    )
    return await visitsUnderWay.answering(question.keptVisit?.id) {
      var context = RequestContext(question, at: address, of: visit)
      return context.isPosted
        ? await submit(&context, opened: opened) : await open(&context, opened: opened)
    }
  }

  // MARK: GET

  private func open(_ context: inout RequestContext, opened: OpenedVisit) async -> Response {
    switch opened {
    case .ended(_, wasIn: true, _): context.setFlash([.signInAgain], on: .signIn)
    case .ended(_, _, hadAttempt: true): tellEnd(&context)
    case .unreadable where !context.address.isStart && context.address.hasForm:
      // Somebody who opens a later step had begun; at the start there may have been nothing to
      // lose.
      tellEnd(&context)
    // Whether they were signed in cannot be read; that they want to be is plain.
    case .unreadable where context.request.path == Address.account.path:
      context.setFlash([.signInAgain], on: .signIn)
    case .ended, .unreadable, .absent, .elsewhere, .live:
      // Opening a page other than the one that has the flash discards it.
      if context.visit.flash?.path != context.address.path { context.visit.flash = nil }
    }
    takeReturnAddress(&context)
    if context.visit.flash?.path == context.address.path { context.flash = context.visit.flash }
    let edition = opened.isAbsent ? edition(of: context.visit) : nil
    let answer = await dispatcher.open(&context)
    forgetReturnAddress(of: answer, &context)
    let response = await response(to: answer, &context)
    if let edition, edition == self.edition(of: context.visit),
      let first = responder.firstAnswer(answer, context, at: edition)
    {
      firstAnswers.keep(first, to: context.request)
    }
    return response
  }

  /// Says at the start of its flow, and in the log, that the attempt is over.
  private func tellEnd(_ context: inout RequestContext) {
    events.refused(.ended, context)
    context.setFlash([], error: .ended, on: context.address.flow.start)
  }

  private func edition(of visit: Visit) -> WorldEdition? {
    WorldName(visit.world).flatMap(worlds.known)?.edition
  }

  /// Keeps where a sign-in, or the sign-out of this page, is to lead.
  private func takeReturnAddress(_ context: inout RequestContext) {
    let signsOut = context.address == .signOut
    // It counts for the page that was opened with it, and for no other.
    if context.visit.addressAfterSignOut != nil { context.visit.addressAfterSignOut = nil }
    guard context.address.isStart || context.address == .account || signsOut,
      let typed = context.request.queryParameters["redirect_url"]
    else { return }
    do throws(ReturnAddresses.Dropped) {
      let accepted = try returnAddresses.accepted(
        typed,
        askedAt: context.request.onlyHost.map(ownOrigin)
      )
      if signsOut {
        context.visit.addressAfterSignOut = accepted
      } else {
        context.visit.returnAddress = accepted
      }
    } catch {
      context.droppedReturnAddress = error
      events.droppedReturnAddress(error, reference: context.reference)
    }
  }

  /// Forgets the return address of somebody who is in and sees a page: some later step, such as one
  /// that grants permissions, would lead there out of the blue.
  private func forgetReturnAddress(of answer: Answer, _ context: inout RequestContext) {
    guard context.visit.returnAddress != nil, answer.page != nil, context.visit.isSettled else {
      return
    }
    context.visit.returnAddress = nil
  }

  // MARK: POST

  private func submit(_ context: inout RequestContext, opened: OpenedVisit) async -> Response {
    let answer: Answer
    switch gate.judge(context, opened) {
    case .forged(let refusal):
      environment.turnedAway?(.refused(refusal), context.request)
      context.lacksCookie = refusal == .formTokenInvalid && opened.lacksCookie
      events.turnedAway(
        refusal,
        mismatch: mismatch(refusal, context.request),
        reason: context.lacksCookie ? Self.cookieMissing : nil,
        reference: context.reference
      )
      answer = .turnedAway(dispatcher.known(context), refusal)
    case .over:
      answer = await dispatcher.overtaken(&context)
    case .ended(wasIn: true):
      answer = await dispatcher.endedVisit(&context)
    case .ended(wasIn: false):
      environment.turnedAway?(.refused(.attemptEnded), context.request)
      context.keepIdentifier()
      await dispatcher.keepTypedDetails(&context)
      tellEnd(&context)
      answer = .seeOther(context.address.flow.start)
    case .outOfDate:
      let refusal = SiteRefusal.formTokenInvalid
      environment.turnedAway?(.refused(refusal), context.request)
      events.turnedAway(refusal, reason: Self.timeOver, reference: context.reference)
      context.keepIdentifier()
      await dispatcher.keepTypedDetails(&context)
      answer = .turnedAway(dispatcher.known(context), refusal)
    case .genuine(let token):
      let submission = gate.submission(of: context, token: token)
      let response = await gate.once(submission) { [context] in
        await self.act(on: context, mark: submission.mark)
      }
      if let response { return response }
      answer = dispatcher.movedOn(&context)
    }
    return await response(to: answer, &context)
  }

  private static let cookieMissing =
    "no cookie was sent: the browser keeps none for this site, or it had expired"

  private static let timeOver = "the page had been open for longer than a visit lasts"

  private func mismatch(_ refusal: SiteRefusal, _ request: Request) -> OriginMismatch? {
    refusal == .originRefused ? gate.origins.mismatch(of: request) : nil
  }

  /// Does what a genuine form asks for, within the site's own limits.
  ///
  /// A start form that is submitted again leads to the current step, even if its answer is no longer cached.
  private func act(on sent: RequestContext, mark: UInt32) async -> IdempotencyCache.Answered {
    var context = sent
    if context.isSentAgain(mark) {
      let answer = dispatcher.movedOn(&context)
      return await answered(answer, &context)
    }
    let sender = gate.sender(of: context)
    if context.visit.flash != nil { context.visit.flash = nil }
    if gate.noteSilentProxy(context) { events.silentProxy(context) }
    let answer: Answer
    if let throttled = gate.throttled(context, from: sender) {
      context.isThrottled = true
      environment.turnedAway?(.throttled, context.request)
      if gate.noteUntrustedProxy(context, throttledBy: throttled.subject) {
        events.untrustedProxy(context)
      }
      // No handler has read the identifier, by which the log tells people apart.
      if context.address.isStart { context.keepIdentifier() }
      answer = await dispatcher.refuse(throttled.error, &context)
    } else {
      answer = await dispatcher.submit(&context)
      gate.note(context, from: sender)
      context.noteForm(mark)
    }
    return await answered(answer, &context)
  }

  private func answered(
    _ answer: Answer,
    _ context: inout RequestContext
  ) async -> IdempotencyCache.Answered {
    let response = await response(to: answer, &context)
    return IdempotencyCache.Answered(
      response,
      // A refusal may lead to another page, too, such as that of a locked account.
      isAccepted: response.status.kind == .redirection && context.refusals.isEmpty,
      revision: context.visit.revision
    )
  }
}

// MARK: - Above the pages

extension Site {
  /// The whole response, with the latest news in the bar above a page.
  private func response(to answer: Answer, _ context: inout RequestContext) async -> Response {
    let isJSON = context.prefersJSON
    let story = isJSON ? nil : context.world.story?(SeenStep(answer, context))
    if let page = answer.page {
      var emulation = responder.presence.emulation(context.world, for: context.request)
      emulation?.story = story
      // The twin has the page's own links to backstage, but no bar with news.
      if emulation != nil, !isJSON, let news = context.world.news {
        emulation?.news = await news(page.soughtCode)
      }
      if !isJSON, context.world.record != nil, let isRecorded = context.world.isRecorded {
        emulation?.news.isRecorded = isRecorded(context.request, context.visit.ids)
      }
      context.emulation = emulation
    }
    if let id = context.keptVisitID { settle(&context, whoseIDWas: id) }
    let response = responder.response(to: answer, &context)
    if let record = context.world.record { await record(SeenRequest(answer, response, context)) }
    return response
  }
}

extension Site {
  /// Tells concurrent requests with the same cookies that their visit is left behind, or learns it
  /// from them.
  private func settle(_ context: inout RequestContext, whoseIDWas id: String) {
    let isLeft = context.visit.id != id
    let isOut = visitsUnderWay.settle(id) { standing in
      // Even an accepted form signs nobody in again who has signed out meanwhile.
      let isOut = !context.hasGoneOut && standing.isOut
      context.isOvertaken = isOut || (!isLeft && standing.isLeft)
      if isLeft, !isOut {
        standing.leave(goingOut: context.hasGoneOut)
      } else if !context.isOvertaken {
        if let latest = standing.latest { context.adoptAttempts(of: latest) }
        standing.keep(context.visit)
      }
      return isOut
    }
    if isOut, isLeft, context.visit.standingSession != nil { events.droppedSignIn(context) }
  }
}

// MARK: - Beside the pages

extension Site {
  /// The page for a request that the site turns away.
  func errorPage(
    _ refused: EdgeRefusal,
    for request: Request,
    _ reference: String
  ) -> Response {
    if refused.refusal == .hostNotAllowed {
      // Whoever owns the name that led here may read the answer: reveal no world (S2).
      events.turnedAway(refused.refusal, host: request.onlyHost, reference: reference)
      return responder.errorPage(refused, for: request, nil, reference)
    }
    events.turnedAway(
      refused.refusal,
      mismatch: mismatch(refused.refusal, request),
      reason: refused.reason,
      reference: reference
    )
    // Without a valid name of a world, show and link to the main one, where help is, too.
    let isOfNoWorld = refused.refusal == .invalidWorld
    let name: WorldName? = isOfNoWorld ? .main : edge.world(of: request)
    return responder.errorPage(
      refused,
      for: request,
      name.flatMap { worlds.opened($0, links: linkAddresses(for: request)) },
      reference,
      servedAt: isOfNoWorld ? edge.hosts.hostOutsideWorlds(of: request).map(ownOrigin) : nil
    )
  }

  /// At the requested host: the visit's cookies are kept for that one only.
  func linkAddresses(for request: Request) -> LinkAddresses {
    let origin =
      request.headerFields.value(of: .host).map(ownOrigin)
      ?? configuration.publicOrigin
    return LinkAddresses(origin: origin, paths: Self.linkPaths)
  }

  /// As people type it.
  private func ownOrigin(at host: String) -> String {
    "\(configuration.isSecure ? "https" : "http")://\(host)"
  }

  private static let linkPaths = LinkAddresses.Paths(
    signIn: Address.link.path,
    signUp: Address.signUpLink.path,
    browserReturn: Address.browser.path
  )

  /// The name of a request on the error page and in the log.
  func newReference() -> String { Hexadecimal.text(of: environment.random(8)) }

  private static func newVisitID(_ environment: Environment) -> String {
    Base64URL.text(of: environment.random(Visit.idLength))
  }
}
