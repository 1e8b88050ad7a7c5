import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("The task setup-mfa (P-mfasetup)", .inTurn)
struct SecondFactorSetupJourneys {
  private static let path = "/tasks/setup-mfa"

  private func text(_ page: PageSnapshot) -> String { String(decoding: page.body, as: UTF8.self) }

  /// Signs in as tess and chooses the app.
  @discardableResult
  private func app(_ browser: FormSession) async throws -> PageSnapshot {
    try await browser.signIn("tess@example.com")
    return try await browser.submit(form: "authenticator")
  }

  @Test(
    "tess sets up an authenticator app, and signs in with it, and with a backup code",
    arguments: Stage.allCases
  )
  func app(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let choice = try await browser.signIn("tess@example.com")
      #expect(choice.path == Self.path)
      #expect(choice.page == "tasks-setup-mfa" && choice.step == "method")
      #expect(choice.forms.map(\.name) == ["authenticator", "phone", "sign-out"])
      #expect(choice.form("phone")?.field("method")?.value == "phone")

      let page = try await browser.submit(form: "authenticator")
      #expect(page.path == Self.path && page.step == "authenticator")
      #expect(page.form?.field("code")?.autocomplete == "one-time-code")
      let secret = try #require(page.facts["secret"] as? String)
      let uri = try #require(page.facts["uri"] as? String)
      #expect(uri.hasPrefix("otpauth://totp/") && uri.contains("secret=\(secret)"))
      #expect(page.links.contains { $0.name == "otpauth" && $0.href == uri })

      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      let spaced = "\(code.prefix(3)) \(code.suffix(3))"
      let codes = try await browser.submit(["code": spaced])
      #expect(codes.step == "backup-codes")
      let shown = try #require(codes.facts["backup_codes"] as? [String])
      #expect(Set(shown).count == 10)
      #expect(codes.form?.fields.isEmpty == true)

      let account = try await browser.submit()
      #expect(account.path == "/account")
      for path in ["/account", Self.path, "/sign-out"] {
        let later = try await browser.open(path)
        #expect(!text(later).contains(shown[0]), "they are shown once")
        #expect(!text(later).contains(secret))
      }

      try await browser.signOut()
      let second = try await browser.signIn("tess@example.com")
      #expect(second.path == "/sign-in/second-factor")
      // Each code of the app is accepted once.
      try await scene.backstage.advanceClock(by: .seconds(30))
      let next = try await scene.backstage.authenticatorCode(of: "user_tess")
      #expect(try await browser.submit(["code": next]).path == "/account")

      try await browser.signOut()
      let third = try await browser.signIn("tess@example.com")
      #expect(third.path == "/sign-in/second-factor")
      try await browser.open("/sign-in/second-factor/backup-code")
      let entered = try await browser.submit(["code": shown[0].uppercased()])
      #expect(entered.path == "/account")
    }
  }

  @Test(
    "a wrong code, a short one and a reload keep the secret (P-mfasetup)",
    arguments: Stage.allCases
  )
  func sameSecret(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await app(browser)
      let secret = page.facts["secret"] as? String
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      let wrong = try await browser.submit(["code": code == "123456" ? "654321" : "123456"])
      #expect(wrong.status == 422)
      #expect(wrong.errorCodes(at: "code") == ["form_code_incorrect"])
      #expect(wrong.form?.field("code")?.value == nil)
      #expect(wrong.facts["secret"] as? String == secret)
      let short = try await browser.submit(["code": "12"])
      #expect(short.errorCodes(at: "code") == ["code_length"])
      let empty = try await browser.submit(["code": " "])
      #expect(empty.errorCodes(at: "code") == ["required"])
      let reloaded = try await browser.open(Self.path)
      #expect(reloaded.step == "authenticator")
      #expect(reloaded.facts["secret"] as? String == secret)
      let right = try await browser.submit(["code": code])
      #expect(right.step == "backup-codes")
    }
  }

  @Test(
    "the page has the picture, the key in groups of four and the link",
    arguments: Stage.allCases
  )
  func inTheBrowser(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await app(browser)
      let secret = try #require(page.facts["secret"] as? String)
      let answer = try await browser.send(.get, Self.path, fields: [.accept: "text/html"])
      let html = String(decoding: answer.body, as: UTF8.self)
      #expect(html.contains("<svg") && html.contains(#"role="img""#))
      #expect(html.contains("aria-label=\"QR code"))
      let letters = Array(secret)
      let groups = stride(from: 0, to: letters.count, by: 4).map {
        String(letters[$0..<min($0 + 4, letters.count)])
      }
      #expect(html.contains(groups.joined(separator: " ")))
      #expect(html.contains("href=\"otpauth://totp/"))
      let policy = answer.headerFields[.contentSecurityPolicy] ?? ""
      #expect(!policy.contains("unsafe-inline"))
    }
  }

  @Test("the codes can be downloaded until they are kept, and not after", arguments: Stage.allCases)
  func download(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await app(browser)
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      let codes = try await browser.submit(["code": code])
      let shown = try #require(codes.facts["backup_codes"] as? [String])
      let link = try #require(codes.links.first { $0.name == "download" })
      let file = try await browser.send(.get, link.href)
      #expect(file.headerFields[.contentType] == "text/plain; charset=utf-8")
      #expect(file.headerFields[.contentDisposition]?.contains("attachment") == true)
      #expect(file.headerFields[.cacheControl] == "no-store")
      let lines = String(decoding: file.body, as: UTF8.self)
      for code in shown { #expect(lines.contains(code)) }

      // There is no way in past the codes, and the second factor cannot be chosen again.
      #expect(try await browser.open("/account").step == "backup-codes")
      #expect(try await browser.open("/sign-in").step == "backup-codes")
      let token = try #require(codes.form?.token)
      let back = try await browser.send(
        .post,
        Self.path,
        body: ["form_token": token, "method": "choose"]
      )
      #expect(try await browser.follow(back, from: Self.path).step == "backup-codes")

      try await browser.submit()
      let gone = try await browser.send(.get, link.href)
      #expect(gone.status == .seeOther)
      #expect(!String(decoding: gone.body, as: UTF8.self).contains(shown[0]))
    }
  }

  @Test(
    "a session that was ended from another browser shows no codes any more",
    arguments: Stage.allCases
  )
  func endedElsewhere(stage: Stage) async throws {
    try await stage.play { scene in
      let (here, there) = (scene.newBrowser(), scene.newBrowser())
      try await app(here)
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      let codes = try await here.submit(["code": code])
      let shown = try #require(codes.facts["backup_codes"] as? [String])
      let link = try #require(codes.links.first { $0.name == "download" })

      try await there.signIn("tess@example.com")
      try await there.open("/sign-in/second-factor/backup-code")
      #expect(try await there.submit(["code": shown[0]]).path == "/account")
      let ended = try await there.submit([:], form: "end-others")
      #expect(ended.noticeCodes == ["other_sessions_ended"])

      // Each with the cookies from before, since the first answer signs out.
      let kept = await here.cookies
      for path in [link.href, Self.path] {
        let copy = scene.newBrowser()
        await copy.replaceCookies(kept)
        let answer = try await copy.send(.get, path)
        #expect(answer.status == .seeOther)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(shown[1]))
      }
      #expect(try await here.open(Self.path).page == "sign-in")
    }
  }

  @Test("codes are not lost while the auth API is away, and not shown", arguments: Stage.allCases)
  func awayBeforeCodes(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await app(browser)
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      let shown = try await browser.submit(["code": code]).facts["backup_codes"] as? [String]
      let fault = """
        {"match": {"method": "GET", "path": "/v1/client"}, "times": 1, "fault": "html_500"}
        """
      _ = try await scene.backstage.call(.post, "faults", json: fault)
      let page = try await browser.open(Self.path)
      #expect(page.status == 502 && page.step == "backup-codes")
      #expect(page.errorCodes == ["service_answered_nonsense"])
      #expect(page.facts["backup_codes"] == nil && page.form("setup-mfa") == nil)
      #expect(page.links.contains { $0.name == "try-again" && $0.href == Self.path })
      let again = try await browser.open(Self.path)
      #expect(shown != nil && again.facts["backup_codes"] as? [String] == shown)
    }
  }

  @Test(
    "tess sets up her phone: missing, malformed and taken numbers, wrong codes, resending",
    arguments: Stage.allCases
  )
  func phone(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("tess@example.com")
      let page = try await browser.submit(form: "phone")
      #expect(page.step == "phone-number")
      #expect(page.form?.field("phone_number")?.autocomplete == "tel")
      let missing = try await browser.submit()
      #expect(missing.errorCodes(at: "phone_number") == ["required"])
      let malformed = try await browser.submit(["phone_number": "0123"])
      #expect(malformed.status == 422)
      #expect(malformed.errorCodes(at: "phone_number") == ["form_param_format_invalid"])
      #expect(malformed.form?.field("phone_number")?.value == "0123")
      let taken = try await browser.submit(["phone_number": "+12015550110"])
      #expect(taken.errorCodes(at: "phone_number") == ["form_identifier_exists"])

      let sent = try await browser.submit(["phone_number": "+1 (201) 555-7788"])
      #expect(sent.step == "code")
      #expect(sent.noticeCodes == ["code_sent"])
      #expect(sent.facts["sent_to"] as? String == "+12015557788")
      let code = try await scene.backstage.latestCode(to: "+12015557788", purpose: "phone_number")
      let wrong = try await browser.submit(["code": code == "123456" ? "654321" : "123456"])
      #expect(wrong.errorCodes(at: "code") == ["form_code_incorrect"])
      let soon = try await browser.submit(form: "resend")
      #expect(soon.status == 429)
      #expect(soon.errorCodes == ["verification_code_too_many_requests"])
      #expect(try await browser.open(Self.path).step == "code")
      #expect(try await scene.backstage.messages(to: "+12015557788").count == 1)

      let codes = try await browser.submit(["code": code])
      #expect(codes.step == "backup-codes")
      #expect((codes.facts["backup_codes"] as? [String])?.count == 10)
      let account = try await browser.submit()
      #expect(account.path == "/account")
      try await browser.signOut()
      #expect(try await browser.signIn("tess@example.com").path == "/sign-in/second-factor")
    }
  }

  @Test(
    "a phone's code is resent once its time has come",
    arguments: Stage.allCases.filter(\.pagesFollowTheClock)
  )
  func resend(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"resend_cooldown_seconds":0}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("tess@example.com")
      try await browser.submit(form: "phone")
      try await browser.submit(["phone_number": "+12015557788"])
      let old = try await scene.backstage.latestCode(to: "+12015557788")
      try await scene.backstage.advanceClock(by: .seconds(31))
      let again = try await browser.submit(form: "resend")
      #expect(again.noticeCodes == ["code_resent"])
      let code = try await scene.backstage.latestCode(to: "+12015557788")
      let stale = try await browser.submit(["code": old == code ? "000000" : old])
      #expect(stale.status == 422)
      try await scene.backstage.advanceClock(by: .seconds(601))
      let late = try await browser.submit(["code": code])
      #expect(late.errorCodes(at: "code") == ["verification_expired"])
    }
  }

  @Test("cancelling returns to the choice; a number that was typed before works again")
  func cancel() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      let first = try await app(browser).facts["secret"] as? String
      let choice = try await browser.submit(form: "cancel")
      #expect(choice.step == "method")
      try await browser.submit(form: "phone")
      try await browser.submit(["phone_number": "+12015557788"])
      let back = try await browser.submit(form: "cancel")
      #expect(back.step == "method")
      try await browser.submit(form: "phone")
      let again = try await browser.submit(["phone_number": "+12015557788"])
      #expect(again.step == "code", "a code is on its way already")
      #expect(try await scene.backstage.messages(to: "+12015557788").count == 1)
      try await browser.submit(form: "cancel")
      let second = try await browser.submit(form: "authenticator").facts["secret"] as? String
      #expect(first != nil && second != nil && first != second)
    }
  }

  @Test("the only method is chosen without asking", arguments: Stage.allCases)
  func onlyMethod(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"phone":"off"}"#)) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("tess@example.com")
      #expect(page.step == "authenticator")
      #expect(page.form("cancel") == nil)
      let reloaded = try await browser.open(Self.path)
      #expect(reloaded.facts["secret"] as? String == page.facts["secret"] as? String)
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      #expect(try await browser.submit(["code": code]).step == "backup-codes")
    }
  }

  @Test(
    "a phone that is turned off meanwhile is left for the app, on sending and on reloading",
    arguments: [true, false]
  )
  func turnedOffMeanwhile(sends: Bool) async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("tess@example.com")
      #expect(try await browser.submit(form: "phone").step == "phone-number")
      _ = try await scene.backstage.call(.patch, "instance", json: #"{"phone":"off"}"#)
      if sends {
        let refused = try await browser.submit(["phone_number": "+12015557788"])
        #expect(refused.status == 422 && refused.step == "authenticator")
        #expect(refused.errorCodes == ["form_param_value_disabled"])
      } else {
        #expect(try await browser.open(Self.path).step == "authenticator")
      }
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      #expect(try await browser.submit(["code": code]).step == "backup-codes")
    }
  }

  @Test("a method that was turned off since the choice was opened cannot be chosen")
  func staleChoice() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("tess@example.com")
      _ = try await scene.backstage.call(.patch, "instance", json: #"{"phone":"off"}"#)
      let refused = try await browser.submit(form: "phone")
      #expect(refused.status == 422 && refused.errorCodes == ["none_chosen"])
      #expect(refused.forms.map(\.name) == ["authenticator", "sign-out"])
    }
  }

  @Test("a method that is not offered, or none at all, is refused")
  func unknownMethod() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("tess@example.com")
      for method in ["carrier-pigeon", nil] {
        var body: FormData = ["form_token": try #require(page.form?.token)]
        if let method { body.append("method", method) }
        let answer = try await browser.send(.post, Self.path, body: body)
        let refused = try await browser.follow(answer, from: Self.path)
        #expect(refused.status == 422)
        #expect(refused.errorCodes == ["none_chosen"])
      }
    }
  }

  @Test("an instance may require it of everyone", arguments: Stage.allCases)
  func required(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"mfa_required":true}"#)) { scene in
      let browser = scene.newBrowser()
      #expect(try await browser.signIn("ada@example.com").path == Self.path)
      let mia = scene.newBrowser()
      try await mia.signIn("mia@example.com")
      let code = try await scene.backstage.authenticatorCode(of: "user_mia")
      #expect(try await mia.submit(["code": code]).path == "/account")
    }
  }
}
