@_spi(Provider) import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Forms that the site has made")
struct GenuineFormTests {
  /// Every form that an answer shows: where it goes, and its token.
  private static func forms(of page: Visitor.Page) -> [(action: String, token: String)] {
    (page.json["forms"] as? [[String: Any]] ?? []).compactMap { form in
      guard let action = form["action"] as? String, let token = form["token"] as? String else {
        return nil
      }
      return (action, token)
    }
  }

  @Test(
    "every form on every page is genuine at its action, even on the page after a forged form",
    arguments: StepTests.standings
  )
  func property(standing: StepTests.Standing) async throws {
    let test = try standing.site()
    for address in Address.allCases {
      let visitor = try test.visitor(standing.change)
      let cookies = visitor.cookies
      func judge(_ page: Visitor.Page) throws {
        guard let visit = visitor.visit else { return }
        for (action, token) in Self.forms(of: page) {
          let verdict = test.site.gate.tokens.judge(
            token,
            for: try #require(Address(path: action)),
            of: visit
          )
          #expect(verdict == .genuine, "\(address.path) shows a form for \(action)")
        }
      }
      if address.methods.contains(.get) { try judge(await visitor.open(address.path)) }
      guard address.methods.contains(.post) else { continue }
      visitor.cookies = cookies
      try judge(await visitor.post(address.path, token: "forged"))
      // If the cookies got lost, the page that comes back can be sent.
      visitor.cookies = [:]
      try judge(await visitor.post(address.path, token: "forged"))
    }
  }

  @Test("a code that is posted from another tab's sign-in is not tried (S16)")
  func twoTabs() async throws {
    let ezra = SignInState.codeRequired(
      try Example.codePrompt(Example.totp, stage: .secondFactor)
    )
    let provider = ScriptedProvider(.signIn(.moved(to: ezra)), .signIn(.moved(to: ezra)))
    let visitor = try TestSite(provider).visitor { _ in }
    for name in ["ezra", "mia"] {
      let values = ["identifier": "\(name)@example.com", "password": "p"]
      #expect(await visitor.post("/sign-in", values).location == "/sign-in/second-factor")
      if name == "ezra" { visitor.keep(visitor.token(for: "/sign-in/second-factor")) }
    }
    let stale = await visitor.post(
      "/sign-in/second-factor",
      ["code": "424242"],
      token: visitor.kept
    )
    #expect(stale.location == "/sign-in/second-factor")
    let page = await visitor.open("/sign-in/second-factor")
    #expect(page.noticeCodes == ["moved_on"])
    #expect(page.body.contains("ada@example.com"), "it says whose sign-in that is")
    #expect(provider.calls.count == 2)
    // The form of the current page is the right one.
    let restart = await visitor.post(
      "/sign-in/restart",
      token: visitor.token(for: "/sign-in/restart")
    )
    #expect(restart.location == "/sign-in")
  }

  @Test("a stale tab that sends an empty form is led on, without an error at the field (R3)")
  func staleAndEmpty() async throws {
    let visitor = try TestSite().visitor {
      $0.signIn(at: .codeRequired(try Example.codePrompt()))
    }
    let page = await visitor.post("/sign-in/password", ["password": ""])
    #expect(page.location == "/sign-in/code")
    #expect(await visitor.open("/sign-in/code").errorCodes.isEmpty)
  }

  @Test("a forged form for a token makes no call (S14)")
  func forgedAsksNobody() async throws {
    var session = Example.session()
    session.access = Access(scopes: ["openid"], expiresAt: Example.now)
    let test = try TestSite()
    let visitor = try test.visitor { $0.enter(session) }
    let page = await visitor.post("/account/token", token: "forged")
    #expect(page.status == 403)
    #expect(page.name == "account")
    #expect(test.provider.calls.isEmpty)
  }

  @Test(
    "a forged form makes no call, whatever its address (S14)",
    arguments: StepTests.standings
  )
  func forgedAsksNobodyAnywhere(standing: StepTests.Standing) async throws {
    let test = try TestSite()
    for address in Address.allCases where address.methods.contains(.post) {
      let visitor = try test.visitor(standing.change)
      let page = await visitor.post(address.path, ForgedFormTests.values, token: "forged")
      #expect(page.status == 403, "\(address.path)")
      #expect(test.provider.calls.isEmpty, "\(address.path)")
      #expect(test.provider.questionCount == 0, "\(address.path)")
    }
  }
}

@Suite("Refusals that leave things as they are")
struct KeptTests {
  @Test("signing out is not said to be done unless the auth API says so")
  func signOut() async throws {
    for reason in [
      Reason.serviceAnsweredNonsense, .unrecognised, .forbidden, .serviceUnavailable,
      .attemptEnded,
    ] {
      let provider = ScriptedProvider(.thrown(Example.error(reason)))
      let visitor = try TestSite(provider).visitor { $0.enter(Example.session()) }
      let page = await visitor.post("/sign-out")
      #expect(page.status >= 403, "\(reason)")
      #expect(page.name == "sign-out", "\(reason)")
      #expect(page.errorCodes == ["code_of_test"], "\(reason)")
      #expect(visitor.visit?.session != nil, "\(reason)")
    }
  }

