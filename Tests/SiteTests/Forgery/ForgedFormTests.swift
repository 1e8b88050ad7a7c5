@_spi(Provider) import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Forged forms")
struct ForgedFormTests {
  /// A page with a form, and the visit that it is due in.
  struct Place: Sendable, CustomTestStringConvertible {
    var path: String
    var change: @Sendable (inout Visit) throws -> Void

    var testDescription: String { path }
  }

  static let places = [
    Place(path: "/sign-in") { _ in },
    Place(path: "/sign-in/password") {
      $0.signIn(at: .passwordRequired(try Example.passwordPrompt()))
    },
    Place(path: "/sign-in/code") {
      $0.signIn(at: .codeRequired(try Example.codePrompt()))
    },
    Place(path: "/sign-in/second-factor") {
      let prompt = try Example.codePrompt(Example.totp, stage: .secondFactor, expiresIn: nil)
      $0.signIn(at: .codeRequired(prompt))
    },
    Place(path: "/sign-up") { _ in },
    Place(path: "/forgot-password") { _ in },
    Place(path: "/forgot-password/new") {
      let prompt = NewPasswordPrompt(attempt: try Example.attempt())
      $0.resetPassword(at: .newPasswordRequired(prompt))
    },
    Place(path: "/sign-out") { $0.enter(Example.session()) },
  ]

  static let values = [
    "identifier": "typed@example.com", "email_address": "typed@example.com",
    "password": "canary-password", "code": "987123",
  ]

  /// The fourteen forgeries, as changes of a genuine form.
  private static func forgeries(
    at place: Place,
    _ visitor: Visitor
  ) throws -> [(name: String, request: Request)] {
    let path = place.path
    let genuine = visitor.form(path, values)
    let token = visitor.token(for: path)
    let elsewhere = path == "/sign-up" ? "/sign-in" : "/sign-up"
    var other = try #require(visitor.visit)
    other.id = "visit-2"
    let othersToken = visitor.test.site.gate.tokens.token(
      for: try #require(Address(path: path)),
      ofVisit: other.id,
      at: other.attemptNumbers,
      nonce: [1, 2, 3]
    )
    func with(_ fields: HTTPFields) -> Request { visitor.form(path, values, fields) }
    func bearing(_ text: String) -> Request { visitor.form(path, values, token: text) }
    var withoutCookies = genuine
    withoutCookies.headerFields[.cookie] = nil
    var withoutToken = genuine
    withoutToken.body =
      FormData(
        values.sorted { $0.key < $1.key }.map { FormData.Field(name: $0.key, value: $0.value) }
      ).encoded
    var twoOrigins = genuine
    for origin in ["http://localhost:8080", "https://evil.example"] {
      twoOrigins.headerFields.append(HTTPField(name: .origin, value: origin))
    }
    return [
      ("no token", withoutToken), ("empty token", bearing("")),
      ("token cut", bearing(String(token.dropLast()))), ("token changed", bearing("x" + token)),
      ("token of another form", bearing(visitor.token(for: elsewhere))),
      ("token of another visit", bearing(othersToken)), ("no cookies", withoutCookies),
      ("foreign origin", with([.origin: "https://evil.example"])),
      ("null origin", with([.origin: "null"])),
      ("origin of another port", with([.origin: "http://localhost:9090"])),
      ("origin of another scheme", with([.origin: "https://localhost:8080"])),
      ("two origins", twoOrigins), ("cross-site", with([.secFetchSite: "cross-site"])),
      ("same-site", with([.secFetchSite: "same-site"])),
    ]
  }

  @Test(
    "a page of ours inside a foreign page gets no cookie, and changes no visit (S14, S24)",
    arguments: [
      "/sign-in?present=off", "/sign-in?language=de", "/sign-in?redirect_url=/reports", "/sign-in",
      "/account",
    ]
  )
  func partOfForeignPage(target: String) async throws {
    let test = try TestSite(
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox")
    )
    let visitor = try test.visitor { $0.flash = Flash(path: "/sign-in", notices: [.signedOut]) }
    let before = visitor.cookies
    for site in ["same-site", "cross-site"] {
      for part in ["image", "iframe", "empty"] {
        let fields: HTTPFields = [.secFetchSite: site, .secFetchDestination: part]
        let page = await visitor.open(target, fields)
        #expect(page.status == 403 && page.errorCodes == ["origin_refused"], "\(site) \(part)")
        #expect(page.header("Set-Cookie") == nil)
        let stranger = await test.visitor().open(target, fields)
        #expect(stranger.status == 403 && stranger.header("Set-Cookie") == nil)
        let form = await test.visitor().post("/sign-in", ["identifier": "a"], token: "x", fields)
        #expect(form.status == 403 && form.header("Set-Cookie") == nil)
      }
    }
    #expect(visitor.cookies == before)
    let led: HTTPFields = [.secFetchSite: "cross-site", .secFetchDestination: "document"]
    #expect([200, 303].contains(await visitor.open(target, led).status))
  }

