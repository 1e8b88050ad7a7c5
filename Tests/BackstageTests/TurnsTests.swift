import Emulators
import Headless
import HTTPExchange
import HTTPTypes
import Testing

@testable import Backstage

@Suite("Turns in a world")
struct TurnsTests {
  private let worlds: Worlds
  private let world: World
  private let memory = BackstageMemory()

  init() async throws {
    let worlds = try Worlds(storage: .memory, users: [])
    self.worlds = worlds
    world = try await worlds.world(#require(WorldName("w")))
  }

  private let request = Request(
    method: .post,
    target: "/backstage/stories",
    headerFields: [.host: "w.localhost:8080"]
  )

  /// The stories over backstage's calls, with that memory.
  private var stories: Stories {
    Stories(
      worlds: worlds,
      scheme: "http",
      over: InProcessTransport(to: BackstageAPI(worlds: worlds)),
      endOfVisit: { _ in [:] },
      randomBytes: { Array(repeating: 7, count: $0) },
      memory: memory
    )
  }

  private func tell() throws {
    let file = """
      {"name": "s", "title": "S", "summary": "S.", "steps": [
        {"say": "Later.", "clock": {"advance_seconds": 60}}, {"say": "In.", "open": "/sign-in"}]}
      """
    world.begin(StoryWalk(try Story(document: Array(file.utf8)), at: world.clock.now))
  }

  /// Drops the world while a story of another backstage with the same memory has the turn there.
  private func dropWhile(_ waits: @escaping @Sendable () async throws -> Response) async throws {
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let holding = Task { [memory, world, worlds] in
      try await memory.storyTurns.take(in: world, of: worlds) {
        begin.finish()
        for await _ in ended {}
      }
    }
    for await _ in begun {}
    let waiting = Task { try await waits() }
    #expect(worlds.drop(world.name))
    end.finish()
    try await holding.value
    let refusal = await #expect(throws: BackstageRefusal.self) { try await waiting.value }
    #expect(refusal?.code == .worldUnavailable)
    #expect(worlds.opened(world.name) == nil, "no fresh world has been made in its place")
  }

  @Test("a step of a story whose world is dropped while it waits is refused, not taken in another")
  func droppedBeforeStep() async throws {
    try tell()
    try await dropWhile { [stories, world, request] in
      try await stories.next(0, of: world, for: request) { _ in }
    }
  }

  @Test("a story whose world is dropped while its replay waits is not begun in another")
  func droppedBeforeReplay() async throws {
    try tell()
    try await dropWhile { [stories, world, request] in
      try await stories.stand(at: 1, of: world, for: request)
    }
  }

  @Test("a stand in a world that has been dropped is refused, and no walk begins")
  func droppedBeforeStand() async throws {
    let standpoint = Standpoint(states: ["sign-in/fresh"], memory: memory) { _, _ in
      Issue.record("a browser was brought there")
      return .there(location: "/sign-in", cookies: [])
    }
    worlds.drop(world.name)
    let refusal = await #expect(throws: BackstageRefusal.self) {
      try await standpoint.answer(
        to: request,
        page: "sign-in",
        state: "fresh",
        in: world,
        of: worlds,
        nil
      )
    }
    #expect(refusal?.code == .worldUnavailable)
  }
}
