internal import AuthFlow
internal import Backstage
internal import Emulators
internal import Headless
internal import HTTPExchange
internal import HTTPTypes
internal import Site

extension Standpoint {
  /// Walks count on the demo users and the clock of the beginning; what else may be in the way, no reset takes away.
  private static let hint = "; where the world is not as it began, reset it, and try again"

  /// Walks as a browser that has not been there yet, in the world of the request, and hands over its cookies.
  ///
  /// - Parameters:
  ///   - site: The pages.
  ///   - api: Backstage's calls, for codes, clock and settings.
  ///   - option: Which API is emulated.
  /// - Returns: What walks.
  /// - Throws: `StoryFault` where the table of walks is none.
  static func through(
    _ site: Site,
    _ api: BackstageAPI,
    over option: String
  ) throws(StoryFault) -> Self {
    let stands = try Stands(over: option)
    let others = try EmulatedAPI.allCases.filter { $0.rawValue != option }
      .map { api throws(StoryFault) in try Stands(over: api.rawValue).states }
    let transport = InProcessTransport(to: Walkable(site: site, api: api), givesWay: true)
    return Standpoint(
      states: stands.states,
      statesElsewhere: others.reduce([]) { $0.union($1) },
      settings: stands.settings
    ) { request, state in
      guard let walk = stands.walk(to: state) else { return .elsewhere("No walk leads there.") }
      let world: String
      do {
        world = try WorldName(namedBy: request).text
      } catch {
        return .elsewhere("There is no such world.")
      }
      let player = StoryPlayer(
        over: transport,
        host: request.headerFields[.host],
        world: world,
        patience: .zero
      )
      for (index, step) in walk.enumerated() {
        if case .otherwise(let reasons) = await player.perform(step) {
          let words = reasons.joined(separator: "; ")
          return .elsewhere("Step \(index + 1) of the walk goes otherwise (\(words))\(hint).")
        }
      }
      let page = await player.browser.page
      guard let page, page.page == state.prefix(while: { $0 != "/" }) else {
        let end = page.map { "led to \($0.path)" } ?? "led nowhere"
        return .elsewhere("The walk \(end)\(hint).")
      }
      let cookies = await player.browser.cookieHeaders
      return .there(
        location: page.path,
        cookies: site.endOfVisit(of: request).merging(cookies) { $1 }.map(\.value).sorted()
      )
    }
  }
}

extension Stands {
  /// The settings that any of the walks changes, by their names.
  fileprivate var settings: Set<String> {
    let steps = states.compactMap(walk(to:)).joined()
    let names = steps.flatMap { step -> [String] in
      guard case .deed(.settings(.object(let members)))? = step.action else { return [] }
      return members.map(\.name)
    }
    return Set(names)
  }
}

extension Stories {
  /// Tells stories on the pages, in worlds that are made for them.
  ///
  /// - Parameters:
  ///   - site: The pages.
  ///   - worlds: Where they are told.
  ///   - api: Backstage's calls, for what happens beside the pages.
  ///   - scheme: Of the addresses that people type.
  /// - Returns: What tells them.
  static func through(
    _ site: Site,
    _ worlds: Worlds,
    _ api: BackstageAPI,
    scheme: String
  ) -> Stories {
    Stories(
      worlds: worlds,
      scheme: scheme,
      over: InProcessTransport(to: Walkable(site: site, api: api), givesWay: true),
      endOfVisit: site.endOfVisit(of:),
      randomBytes: systemRandomBytes
    )
  }
}

extension ErrorRehearsal {
  /// Has the errors given in a world that is made for it and dropped then.
  ///
  /// - Parameters:
  ///   - site: The pages.
  ///   - emulation: Whose worlds there are, and which API is emulated.
  /// - Returns: What rehearses.
  /// - Throws: `StoryFault` where the table of walks is none.
  static func through(
    _ site: Site,
    _ emulation: Emulation
  ) throws(StoryFault) -> ErrorRehearsal {
    let stands = try Stands(over: emulation.api.option)
    let transport = InProcessTransport(
      to: Walkable(site: site, api: emulation.backstageAPI),
      givesWay: true
    )
    let host = site.ownHost
    return ErrorRehearsal { occasions in
      guard let world = WorldName("errors-\(Hexadecimal.text(of: systemRandomBytes(6)))") else {
        return occasions.map { _ in nil }
      }
      let shown = await Site.rehearsing {
        var shown: [Shown?] = []
        for occasion in occasions {
          let player = StoryPlayer(over: transport, host: host, world: world.text)
          for step in stands.walk(to: occasion.state) ?? [] { _ = await player.perform(step) }
          let calls = TestBackstage(over: transport, host: host, world: world.text)
          shown.append(await Self.shown(occasion, to: player.browser, calls))
        }
        return shown
      }
      _ = emulation.worlds.drop(world)
      return shown
    }
  }
}

extension ErrorRehearsal {
  /// Has an error given to a browser that stands where it is given; nil where no page tells it.
  private static func shown(
    _ occasion: Occasion,
    to browser: FormSession,
    _ calls: TestBackstage
  ) async -> Shown? {
    do {
      _ = try await calls.call(.delete, "faults")
      let fault = String(decoding: occasion.fault.encoded, as: UTF8.self)
      _ = try await calls.call(.post, "faults", json: fault)
      return Shown(occasion.code, on: try await browser.submit(occasion.input))
    } catch {
      return nil
    }
  }
}

extension ErrorRehearsal.Shown {
  /// Where that code stands on the page; nil where it does not.
  ///
  /// What a lock or a ban is called by its page is not always what the API calls it.
  fileprivate init?(_ code: String, on page: PageSnapshot) {
    let atFields = page.forms.flatMap(\.fields).flatMap { field in
      (field.errors ?? []).map { (field: Optional(field.name), error: $0) }
    }
    let general = page.errors.map { (field: String?.none, error: $0) }
    let isAboutOne = ["locked", "blocked"].contains(page.page)
    guard let told = (atFields + general).first(where: { isAboutOne || $0.error.code == code })
    else { return nil }
    self.init(
      page: page.page,
      status: page.status,
      field: told.field,
      words: told.error.message
    )
  }
}

/// The pages with backstage's calls, without a socket.
private struct Walkable: HTTPHandler {
  let site: Site
  let api: BackstageAPI

  func respond(to request: Request) async -> Response {
    if request.path.hasPrefix("/backstage/api/") { return await api.respond(to: request) }
    return await PageRequest.tracing(request) { await site.respond(to: request) }
  }
}
