@_spi(Provider) import AuthFlow
import Foundation
import HTTPExchange
import Logging
import Testing
import TestSupport

@testable import Site

@Suite("What is logged")
struct LogTests {
  @Test("no secret and no name of a person, at any level (S28)")
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
    // A client that leaves an '&' as it is makes names of what was typed.
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

  @Test("what an auth API calls its codes cannot break a line (S29)")
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

  @Test("that the auth API fails is a warning, that it refuses is none (S29)")
  func levels() async throws {
    for (reason, level) in [
      (Reason.serviceUnavailable, "warning"), (.offline, "warning"), (.codeIncorrect, "info"),
      (.tooManyRequests(until: nil), "info"),
    ] {
      let error = AuthError(Problem(reason, code: "c"))
      let test = try TestSite(ScriptedProvider(.signIn(.refused(error, at: nil))))
      let visitor = try test.visitor { _ in }
      _ = await visitor.post("/sign-in", ["identifier": "ada@example.com", "password": "p"])
      #expect(test.log.levels["refused"]?.rawValue == level, "\(reason)")
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
