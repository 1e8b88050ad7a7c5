@_spi(Provider) import AuthFlow
import Crypto
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Cookies")
struct CookieTests {
  private static func setCookies(_ page: Visitor.Page) -> [String] {
    page.response.headerFields[values: .setCookie]
  }

  @Test("over plain http: no prefix, not Secure, HttpOnly, Lax, whole site, no domain (S11)")
  func plain() async throws {
    let page = try await TestSite().visitor().open("/sign-in")
    let cookie = try #require(Self.setCookies(page).first)
    #expect(cookie.wholeMatch(of: /vestibule-[0-9a-f]{8}-0=[\w-]+; .*/) != nil)
    let attributes = cookie.split(separator: ";").dropFirst().map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(Set(attributes) == ["Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=86400"])
  }

  @Test("behind https every cookie is Secure, and has and needs the prefix __Host- (S11)")
  func secure() async throws {
    let visitor = try TestSite(
      publicOrigin: "https://id.example.test",
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox")
    ).visitor()
    for target in ["/sign-in", "/sign-in?language=de", "/sign-in?present=on"] {
      let cookies = Self.setCookies(await visitor.open(target))
      #expect(!cookies.isEmpty, "\(target)")
      for cookie in cookies {
        #expect(cookie.hasPrefix("__Host-vestibule"))
        #expect(cookie.contains("; Path=/;") && cookie.contains("; Secure"))
        #expect(!cookie.lowercased().contains("domain"))
      }
    }
    let html: HTTPFields = [.accept: "text/html"]
    let chosen = await visitor.open("/sign-in", html).body
    #expect(chosen.contains(#"<html lang="de""#) && chosen.contains(#"data-size="large""#))
    let bare = visitor.cookies.map { ($0.key.replacing("__Host-", with: ""), $0.value) }
    visitor.cookies = Dictionary(bare) { $1 }
    #expect(visitor.visit == nil)
    let usual = await visitor.open("/sign-in", html).body
    #expect(usual.contains(#"<html lang="en""#) && !usual.contains(#"data-size="large""#))
  }

  @Test("ports share cookies, so each public address has a name of its own (S11)")
  func names() async throws {
    var names: Set<String> = []
    for port in [8080, 8081, 8082] {
      let visitor = try TestSite(publicOrigin: "http://localhost:\(port)").visitor()
      _ = await visitor.open("/sign-in", [.host: "localhost:\(port)"])
      names.formUnion(visitor.cookies.keys)
    }
    #expect(names.count == 3)
  }

  @Test("a large visit is split over at most four cookies of 3,800 bytes, and read again (S11)")
  func splitting() async throws {
    for size in [100, 3_000, 6_000, 9_000] {
      let visitor = try TestSite().visitor {
        $0.memory["token"] = String(repeating: "x", count: size)
      }
      #expect(visitor.cookies.count <= 4)
      #expect(visitor.cookies.allSatisfy { $0.key.utf8.count + $0.value.utf8.count <= 3_800 })
      #expect(visitor.visit?.memory["token"]?.count == size)
      #expect(await visitor.open("/sign-in").status == 200)
    }
  }

  @Test("pieces that are not needed any more are deleted")
  func shrinking() async throws {
    let visitor = try TestSite().visitor { visit in
      visit.memory["token"] = String(repeating: "x", count: 6_000)
      visit.enter(Example.session())
    }
    #expect(visitor.cookies.count > 1)
    var visit = try #require(visitor.visit)
    visit.memory["token"] = nil
    let request = Request(method: .get, target: "/", headerFields: visitor.fields())
    let cookies = visitor.test.site.visits.cookies(
      keeping: visit,
      insteadOfThoseIn: request,
      machineNow: Example.now,
      worldNow: Example.now
    )
    let deleted = try #require(cookies).filter { $0.maximumAge == .zero }
    #expect(deleted.count == visitor.cookies.count - 1)
  }

