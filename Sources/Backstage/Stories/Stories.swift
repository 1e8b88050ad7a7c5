public import Emulators
internal import Headless
public import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages

/// The stories that can be told, and how to play them with a request's browser.
public struct Stories: Sendable {
  /// The form field that says that the story fills the form in.
  static let field = "story_step"

  let worlds: Worlds
  private let scheme: String
  private let transport: any HTTPTransport
  private let endOfVisit: @Sendable (Request) -> [String: String]
  private let randomBytes: @Sendable (Int) -> [UInt8]
  /// The built-in stories, once they have been read.
  private let kept = Locked<[Story]?>(nil)
  private let turns: Turns

  /// - Parameters:
  ///   - worlds: The worlds to tell them in.
  ///   - scheme: The scheme of the addresses under which people reach the worlds.
  ///   - transport: Reaches the pages and backstage's calls.
  ///   - endOfVisit: The `Set-Cookie` values that end the visit of a request, by cookie name.
  ///   - randomBytes: Makes the given number of random bytes, for the names of a story's worlds.
  ///   - memory: The turns that stories already take.
  public init(
    worlds: Worlds,
    scheme: String,
    over transport: any HTTPTransport,
    endOfVisit: @escaping @Sendable (Request) -> [String: String],
    randomBytes: @escaping @Sendable (Int) -> [UInt8],
    memory: BackstageMemory = BackstageMemory()
  ) {
    self.worlds = worlds
    self.scheme = scheme
    self.transport = transport
    self.endOfVisit = endOfVisit
    self.randomBytes = randomBytes
    turns = memory.storyTurns
  }

  /// The built-in stories for the emulated API, by name.
  ///
  /// - Throws: `StoryFault` for the first file that is not a story.
  func all() throws -> [Story] {
    if let stories = kept.withLock({ $0 }) { return stories }
    let stories = try Story.builtIn().filter { $0.isTold(over: worlds.api) }
    kept.withLock { $0 = stories }
    return stories
  }

  /// The addresses of the worlds that stories are told in.
  func addresses(asIn request: Request) -> WorldAddresses {
    WorldAddresses(scheme: scheme, asIn: request)
  }

  /// - Throws: `BackstageRefusal` with status 404 if there is no story of that name.
  func story(named name: String) throws -> Story {
    guard let story = try all().first(where: { $0.name == name }) else {
      throw BackstageRefusal(
        .notFound,
        "There is no story '\(name.prefix(100))'; `GET stories` lists them."
      )
    }
    return story
  }

  // MARK: - A story from its beginning

  /// Begins a story in a world that is created for it.
  ///
  /// - Parameters:
  ///   - story: The story.
  ///   - request: The request, whose host is that of the pages.
  /// - Returns: The world, which has the story's people, settings, clock and faults.
  /// - Throws: `BackstageRefusal` if the emulator refuses them.
  func begin(_ story: Story, for request: Request) async throws -> WorldName {
    let name = try newName(of: story)
    let world = try await worlds.world(name)
    do {
      try await prepare(story, by: player(for: request, in: name))
    } catch {
      worlds.drop(name)
      throw error
    }
    world.begin(StoryWalk(story, at: world.clock.now))
    return name
  }

  private func newName(of story: Story) throws -> WorldName {
    let others = Set(worlds.names)
    // Few names with seven hexadecimal digits are taken: one try is nearly always enough.
    for _ in 0..<8 {
      let digits = Hexadecimal.text(of: randomBytes(4)).prefix(7)
      if let name = WorldName("\(story.name)-\(digits)"), !others.contains(name) { return name }
    }
    throw BackstageRefusal(.worldUnavailable, "No free name is left for a world of the story.")
  }

  private func prepare(_ story: Story, by player: StoryPlayer) async throws {
    do {
      try await player.prepare(story)
    } catch let failure as TestBackstage.Failure {
      throw BackstageRefusal.invalid("The story cannot begin: \(failure)")
    }
  }

  func player(
    for request: Request,
    in world: WorldName,
    others: OtherBrowsers = OtherBrowsers()
  ) -> StoryPlayer {
    StoryPlayer(
      over: transport,
      host: request.headerFields[.host],
      world: world.text,
      patience: .zero,
      others: others
    )
  }

  // MARK: - On the way

  /// Restarts the story of a world, plays `count` of its steps, and brings the browser there.
  ///
  /// Requests that arrive meanwhile wait their turn.
  ///
  /// - Throws: `BackstageRefusal` if no story is told, a step goes differently, or the world has
  ///   been dropped.
  func stand(at count: Int, of world: World, for request: Request) async throws -> Response {
    try await turns.take(in: world, of: worlds) {
      try await standInTurn(at: count, of: world, for: request)
    }
  }

