import AuthFlow
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Two tabs at the same time")
struct OverlapTests {
  /// Holds a page up until it is told to go on.
  private final class Hold: Sendable {
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let (opened, open) = AsyncStream<Void>.makeStream()

    func pass() async {
      reach.finish()
      for await _ in opened {}
    }
  }

  @Test("a page that takes longer than a sign-in beside it does not restore the old visit (S16)")
  func overtaken() async throws {
    let hold = Hold()
    let test = try TestSite(
      ScriptedProvider(.signIn(.moved(to: .complete(Example.session())))),
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { _ in
        await hold.pass()
        return .init()
      }
    )
    let prompt = try Example.codePrompt(Example.totp, stage: .secondFactor)
    let visitor = try test.visitor { $0.signIn(at: .codeRequired(prompt)) }
    // This page would keep that a notice has been shown, or where to return to.
    async let slow = visitor.open("/sign-up?redirect_url=/account", [.accept: "text/html"])
    for await _ in hold.reached {}
    let entered = await visitor.post("/sign-in/second-factor", ["code": "424242"])
    #expect(entered.location == "/account")
    hold.open.finish()
    let page = await slow
    #expect(page.status == 200 && page.header("Set-Cookie") == nil)
    #expect(await visitor.open("/account").status == 200)
    // Alone, it does keep that.
    let alone = try test.visitor { $0.signIn(at: .codeRequired(prompt)) }
    let kept = await alone.open("/sign-up?redirect_url=/account", [.accept: "text/html"])
    #expect(kept.header("Set-Cookie") != nil)
  }

  @Test(
    "a form that is refused beside a sign-in sets no cookie, one refused later does (S13, S16)"
  )
  func refusedForm() async throws {
    let hold = Hold()
    let wrong = ScriptedProvider.Answer.signIn(
      .refused(Example.error(.passwordIncorrect, at: .password), at: nil)
    )
    let test = try TestSite(
      ScriptedProvider(wrong, .signIn(.moved(to: .complete(Example.session()))), wrong),
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { _ in
        await hold.pass()
        return .init()
      }
    )
    let visitor = try test.visitor { _ in }
    // All are sent with the cookies from before.
    let forms = ["mia@example.com", "ada@example.com", "ezra@example.com"].map { name in
      visitor.form(
        "/sign-in",
        ["identifier": name, "password": "walk-right-in-42"],
        [.accept: "text/html"]
      )
    }
    async let refused = test.visitor().send(forms[0])
    for await _ in hold.reached {}
    #expect(await visitor.send(forms[1]).location == "/account")
    hold.open.finish()
    let page = await refused
    #expect(page.status == 422 && page.header("Set-Cookie") == nil)
    #expect(await visitor.open("/account").status == 200)
    // As from a browser that never got that answer.
    #expect(await test.visitor().send(forms[2]).header("Set-Cookie") != nil)
  }

  @Test(
    "a page that takes longer than a sign-out beside it does not restore the session (S16)"
  )
  func outMeanwhile() async throws {
    let hold = Hold()
    let test = try TestSite(
      ScriptedProvider(.done),
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { _ in
        await hold.pass()
        return .init()
      }
    )
    let visitor = try test.visitor { visit in
      visit.enter(Example.session())
      visit.flash = Flash(path: "/sign-in", notices: [.movedOn])
    }
    async let slow = visitor.open("/account", [.accept: "text/html"])
    for await _ in hold.reached {}
    #expect(await visitor.post("/sign-out").location == "/sign-in")
    hold.open.finish()
    let page = await slow
    #expect(page.status == 200 && page.header("Set-Cookie") == nil)
    #expect(await visitor.open("/account").location == "/sign-in")
  }

  /// Where a browser that asks for a token stands, what it posts, and how it signs out meanwhile.
  enum Asking: CaseIterable, Sendable {
    /// Somebody is signed in.
    case further
    /// They would be signed in once they have decided.
    case first

    var form: (path: String, values: [String: String]) {
      switch self {
      case .further: ("/account/token", [:])
      case .first: ("/permissions", ["choice": "continue"])
      }
    }

