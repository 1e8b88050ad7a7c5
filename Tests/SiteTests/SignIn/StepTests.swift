@_spi(Provider) import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Steps and their pages")
struct StepTests {
  /// Where a person may stand: the page of that step, and what else is open from there.
  struct Standing: Sendable, CustomTestStringConvertible {
    var name: String
    /// The page that is due.
    var path: String
    /// Further pages that answer from here.
    var open: Set<String> = []
    /// What the page that is due asks the auth API when it is opened.
    var script: [ScriptedProvider.Answer] = []
    var change: @Sendable (inout Visit) throws -> Void

    var testDescription: String { name }

    static func signIn(
      _ name: String,
      _ path: String,
      open: Set<String> = [],
      _ state: @escaping @Sendable () throws -> SignInState
    ) -> Standing {
      Standing(name: name, path: path, open: open) {
        $0.signIn(at: try state())
      }
    }

    static func task(
      _ task: SessionTask,
      _ path: String,
      asking script: [ScriptedProvider.Answer] = []
    ) -> Standing {
      Standing(name: path, path: path, script: script) { $0.enter(Example.session(tasks: [task])) }
    }

    func site() throws -> TestSite { try TestSite(ScriptedProvider(script)) }

    /// Whether that page answers from here.
    func opens(_ address: Address) -> Bool {
      address.path == path || open.contains(address.path)
    }
  }

  /// The pages that are open wherever a visit stands, and decide by themselves what they show.
  static let alwaysOpen: Set<Address> = [
    .signIn, .signUp, .forgotPassword, .account, .signOut, .locked, .blocked,
  ]

  /// The pages that are due only in some state.
  static let steps = Address.pages.filter { !alwaysOpen.contains($0) }

  static let standings: [Standing] = [
    Standing(name: "nowhere", path: "") { _ in },
    .signIn("password", "/sign-in/password", open: ["/sign-in/methods"]) {
      .passwordRequired(try Example.passwordPrompt())
    },
    .signIn("password alone", "/sign-in/password") {
      .passwordRequired(try Example.passwordPrompt([Example.password]))
    },
    .signIn("choice", "/sign-in/methods") {
      .factorRequired(try Example.choice([Example.emailCode, Example.phoneCode]))
    },
    .signIn("code", "/sign-in/code") { .codeRequired(try Example.codePrompt()) },
    .signIn("code among others", "/sign-in/code", open: ["/sign-in/methods"]) {
      .codeRequired(try Example.codePrompt(others: [Example.password]))
    },
    .signIn("second factor", "/sign-in/second-factor") {
      .codeRequired(try Example.codePrompt(Example.totp, stage: .secondFactor))
    },
    .signIn(
      "second factor with backup codes",
      "/sign-in/second-factor",
      open: ["/sign-in/second-factor/methods", "/sign-in/second-factor/backup-code"]
    ) {
      .codeRequired(
        try Example.codePrompt(Example.totp, stage: .secondFactor, others: [Example.backupCode])
      )
    },
    .signIn("second choice", "/sign-in/second-factor/methods") {
      .factorRequired(try Example.choice([Example.totp], stage: .secondFactor))
    },
    .signIn("new device", "/sign-in/device") {
      .codeRequired(try Example.codePrompt(stage: .deviceTrust))
    },
    .signIn("browser", "/continue") {
      .browserRequired(
        BrowserPrompt(identifier: try Example.identifier(), providerName: "W", address: "https://x")
      )
    },
    .signIn("browser among others", "/continue", open: ["/sign-in/methods"]) {
      .browserRequired(
        BrowserPrompt(
          identifier: try Example.identifier(),
          address: "https://x",
          attempt: try Example.attempt(first: [Factor(kind: .enterprise), Example.emailCode])
        )
      )
    },
    .signIn("link", "/sign-in/link") {
      .linkRequired(
        LinkPrompt(
          attempt: try Example.attempt(first: [Factor(kind: .emailLink)]),
          factor: Factor(kind: .emailLink),
          proof: Continuation("canary-proof")
        )
      )
    },
    .signIn("enrolment", "/sign-in/enrolment") {
      .enrolmentRequired(try Example.enrolmentPrompt())
    },
    .signIn("permissions", "/permissions") {
      .permissionsRequired(try Example.permissionsPrompt())
    },
    Standing(name: "link to a new address", path: "/sign-up/link") {
      $0.signUp(
        at: .linkRequired(
          ContactLinkPrompt(
            attempt: Example.signUpAttempt(),
            destination: "ada@example.com",
            proof: Continuation("canary-proof")
          )
        )
      )
    },
    Standing(name: "verification", path: "/sign-up/verify") {
      $0.signUp(at: .codeRequired(Example.contactPrompt()))
    },
    Standing(name: "missing details", path: "/sign-up/continue") {
      $0.signUp(at: .detailsMissing(try Example.missingPrompt()))
    },
    Standing(name: "reset code", path: "/forgot-password/code") {
      $0.resetPassword(
        at: .codeRequired(
          try Example.codePrompt(Example.resetByEmail, stage: .passwordReset)
        )
      )
    },
    Standing(name: "new password", path: "/forgot-password/new") {
      $0.resetPassword(at: .newPasswordRequired(NewPasswordPrompt(attempt: try Example.attempt())))
    },
    Standing(name: "waiting for a reset", path: "/forgot-password/waiting") {
      let prompt = ResetWaitPrompt(attempt: try Example.attempt(), checkCount: 1)
      $0.resetPassword(at: .waiting(prompt))
    },
    Standing(name: "signed in", path: "/account") { $0.enter(Example.session()) },
    .task(.resetPassword, "/tasks/reset-password"),
    .task(.chooseOrganization, "/tasks/choose-organization", asking: [.done]),
    .task(.setUpSecondFactor, "/tasks/setup-mfa"),
  ]