  @Test(
    "of two answers that cross, the last one is the visit, however large each is (S13)",
    arguments: [(1, 1), (1, 2), (1, 4), (2, 1), (2, 3), (3, 2), (4, 1), (4, 4)]
  )
  func crossing(first: Int, last: Int) throws {
    for isFull in [false, true] {
      let visitor = try TestSite().visitor { _ in }
      let before = try #require(visitor.visit)
      // Both answer requests with the single piece that there was.
      for (name, pieces) in [("first", first), ("last", last)] {
        var visit = before
        visit.identifier = name
        try visitor.take(visit, filling: pieces, isFull: isFull)
      }
      #expect(visitor.visit?.identifier == "last", "\(isFull)")
    }
  }

  @Test("a visit that no browser would keep is a 502 page without cookies")
  func tooLarge() async throws {
    var session = Example.session()
    session.organization?.name = String(repeating: "n", count: 40_000)
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(session))))
    let visitor = try TestSite(provider).visitor { _ in }
    let before = visitor.visit
    let values = ["identifier": "ada@example.com", "password": "p"]
    let page = await visitor.post("/sign-in", values)
    #expect(page.status == 502)
    #expect(page.errorCodes == ["service_answered_nonsense"])
    #expect(Self.setCookies(page).isEmpty)
    #expect(before != nil && visitor.visit == before)
    #expect(provider.isDone)
  }

  @Test("what can be done without is given up only as far as the rest needs the room")
  func givenUp() throws {
    let large = String(repeating: "x", count: 12_000)
    let rows: [(change: (inout Visit) -> Void, left: [Bool])] = [
      ({ _ in }, [true, true, true]),
      ({ $0.flash = Flash(path: "/" + large) }, [false, true, true]),
      ({ $0.typedDetails = [.firstName: large] }, [false, false, true]),
      ({ $0.returnAddress = "/" + large }, [false, false, false]),
    ]
    for (change, left) in rows {
      let visitor = try TestSite().visitor { visit in
        visit.identifier = "ada@example.com"
        visit.flash = Flash(path: "/sign-in", notices: [.signedOut])
        visit.typedDetails = [.firstName: "Ada"]
        visit.returnAddress = "/reports"
        change(&visit)
      }
      let visit = try #require(visitor.visit)
      #expect(
        [visit.flash != nil, !visit.typedDetails.isEmpty, visit.returnAddress != nil] == left
      )
      #expect(visit.identifier == "ada@example.com")
    }
  }

  @Test("a visit that has not changed is not sent again")
  func unchanged() async throws {
    let visitor = try TestSite().visitor()
    #expect(!Self.setCookies(await visitor.open("/sign-in")).isEmpty)
    #expect(Self.setCookies(await visitor.open("/sign-in")).isEmpty)
  }

  @Test("a visit lives 24 hours, or as long as its session (S13)")
  func lifetime() async throws {
    let visitor = try TestSite().visitor { $0.enter(Example.session()) }
    visitor.test.clock.advance(6 * 86_400)
    #expect(await visitor.open("/account").status == 200)
    let other = try TestSite().visitor { $0.identifier = "ada@example.com" }
    other.test.clock.advance(86_399)
    #expect(other.visit != nil)
    other.test.clock.advance(2)
    #expect(other.visit == nil)
  }

  @Test("a visit with a longer session lives as long as browsers keep cookies")
  func longestLife() async throws {
    var session = Example.session()
    session.expiresAt = Example.now.addingTimeInterval(4000 * 86_400)
    let visitor = try TestSite().visitor { $0.enter(session) }
    let answer = await visitor.open("/sign-in")
    #expect(Self.setCookies(answer).allSatisfy { $0.contains("Max-Age=34560000") })
    #expect(!Self.setCookies(answer).isEmpty)
  }

  @Test("moving the world's clock back ends no visit (S34)")
  func clockBack() async throws {
    let visitor = try TestSite().visitor { $0.enter(Example.session()) }
    visitor.test.clock.advance(-365 * 86_400)
    #expect(await visitor.open("/account").status == 200)
  }

  @Test("a seal may be 60 seconds ahead of the machine's clock, no more (S34)")
  func skew() async throws {
    for (seconds, isLive) in [(59.0, true), (61.0, false)] {
      let visitor = try TestSite().visitor { $0.enter(Example.session()) }
      visitor.test.machine.advance(-seconds)
      #expect((visitor.visit != nil) == isLive)
    }
  }
}