    var wayOut: (path: String, values: [String: String]) {
      switch self {
      case .further: ("/sign-out", [:])
      case .first: ("/permissions", ["choice": "stop"])
      }
    }

    func stand(in visit: inout Visit) throws {
      switch self {
      case .further: visit.enter(Self.session)
      case .first: visit.signIn(at: .permissionsRequired(try Example.permissionsPrompt()))
      }
    }

    static var session: Session {
      var session = Example.session()
      session.access = Access(scopes: ["api://a/Read"], expiresAt: Example.now)
      return session
    }
  }

  @Test(
    "a form that is accepted late does not undo a sign-out beside it (S16)",
    arguments: Asking.allCases
  )
  func takenLate(_ asking: Asking) async throws {
    let hold = Hold()
    let provider = ScriptedProvider(
      [
        .signIn(.moved(to: .complete(Asking.session))),
        .signIn(.moved(to: .complete(Example.session()))),
      ],
      hold: { await hold.pass() }
    )
    let test = try TestSite(provider)
    let visitor = try test.visitor(asking.stand)
    // Both are sent with the cookies from before.
    let form = visitor.form(asking.form.path, asking.form.values)
    async let late = visitor.send(form)
    for await _ in hold.reached {}
    let out = await visitor.post(asking.wayOut.path, asking.wayOut.values)
    #expect(out.location == "/sign-in" && out.header("Set-Cookie") != nil)
    // What begins now begins with what signing out left, and the late form does not undo it.
    let anew = await visitor.post(
      "/sign-in",
      ["identifier": "ada@example.com", "password": "walk-right-in-42"]
    )
    #expect(anew.location == "/account" && anew.header("Set-Cookie") != nil)
    let visit = visitor.visit
    hold.open.finish()
    let page = await late
    #expect(page.location == "/account" && page.header("Set-Cookie") == nil)
    #expect(provider.isDone && visitor.visit == visit)
    // The log says that a person who signed in so late is not signed in.
    let told = test.log.lines.map { $0.prefix(7) }.filter { $0.hasPrefix("sign") }
    let toldLate: [Substring] = asking == .first ? ["signed ", "sign-in"] : []
    #expect(told == ["signed ", "signed "] + toldLate)
  }

  @Test("a sign-in is not undone by an attempt beside it that had to begin again (S16)")
  func begunAnew() async throws {
    let hold = Hold()
    let provider = ScriptedProvider(
      [
        .signIn(.refused(Example.error(.consentRequired), at: nil)),
        .signIn(.moved(to: .complete(Example.session()))),
      ],
      hold: { await hold.pass() }
    )
    let visitor = try TestSite(provider).visitor(Asking.first.stand)
    let slow = visitor.form(Asking.first.form.path, Asking.first.form.values)
    let refused = visitor.form(
      "/sign-in",
      ["identifier": "mia@example.com", "password": "walk-right-in-42"]
    )
    async let entered = visitor.send(slow)
    for await _ in hold.reached {}
    #expect(await visitor.send(refused).location == "/sign-in")
    hold.open.finish()
    let page = await entered
    #expect(page.location == "/account" && page.header("Set-Cookie") != nil)
  }

  /// How a form ends that was overtaken by a sign-in in another tab.
  enum Late: CaseIterable, Sendable {
    case refused, ended, accepted

    func answer() throws -> ScriptedProvider.Answer {
      switch self {
      // The token that its call had was exchanged when the other tab signed in.
      case .refused: .signIn(.refused(Example.error(.signInAgain), at: nil))
      case .ended: .signIn(.refused(Example.error(.attemptEnded), at: nil))
      case .accepted: .signIn(.moved(to: .codeRequired(try Example.codePrompt())))
      }
    }
  }