  @Test(
    "a form from another site makes no world, whatever the browser says about it (S32)",
    arguments: [
      [.origin: "https://evil.example"], [.origin: "null"],
      [.secFetchSite: "cross-site", .secFetchDestination: "iframe"],
    ] as [HTTPFields]
  )
  func foreignWorld(fields: HTTPFields) async throws {
    // The world is not there yet, and opening it fails.
    let test = try TestSite(isDown: true)
    let page = await test.visitor().post("/sign-in", body: "identifier=a", fields)
    #expect(page.status == 403 && page.errorCodes == ["origin_refused"])
  }

  @Test("no forgery gets through, and none costs a call (S14)", arguments: places)
  func forged(place: Place) async throws {
    let test = try TestSite()
    let visitor = try test.visitor(place.change)
    let forgeries = try Self.forgeries(at: place, visitor)
    let cookies = visitor.cookies
    for (name, request) in forgeries {
      visitor.cookies = cookies
      let page = await visitor.send(request)
      #expect(page.status == 403, "\(name)")
      let isOrigin = ["origin", "site"].contains { name.contains($0) }
      #expect(page.errorCodes == [isOrigin ? "origin_refused" : "form_token_invalid"], "\(name)")
      #expect(!page.body.contains("canary-password"), "\(name)")
      #expect(!page.body.contains("987123"), "\(name)")
      if ["/sign-in", "/forgot-password"].contains(place.path) {
        #expect(page.value(of: "identifier") == "typed@example.com", "\(name)")
      }
    }
    #expect(test.provider.calls.isEmpty && test.provider.questionCount == 0)
    #expect(test.log.lines.filter { $0.hasPrefix("turned away") }.count == forgeries.count)
  }

