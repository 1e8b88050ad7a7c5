internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// What the site answers, before it becomes bytes.
enum Answer: Sendable {
  /// A page, with what there is to say about the step before.
  case page(any Page, status: Int)
  /// The same page again, because the auth API or the flow refused.
  case refused(any Page, AuthError)
  /// The same page again, because the site refused.
  case turnedAway(any Page, SiteRefusal)
  /// The codes as a text to keep.
  case backupCodes(BackupCodes)
  /// 303 to that address.
  case seeOther(String)
}

extension Answer {
  /// The page that is shown; nil where none is.
  var page: (any Page)? {
    switch self {
    case .page(let page, _), .refused(let page, _), .turnedAway(let page, _): page
    case .backupCodes, .seeOther: nil
    }
  }

  /// Where it redirects to; nil where it shows something.
  var location: String? {
    if case .seeOther(let address) = self { return address }
    return nil
  }

  static func seeOther(_ address: Address) -> Answer { .seeOther(address.path) }
}

/// Turns answers into bytes, and keeps the visit in the browser where it has changed.
final class Responder: Sendable {
  let renderer: PageRenderer
  let headers: SecurityHeaders
  /// The same with the fields that every page has in one rendering.
  private let htmlHeaders: SecurityHeaders
  private let jsonHeaders: SecurityHeaders
  let visits: VisitStore
  let tokens: FormTokens
  let timeZones = TimeZones()
  let languages: Languages
  let presence: DemoPresence
  let environment: Site.Environment

  init(
    renderer: PageRenderer,
    headers: SecurityHeaders,
    visits: VisitStore,
    tokens: FormTokens,
    languages: Languages,
    presence: DemoPresence,
    environment: Site.Environment
  ) {
    self.renderer = renderer
    self.headers = headers
    htmlHeaders = headers.adding(Self.kind(of: "text/html"))
    jsonHeaders = headers.adding(Self.kind(of: "application/json"))
    self.visits = visits
    self.tokens = tokens
    self.languages = languages
    self.presence = presence
    self.environment = environment
  }

  /// The whole response, which is reported to whoever watches the world.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - context: The context of the request; its visit gets the revision that it is sealed with.
  /// - Returns: The response; a 502 page where the visit has grown too large to keep.
  func response(to answer: Answer, _ context: inout RequestContext) -> Response {
    let response = written(answer, &context)
    if let watch = context.world.watch {
      watch(context.report(of: answer, response))
    }
    return response
  }

  private func written(_ answer: Answer, _ context: inout RequestContext) -> Response {
    var fields = HTTPFields()
    if context.hasUnkeptVisit, !context.isOvertaken {
      context.visit.revision = newRevision()
      guard let cookies = cookies(keeping: context) else {
        return unkeepable(context.request, context.world, context.reference)
      }
      for cookie in cookies {
        fields.append(HTTPField(name: .setCookie, value: cookie.headerValue))
      }
    }
    switch answer {
    case .seeOther(let address):
      fields[.location] = address
      return plain(.seeOther, "See \(address)\n", fields)
    case .backupCodes(let codes):
      let look = renderer.look
      fields[.contentDisposition] = "attachment; filename=\"\(look.fileName(of: "backup-codes"))\""
      let name = look.applicationName(orElse: context.knownInstance.applicationName)
      let language = context.language
      return plain(.ok, renderer.text(of: codes.file(for: name), in: language), fields)
    case .page(let page, let status):
      return show(
        page,
        context,
        error: context.flash?.error,
        reference: context.toldReference,
        status: status,
        fields: fields
      )
    case .refused(let page, let error):
      return show(
        page,
        context,
        error: error,
        status: error.status(on: page.fields),
        fields: fields
      )
    case .turnedAway(let page, let refusal):
      return show(page, context, refusal: refusal, status: 403, fields: fields)
    }
  }

  /// The page for a visit that has grown too large for a browser.
  func unkeepable(_ request: Request, _ world: WorldContext?, _ reference: String) -> Response {
    let refusal = EdgeRefusal(502, .serviceAnsweredNonsense)
    return errorPage(refusal, for: request, world, reference)
  }

