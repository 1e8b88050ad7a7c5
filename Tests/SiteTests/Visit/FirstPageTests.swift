import AuthFlow
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("First pages, which are rendered once for all")
struct FirstPageTests {
  private static func token(of page: Visitor.Page) throws -> String {
    let forms = try #require(page.json["forms"] as? [[String: Any]])
    return try #require(forms.first?["token"] as? String)
  }

  @Test(
    "no two visitors share a token or a cookie, and a token is good only for its own visitor",
    arguments: ["/sign-in", "/sign-up", "/forgot-password"]
  )
  func ownSecrets(path: String) async throws {
    let test = try TestSite()
    let visitors = (0..<5).map { _ in test.visitor() }
    var tokens: [String] = []
    for visitor in visitors { tokens.append(try Self.token(of: await visitor.open(path))) }
    #expect(Set(tokens).count == visitors.count)
    #expect(Set(visitors.flatMap(\.cookies.values)).count == visitors.count)
    for visitor in visitors {
      for (owner, token) in zip(visitors, tokens) {
        let answer = await visitor.post(path, token: token)
        #expect((answer.status == 403) == (owner !== visitor))
      }
    }
  }

  @Test("visitors' HTML differs only in time and tokens, and each page has a new token")
  func alike() async throws {
    let test = try TestSite()
    let first = await test.visitor().open("/sign-in", [.accept: "text/html"]).body
    test.clock.advance(3_600)
    let visitor = test.visitor()
    let second = await visitor.open("/sign-in", [.accept: "text/html"]).body
    let again = await visitor.open("/sign-in", [.accept: "text/html"]).body
    let own = /name="form_token" value="[^"]+"|data-now="[^"]+"/
    #expect(Set([first, second, again]).count == 3)
    #expect(Set([first, second, again].map { $0.replacing(own, with: "") }).count == 1)
  }

  @Test("a known visitor, and one who asks for more than the page, get a page of their own")
  func notFirst() async throws {
    let test = try TestSite()
    _ = await test.visitor().open("/sign-in")
    let asking = await test.visitor().open("/sign-in?identifier=ada")
    #expect(asking.value(of: "identifier") == "ada")
    let known = try test.visitor { $0.identifier = "grace" }
    #expect(await known.open("/sign-in").value(of: "identifier") == "grace")
    #expect(await test.visitor().open("/sign-in").value(of: "identifier") == nil)
    let news = try test.visitor { $0.flash = Flash(path: "/sign-in", notices: [.signedOut]) }
    #expect(await news.open("/sign-in").noticeCodes == ["signed_out"])
    #expect(await test.visitor().open("/sign-in").noticeCodes.isEmpty)
  }

  private static func answer(to request: Request, of test: TestSite) -> Response? {
    test.site.readyAnswer(to: request)?()
  }

  // MARK: What is known without asking

  private static let first = WorldEdition(settings: 1, messages: 0)

