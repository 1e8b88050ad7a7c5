import Emulators
import Foundation
import HTTPExchange
import Headless
import Pages
import Testing

@testable import Backstage

@Suite("How a story advances by what browsers are shown")
struct StoryWalkTests {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let file = """
    {"name": "s", "title": "S", "summary": "S.", "steps": [
      {"say": "In.", "open": "/sign-in", "expect": {"page": "sign-in"}},
      {"say": "Refused.", "submit": {"password": "a"},
       "expect": {"status": 422, "errors": {"password": ["form_password_incorrect"]}}},
      {"say": "Later.", "clock": {"advance_seconds": 60}},
      {"say": "By the link.", "open": {"latest": {"to": "a@example.com"}},
       "expect": {"page": "sign-in-link"}},
      {"say": "Home.", "submit": {}, "form": "continue", "expect": {"page": "account"}}]}
    """

  private func walk(done: Int = 0) throws -> StoryWalk {
    StoryWalk(try Story(document: Array(Self.file.utf8)), done: done, at: Self.start)
  }

  private func opened(_ path: String, _ page: String, query: Bool = false) -> SeenStep {
    SeenStep(.opened(path: path, hasQuery: query), page: page)
  }

  private let refused = SeenStep(
    .posted,
    page: "sign-in",
    status: 422,
    fieldErrors: ["password": ["form_password_incorrect"]]
  )

  @Test("the page that a story begins on is not a step, but opening it again is")
  func arrival() throws {
    var walk = try walk()
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    #expect(walk.done == 0 && walk.page == "sign-in")
    walk.see(opened("/sign-up", "sign-up"), at: Self.start)
    #expect(walk.done == 0)
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    #expect(walk.done == 1)
  }

  @Test("sending a page's form implies having opened it; a different refusal does not count")
  func catchingUp() throws {
    var walk = try walk()
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    walk.see(
      SeenStep(.posted, page: "sign-in", status: 422, errors: ["identifier_unknown"]),
      at: Self.start
    )
    #expect(walk.done == 0)
    walk.see(refused, at: Self.start)
    #expect(walk.done == 2)
    #expect(walk.next?.say == "Later.")
  }

  @Test("only the bar takes a step in another browser, and the way goes on where the first one is")
  func otherBrowser() throws {
    let file = """
      {"name": "s", "title": "S", "summary": "S.", "steps": [
        {"say": "Here.", "open": "/sign-in", "expect": {"page": "sign-in"}},
        {"say": "There.", "browser": "phone", "open": "/sign-up", "expect": {"page": "sign-up"}},
        {"say": "On.", "submit": {}, "expect": {"page": "account"}}]}
      """
    var walk = StoryWalk(try Story(document: Array(file.utf8)), at: Self.start)
    for _ in 0..<2 { walk.see(opened("/sign-in", "sign-in"), at: Self.start) }
    #expect(walk.done == 1 && walk.next?.browser == "phone")
    walk.see(opened("/sign-up", "sign-up"), at: Self.start)
    #expect(walk.done == 1 && walk.page == "sign-in", "it cannot be told whose page that was")

    // What the bar's own step shows is counted once, when it is over.
    walk.turnAside(true)
    walk.see(opened("/sign-up", "sign-up"), at: Self.start)
    #expect(walk.done == 1)
    walk.pass(at: Self.start)
    #expect(walk.done == 2 && walk.page == "sign-in")
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    walk.see(SeenStep(.posted, page: "account"), at: Self.start)
    #expect(walk.done == 3 && walk.page == "account")
  }

  @Test("a form of the bar that leads elsewhere is remembered until a step is done")
  func astray() throws {
    var walk = try walk(done: 1)
    let other = SeenStep(.posted, page: "sign-in", status: 422, errors: ["identifier_unknown"])
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    walk.see(other, at: Self.start)
    #expect(!walk.isAstray, "somebody typed that")
    walk.press(0)
    walk.see(other, at: Self.start)
    #expect(!walk.isAstray, "that step is done")
    walk.press(1)
    walk.see(SeenStep(.posted, page: nil, status: 303), at: Self.start)
    #expect(!walk.isAstray, "its page is still to come")
    walk.see(opened("/sign-up", "sign-up"), at: Self.start)
    #expect(walk.isAstray && walk.done == 1)
    walk.see(refused, at: Self.start)
    #expect(!walk.isAstray && walk.done == 2)
    walk.press(1)
    walk.see(refused, at: Self.start)
    #expect(!walk.isAstray, "it was sent twice")
  }

