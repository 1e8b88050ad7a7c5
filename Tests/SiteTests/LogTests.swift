@_spi(Provider) package import AuthFlow
import Foundation
import HTTPExchange
import Locking
import Logging
import Testing
package import TestSupport

@testable import Site

@Suite("What is logged")
struct LogTests {
  @Test("the log has no secret and no name of a person, at any level (S28)")
  func canaries() async throws {
    let provider = ScriptedProvider(
      .signIn(
        .refused(
          AuthError(
            Problem(.passwordIncorrect, at: .password, code: "wrong", message: "canary-message")
          ),
          at: nil
        )
      ),
      .signIn(
        .moved(
          to: .codeRequired(try Example.codePrompt(Example.totp, stage: .secondFactor))
        )
      ),
      .signIn(.refused(Example.error(.codeIncorrect, at: .code), at: nil)),
      .signIn(.moved(to: .complete(Example.session())))
    )
    let test = try TestSite(provider)
    let visitor = try test.visitor { _ in }
    let values = ["identifier": "canary-person@example.com", "password": "canary-password"]
    _ = await visitor.post("/sign-in", values)
    _ = await visitor.post("/sign-in", values)
    for code in ["987123", "424242"] {
      _ = await visitor.post("/sign-in/second-factor", ["code": code])
    }
    _ = await visitor.post("/sign-out", token: "canary-token")
    _ = await visitor.open("/sign-in?redirect_url=//canary-host&identifier=canary-person")
    // A client that does not escape an '&' makes field names of what was typed.
    _ = await visitor.post("/sign-in", body: "password=x&canary-half&canary-half")
    _ = await visitor.post("/sign-out")
    let log = test.log.lines.joined(separator: "\n")
    for secret in ["canary", "987123", "424242", "ada@"] + visitor.cookies.values {
      #expect(!log.contains(secret))
    }
    for event in ["refused", "signed in", "signed out", "turned away", "return address dropped"] {
      #expect(log.contains(event))
    }
  }

  @Test("every event has the reference that the page shows (S29)")
  func reference() async throws {
    let test = try TestSite()
    let page = await test.visitor().post("/sign-in", token: "x")
    let errors = try #require(page.json["errors"] as? [[String: Any]])
    let reference = try #require(errors.first?["reference"] as? String)
    #expect(test.log.lines.contains { $0.contains("request=\(reference)") })
  }

  /// Whether the refusal that an opened page shows is in the log.
  private static func isLogged(
    _ test: TestSite,
    _ page: Visitor.Page,
    _ code: String
  ) throws -> Bool {
    let errors = try #require(page.json["errors"] as? [[String: Any]])
    #expect(errors.map { $0["code"] as? String } == [code])
    let reference = try #require(errors.first?["reference"] as? String)
    return test.log.lines.contains {
      $0.hasPrefix("refused") && $0.contains("codes=\(code) ") && $0.contains("=\(reference)")
    }
  }

  @Test(
    "a refusal is shown by the page that it leads to, with the reference of its log line (S29)",
    arguments: [
      (.attemptEnded, "/sign-in"), (.locked(until: nil), "/locked"), (.banned, "/blocked"),
      (.passwordResetRequired, "/forgot-password"),
    ] as [(Reason, String)]
  )
  func referenceElsewhere(reason: Reason, path: String) async throws {
    let error = AuthError(Problem(reason, code: "c"))
    let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
    let visitor = try test.visitor { $0.signIn(at: .codeRequired(try Example.codePrompt())) }
    #expect(await visitor.post("/sign-in/code", ["code": "424242"]).location == path)
    // After a reload it is still the same refusal.
    for _ in 0..<2 {
      let page = await visitor.open(path)
      #expect(try Self.isLogged(test, page, "c"))
    }
  }

  @Test("the reason why a page is due, say a known password, has its log line's reference (S29)")
  func concern() async throws {
    let code = "form_password_compromised"
    let concern = AuthError(Problem(.passwordCompromised, at: .password, code: code))
    let choice = try Example.choice([Example.emailCode, Example.phoneCode], concern: concern)
    let test = try TestSite(ScriptedProvider(.signIn(.moved(to: .factorRequired(choice)))))
    let visitor = try test.visitor { _ in }
    let values = ["identifier": "ada@example.com", "password": "p"]
    #expect(await visitor.post("/sign-in", values).location == "/sign-in/methods")
    let page = await visitor.open("/sign-in/methods")
    #expect(try Self.isLogged(test, page, code))
    #expect(test.log.lines.filter { $0.hasPrefix("refused") }.count == 1)
    _ = await visitor.open("/sign-up")
    let again = await visitor.open("/sign-in/methods")
    #expect(try Self.isLogged(test, again, code))
  }