  @Test("the log says where a form came from, and where it may come from (S29)")
  func originIsTold() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { _ in }
    func line(_ fields: HTTPFields) async -> String {
      var request = visitor.form("/sign-in", Self.values)
      for name in Set(fields.map(\.name)) { request.headerFields[name] = nil }
      request.headerFields.append(contentsOf: fields)
      _ = await visitor.send(request)
      return test.log.lines.last { $0.hasPrefix("turned away code=origin_refused ") } ?? ""
    }
    // A request of a proxy that does not pass on its own host.
    let proxied = await line([.origin: "https://login.example.com", .host: "127.0.0.1:8080"])
    #expect(proxied.contains(" expected=http://localhost:8080,http://127.0.0.1:8080 origin="))
    #expect(proxied.contains(" origin=https://login.example.com reason=if people open"))
    #expect(proxied.contains("--public-url"))
    let elsewhere = await line([.secFetchSite: "cross-site"])
    #expect(elsewhere.contains("reason=Sec-Fetch-Site says"))
    #expect(!elsewhere.contains("expected=") && !elsewhere.contains("origin=h"))
    // --public-url has nothing to do with these.
    for (fields, reason) in [
      ([.origin: "null"], "the browser hides the page's origin"),
      ([.secFetchSite: "none"], "Sec-Fetch-Site is not same-origin"),
      ([.secFetchSite: "nobody", .origin: "http://localhost:8080"], "Sec-Fetch-Site is not"),
      ([.secFetchSite: "cross-site", .origin: "null"], "Sec-Fetch-Site says"),
    ] as [(HTTPFields, String)] {
      let told = await line(fields)
      #expect(told.contains("reason=\(reason)"), "\(told)")
      #expect(!told.contains("expected=") && !told.contains("--public-url"))
    }
    let origin = HTTPField(name: .origin, value: "http://localhost:8080")
    let twice = await line(HTTPFields([origin, origin]))
    #expect(twice.contains("reason=there are several Origin") && !twice.contains("expected="))
    let hostile = await line([.origin: "http://a b\u{7F}=c"])
    #expect(hostile.contains(" origin=http://ab=c reason="))
    #expect(await line([.origin: String(repeating: "x", count: 4_000)]).utf8.count < 1_000)
  }

  @Test(
    "the log distinguishes a prefetched page from one that comes from elsewhere (S29)",
    arguments: ["none", "same-origin"]
  )
  func fetchedAhead(site: String) async throws {
    let test = try TestSite()
    let fields: HTTPFields = [
      .secPurpose: "prefetch;prerender", .secFetchSite: site, .secFetchDestination: "document",
    ]
    let page = await test.visitor().open("/sign-in", fields)
    #expect(page.status == 403 && page.header("Set-Cookie") == nil)
    let line = test.log.lines.last { $0.hasPrefix("turned away code=origin_refused ") } ?? ""
    #expect(line.contains("reason=the browser prefetches a page"), "\(line)")
    #expect(await test.visitor().open("/sign-in").status == 200)
  }

  @Test("page and log say that a form came without a cookie, but not if it came with another one")
  func cookieMissing() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { _ in }
    let token = visitor.token(for: "/sign-in")
    let kept = visitor.cookies
    let reason = "reason=no cookie was sent"
    visitor.cookies = [:]
    let page = await visitor.post("/sign-in", Self.values, token: token, [.accept: "text/html"])
    #expect(page.status == 403)
    #expect(page.body.contains("Your browser did not send a cookie"))
    #expect(page.body.contains("allow cookies for this site"))
    #expect(!page.body.contains("The form was out of date"))
    #expect(page.body.contains("typed@example.com"))
    #expect(test.log.lines.contains { $0.contains("code=form_token_invalid \(reason)") })
    // That page came with a cookie.
    #expect(await visitor.post("/sign-in", ["identifier": "", "password": ""]).status == 422)
    let count = test.log.lines.count
    let other = test.visitor(world: "other")
    for visitor in [visitor, other] {
      visitor.cookies = kept
      let page = await visitor.post("/sign-in", Self.values, token: "x", [.accept: "text/html"])
      #expect(page.status == 403)
      #expect(page.body.contains("The form was out of date"))
    }
    #expect(!test.log.lines.dropFirst(count).contains { $0.contains(reason) })
  }

  @Test(
    "a form of ours passes, whatever an honest browser says about it (S14)",
    arguments: [
      [:], [.origin: "http://localhost:8080"],
      [.origin: "http://localhost:8080", .secFetchSite: "same-origin"],
      [.secFetchSite: "same-origin"], [.origin: "http://LOCALHOST:8080"],
    ] as [HTTPFields]
  )
  func genuine(fields: HTTPFields) async throws {
    let visitor = try TestSite().visitor { _ in }
    let page = await visitor.post("/sign-in", ["identifier": "", "password": ""], fields)
    #expect(page.status == 422)
  }

  @Test("a form may come from the host that was asked, and from the public origin at every host")
  func originByHost() async throws {
    let visitor = try TestSite().visitor { _ in }
    for (host, origin, isIn) in [
      ("127.0.0.1:8080", "http://127.0.0.1:8080", true),
      ("127.0.0.1:8080", "http://localhost:8080", true),
      ("localhost:8080", "http://127.0.0.1:8080", false),
      ("team-a.localhost:8080", "http://team-b.localhost:8080", false),
    ] {
      let page = await visitor.post(
        "/sign-in",
        ["identifier": ""],
        [.host: host, .origin: origin, .vestibuleWorld: "main"]
      )
      #expect(page.status == (isIn ? 422 : 403), "\(host) \(origin)")
    }
  }

  @Test("a genuine form of a step that is over goes on to the step that is due (S14)")
  func over() async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let visitor = try TestSite(provider).visitor { _ in }
    let token = visitor.token(for: "/sign-up")
    _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    let page = await visitor.post(
      "/sign-up",
      ["email_address": "x@example.com", "password": "p"],
      token: token
    )
    #expect(page.status == 303)
    #expect(page.location == "/account")
    #expect(await visitor.open("/account").noticeCodes == ["moved_on"])
    #expect(provider.calls.count == 1)
  }

  @Test("a late sign-out form says that the person is signed out")
  func lateSignOut() async throws {
    let visitor = try TestSite().visitor { $0.enter(Example.session()) }
    let token = visitor.token(for: "/sign-out")
    #expect(await visitor.post("/sign-out", token: token).location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes == ["signed_out"])
    #expect(await visitor.post("/sign-out", token: token).location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes == ["signed_out"])
  }

  @Test("a token is good for its form alone (S14)")
  func otherForm() async throws {
    let visitor = try TestSite().visitor { $0.enter(Example.session()) }
    let token = visitor.token(for: "/sign-in")
    #expect(await visitor.post("/sign-out", token: token).status == 403)
    #expect(visitor.visit?.session != nil)
  }
}