extension Visitor {
  /// Takes the cookies of a visit that is padded to fill that many, the last one to its end or
  /// not.
  fileprivate func take(_ visit: Visit, filling pieces: Int, isFull: Bool) throws {
    let length = VisitStore.pieceLength * pieces - (isFull ? 0 : 1_000)
    var large = visit
    // Version, salt, nonce and tag are added; three bytes become four letters.
    large.memory["padding"] = ""
    let sealedSize = try #require(VisitEncoding.bytes(of: large)).count + 1 + 16 + 12 + 16
    large.memory["padding"] = String(repeating: "x", count: length / 4 * 3 - sealedSize)
    try take(large)
    let last = try #require(cookies.first { $0.key.hasSuffix("-\(pieces - 1)") }).value
    #expect(last.utf8.count == (isFull ? VisitStore.pieceLength : VisitStore.pieceLength - 1_000))
  }
}

@Suite("Cookies that are not as they were")
struct BrokenCookieTests {
  private static func standing() throws -> Visitor {
    try TestSite().visitor { visit in
      visit.enter(Example.session())
      visit.identifier = "ada@example.com"
    }
  }

  @Test("a visit with any byte changed, or cut anywhere, opens nothing and breaks nothing (S12)")
  func changedBytes() async throws {
    let visitor = try Self.standing()
    let (name, value) = try #require(visitor.cookies.first)
    let bytes = Array(value.utf8)
    for index in bytes.indices {
      var changed = bytes
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let cut = Array(bytes.prefix(index))
      for broken in [changed, cut] where broken != bytes {
        let text = String(decoding: broken, as: UTF8.self)
        visitor.cookies = [name: text]
        #expect(visitor.visit == nil, "\(index)")
        let page = await visitor.open("/account")
        #expect(page.status == 303, "\(index)")
        #expect(page.location == "/sign-in")
      }
    }
  }

  @Test(
    "nonsense in a cookie is no visit",
    arguments: ["", "x", "====", "%00", "AAAA", "\"quoted\"", String(repeating: "A", count: 3_700)]
  )
  func nonsense(value: String) async throws {
    let visitor = try Self.standing()
    let name = try #require(visitor.cookies.keys.first)
    for path in Address.everyPath where Address(path: path)?.methods.contains(.get) == true {
      visitor.cookies = [name: value]
      let page = await visitor.open(path)
      #expect([200, 303].contains(page.status), "\(path)")
    }
  }