  @Test("a form answered late does not undo a sign-in beside it (S16)", arguments: Late.allCases)
  func signedInMeanwhile(_ late: Late) async throws {
    let hold = Hold()
    let provider = ScriptedProvider(
      [.signIn(.moved(to: .complete(Example.session()))), try late.answer()],
      hold: { await hold.pass() }
    )
    let visitor = try TestSite(provider).visitor(Asking.first.stand)
    let form = visitor.form(Asking.first.form.path, Asking.first.form.values)
    async let answer = visitor.send(form)
    for await _ in hold.reached {}
    let entered = await visitor.post(
      "/sign-in",
      ["identifier": "ada@example.com", "password": "walk-right-in-42"]
    )
    #expect(entered.location == "/account")
    hold.open.finish()
    let page = await answer
    #expect(page.status == 303 && page.header("Set-Cookie") == nil)
    #expect(await visitor.open("/account").status == 200 && provider.isDone)
  }

  @Test("a form answered late leaves an attempt that another tab has begun meanwhile (S16)")
  func begunMeanwhile() async throws {
    let prompt = try Example.codePrompt()
    let rows: [(path: String, begun: ScriptedProvider.Answer, late: Late, place: String)] = [
      ("/sign-in", .signIn(.moved(to: .codeRequired(prompt))), .ended, "/sign-in/code"),
      ("/sign-in", .signIn(.moved(to: .codeRequired(prompt))), .refused, "/sign-in/code"),
      (
        "/sign-up", .signUp(.moved(to: .codeRequired(Example.contactPrompt()))), .accepted,
        "/sign-up/verify"
      ),
    ]
    for row in rows {
      let hold = Hold()
      let provider = ScriptedProvider(
        [row.begun, try row.late.answer()],
        hold: { await hold.pass() }
      )
      let visitor = try TestSite(provider).visitor(Asking.first.stand)
      let form = visitor.form(Asking.first.form.path, Asking.first.form.values)
      async let answer = visitor.send(form)
      for await _ in hold.reached {}
      let begun = await visitor.post(
        row.path,
        [
          "identifier": "mia@example.com", "email_address": "new@example.com",
          "password": "walk-right-in-42",
        ]
      )
      #expect(begun.location == row.place)
      hold.open.finish()
      #expect(await answer.status == 303)
      #expect(await visitor.open(row.place).status == 200, "\(row.path) \(row.late)")
      // What the late answer says about its own attempt counts, too.
      if row.late == .accepted { #expect(await visitor.open("/sign-in/code").status == 200) }
    }
  }

  @Test("an attempt begun meanwhile does not hide that the late answer leads to a locked account")
  func lockedMeanwhile() async throws {
    let hold = Hold()
    let provider = ScriptedProvider(
      [
        .signIn(.moved(to: .codeRequired(try Example.codePrompt()))),
        .signIn(.refused(Example.error(.locked(until: nil)), at: nil)),
      ],
      hold: { await hold.pass() }
    )
    let visitor = try TestSite(provider).visitor(Asking.first.stand)
    let form = visitor.form(Asking.first.form.path, Asking.first.form.values)
    async let answer = visitor.send(form)
    for await _ in hold.reached {}
    let values = ["identifier": "mia@example.com", "password": "walk-right-in-42"]
    #expect(await visitor.post("/sign-in", values).location == "/sign-in/code")
    hold.open.finish()
    #expect(await answer.location == "/locked")
    #expect(await visitor.open("/locked").status == 403)
  }

  @Test("a late answer of a site that was replaced does not undo what its successor did (S16)")
  func reloaded() async throws {
    let hold = Hold()
    let memory = Site.Memory()
    let provider = ScriptedProvider(
      [.signIn(.moved(to: .complete(Asking.session)))],
      hold: { await hold.pass() }
    )
    let before = try TestSite(provider, memory: memory)
    let after = try TestSite(memory: memory).visitor()
    let visitor = try before.visitor(Asking.further.stand)
    after.cookies = visitor.cookies
    async let late = visitor.post("/account/token")
    for await _ in hold.reached {}
    #expect(await after.post("/sign-out").location == "/sign-in")
    hold.open.finish()
    let page = await late
    #expect(page.location == "/account" && page.header("Set-Cookie") == nil)
  }
}