@Suite("Forms that come twice")
struct RepeatTests {
  @Test("a double click makes one call, and both get the same answer (S16)")
  func doubleSubmit() async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let visitor = try TestSite(provider).visitor { _ in }
    let form = visitor.form("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    let site = visitor.test.site
    let answers = await withTaskGroup(of: Response.self) { group in
      for _ in 0..<8 { group.addTask { await site.respond(to: form) } }
      return await group.reduce(into: [Response]()) { $0.append($1) }
    }
    #expect(Set(answers).count == 1)
    #expect(answers.first?.status == .seeOther)
    #expect(provider.calls == ["begin ada@example.com p"])
  }

  @Test("a form that comes again once its world has begun anew is carried out there")
  func newLife() async throws {
    let isIn = ScriptedProvider.Answer.signIn(.moved(to: .complete(Example.session())))
    let provider = ScriptedProvider(isIn, isIn)
    let visitor = try TestSite(provider).visitor { _ in }
    let form = visitor.form("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    let site = visitor.test.site
    let first = await site.respond(to: form)
    #expect(await site.respond(to: form) == first)
    #expect(provider.calls.count == 1)
    visitor.test.life.withLock { $0.number += 1 }
    let later = await site.respond(to: form)
    #expect(later.status == .seeOther && later != first)
    #expect(await site.respond(to: form) == later)
    #expect(provider.calls == Array(repeating: "begin ada@example.com p", count: 2))
  }

  @Test("the same page filled in again is another submit (S16)")
  func secondTry() async throws {
    let wrong = ScriptedProvider.Answer.signIn(
      .refused(Example.error(.passwordIncorrect, at: .password), at: nil)
    )
    let provider = ScriptedProvider(wrong, wrong)
    let visitor = try TestSite(provider).visitor { _ in }
    let token = visitor.token(for: "/sign-in")
    for password in ["one", "two"] {
      let values = ["identifier": "ada@example.com", "password": password]
      #expect(await visitor.post("/sign-in", values, token: token).status == 422)
    }
    #expect(provider.calls.count == 2)
  }

  @Test("a request for the page right after its twin gets the page, and the other way round")
  func otherKind() async throws {
    let wrong = ScriptedProvider.Answer.signIn(
      .refused(Example.error(.passwordIncorrect, at: .password), at: nil)
    )
    let provider = ScriptedProvider(wrong, wrong, wrong)
    let visitor = try TestSite(provider).visitor { _ in }
    let site = visitor.test.site
    var form = visitor.form("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    for type in ["application/json", "text/html", "text/html", "application/json"] {
      form.headerFields[.accept] = type
      let answer = await site.respond(to: form)
      #expect(answer.status == 422)
      #expect(answer.headerFields[.contentType]?.hasPrefix(type) == true)
    }
    #expect(provider.calls.count == 2)
  }

  @Test("a lock leads to its own page; once it is gone, the same form signs in")
  func lockThatIsGone() async throws {
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(.locked(until: nil)), at: nil)),
      .signIn(.moved(to: .complete(Example.session())))
    )
    let test = try TestSite(provider)
    let visitor = try test.visitor { _ in }
    let form = visitor.form("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(await visitor.send(form).location == "/locked")
    test.uptime.move(by: .seconds(1))
    #expect(await visitor.send(form).location == "/account")
  }

  @Test("an old form that comes again after further steps does not undo them (S16)")
  func lateRepeat() async throws {
    let provider = ScriptedProvider(
      .signIn(
        .moved(
          to: .codeRequired(try Example.codePrompt(Example.totp, stage: .secondFactor))
        )
      ),
      .signIn(.moved(to: .codeRequired(try Example.codePrompt(stage: .deviceTrust))))
    )
    let visitor = try TestSite(provider).visitor { _ in }
    let first = visitor.form("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(await visitor.send(first).location == "/sign-in/second-factor")
    let second = await visitor.post("/sign-in/second-factor", ["code": "424242"])
    #expect(second.location == "/sign-in/device")
    var late = first
    late.headerFields = visitor.fields(
      [.contentType: "application/x-www-form-urlencoded"]
    )
    #expect(await visitor.send(late).location == "/sign-in/device")
    #expect(visitor.visit?.places == [.device])
    #expect(provider.calls.count == 2)
  }

  /// The first page of a flow: what is typed there, and how the auth API may answer it.
  struct Start: Sendable, CustomTestStringConvertible {
    var path: String
    var values: [String: String]
    /// Where the form leads once it is accepted.
    var next: String
    var refusal: ScriptedProvider.Answer
    var beginning: @Sendable () throws -> ScriptedProvider.Answer

    var testDescription: String { path }
  }

  static let starts = [
    Start(
      path: "/sign-in",
      values: ["identifier": "ada@example.com", "password": "p"],
      next: "/sign-in/second-factor",
      refusal: .signIn(.refused(Example.error(.passwordIncorrect, at: .password), at: nil))
    ) {
      let prompt = try Example.codePrompt(Example.totp, stage: .secondFactor)
      return .signIn(.moved(to: .codeRequired(prompt)))
    },
    Start(
      path: "/forgot-password",
      values: ["identifier": "ada@example.com"],
      next: "/forgot-password/code",
      refusal: .reset(.refused(Example.error(.identifierNotFound, at: .identifier), at: nil))
    ) {
      let prompt = try Example.codePrompt(Example.resetByEmail, stage: .passwordReset)
      return .reset(.moved(to: .step(.codeRequired(prompt))))
    },
    Start(
      path: "/sign-up",
      values: ["email_address": "ada@example.com", "password": "secret"],
      next: "/sign-up/verify",
      refusal: .signUp(.refused(Example.error(.identifierTaken, at: .emailAddress), at: nil))
    ) {
      .signUp(.moved(to: .codeRequired(Example.contactPrompt())))
    },
  ]

  /// Sends the same form again, with the cookies as they are now.
  private func again(_ form: Request, by visitor: Visitor) async -> Visitor.Page {
    var form = form
    form.headerFields = visitor.fields([.contentType: "application/x-www-form-urlencoded"])
    return await visitor.send(form)
  }

  @Test(
    "an old start form begins nothing again once its answer is forgotten (S16)",
    arguments: starts
  )
  func acceptedLongAgo(start: Start) async throws {
    let provider = ScriptedProvider(try start.beginning())
    let test = try TestSite(provider)
    let visitor = try test.visitor { _ in }
    let form = visitor.form(start.path, start.values)
    #expect(await visitor.send(form).location == start.next)
    let attempts = visitor.visit?.attempts
    for _ in 0..<2 {
      test.uptime.move(by: .seconds(63))
      #expect(await again(form, by: visitor).location == start.next)
      #expect(await visitor.open(start.next).noticeCodes == ["moved_on"])
    }
    #expect(attempts?.isEmpty == false && visitor.visit?.attempts == attempts)
    #expect(provider.calls.count == 1)
  }

  @Test("an old start form does not undo the steps after it either (S16)")
  func undoneLongAgo() async throws {
    let provider = ScriptedProvider(
      .signIn(.moved(to: .passwordRequired(try Example.passwordPrompt()))),
      .signIn(.moved(to: .codeRequired(try Example.codePrompt(stage: .deviceTrust))))
    )
    let test = try TestSite(provider)
    let visitor = try test.visitor { _ in }
    let form = visitor.form("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(await visitor.send(form).location == "/sign-in/password")
    #expect(
      await visitor.post("/sign-in/password", ["password": "p"]).location == "/sign-in/device"
    )
    test.uptime.move(by: .seconds(63))
    #expect(await again(form, by: visitor).location == "/sign-in/device")
    #expect(visitor.visit?.places == [.device])
    #expect(provider.calls.count == 2)
  }

  @Test(
    "a refused start form that comes again does not throw away what began after it (S16)",
    arguments: starts
  )
  func refusedBefore(start: Start) async throws {
    let provider = ScriptedProvider(start.refusal, try start.beginning())
    let visitor = try TestSite(provider).visitor { _ in }
    let old = visitor.form(start.path, start.values)
    #expect(await visitor.send(old).status == 422)
    #expect(await visitor.post(start.path, start.values).location == start.next)
    let attempts = visitor.visit?.attempts
    #expect(await again(old, by: visitor).location == start.next)
    #expect(await visitor.open(start.next).noticeCodes == ["moved_on"])
    #expect(attempts?.isEmpty == false && visitor.visit?.attempts == attempts)
    #expect(provider.calls.count == 2)
  }

  @Test(
    "another tab's form, or a start page filled in again, replaces what is under way",
    arguments: [true, false]
  )
  func begunAnew(isOtherTab: Bool) async throws {
    let provider = ScriptedProvider(
      .signIn(.moved(to: .passwordRequired(try Example.passwordPrompt()))),
      .signIn(.moved(to: .codeRequired(try Example.codePrompt(stage: .deviceTrust))))
    )
    let visitor = try TestSite(provider).visitor { _ in }
    let tokens = (0..<2).map { _ in visitor.token(for: "/sign-in") }
    let first = ["identifier": "ada@example.com", "password": "p"]
    #expect(
      await visitor.post("/sign-in", first, token: tokens[0]).location == "/sign-in/password"
    )
    let second = isOtherTab ? first : ["identifier": "mia@example.com", "password": "p"]
    let token = tokens[isOtherTab ? 1 : 0]
    #expect(await visitor.post("/sign-in", second, token: token).location == "/sign-in/device")
    #expect(provider.calls.count == 2)
  }

  @Test("a start form that did not get through may be sent again, whatever is under way (F5)")
  func unheard() async throws {
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(.serviceUnavailable), at: nil)),
      .signIn(.moved(to: .codeRequired(try Example.codePrompt(stage: .deviceTrust))))
    )
    let prompt = try Example.codePrompt(Example.totp, stage: .secondFactor)
    let visitor = try TestSite(provider).visitor { $0.signIn(at: .codeRequired(prompt)) }
    let form = visitor.form("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(await visitor.send(form).status == 503)
    visitor.test.uptime.move(by: .seconds(1))
    #expect(await again(form, by: visitor).location == "/sign-in/device")
  }

  @Test("a reset that does not begin leaves the one that is under way alone (F5)")
  func resetBeside() async throws {
    let error = Example.error(.identifierNotFound, at: .identifier)
    let prompt = try Example.codePrompt(Example.resetByEmail, stage: .passwordReset)
    let test = try TestSite(ScriptedProvider(.reset(.refused(error, at: nil))))
    let visitor = try test.visitor { $0.resetPassword(at: .codeRequired(prompt)) }
    let page = await visitor.post("/forgot-password", ["identifier": "nobody@example.com"])
    #expect(page.status == 422 && page.errorCodes(at: "identifier") == ["code_of_test"])
    #expect(await visitor.open("/forgot-password/code").status == 200)
  }

  @Test("a reset that fails after the auth API has begun it ends the sign-in under way")
  func resetInstead() async throws {
    for standing in [PasswordResetState.identifierRequired, nil] {
      let refusal = Outcome.refused(Example.error(.messageQuotaUsed), at: standing)
      let prompt = try Example.codePrompt(Example.totp, stage: .secondFactor)
      let test = try TestSite(ScriptedProvider(.reset(refusal)))
      let visitor = try test.visitor { $0.signIn(at: .codeRequired(prompt)) }
      let page = await visitor.post("/forgot-password", ["identifier": "cody@example.com"])
      #expect(page.status == 422 && page.errorCodes == ["code_of_test"])
      let step = await visitor.open("/sign-in/second-factor")
      #expect((step.status == 200) == (standing == nil))
    }
  }

  @Test("details that fail after the auth API has begun the sign-up end the one under way")
  func signUpInstead() async throws {
    for standing in [SignUpState.detailsRequired, nil] {
      let refusal = Outcome.refused(Example.error(.messageQuotaUsed), at: standing)
      let test = try TestSite(ScriptedProvider(.signUp(refusal)))
      let visitor = try test.visitor { $0.signUp(at: .codeRequired(Example.contactPrompt())) }
      let details = ["email_address": "mia@example.com", "password": "walk-right-in-42"]
      let page = await visitor.post("/sign-up", details)
      #expect(page.status == 422 && page.errorCodes == ["code_of_test"])
      let step = await visitor.open("/sign-up/verify")
      #expect((step.status == 200) == (standing == nil))
    }
  }
}