  @Test(
    "a visit is found beside other cookies of its name, whichever comes first (S11, S13)",
    arguments: [
      (["junk", "own"], true), (["own", "junk"], true), (["", "own"], true), (["own", ""], true),
      (["other", "own"], true), (["own", "junk", "", "AAAA", "x"], true),
      (["own", "junk", "", "AAAA", "x", "y"], false), (["junk", "x"], false),
    ]
  )
  func beside(values: [String], isFound: Bool) async throws {
    let visitor = try Self.standing()
    let (name, own) = try #require(visitor.cookies.first)
    let other = try visitor.test.visitor { $0.identifier = "phil@example.com" }
    let placed = ["own": own, "other": try #require(other.cookies[name])]
    let header = values.map { "\(name)=\(placed[$0] ?? $0)" }.joined(separator: "; ")
    let page = await visitor.open("/account", [.cookie: header])
    #expect(page.status == (isFound ? 200 : 303))
  }

  @Test("a form is of the visit that is found beside another cookie of its name (S11, S14)")
  func formBeside() async throws {
    for isFirst in [true, false] {
      let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
      let visitor = try TestSite(provider).visitor { _ in }
      let (name, own) = try #require(visitor.cookies.first)
      let header = (isFirst ? ["junk", own] : [own, "junk"]).map { "\(name)=\($0)" }
      let values = ["identifier": "ada@example.com", "password": "walk-right-in-42"]
      let cookie: HTTPFields = [.cookie: header.joined(separator: "; ")]
      let page = await visitor.send(visitor.form("/sign-in", values, cookie))
      #expect(page.location == "/account", "\(isFirst)")
    }
  }

  @Test("a visit of several cookies is found, whichever of them has another one beside it (S11)")
  func besideSeveral() async throws {
    let visitor = try TestSite().visitor { visit in
      visit.enter(Example.session())
      visit.memory["token"] = String(repeating: "x", count: 6_000)
    }
    let own = visitor.cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    #expect(own.count > 1)
    for (place, name) in visitor.cookies.keys.sorted().enumerated() {
      for isFirst in [true, false] {
        var header = own
        header.insert("\(name)=junk", at: isFirst ? place : place + 1)
        let page = await visitor.open("/account", [.cookie: header.joined(separator: "; ")])
        #expect(page.status == 200, "\(name) \(isFirst)")
      }
    }
  }

  @Test("going on with a step of an unreadable visit says that the attempt has ended (S13)")
  func unreadable() async throws {
    let visitor = try Self.standing()
    let name = try #require(visitor.cookies.keys.first)
    visitor.cookies = [name: "AQIDBA"]
    #expect(await visitor.open("/sign-in/code").location == "/sign-in")
    let page = await visitor.open("/sign-in")
    #expect(page.status == 200)
    #expect(page.errorCodes == ["attempt_ended"])
    #expect(page.noticeCodes.isEmpty)
    // After another page it is over.
    _ = await visitor.open("/sign-up")
    #expect(await visitor.open("/sign-in").errorCodes.isEmpty)
  }

  @Test("a person who has only looked at a start page is not told of an ended attempt (S13)")
  func nothingEnded() async throws {
    let visitor = try TestSite().visitor()
    _ = await visitor.open("/sign-in")
    let name = try #require(visitor.cookies.keys.first)
    visitor.test.clock.advance(2 * 86_400)
    #expect(await visitor.open("/sign-in").errorCodes.isEmpty)
    visitor.cookies = [name: "AQIDBA"]
    #expect(await visitor.open("/sign-in").errorCodes.isEmpty)
    visitor.cookies = [name: "AQIDBA"]
    #expect(await visitor.open("/account").location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes == ["sign_in_again"])
  }

  @Test(
    "a start page that was open for too long says that it was out of date, and goes on (N6)",
    arguments: ["/sign-in", "/forgot-password"]
  )
  func openForTooLong(path: String) async throws {
    let state = SignInState.codeRequired(try Example.codePrompt())
    let reset = PasswordResetStep.codeRequired(
      try Example.codePrompt(Example.resetByEmail, stage: .passwordReset)
    )
    let begun: ScriptedProvider.Answer =
      path == "/sign-in" ? .signIn(.moved(to: state)) : .reset(.moved(to: .step(reset)))
    let provider = ScriptedProvider(begun)
    let visitor = try TestSite(provider).visitor()
    _ = await visitor.open(path)
    let values = ["identifier": "ada@example.com", "password": "walk-right-in-42"]
    let form = visitor.form(path, values)
    visitor.test.clock.advance(25 * 3_600)
    let refused = await visitor.send(form)
    #expect(refused.status == 403 && refused.errorCodes == ["form_token_invalid"])
    #expect(refused.value(of: "identifier") == "ada@example.com")
    #expect(!refused.body.contains("walk-right-in-42"))
    #expect(provider.calls.isEmpty)
    #expect(visitor.test.turnedAway.withLock(\.self) == [.refused(.formTokenInvalid)])
    let line = try #require(visitor.test.log.lines.first { $0.hasPrefix("turned away") })
    #expect(line.contains("code=form_token_invalid ") && line.contains("reason=the page had been"))
    // The page that came back works.
    #expect(await visitor.post(path, values).location == "\(path)/code")
  }

  @Test("an expired visit says so, keeps the identifier, and starts again in one click (S13)")
  func expired() async throws {
    let visitor = try TestSite().visitor { visit in
      visit.identifier = "ada@example.com"
      visit.signIn(at: .codeRequired(try Example.codePrompt()))
    }
    let form = visitor.form("/sign-in/code", ["code": "424242"])
    visitor.test.clock.advance(2 * 86_400)
    let posted = await visitor.send(form)
    #expect(posted.status == 303)
    #expect(posted.location == "/sign-in")
    let page = await visitor.open("/sign-in")
    #expect(page.errorCodes == ["attempt_ended"])
    #expect(page.value(of: "identifier") == "ada@example.com")
    #expect(visitor.test.provider.calls.isEmpty)
  }

  @Test("an ended attempt is the only message, whatever page of it is opened (R3)")
  func endedAlone() async throws {
    let reset = NewPasswordPrompt(attempt: try Example.attempt())
    let rows: [(path: String, change: (inout Visit) throws -> Void)] = [
      ("/sign-in/code", { $0.signIn(at: .codeRequired(try Example.codePrompt())) }),
      ("/sign-up/verify", { $0.signUp(at: .codeRequired(Example.contactPrompt())) }),
      ("/forgot-password/new", { $0.resetPassword(at: .newPasswordRequired(reset)) }),
    ]
    for (path, change) in rows {
      let visitor = try TestSite().visitor(change)
      visitor.test.clock.advance(2 * 86_400)
      let start = try #require(await visitor.open(path).location, "\(path)")
      let page = await visitor.open(start)
      #expect(page.errorCodes == ["attempt_ended"], "\(path)")
      #expect(page.noticeCodes.isEmpty, "\(path)")
    }
  }

  @Test("a person whose visit expired while signed in is asked to sign in again (R3a)")
  func expiredSession() async throws {
    for posts in [true, false] {
      let visitor = try Self.standing()
      let form = visitor.form("/account/token")
      visitor.test.clock.advance(30 * 86_400)
      let page = posts ? await visitor.send(form) : await visitor.open("/account")
      #expect(page.location == "/sign-in")
      let start = await visitor.open("/sign-in")
      #expect(start.noticeCodes == ["sign_in_again"])
      #expect(start.errorCodes.isEmpty)
    }
  }

  @Test(
    "signing out after the visit expired ends the session, unless the auth API refuses that",
    arguments: [false, true]
  )
  func expiredSignOut(isRefused: Bool) async throws {
    let provider = ScriptedProvider(isRefused ? [.thrown(Example.error(.offline))] : [])
    let visitor = try TestSite(provider).visitor { $0.enter(Example.session()) }
    let form = visitor.form("/sign-out")
    visitor.test.clock.advance(30 * 86_400)
    #expect(await visitor.send(form).location == "/sign-in")
    let notice = isRefused ? "sign_in_again" : "signed_out"
    #expect(await visitor.open("/sign-in").noticeCodes == [notice])
    #expect(visitor.test.events.withLock(\.self).contains(.signedOut) == !isRefused)
  }

  @Test("a session that expires before its visit is reported at the sign-in (R3a)")
  func sessionOver() async throws {
    var session = Example.session()
    session.expiresAt = Example.now.addingTimeInterval(3_600)
    let visitor = try TestSite().visitor { $0.enter(session) }
    visitor.test.clock.advance(7_200)
    let page = await visitor.open("/sign-in")
    #expect(page.status == 200 && page.noticeCodes == ["sign_in_again"])
    #expect(page.value(of: "identifier") == "ada@example.com")
    #expect(visitor.visit?.session == nil)
  }

  @Test("a session that expires before its visit is over for the account, and can be signed out of")
  func sessionOverElsewhere() async throws {
    for (signsOut, notice) in [(false, "sign_in_again"), (true, "signed_out")] {
      var session = Example.session()
      session.expiresAt = Example.now.addingTimeInterval(3_600)
      let visitor = try TestSite().visitor { $0.enter(session) }
      visitor.test.clock.advance(3_599)
      #expect(await visitor.open("/account").status == 200)
      let form = visitor.form("/sign-out")
      visitor.test.clock.advance(1)
      let answer = signsOut ? await visitor.send(form) : await visitor.open("/account")
      #expect(answer.location == "/sign-in")
      #expect(await visitor.open("/sign-in").noticeCodes == [notice])
      #expect(visitor.visit?.session == nil)
    }
  }

  @Test("the return address outlives the visit (R3a)", arguments: [false, true])
  func returnAddressStays(hasAttempt: Bool) async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let visitor = try TestSite(provider).visitor { visit in
      visit.returnAddress = "/reports"
      if hasAttempt { visit.signIn(at: .codeRequired(try Example.codePrompt())) }
    }
    visitor.test.clock.advance(25 * 3_600)
    _ = await visitor.open("/sign-in")
    let values = ["identifier": "ada@example.com", "password": "walk-right-in-42"]
    #expect(await visitor.post("/sign-in", values).location == "/reports")
  }

