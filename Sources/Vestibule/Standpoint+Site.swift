internal import Assets
internal import AuthFlow
internal import Backstage
internal import Emulators
internal import Headless
internal import HTTPExchange
internal import HTTPTypes
internal import Pages
internal import Site

extension Standpoint {
  /// Walks depend on a fresh world's demo users and clock; a reset does not remove any other obstacle.
  ///
  /// Settings are none: a walk that strays under those of the world is tried with the default ones, too.
  private static let hint = "; if the world has changed since it began, reset it and try again"

  /// Walks as a browser without cookies, in the request's world, and hands over the cookies that it gets.
  ///
  /// - Parameters:
  ///   - site: The pages.
  ///   - emulation: The emulated API, with backstage's calls for codes, clock and settings.
  /// - Returns: The standpoint that walks.
  /// - Throws: `StoryFault` if the table of walks cannot be read.
  static func through(_ site: Site, _ emulation: Emulation) throws(StoryFault) -> Self {
    let option = emulation.api.option
    let stands = try Stands(over: option)
    let others = try EmulatedAPI.allCases.filter { $0.rawValue != option }
      .map { api throws(StoryFault) in try Stands(over: api.rawValue).states }
    let transport = InProcessTransport(
      to: Walkable(site: site, api: emulation.backstageAPI),
      givesWay: true
    )
    return Standpoint(
      states: stands.states,
      statesElsewhere: others.reduce([]) { $0.union($1) },
      settings: stands.settings,
      memory: emulation.backstageMemory
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
          return .elsewhere("Step \(index + 1) of the walk went differently (\(words))\(hint).")
        }
      }
      let page = await player.browser.page
      // One page has several steps: sign-up asks for details, or says that it is closed.
      guard let page, page.page == state.prefix(while: { $0 != "/" }),
        page.step == Atlas.example(named: state)?.page.step
      else {
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
  /// The names of the settings that any of the walks changes.
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
  /// Plays stories on the pages, in worlds that are made for them.
  ///
  /// - Parameters:
  ///   - site: The pages.
  ///   - emulation: The emulated API, with the worlds to play in.
  ///   - api: Backstage's calls, for what happens beside the pages.
  ///   - scheme: The scheme of the addresses that people type.
  /// - Returns: The player of stories.
  static func through(
    _ site: Site,
    _ emulation: Emulation,
    _ api: BackstageAPI,
    scheme: String
  ) -> Stories {
    Stories(
      worlds: emulation.worlds,
      scheme: scheme,
      over: InProcessTransport(to: Walkable(site: site, api: api), givesWay: true),
      endOfVisit: site.endOfVisit(of:),
      randomBytes: systemRandomBytes,
      memory: emulation.backstageMemory
    )
  }
}

extension ErrorRehearsal {
  /// Provokes the errors in a world that is made for it and then dropped.
  ///
  /// - Parameters:
  ///   - site: The pages.
  ///   - emulation: The emulated API and its worlds.
  ///   - watch: Detects changes to the pages' files; nil if they are read only once.
  /// - Returns: The rehearsal.
  /// - Throws: `StoryFault` if the table of walks cannot be read.
  static func through(
    _ site: Site,
    _ emulation: Emulation,
    watching watch: FileWatch?
  ) throws(StoryFault) -> ErrorRehearsal {
    let stands = try Stands(over: emulation.api.option)
    let transport = InProcessTransport(
      to: Walkable(site: site, api: emulation.backstageAPI),
      givesWay: true
    )
    let host = site.ownHost
    return ErrorRehearsal(over: { watch?.version.description }) { occasions in
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
  /// Provokes an error for a browser that has walked to its occasion; nil if no page shows it.
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
  /// Where the code appears on the page; nil if it does not.
  ///
  /// The page of a lock or a ban may use another code than the API.
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
    if request.isForBackstageAPI { return await api.respond(to: request) }
    return await PageRequest.tracing(request) { await site.respond(to: request) }
  }
}