  @Test("a page of the bar that leads elsewhere is remembered, one that a person opens is not")
  func openedAstray() throws {
    var walk = try walk()
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    walk.see(opened("/account", "account"), at: Self.start)
    #expect(!walk.isAstray)
    walk.press(0)
    walk.see(
      SeenStep(.opened(path: "/sign-in", hasQuery: false), page: nil, status: 303),
      at: Self.start
    )
    #expect(!walk.isAstray, "its page is still to come")
    walk.see(opened("/account", "account"), at: Self.start)
    #expect(walk.isAstray && walk.done == 0)
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    #expect(!walk.isAstray && walk.done == 1)
  }

  @Test("a step outside the pages has to be passed; then a mailed link counts, a reload does not")
  func link() throws {
    var walk = try walk(done: 2)
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    walk.see(refused, at: Self.start)
    #expect(walk.done == 2, "no page moves a clock")
    walk.pass(at: Self.start)
    walk.see(opened("/sign-in/link", "sign-in-link"), at: Self.start)
    walk.see(opened("/sign-in/link", "sign-in-link"), at: Self.start)
    #expect(walk.done == 3)
    walk.see(
      SeenStep(.opened(path: "/sign-in/link", hasQuery: true), page: nil, status: 303),
      at: Self.start
    )
    walk.see(opened("/sign-in/link", "sign-in-link"), at: Self.start)
    #expect(walk.done == 4)
  }