  @Test("every key of the ring opens, the first one seals, and a foreign key opens nothing (S12)")
  func keys() async throws {
    let new = SymmetricKey(data: Data(repeating: 9, count: 32))
    let old = try Self.standing()
    let rolled = try TestSite(keys: [new, TestSite.key]).visitor()
    rolled.cookies = old.cookies
    #expect(await rolled.open("/account").status == 200)
    _ = await rolled.open("/sign-up")
    let later = try TestSite(keys: [new]).visitor()
    let visit = try #require(rolled.visit)
    try rolled.take(visit)
    later.cookies = rolled.cookies
    #expect(later.visit != nil)
    let foreign = try TestSite(keys: [new]).visitor()
    foreign.cookies = old.cookies
    #expect(foreign.visit == nil)
  }

  @Test("a form that was open while the key was changed is still genuine (S12, S33)")
  func formDuringKeyRoll() async throws {
    let new = SymmetricKey(data: Data(repeating: 9, count: 32))
    let old = try TestSite().visitor { _ in }
    let form = old.form("/sign-in", ["identifier": "", "password": ""])
    let rolled = try TestSite(keys: [new, TestSite.key])
    let page = Visitor.Page(response: await rolled.site.respond(to: form))
    #expect(page.status == 422)
  }

  @Test("a visit of another world counts as none, without an error")
  func otherWorld() async throws {
    let here = try Self.standing()
    let there = here.test.visitor(world: "team-a")
    there.cookies = here.cookies
    #expect(await there.open("/account").location == "/sign-in")
    let page = await there.open("/sign-in")
    #expect(page.errorCodes.isEmpty)
    #expect(page.value(of: "identifier") == nil)
  }

  @Test("pieces of two visits do not make one")
  func mixed() async throws {
    let large = String(repeating: "x", count: 6_000)
    let one = try TestSite().visitor { $0.memory["a"] = large }
    let two = try TestSite().visitor { $0.memory["b"] = large }
    var cookies = one.cookies
    let last = try #require(cookies.keys.max())
    cookies[last] = two.cookies[last]
    one.cookies = cookies
    #expect(one.visit == nil)
    #expect(await one.open("/sign-in").status == 200)
  }

  @Test("a visit holds no password, and has a new id after the sign-in (S12, S13)")
  func contents() async throws {
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(.passwordIncorrect, at: .password), at: nil)),
      .signIn(.moved(to: .complete(Example.session())))
    )
    let visitor = try TestSite(provider).visitor { _ in }
    let before = try #require(visitor.visit?.id)
    for _ in 0..<2 {
      _ = await visitor.post(
        "/sign-in",
        ["identifier": "ada@example.com", "password": "canary-password"]
      )
      let visit = try #require(visitor.visit)
      let bytes = try #require(VisitEncoding.bytes(of: visit))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("canary-password"))
    }
    #expect(visitor.visit?.session != nil)
    #expect(visitor.visit?.id != before)
  }
}