  @Test("a box that was unticked comes back unticked (F5)")
  func box() async throws {
    let refusal = Example.error(.passwordTooShort(minimum: 8), at: .password)
    for isTicked in [true, false] {
      let provider = ScriptedProvider(.reset(.refused(refusal, at: nil)))
      let visitor = try TestSite(provider).visitor {
        $0.resetPassword(
          at: .newPasswordRequired(NewPasswordPrompt(attempt: try Example.attempt()))
        )
      }
      let values = isTicked ? ["sign_out_of_other_sessions": "true"] : [:]
      let page = await visitor.post(
        "/forgot-password/new",
        values.merging(["password": "short"]) { $1 }
      )
      #expect(page.status == 422)
      #expect(page.isChecked("sign_out_of_other_sessions") == isTicked)
    }
  }

  @Test("a visit that has grown too large gives up what can be asked for again (S11)")
  func cargo() async throws {
    let memberships = (0..<60).map { number in
      OrganizationOptions.Membership(
        organization: Session.Organization(
          id: "org_\(number)",
          name: String(repeating: "n", count: 200) + "\(number)"
        )
      )
    }
    let provider = ScriptedProvider(.done)
    let visitor = try TestSite(provider).visitor { visit in
      var options = OrganizationOptions()
      options.memberships = memberships
      visit.enter(
        Example.session(tasks: [.chooseOrganization]),
        pending: .organization(options)
      )
    }
    #expect(visitor.visit?.session != nil)
    #expect(visitor.cookies.count <= 4)
    let page = await visitor.post("/tasks/choose-organization", ["organization_id": ""])
    #expect(provider.calls == ["organizations"], "asked for again")
    #expect(page.status == 422)
  }

  @Test("unknown time zones do not keep others from theirs (N2)")
  func timeZones() throws {
    let zones = TimeZones()
    func zone(_ name: String) -> TimeZone? {
      let cookie = "vestibule_time_zone=\(name.replacing("/", with: "%2F"))"
      return zones.zone(
        toldBy: Request(method: .get, target: "/", headerFields: [.cookie: cookie])
      )
    }
    for number in 0..<1_200 {
      _ = zone("GMT+\(10 + number % 8)\(10 + number % 50)")
    }
    #expect(zone("Europe/Berlin")?.identifier == "Europe/Berlin")
    #expect(zone("Nowhere/At all") == nil)
  }

  @Test("a time zone is read from a cookie of up to 64 bytes (N2)")
  func longTimeZone() {
    let name = "America/Argentina/Buenos_Aires"
    for (escapedCount, isRead) in [(17, true), (18, false)] {
      let escaped = name.utf8.prefix(escapedCount).map { "%" + String($0, radix: 16) }.joined()
      let value = escaped + name.dropFirst(escapedCount)
      #expect(value.utf8.count == (isRead ? 64 : 66))
      let zone = TimeZones().zone(
        toldBy: Request(
          method: .get,
          target: "/",
          headerFields: [.cookie: "vestibule_time_zone=\(value)"]
        )
      )
      #expect((zone != nil) == isRead)
    }
  }
}

@Suite("Limits that cannot be talked around")
struct ThrottleEvasionTests {
  private static let wrong = ScriptedProvider.Answer.signIn(
    .refused(Example.error(.passwordIncorrect, at: .password), at: nil)
  )

  /// A browser that is asked for a password.
  private static func asked(by test: TestSite) throws -> Visitor {
    try test.visitor { $0.signIn(at: .passwordRequired(try Example.passwordPrompt())) }
  }

  @Test("a field that the page does not have does not get around the limit, and throttles nobody")
  func extraField() async throws {
    let provider = ScriptedProvider(Array(repeating: Self.wrong, count: 6))
    let test = try TestSite(provider, hasThrottle: true)
    let visitor = try Self.asked(by: test)
    let values = ["identifier": "somebody@example.com", "password": "p"]
    for _ in 0..<5 { #expect(await visitor.post("/sign-in/password", values).status == 422) }
    let sixth = await visitor.post("/sign-in/password", ["password": "p", "identifier": "x"])
    #expect(sixth.status == 429)
    #expect(provider.calls.count == 5)
    // The person whom the field named may still try.
    let somebody = try test.visitor { _ in }
    #expect(await somebody.post("/sign-in", values).status == 422)
    #expect(provider.calls.count == 6)
  }

  @Test("a sign-in with a field that the page does not have forgets nobody else's failures")
  func extraFieldOfSignIn() async throws {
    let right = ScriptedProvider.Answer.signIn(.moved(to: .complete(Example.session())))
    let guesses = Array(repeating: Self.wrong, count: 4)
    let provider = ScriptedProvider(guesses + [right, Self.wrong])
    let test = try TestSite(provider, hasThrottle: true)
    let guesser = try test.visitor { _ in }
    let values = ["identifier": "somebody@example.com", "password": "p"]
    for _ in 0..<4 { #expect(await guesser.post("/sign-in", values).status == 422) }
    let ada = try Self.asked(by: test)
    #expect(await ada.post("/sign-in/password", values).location == "/account")
    #expect(await guesser.post("/sign-in", values).status == 422)
    #expect(await guesser.post("/sign-in", values).status == 429)
    #expect(provider.isDone)
  }
}