  @Test("a sign-in that is refused after a sign-up has its log line's reference (S29)")
  func refusedAfterSignUp() async throws {
    var error = AuthError(Problem(.unrecognised, code: "c"), traceID: "trace_1")
    error.blame = .setUp
    let test = try TestSite(
      ScriptedProvider(.signUp(.refused(error, at: .continuing(.identifierRequired))))
    )
    let visitor = try test.visitor { $0.signUp(at: .codeRequired(Example.contactPrompt())) }
    #expect(await visitor.post("/sign-up/verify", ["code": "424242"]).location == "/sign-in")
    let page = await visitor.open("/sign-in")
    #expect(page.noticeCodes == ["account_created"])
    #expect(try Self.isLogged(test, page, "c"))
    #expect(test.log.levels["refused"]?.rawValue == "warning")
    #expect(test.events.withLock(\.self) == [.refused(.setUp)])
  }

  @Test("a visit that has expired or cannot be read has its log line's reference (S29)")
  func ended() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { $0.signIn(at: .codeRequired(try Example.codePrompt())) }
    let form = visitor.form("/sign-in/code", ["code": "424242"])
    test.clock.advance(2 * 86_400)
    #expect(await visitor.send(form).location == "/sign-in")
    let late = await visitor.open("/sign-in")
    #expect(try Self.isLogged(test, late, "attempt_ended"))
    visitor.cookies = try [#require(visitor.cookies.keys.first): "AQIDBA"]
    #expect(await visitor.open("/sign-in/code").location == "/sign-in")
    let unread = await visitor.open("/sign-in")
    #expect(try Self.isLogged(test, unread, "attempt_ended"))
  }

  @Test("a form of a page left behind does not change the reference of what is shown (S29)")
  func leftBehind() async throws {
    let error = AuthError(Problem(.attemptEnded, code: "c"))
    let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
    let visitor = try test.visitor { $0.signIn(at: .codeRequired(try Example.codePrompt())) }
    let token = visitor.token(for: "/sign-in/code")
    _ = await visitor.post("/sign-in/code", ["code": "424242"], token: token)
    _ = await visitor.post("/sign-in/code", ["code": "424243"], token: token)
    let page = await visitor.open("/sign-in")
    #expect(page.noticeCodes.isEmpty, "that it has ended is why")
    #expect(try Self.isLogged(test, page, "c"))
  }

  @Test("a link that leads nowhere has its log line's reference (S29)")
  func link() async throws {
    let test = try TestSite()
    let page = await test.visitor().open("/sign-in/link?test_link=expired")
    #expect(page.status == 410)
    #expect(try Self.isLogged(test, page, page.errorCodes.first ?? "none"))
  }

  @Test("an auth API's codes cannot break a line (S29)")
  func hostileCodes() async throws {
    let error = AuthError(
      Problem(.unrecognised, code: "a\r\nb\u{1B}[31m\u{2028}c"),
      traceID: "t\nforged line"
    )
    let provider = ScriptedProvider(.signIn(.refused(error, at: nil)))
    let test = try TestSite(provider)
    let visitor = try test.visitor { _ in }
    _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    let line = try #require(test.log.lines.first { $0.hasPrefix("refused") })
    #expect(line.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 })
    #expect(line.contains("codes=ab[31mc"))
  }

  @Test("a failure of the auth API is a warning, a person's mistake is not (S29)")
  func levels() async throws {
    for (reason, level) in [
      (Reason.serviceUnavailable, "warning"), (.offline, "warning"), (.codeIncorrect, "info"),
      (.tooManyRequests(until: nil), "warning"),
    ] {
      let error = AuthError(Problem(reason, code: "c"))
      let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
      let visitor = try test.visitor { _ in }
      _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
      #expect(test.log.levels["refused"]?.rawValue == level, "\(reason)")
    }
  }

  @Test("a refusal that blames the set-up is a warning, too, since everybody meets it")
  func setUp() async throws {
    var error = AuthError(
      Problem(.unrecognised, code: "unauthorized_client"),
      diagnosis: "unauthorized_client;700016"
    )
    error.blame = .setUp
    let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
    let visitor = try test.visitor { _ in }
    _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(test.log.levels["refused"]?.rawValue == "warning")
    let diagnosis = "diagnosis=set-up;unauthorized_client;700016"
    #expect(test.log.lines.contains { $0.contains(diagnosis) })
  }