  @Test("a step that was counted while it was taken counts once, and what followed it stays")
  func passedMeanwhile() async throws {
    let worlds = try Worlds(storage: .memory, users: [])
    let world = try await worlds.world(.main)
    let before = world.clock.now
    world.begin(StoryWalk(try walk().story, done: 2, at: before))
    let walk = try #require(world.walk)
    guard let show = world.story(token: "") else {
      Issue.record("no story is told")
      return
    }
    world.clock.advance(60)
    world.tellClockMove(from: before)
    #expect(world.walk?.done == 3)
    world.pass(walk)
    #expect(world.walk?.done == 3)
    _ = show(opened("/sign-in", "sign-in"))
    _ = show(opened("/sign-in/link", "sign-in-link", query: true))
    #expect(world.walk?.done == 4)
    world.pass(walk)
    #expect(world.walk?.done == 4)
    world.pass(try #require(world.walk))
    #expect(world.walk?.done == 5)
    try await world.reset()
    world.pass(walk)
    #expect(world.walk == nil, "a world that was reset tells no story")
  }

  private func reading(_ seconds: Double, isFrozen: Bool = false) -> WorldClock.Reading {
    let now = Self.start.addingTimeInterval(seconds)
    return WorldClock.Reading(now: now, offset: seconds, isFrozen: isFrozen)
  }

  @Test(
    "the clock may be moved by hand, at once or bit by bit, as far as the story says or further"
  )
  func clock() throws {
    var walk = try walk()
    walk.moveClock(from: Self.start, to: reading(600))
    #expect(walk.done == 0, "the next step is not the clock's")
    walk.see(opened("/sign-in", "sign-in"), at: Self.start.addingTimeInterval(600))
    walk.see(refused, at: Self.start.addingTimeInterval(605))
    #expect(walk.done == 2)
    walk.moveClock(from: Self.start.addingTimeInterval(610), to: reading(640))
    #expect(walk.done == 2, "only 35 of 60 seconds are over")
    walk.moveClock(from: Self.start.addingTimeInterval(640), to: reading(665))
    #expect(walk.done == 3)
    walk.see(opened("/sign-in", "sign-in"), at: Self.start.addingTimeInterval(670))
    #expect(walk.done == 3 && walk.page == "sign-in", "the page is where the walk goes on")
    var other = try self.walk(done: 2)
    other.moveClock(from: Self.start, to: reading(86_400))
    #expect(other.done == 3)
  }

  @Test(
    "a move of the clock is done when the clock is at its end, and not before",
    arguments: [
      (#"{"set": "2027-01-15T08:01:00Z"}"#, 59, 60),
      (#"{"set": "2027-01-15T07:59:00Z"}"#, -59, -60),
      (#"{"advance_seconds": -30}"#, -29, -31), (#"{"advance_seconds": 0.5}"#, 0, 1),
    ]
  )
  func moves(move: String, before: Double, after: Double) throws {
    let file = Self.file.replacing(#"{"advance_seconds": 60}"#, with: move)
    var walk = StoryWalk(try Story(document: Array(file.utf8)), done: 2, at: Self.start)
    walk.moveClock(from: Self.start, to: reading(before))
    #expect(walk.done == 2)
    walk.moveClock(from: Self.start, to: reading(after))
    #expect(walk.done == 3)
  }

  @Test("freezing or resetting the clock by hand completes the step that asks for it")
  func freezing() throws {
    for (move, isFrozen, seconds) in [
      (#"{"freeze": true}"#, true, 5.0), (#"{"reset": true}"#, false, 0),
    ] {
      let file = Self.file.replacing(#"{"advance_seconds": 60}"#, with: move)
      var walk = StoryWalk(try Story(document: Array(file.utf8)), done: 2, at: Self.start)
      walk.moveClock(from: Self.start, to: reading(9, isFrozen: !isFrozen))
      #expect(walk.done == 2, "\(move)")
      walk.moveClock(from: Self.start, to: reading(seconds, isFrozen: isFrozen))
      #expect(walk.done == 3, "\(move)")
    }
  }

  @Test("a sent form counts once its page is shown; a refusal that is not in the story does not")
  func redirect() throws {
    var walk = try walk(done: 4)
    walk.see(opened("/sign-in/link", "sign-in-link"), at: Self.start)
    walk.see(opened("/account", "account"), at: Self.start)
    #expect(walk.done == 4, "nothing was sent")
    walk.see(SeenStep(.posted, page: nil, status: 303), at: Self.start)
    walk.see(opened("/account", "account"), at: Self.start)
    #expect(walk.done == 5 && walk.next == nil)
    walk.see(refused, at: Self.start)
    #expect(walk.done == 5)
  }

  @Test("an imported walk is where it was, and waits for a browser to be brought there")
  func document() throws {
    var walk = try #require(try StoryWalk(try walk(done: 4).json, over: .clerk))
    #expect(walk.done == 4 && walk.story.title == "S" && walk.page == nil)
    walk.see(opened("/sign-in", "sign-in"), at: Self.start)
    #expect(walk.page == nil)
    #expect(try StoryWalk(.null, over: .clerk) == nil)
  }

  @Test(
    "a document that is not a walk is refused",
    arguments: [
      #"{"document": {}, "done": 0}"#, #"{"done": 0}"#, "[]", "1",
      #"{"document": FILE, "done": 6}"#, #"{"document": FILE, "done": -1}"#,
      #"{"document": FILE, "done": "1"}"#, #"{"document": FILE}"#,
    ]
  )
  func noWalk(text: String) throws {
    let json = try #require(JSON(decoding: Array(text.replacing("FILE", with: Self.file).utf8)))
    #expect(throws: BackstageRefusal.self) { try StoryWalk(json, over: .clerk) }
  }

  @Test("stories may name each emulated API, and there are built-in walks for each")
  func apis() throws {
    #expect(Stands.apis == EmulatedAPI.allCases.map(\.rawValue).sorted())
    for api in EmulatedAPI.allCases {
      let text = Self.file.replacing("\"title\"", with: "\"api\": \"\(api.rawValue)\", \"title\"")
      #expect(try Story(document: Array(text.utf8)).api == api.rawValue)
    }
  }

  @Test("a story of another API is refused")
  func otherAPI() throws {
    let text = Self.file.replacing("\"title\"", with: "\"api\": \"entra\", \"title\"")
    let json = try #require(JSON(decoding: Array(text.utf8)))
    #expect(throws: BackstageRefusal.self) { try Story(json, over: .clerk) }
    #expect(try Story(json, over: .entra).name == "s")
  }

  @Test(
    "the clock is reset once it is less than a second from the machine's",
    arguments: [(0.9, 3), (-0.9, 3), (1, 2), (-1, 2)] as [(Double, Int)]
  )
  func resetting(offset: Double, done: Int) throws {
    let file = Self.file.replacing(#"{"advance_seconds": 60}"#, with: #"{"reset": true}"#)
    var walk = StoryWalk(try Story(document: Array(file.utf8)), done: 2, at: Self.start)
    walk.moveClock(from: Self.start, to: reading(offset))
    #expect(walk.done == done)
  }
}