  private func standInTurn(
    at count: Int,
    of world: World,
    for request: Request
  ) async throws -> Response {
    guard let walk = world.walk, (0...walk.story.steps.count).contains(count) else {
      throw BackstageRefusal.notFound
    }
    let player = player(for: request, in: world.name)
    // Until this ends the world tells no story, so no other browser's page counts as a step.
    do {
      try await prepare(walk.story, by: player)
      for (index, step) in walk.story.steps.prefix(count).enumerated() {
        try await take(step, index, by: player)
      }
    } catch {
      world.begin(StoryWalk(walk.story, at: world.clock.now))
      throw error
    }
    let now = world.clock.now
    world.begin(StoryWalk(walk.story, done: count, at: now, others: player.others))
    return await there(player, in: walk.story, for: request)
  }

  /// Brings the browser to where the player's browser is.
  private func there(
    _ player: StoryPlayer,
    in story: Story,
    for request: Request
  ) async -> Response {
    let page = await player.browser.page
    let cookies = await player.browser.cookieHeaders
    return .seeOther(
      page.map(\.opened) ?? story.firstPath,
      cookies: endOfVisit(request).merging(cookies) { $1 }.map(\.value).sorted()
    )
  }

  /// Takes a step that happens beside the pages or in another browser, or opens a page.
  ///
  /// - Parameters:
  ///   - step: The index of the step, counted from 0; if it is not the next one, it is done
  ///     already.
  ///   - world: The world of the story.
  ///   - request: The request of the browser that continues.
  ///   - note: Receives the event of a step that was taken now.
  /// - Returns: A redirect to the page where the story continues.
  /// - Throws: `BackstageRefusal` if no story is told, the step goes differently, or the world has
  ///   been dropped.
  func next(
    _ step: Int,
    of world: World,
    for request: Request,
    noting note: @escaping @Sendable (RecordedEvent) -> Void
  ) async throws -> Response {
    try await turns.take(in: world, of: worlds) {
      try await nextInTurn(step, of: world, for: request, noting: note)
    }
  }

  private func nextInTurn(
    _ step: Int,
    of world: World,
    for request: Request,
    noting note: (RecordedEvent) -> Void
  ) async throws -> Response {
    guard let walk = world.walk else { throw BackstageRefusal.notFound }
    let page = walk.page.map(FlowMap.path) ?? walk.story.firstPath
    // Sent twice or from an old page: the step is already done.
    guard step == walk.done, let next = walk.next else { return .seeOther(page) }
    let player = player(for: request, in: world.name, others: walk.others)
    if let name = next.browser {
      try await takeAside(next, walk, of: world, by: player)
      note(.unrepeatable("A step of the story was taken in another browser, \(name)."))
      return .seeOther(page)
    }
    switch next.action {
    case .submit: return .seeOther(page)
    case .open(let place):
      do {
        let path = try await player.path(of: place)
        world.press(step)
        return .seeOther(path)
      } catch let failure as TestBackstage.Failure {
        throw BackstageRefusal.strayed(at: step, failure.description)
      }
    case .stand, .deed, nil:
      try await take(next, step, by: player)
      world.pass(walk)
      walk.document(ofStep: step).flatMap(RecordedEvent.init(step:)).map(note)
      if case .stand = next.action { return await there(player, in: walk.story, for: request) }
      return .seeOther(page)
    }
  }

  /// Takes the next step of a walk in the browser that it names, and counts it as done.
  private func takeAside(
    _ step: Story.Step,
    _ walk: StoryWalk,
    of world: World,
    by player: StoryPlayer
  ) async throws {
    if let name = step.browser, await walk.isBrowserLeftBehind {
      world.stray()
      throw BackstageRefusal(
        .unreachable,
        "The browser \(name) has not taken its earlier steps: begin anew, up to here."
      )
    }
    world.turnAside(true)
    defer { world.turnAside(false) }
    do {
      try await take(step, walk.done, by: player)
    } catch {
      // That browser may be anywhere now.
      world.stray()
      throw error
    }
    world.pass(walk)
  }

  private func take(
    _ step: Story.Step,
    _ index: Int,
    by player: StoryPlayer
  ) async throws(BackstageRefusal) {
    guard case .otherwise(let reasons) = await player.perform(step) else { return }
    throw .strayed(at: index, reasons.joined(separator: "; "))
  }
}

extension BackstageRefusal {
  /// A step, counted from 0, went differently than it is told.
  fileprivate static func strayed(at index: Int, _ words: String) -> BackstageRefusal {
    BackstageRefusal(.unreachable, "Step \(index + 1) went differently: \(words).")
  }
}

extension PageSnapshot {
  /// The path at which a browser can open the page: the response to a refused form is at the form's
  /// own address.
  fileprivate var opened: String { status < 400 ? path : FlowMap.path(of: page) }
}