  @Test("the next visitor with the same head gets the answer at once, with secrets of their own")
  func ready() async throws {
    let test = try TestSite()
    test.edition.withLock { $0 = Self.first }
    let request = Request(method: .get, target: "/sign-in", headerFields: test.visitor().fields())
    #expect(Self.answer(to: request, of: test) == nil)
    let first = await test.visitor().send(request)
    #expect(first.status == 200)
    let visitors = (0..<5).map { _ in test.visitor() }
    var tokens: [String] = []
    for visitor in visitors {
      let answer = try #require(Self.answer(to: request, of: test))
      let page = visitor.receive(answer)
      #expect(page.status == 200)
      #expect(
        page.response.headerFields.map(\.name) == first.response.headerFields.map(\.name)
      )
      let token = try Self.token(of: page)
      tokens.append(token)
      #expect(
        page.body.replacing(token, with: "")
          == first.body.replacing(
            try Self.token(of: first),
            with: ""
          )
      )
    }
    #expect(Set(tokens).count == visitors.count)
    #expect(Set(visitors.flatMap(\.cookies.values)).count == visitors.count)
    for visitor in visitors {
      for (owner, token) in zip(visitors, tokens) {
        let answer = await visitor.post("/sign-in", token: token)
        #expect((answer.status == 403) == (owner !== visitor))
      }
    }
  }

  @Test("the time on the page and the end of its visit count from the request")
  func moment() async throws {
    let test = try TestSite()
    test.edition.withLock { $0 = Self.first }
    let fields = test.visitor().fields([.accept: "text/html"])
    let request = Request(method: .get, target: "/sign-in", headerFields: fields)
    let early = await test.visitor().send(request).body
    test.clock.advance(90_000)
    test.machine.advance(90_000)
    let late = test.visitor()
    let answer = try #require(Self.answer(to: request, of: test))
    let moment = /data-now="(20[^"]+)"/
    let first = try #require(try moment.firstMatch(in: early)).1
    let second = try #require(try moment.firstMatch(in: late.receive(answer).body)).1
    #expect(first < second)
    #expect(late.visit != nil)
  }

  @Test(
    "it is not given for another head or a visit, or if the world has changed or is not known"
  )
  func notReady() async throws {
    let test = try TestSite()
    test.edition.withLock { $0 = Self.first }
    let visitor = test.visitor()
    let request = Request(method: .get, target: "/sign-in", headerFields: visitor.fields())
    _ = await visitor.send(request)
    #expect(Self.answer(to: request, of: test) != nil)
    for change in [
      { $0.method = .head }, { $0.method = .post }, { $0.target = "/sign-up" },
      { $0.target = "/sign-in?identifier=ada" }, { $0.headerFields[.host] = "localhost:8081" },
      { $0.headerFields[.accept] = "text/html" }, { $0.headerFields[.acceptLanguage] = "de" },
      { $0.headerFields[.cookie] = "vestibule_present=on" }, { $0.body = [0x61] },
      { $0.headerFields = visitor.fields() },
    ] as [(inout Request) -> Void] {
      var other = request
      change(&other)
      #expect(Self.answer(to: other, of: test) == nil, "\(other)")
    }
    for edition in [nil, WorldEdition(settings: 2, messages: 0), .init(settings: 1, messages: 1)] {
      test.edition.withLock { $0 = edition }
      #expect(Self.answer(to: request, of: test) == nil)
    }
    _ = await test.visitor().send(request)
    #expect(Self.answer(to: request, of: test) != nil)
  }

  @Test("a visit's own page, a redirect, an error and a page with parameters are not kept")
  func notKept() async throws {
    let test = try TestSite()
    test.edition.withLock { $0 = Self.first }
    let known = try test.visitor { $0.identifier = "grace" }
    for (visitor, target) in [
      (known, "/sign-in"), (test.visitor(), "/account"), (test.visitor(), "/sign-in/code"),
      (test.visitor(), "/nowhere"), (test.visitor(), "/sign-in?identifier=ada"),
      (test.visitor(), "/sign-in?language=de"),
    ] {
      let request = Request(method: .get, target: target, headerFields: visitor.fields())
      _ = await visitor.send(request)
      #expect(Self.answer(to: request, of: test) == nil, "\(target)")
    }
  }

  @Test("a page for a browser that brings a visit of another world is not kept")
  func otherWorld() async throws {
    let test = try TestSite()
    test.edition.withLock { $0 = Self.first }
    let there = test.visitor(world: "team-a")
    let here = try test.visitor { _ in }
    for isKept in [true, false] {
      if !isKept { there.cookies = here.cookies }
      let request = Request(method: .get, target: "/sign-in", headerFields: there.fields())
      #expect(await test.site.respond(to: request).status == .ok)
      #expect((test.site.firstAnswers.answer(to: request) != nil) == isKept)
    }
  }

  @Test("made-up heads do not fill the memory")
  func bounded() async throws {
    let test = try TestSite()
    test.edition.withLock { $0 = Self.first }
    func request(_ agent: String) -> Request {
      let fields = test.visitor().fields([.userAgent: agent])
      return Request(method: .get, target: "/sign-in", headerFields: fields)
    }
    _ = await test.site.respond(to: request("agent"))
    let answer = try #require(test.site.firstAnswers.answer(to: request("agent")))
    let answers = FirstAnswers(limit: 3)
    for number in 0..<10 {
      let request = request("agent \(number)")
      answers.keep(answer, to: request)
      #expect(answers.answer(to: request) === answer)
      #expect(answers.count <= 3)
    }
    // A head that is kept already needs no room.
    let full = FirstAnswers(limit: 3)
    for number in [0, 1, 2, 2] { full.keep(answer, to: request("agent \(number)")) }
    #expect(full.count == 3)
    let long = request(String(repeating: "a", count: FirstAnswers.headLimitBytes))
    answers.keep(answer, to: long)
    #expect(answers.answer(to: long) == nil)
  }
}