@Suite("What is remembered about forms")
struct SubmissionDeduplicatorTests {
  private static func key(_ token: Int) -> SubmissionDeduplicator.Key {
    SubmissionDeduplicator.Key(visitID: "v", token: "\(token)", body: [], life: 1)
  }

  private static func answered(
    _ status: HTTPResponse.Status = .seeOther,
    bytes: Int = 0
  ) -> IdempotencyCache.Answered {
    let body = Array(repeating: UInt8(ascii: "x"), count: bytes)
    return .init(Response(status: status, body: body), isAccepted: true, revision: 2)
  }

  @Test("after twenty thousand forms a form that comes four times is still answered once (S16)")
  func load() async throws {
    let uptime = Uptime()
    let submissions = SubmissionDeduplicator { uptime.now }
    for number in 0..<20_000 {
      _ = await submissions.answer(to: Self.key(number), at: 1, asTwin: false) { Self.answered() }
      uptime.move(by: .milliseconds(10))
    }
    let counter = Locked(0)
    for _ in 0..<4 {
      _ = await submissions.answer(to: Self.key(-1), at: 1, asTwin: false) {
        counter.withLock { $0 += 1 }
        return Self.answered()
      }
    }
    #expect(counter.withLock(\.self) == 1)
  }

  @Test("a repeat that comes while the form is being answered gets that answer")
  func whileAnswered() async throws {
    let submissions = SubmissionDeduplicator { .now }
    let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    async let first = submissions.answer(to: Self.key(0), at: 1, asTwin: false) {
      beginning.yield()
      for await _ in ends { break }
      return Self.answered()
    }
    for await _ in beginnings { break }
    async let repeats = withTaskGroup(of: Response?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await submissions.answer(to: Self.key(0), at: 1, asTwin: false) { Self.answered(.ok) }
        }
      }
      return await group.reduce(into: [Response?]()) { $0.append($1) }
    }
    end.yield()
    #expect(await first?.status == .seeOther)
    #expect(await repeats.map(\.?.status) == Array(repeating: .seeOther, count: 8))
  }

  @Test("an acceptance is remembered for a minute, a refusal for half a second")
  func forgetting() async throws {
    for (isAccepted, lifetime) in [(true, Duration.seconds(60)), (false, .milliseconds(500))] {
      let uptime = Uptime()
      let submissions = SubmissionDeduplicator { uptime.now }
      func answer(_ name: String) async -> String? {
        let response = await submissions.answer(to: Self.key(0), at: 1, asTwin: false) {
          .init(
            Response(status: .seeOther, body: Array(name.utf8)),
            isAccepted: isAccepted,
            revision: 2
          )
        }
        return response.map { String(decoding: $0.body, as: UTF8.self) }
      }
      #expect(await answer("first") == "first")
      uptime.move(by: lifetime - .milliseconds(1))
      #expect(await answer("second") == "first")
      uptime.move(by: .milliseconds(1))
      #expect(await answer("third") == "third")
    }
  }

  @Test("a repeat is answered alike: status, every header field in its order, and body")
  func wholeAnswer() async throws {
    let submissions = SubmissionDeduplicator { .now }
    var response = Response(status: .seeOther, body: Array("Seen \u{1F441}".utf8))
    response.headerFields = [
      .setCookie: "a=1; Path=/", .location: "/sign-in/code?a=b:c", .eTag: "",
    ]
    response.headerFields.append(HTTPField(name: .setCookie, value: "b=\"2\"; Path=/"))
    for _ in 0..<2 {
      let answer = await submissions.answer(to: Self.key(0), at: 1, asTwin: false) { [response] in
        .init(response, isAccepted: true, revision: 2)
      }
      #expect(answer == response)
    }
  }

  @Test("what is kept has a size limit, beyond which the oldest is forgotten")
  func size() async throws {
    let submissions = SubmissionDeduplicator { .now }
    for number in 0..<100 {
      _ = await submissions.answer(to: Self.key(number), at: 1, asTwin: false) {
        Self.answered(bytes: 200_000)
      }
    }
    let newest = await submissions.answer(to: Self.key(99), at: 1, asTwin: false) {
      Self.answered(.ok)
    }
    let oldest = await submissions.answer(to: Self.key(0), at: 1, asTwin: false) {
      Self.answered(.ok)
    }
    #expect(newest?.status == .seeOther)
    #expect(oldest?.status == .ok)
  }
}