  func newRevision() -> UInt32 {
    environment.random(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func cookies(keeping context: RequestContext) -> [SetCookie]? {
    visits.cookies(
      keeping: context.visit,
      insteadOfThoseIn: context.request,
      machineNow: environment.machineNow(),
      worldNow: context.now
    )
  }

  private func show(
    _ page: any Page,
    _ context: RequestContext,
    error: AuthError? = nil,
    refusal: SiteRefusal? = nil,
    reference: String? = nil,
    status: Int,
    fields: HTTPFields
  ) -> Response {
    var fields = fields
    if status == 429 || status == 403,
      let until = error?.waitingUntil ?? (page is LockedPage ? context.visit.lockedUntil : nil)
    {
      // By the time now: the wait was counted from the auth API's answer, not from the request.
      let left = until.timeIntervalSince(context.world.clock.now)
      fields[.retryAfter] = String(max(1, Int(left.rounded(.up))))
    }
    return rendered(
      page,
      in: frame(context, error: error, refusal: refusal, reference: reference),
      status: status,
      asJSON: context.prefersJSON,
      fields: fields
    )
  }

  func frame(
    _ context: RequestContext,
    error: AuthError? = nil,
    refusal: SiteRefusal? = nil,
    reference: String? = nil
  ) -> PageFrame {
    let instance = context.knownInstance
    return PageFrame(
      applicationName: instance.applicationName,
      emulation: context.emulation,
      supportAddress: instance.supportAddress,
      language: context.language,
      languageMenu: languages.menu(for: context.request),
      error: error,
      refusal: refusal,
      lacksCookie: context.lacksCookie,
      notices: context.flash?.notices ?? [],
      isUntouched: context.isUntouched,
      losesPassword: !(context.form[Field.password.name] ?? "").isEmpty,
      reference: reference ?? context.reference,
      now: context.now,
      timeZone: timeZones.zone(toldBy: context.request),
      formToken: formToken(in: context)
    )
  }

  func formToken(in context: RequestContext) -> @Sendable (_ action: Address) -> String {
    let (id, attempts) = (context.visit.id, context.visit.attemptNumbers)
    return { [tokens, environment] action in
      tokens.token(for: action, ofVisit: id, at: attempts, nonce: environment.random(9))
    }
  }

  // MARK: Without a visit

  /// The page of a request that is refused before it reaches a flow.
  ///
  /// - Parameters:
  ///   - refused: The refusal.
  ///   - request: The request.
  ///   - world: The world that was meant, if it exists.
  ///   - reference: The reference of the request in the log.
  ///   - origin: Where pages are served, if not under the requested name; nil where that must not
  ///     be revealed.
  /// - Returns: The page, without a cookie.
  func errorPage(
    _ refused: EdgeRefusal,
    for request: Request,
    _ world: WorldContext?,
    _ reference: String,
    servedAt origin: String? = nil
  ) -> Response {
    let instance = world?.provider.lastKnownInstance ?? .unknown
    var emulation = world.flatMap { presence.emulation($0, for: request) }
    // Under such a name there is no backstage either.
    if refused.refusal.isOfTheName { emulation?.inboxPath = nil }
    let frame = PageFrame(
      applicationName: instance.applicationName,
      emulation: emulation,
      supportAddress: instance.supportAddress,
      language: languages.language(of: request),
      languageMenu: refused.refusal.isOfTheName ? nil : languages.menu(for: request),
      reference: reference,
      now: world?.clock.now ?? environment.machineNow(),
      timeZone: timeZones.zone(toldBy: request)
    ) { _ in "" }
    var fields = HTTPFields()
    if let allowed = refused.allowed {
      fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
    }
    return rendered(
      ErrorPage(
        status: refused.status,
        refusal: refused.refusal,
        retry: Address(path: request.path)?.page ?? .signIn,
        origin: origin
      ),
      in: frame,
      status: refused.status,
      asJSON: request.prefersJSON,
      fields: fields
    )
  }

  /// The redirect back to the page after a choice in its address: of a language, or of how the
  /// demonstration is shown; nil for any other request.
  func choice(in request: Request) -> Response? {
    (languages.choice(in: request) ?? presence.choice(in: request)).map { choice in
      var fields: HTTPFields = [.location: choice.location]
      fields[.setCookie] = choice.cookie?.headerValue
      return plain(.seeOther, "See \(choice.location)\n", fields)
    }
  }

  func plain(
    _ status: HTTPResponse.Status,
    _ text: String,
    _ own: HTTPFields = [:]
  ) -> Response {
    var fields = own
    fields[.contentType] = "text/plain; charset=utf-8"
    return Response(
      status: status,
      headerFields: headers.added(to: fields),
      body: Array(text.utf8)
    )
  }

  func file(_ file: StaticFiles.File, for request: Request) -> Response {
    var fields: HTTPFields = [.eTag: file.entityTag, .cacheControl: "no-cache"]
    if request.tagsKept.contains(where: { $0 == file.entityTag || $0 == "*" }) {
      fields[.contentLength] = String(file.bytes.count)
      return Response(status: .notModified, headerFields: headers.added(to: fields))
    }
    fields[.contentType] = file.contentType
    return Response(status: .ok, headerFields: headers.added(to: fields), body: file.bytes)
  }

  private func rendered(
    _ page: any Page,
    in frame: PageFrame,
    status: Int,
    asJSON isJSON: Bool,
    fields own: HTTPFields
  ) -> Response {
    var status = status
    let body: [UInt8]
    do throws(TemplateFault) {
      if isJSON {
        try renderer.checkTemplates(of: page, in: frame)
        body = renderer.json(page, in: frame)
      } else {
        body = try renderer.html(page, in: frame)
      }
    } catch {
      status = 500
      body =
        isJSON
        ? renderer.json(ErrorPage(status: 500, refusal: .internalError), in: frame.untelling)
        : PageRenderer.document(about: error)
    }
    return Response(
      status: HTTPResponse.Status(code: status),
      headerFields: pageFields(asJSON: isJSON, own),
      body: body
    )
  }

  private static func kind(of mediaType: String) -> HTTPFields {
    [.vary: "Accept", .contentType: "\(mediaType); charset=utf-8"]
  }

  /// The header fields of a page, in either rendering.
  func pageFields(asJSON isJSON: Bool, _ own: HTTPFields = [:]) -> HTTPFields {
    (isJSON ? jsonHeaders : htmlHeaders).added(to: own)
  }
}

extension PageFrame {
  /// The same without messages: for another page than the one that it was made for.
  fileprivate var untelling: PageFrame {
    var frame = self
    frame.error = nil
    frame.refusal = nil
    frame.notices = []
    return frame
  }
}

extension Request {
  /// The entity tags that the client has; weak ones count as strong ones here.
  ///
  /// Source: RFC 9110, section 13.1.2.
  fileprivate var tagsKept: [String] {
    headerFields[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.map { tag in
      let tag = tag.trimmingCharacters(in: .whitespaces)
      return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
  }
}

extension Visit {
  fileprivate var lockedUntil: Date? {
    if case .locked(let lock) = standing { return lock.until }
    return nil
  }
}

extension AuthError {
  /// The time before which trying again is useless, where that is known.
  fileprivate var waitingUntil: Date? {
    for problem in problems {
      if case .wait(until: let until?) = problem.reason.usualAdvice { return until }
    }
    return nil
  }
}