  @Test("every page that is not always open is due somewhere")
  func complete() {
    for address in Self.steps {
      #expect(Self.standings.contains { $0.opens(address) }, "\(address.path)")
    }
  }

  @Test(
    "a page answers if it is due, and otherwise redirects to where the visit stands (R3)",
    arguments: standings
  )
  func pages(standing: Standing) async throws {
    for address in Self.steps {
      let test = try standing.site()
      let visitor = try test.visitor(standing.change)
      let page = await visitor.open(address.path)
      #expect(page.status == (standing.opens(address) ? 200 : 303), "\(address.path)")
      guard !standing.opens(address) else { continue }
      #expect(test.provider.calls.isEmpty, "\(address.path)")
      let place = try #require(page.location)
      let next = await visitor.open(place)
      #expect(next.status == 200 || next.status == 303, "\(address.path) → \(place)")
      // A person who waited for a link and is signed in opened it elsewhere: nothing to say.
      let isIn = place == "/account" || place.hasPrefix("/tasks/")
      let hasMovedOn = !(isIn && [.link, .signUpLink].contains(address))
      if next.status == 200 {
        #expect(
          next.noticeCodes.contains("moved_on") == hasMovedOn,
          "\(address.path) → \(place)"
        )
      }
    }
  }

  @Test("a genuine form of a step that is not due makes no call (R3, S14)", arguments: standings)
  func stalePosts(standing: Standing) async throws {
    let values = ["code": "424242", "password": "p", "factor": "email_code", "first_name": "A"]
    for address in Self.steps where !standing.opens(address) {
      let test = try standing.site()
      let visitor = try test.visitor(standing.change)
      let page = await visitor.post(address.path, values)
      #expect(page.status == 303, "\(address.path)")
      #expect(test.provider.calls.isEmpty, "\(address.path)")
    }
  }

  @Test("a signed-in person does not sign in, sign up or reset again (R3)")
  func alreadyIn() async throws {
    for (session, place) in [
      (Example.session(), "/account"),
      (Example.session(tasks: [.resetPassword]), "/tasks/reset-password"),
    ] {
      for path in ["/sign-in", "/sign-up", "/forgot-password"] {
        let test = try TestSite()
        let visitor = try test.visitor { $0.enter(session) }
        #expect(await visitor.open(path).location == place, "\(path)")
        if session.status == .active {
          #expect(await visitor.open(place).noticeCodes == ["already_signed_in"])
        }
        let values = ["identifier": "a@b.example", "email_address": "a@b.example", "password": "p"]
        #expect(await visitor.post(path, values).location == place, "\(path)")
        #expect(test.provider.calls.isEmpty)
      }
    }
  }

  @Test(
    "a signed-out person is sent to the sign-in page, with the notice that is due (R3)",
    arguments: [
      ("/", []), ("/account", []), ("/sign-out", ["signed_out"]),
      ("/locked", ["moved_on"]), ("/blocked", ["moved_on"]),
    ]
  )
  func out(path: String, notices: [String]) async throws {
    let visitor = try TestSite().visitor()
    let page = await visitor.open(path)
    #expect(page.status == 303)
    #expect(page.location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes == notices)
  }

  @Test(
    "the account's addresses lead to the step at which the visit stands (R3)",
    arguments: standings.filter { !$0.path.isEmpty && $0.path != "/account" },
    ["/", "/account"]
  )
  func account(standing: Standing, path: String) async throws {
    let visitor = try standing.site().visitor(standing.change)
    #expect(await visitor.open(path).location == standing.path)
    #expect(await visitor.open(standing.path).noticeCodes.isEmpty, "nobody has moved on")
  }

  @Test("the account's addresses lead a locked or blocked person to the page that says so")
  func accountOfNobody() async throws {
    let problem = Problem(.lockedForNow, code: "user_locked")
    let standings: [(Standing, String)] = [
      (
        Standing(name: "locked", path: "") { $0.standing = .locked(Lock(problem: problem)) },
        "/locked"
      ),
      (
        Standing(name: "blocked", path: "") {
          $0.standing = .blocked(Block(error: AuthError(Problem(.banned, code: "user_banned"))))
        },
        "/blocked"
      ),
    ]
    for (standing, place) in standings {
      let visitor = try TestSite().visitor(standing.change)
      for path in ["/", "/account"] { #expect(await visitor.open(path).location == place) }
    }
  }

  @Test(
    "the locked and blocked pages lead everybody else to the step at which they stand (R3)",
    arguments: standings.filter { !$0.path.isEmpty },
    ["/locked", "/blocked"]
  )
  func keptOut(standing: Standing, path: String) async throws {
    let visitor = try standing.site().visitor(standing.change)
    #expect(await visitor.open(path).location == standing.path)
    #expect(await visitor.open(standing.path).noticeCodes == ["moved_on"])
  }

  @Test("only a person who was signed in is asked to sign in again")
  func again() async throws {
    let visitor = try TestSite().visitor { $0.enter(Example.session()) }
    _ = await visitor.post("/sign-out")
    #expect(await visitor.open("/account").location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes == ["sign_in_again"])
    #expect(await visitor.open("/").location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes.isEmpty)
  }

  @Test("the map learns where the visit stands", arguments: standings)
  func places(standing: Standing) throws {
    let visitor = try standing.site().visitor(standing.change)
    let request = Request(method: .get, target: "/map", headerFields: visitor.fields())
    let places = visitor.test.site.places(of: request).map(\.path)
    #expect(standing.path.isEmpty ? places.isEmpty : places.contains(standing.path))
    let nobody = Request(method: .get, target: "/map", headerFields: [.host: TestSite.host])
    #expect(visitor.test.site.places(of: nobody).isEmpty)
  }

  @Test(
    "the start pages answer wherever an attempt stands, and lead a signed-in person on",
    arguments: standings
  )
  func starts(standing: Standing) async throws {
    let isIn = standing.path == "/account" || standing.path.hasPrefix("/tasks/")
    for path in ["/sign-in", "/forgot-password"] {
      let visitor = try standing.site().visitor(standing.change)
      let page = await visitor.open(path)
      #expect(page.status == (isIn ? 303 : 200), "\(path)")
      #expect(page.location == (isIn ? standing.path : nil), "\(path)")
    }
  }

  @Test("starting again forgets the attempt and keeps the identifier")
  func restart() async throws {
    let visitor = try TestSite().visitor { visit in
      visit.identifier = "ada@example.com"
      visit.signIn(at: .codeRequired(try Example.codePrompt()))
    }
    #expect(await visitor.post("/sign-in/restart").location == "/sign-in")
    #expect(visitor.visit?.signIn == nil)
    #expect(await visitor.open("/sign-in").value(of: "identifier") == "ada@example.com")
  }

  @Test("a notice stays after a reload, and goes with another page or a submit (N1)")
  func news() async throws {
    for isSubmitted in [false, true] {
      let visitor = try TestSite().visitor { $0.enter(Example.session()) }
      _ = await visitor.post("/sign-out")
      for _ in 0..<2 { #expect(await visitor.open("/sign-in").noticeCodes == ["signed_out"]) }
      if isSubmitted {
        let refused = await visitor.post("/sign-in", ["identifier": ""])
        #expect(refused.status == 422 && refused.noticeCodes.isEmpty)
      } else {
        _ = await visitor.open("/forgot-password")
      }
      #expect(await visitor.open("/sign-in").noticeCodes.isEmpty, "\(isSubmitted)")
    }
  }
}
