public import Emulators
internal import Headless
public import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages

/// The stories that a world can tell, and what plays them with the browser of a request.
public struct Stories: Sendable {
  /// The field by which a form of a page says that the story fills it in.
  static let field = "story_step"

  let worlds: Worlds
  private let scheme: String
  private let transport: any HTTPTransport
  private let endOfVisit: @Sendable (Request) -> [String: String]
  private let randomBytes: @Sendable (Int) -> [UInt8]
  /// Those that come along, once they have been asked for.
  private let kept = Locked<[Story]?>(nil)
  private let turns = Turns()

  /// - Parameters:
  ///   - worlds: Where they are told.
  ///   - scheme: Of the addresses under which people reach them.
  ///   - transport: Reaches pages and backstage's calls.
  ///   - endOfVisit: The values of `Set-Cookie` that end the visit of a request, by the cookies' names.
  ///   - randomBytes: So many, by which the worlds of one story differ.
  public init(
    worlds: Worlds,
    scheme: String,
    over transport: any HTTPTransport,
    endOfVisit: @escaping @Sendable (Request) -> [String: String],
    randomBytes: @escaping @Sendable (Int) -> [UInt8]
  ) {
    self.worlds = worlds
    self.scheme = scheme
    self.transport = transport
    self.endOfVisit = endOfVisit
    self.randomBytes = randomBytes
  }

  /// Those that come along for the API at hand, by their names.
  ///
  /// - Throws: `StoryFault` for the first that is none.
  func all() throws -> [Story] {
    if let stories = kept.withLock({ $0 }) { return stories }
    let stories = try Story.builtIn().filter { $0.isTold(over: worlds.api) }
    kept.withLock { $0 = stories }
    return stories
  }

  /// Where the worlds are that are made for stories.
  func addresses(asIn request: Request) -> WorldAddresses {
    WorldAddresses(scheme: scheme, asIn: request)
  }

  /// - Throws: `BackstageRefusal` with status 404 where there is none of that name.
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

  /// Begins a story in a world that is made for it.
  ///
  /// - Parameters:
  ///   - story: What is told.
  ///   - request: Who asks; where pages are.
  /// - Returns: The world, which has the story's people, settings, clock and faults.
  /// - Throws: `BackstageRefusal` where the emulator refuses them.
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
    // Of seven digits hardly any are taken: one try is nearly always enough.
    for _ in 0..<8 {
      let digits = Hexadecimal.text(of: randomBytes(4)).prefix(7)
      if let name = WorldName("\(story.name)-\(digits)"), !others.contains(name) { return name }
    }
    throw BackstageRefusal(.worldUnavailable, "No name is left for a world of the story.")
  }

  private func prepare(_ story: Story, by player: StoryPlayer) async throws {
    do {
      try await player.prepare(story)
    } catch let failure as TestBackstage.Failure {
      throw BackstageRefusal.invalid("The story cannot begin: \(failure)")
    }
  }

  func player(for request: Request, in world: WorldName) -> StoryPlayer {
    StoryPlayer(
      over: transport,
      host: request.headerFields[.host],
      world: world.text,
      patience: .zero
    )
  }

  // MARK: - On the way

  /// Begins the story of a world anew, plays so many of its steps, and brings the browser there.
  ///
  /// What is pressed meanwhile comes after it.
  func stand(at count: Int, of world: World, for request: Request) async throws -> Response {
    try await turns.take(in: world.name) {
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
    // Until the end of this there is no story: nobody else's page is a step of it.
    do {
      try await prepare(walk.story, by: player)
      for (index, step) in walk.story.steps.prefix(count).enumerated() {
        guard case .otherwise(let reasons) = await player.perform(step) else { continue }
        let words = reasons.joined(separator: "; ")
        throw BackstageRefusal(.unreachable, "Step \(index + 1) goes otherwise: \(words).")
      }
    } catch {
      world.begin(StoryWalk(walk.story, at: world.clock.now))
      throw error
    }
    world.begin(StoryWalk(walk.story, done: count, at: world.clock.now))
    return await there(player, in: walk.story, for: request)
  }

  /// Brings the browser where that one stands that has walked.
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

  /// Takes a step that happens beside the pages, or opens a page.
  ///
  /// - Parameters:
  ///   - step: Which one, counted from nothing; any other than the next is done already.
  ///   - world: Whose story it is.
  ///   - request: Whose browser goes on.
  ///   - note: Is told of a step that was taken now.
  /// - Returns: The way to the page where the story goes on.
  /// - Throws: `BackstageRefusal` where no story is told, or the step goes otherwise.
  func next(
    _ step: Int,
    of world: World,
    for request: Request,
    noting note: @escaping @Sendable (RecordedEvent) -> Void
  ) async throws -> Response {
    try await turns.take(in: world.name) {
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
    // Sent twice, or by an old page: the step is done already.
    guard step == walk.done, let next = walk.next else { return .seeOther(page) }
    let player = player(for: request, in: world.name)
    switch next.action {
    case .submit: return .seeOther(page)
    case .open(let place):
      do {
        return .seeOther(try await player.path(of: place))
      } catch let failure as TestBackstage.Failure {
        throw BackstageRefusal(.unreachable, failure.description)
      }
    case .stand, .deed, nil:
      if case .otherwise(let reasons) = await player.perform(next) {
        throw BackstageRefusal(.unreachable, reasons.joined(separator: "; "))
      }
      world.pass(walk)
      walk.document(ofStep: step).flatMap(RecordedEvent.init(step:)).map(note)
      if case .stand = next.action { return await there(player, in: walk.story, for: request) }
      return .seeOther(page)
    }
  }
}

extension PageSnapshot {
  /// Where a browser opens it: a form that is refused is answered at an address of its own.
  fileprivate var opened: String { status < 400 ? path : FlowMap.path(of: page) }
}