  @Test(
    "sign-ins, sign-outs and refusals are counted"
  )
  func counted() async throws {
    let task = [SessionTask.chooseOrganization]
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(.passwordIncorrect, at: .password), at: nil)),
      .signIn(.moved(to: .complete(Example.session()))),
      .signIn(.moved(to: .complete(Example.session(tasks: task))))
    )
    let test = try TestSite(provider)
    let values = ["identifier": "ada@example.com", "password": "p"]
    let visitor = try test.visitor { _ in }
    _ = await visitor.post("/sign-in", values)
    _ = await visitor.post("/sign-in", values)
    _ = await visitor.post("/sign-out")
    _ = await visitor.post("/sign-in", values)
    #expect(
      test.events.withLock(\.self) == [
        .refused(.person), .signedIn(isPending: false), .signedOut, .signedIn(isPending: true),
      ]
    )
  }

  @Test(
    "a refusal is counted as the person's, the auth API's or the set-up's",
    arguments: [
      (.codeIncorrect, nil, .person), (.unrecognised, nil, .person), (.offline, nil, .service),
      (.serviceUnavailable, nil, .service), (.tooManyRequests(until: nil), nil, .service),
      (.unrecognised, .setUp, .setUp),
      (.serviceUnavailable, .setUp, .setUp),
    ] as [(Reason, AuthError.Blame?, Site.Blame)]
  )
  func blame(reason: Reason, told: AuthError.Blame?, blame: Site.Blame) async throws {
    var error = AuthError(Problem(reason, code: "c"))
    error.blame = told
    let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
    let visitor = try test.visitor { _ in }
    _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(test.events.withLock(\.self) == [.refused(blame)])
  }

  @Test("a limit of the auth API is counted as its own, whatever its diagnosis says")
  func limitOfTheService() async throws {
    let error = AuthError(
      Problem(.tooManyRequests(until: nil), code: "c"),
      diagnosis: "own-limit-address"
    )
    let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
    let visitor = try test.visitor { _ in }
    _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(test.events.withLock(\.self) == [.refused(.service)])
  }

  @Test("what the program itself rehearses is neither logged nor counted")
  func rehearsed() async throws {
    let error = AuthError(Problem(.passwordIncorrect, at: .password, code: "c"))
    let test = try TestSite(
      ScriptedProvider(
        .signIn(.refused(error, at: nil)),
        .signIn(.moved(to: .complete(Example.session())))
      )
    )
    let visitor = try test.visitor { _ in }
    let values = ["identifier": "ada@example.com", "password": "p"]
    await Site.rehearsing {
      _ = await visitor.post("/sign-in", values)
      _ = await visitor.post("/sign-in", values)
      _ = await visitor.post("/sign-out")
    }
    #expect(test.provider.isDone)
    #expect(test.events.withLock(\.self) == [])
    #expect(test.log.lines == [])
  }

  @Test("forms without an identifier are logged without a person, and keep the earlier identifier")
  func nobody() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { _ in }
    for blank in ["", " "] {
      _ = await visitor.post("/sign-in", ["identifier": blank, "password": ""])
    }
    let lines = test.log.lines.filter { $0.hasPrefix("refused") }
    #expect(lines.count == 2)
    #expect(!lines.contains { $0.contains("person=") }, "\(lines)")
    #expect(visitor.visit?.identifier == nil)
    let known = try test.visitor { $0.identifier = "ada@example.com" }
    _ = await known.post("/sign-in", ["identifier": "", "password": ""])
    #expect(known.visit?.identifier == "ada@example.com")
  }

  @Test("the words of a diagnosis stay separate, in one field")
  func diagnosisInWords() async throws {
    let error = AuthError(
      Problem(.offline, code: "offline"),
      diagnosis: "there is no network,\n or no such host"
    )
    let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
    let visitor = try test.visitor { _ in }
    _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    let diagnosis = "diagnosis=there-is-no-network,-or-no-such-host "
    #expect(test.log.lines.contains { $0.contains(diagnosis) }, "\(test.log.lines)")
  }

  @Test("a concern with a trace id, by which it can be found, is not logged again (S29)")
  func concernWithTrace() async throws {
    for traceID in [nil, "trace_1"] {
      let problem = Problem(.passwordCompromised, at: .password, code: "code_of_test")
      let choice = try Example.choice(
        [Example.emailCode, Example.phoneCode],
        concern: AuthError(problem, traceID: traceID)
      )
      let test = try TestSite()
      let visitor = try test.visitor { $0.signIn(at: .factorRequired(choice)) }
      #expect(await visitor.open("/sign-in/methods").allErrorCodes.contains("code_of_test"))
      #expect(test.log.lines.contains { $0.hasPrefix("refused") } == (traceID == nil))
    }
  }

  @Test("a diagnosis of the longest kind is logged whole")
  func diagnosis() async throws {
    let diagnosis = String(repeating: "x", count: 230) + "-the-end"
    let error = AuthError(Problem(.unrecognised, code: "c"), diagnosis: diagnosis)
    let provider = ScriptedProvider(.signIn(.refused(error, at: nil)))
    let test = try TestSite(provider)
    let visitor = try test.visitor { _ in }
    _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
    #expect(test.log.lines.contains { $0.contains("diagnosis=\(diagnosis) ") })
  }
}

/// Reads a link's verdict from its address; what is asked about it comes from the script.
extension ScriptedProvider: EmailLinkProvider {
  package func readLink(_ parameters: [String: String]) -> FollowedLink? {
    let verdicts: [String: FollowedLink.Verdict] = [
      "verified": .verified, "expired": .expired, "other-browser": .otherBrowser,
      "failed": .failed,
    ]
    return parameters["test_link"].flatMap { verdicts[$0] }.map { verdict in
      let attempt = parameters["attempt"].map { Continuation($0) }
      return FollowedLink(verdict, parameters: [:], attempt: attempt)
    }
  }

  package func check(
    _ prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    guard case .signIn(let outcome) = answer("check link", &memory) else {
      return unscripted("check link")
    }
    return outcome
  }

  package func follow(
    _ link: FollowedLink,
    for prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> { unscripted("follow link") }

  package func resend(
    _ prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> { unscripted("resend link") }
}
