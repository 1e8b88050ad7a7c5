import Emulators
import Headless
import Pages
import Testing

@testable import Backstage

@Suite("How a story goes on by what browsers are shown")
struct StoryWalkTests {
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
    StoryWalk(try Story(document: Array(Self.file.utf8)), done: done)
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

  @Test("the page to which the browser is brought is no step, the same page opened again is")
  func arrival() throws {
    var walk = try walk()
    walk.see(opened("/sign-in", "sign-in"))
    #expect(walk.done == 0 && walk.page == "sign-in")
    walk.see(opened("/sign-up", "sign-up"))
    #expect(walk.done == 0)
    walk.see(opened("/sign-in", "sign-in"))
    #expect(walk.done == 1)
  }

  @Test("who sends the form of a page has opened it; another refusal is not the one that is told")
  func catchingUp() throws {
    var walk = try walk()
    walk.see(opened("/sign-in", "sign-in"))
    walk.see(SeenStep(.posted, page: "sign-in", status: 422, errors: ["identifier_unknown"]))
    #expect(walk.done == 0)
    walk.see(refused)
    #expect(walk.done == 2)
    #expect(walk.next?.say == "Later.")
  }

  @Test("what happens beside the pages is passed; then the link of a mail is opened, no reload")
  func link() throws {
    var walk = try walk(done: 2)
    walk.see(opened("/sign-in", "sign-in"))
    walk.see(refused)
    #expect(walk.done == 2, "no page moves a clock")
    walk.pass()
    walk.see(opened("/sign-in/link", "sign-in-link"))
    walk.see(opened("/sign-in/link", "sign-in-link"))
    #expect(walk.done == 3)
    walk.see(SeenStep(.opened(path: "/sign-in/link", hasQuery: true), page: nil, status: 303))
    walk.see(opened("/sign-in/link", "sign-in-link"))
    #expect(walk.done == 4)
  }

  @Test("a form that is sent counts once its page is shown; a refusal that nobody told does not")
  func redirect() throws {
    var walk = try walk(done: 4)
    walk.see(opened("/sign-in/link", "sign-in-link"))
    walk.see(opened("/account", "account"))
    #expect(walk.done == 4, "nothing was sent")
    walk.see(SeenStep(.posted, page: nil, status: 303))
    walk.see(opened("/account", "account"))
    #expect(walk.done == 5 && walk.next == nil)
    walk.see(refused)
    #expect(walk.done == 5)
  }

  @Test("the walk of a document stands where it stood, and waits for a browser to be brought there")
  func document() throws {
    var walk = try #require(try StoryWalk(try walk(done: 4).json, over: .clerk))
    #expect(walk.done == 4 && walk.story.title == "S" && walk.page == nil)
    walk.see(opened("/sign-in", "sign-in"))
    #expect(walk.page == nil)
    #expect(try StoryWalk(.null, over: .clerk) == nil)
  }

  @Test(
    "what is no walk is refused",
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

  @Test("a story of another API is refused")
  func otherAPI() throws {
    let text = Self.file.replacing("\"title\"", with: "\"api\": \"entra\", \"title\"")
    let json = try #require(JSON(decoding: Array(text.utf8)))
    #expect(throws: BackstageRefusal.self) { try Story(json, over: .clerk) }
    #expect(try Story(json, over: .entra).name == "s")
  }
}
