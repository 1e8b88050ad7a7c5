import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("What the instance's settings make of signing in (P-signin)", .inTurn)
struct SignInModeJourneys {
  @Test(
    "identifier first: the password has a page of its own (P-password)",
    // An app in front of a tenant in another process knows nothing of the emulator's settings.
    arguments: Stage.both.filter { $0 != Stage(place: .twoProcesses, api: .entra) }
  )
  func identifierFirst(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"identifier_first": true}"#)) { scene in
      let browser = scene.newBrowser()
      let first = try await browser.open("/sign-in")
      #expect(first.form?.fields.map(\.name) == ["identifier"])
      let asked = try await browser.submit(["identifier": "ada@example.com"])
      #expect(asked.path == "/sign-in/password")
      #expect(asked.step == "password")
      #expect(asked.form?.field("identifier_hint")?.value == "ada@example.com")
      let change = try #require(asked.links.first { $0.name == "change" })
      #expect(change.href == "/sign-in?identifier=ada%40example.com")
      let empty = try await browser.submit()
      #expect(empty.status == 422)
      #expect(empty.errorCodes(at: "password") == ["required"])
      let wrong = try await browser.submit(["password": "not-this-one-42"])
      #expect(wrong.status == 422)
      #expect(wrong.page == "sign-in-password")
      #expect(
        wrong.errorCodes(at: "password")
          == [stage.either("form_password_incorrect", entra: "invalid_grant")]
      )
      #expect(try await browser.submit(["password": password]).page == "account")

      let cody = scene.newBrowser()
      try await cody.open("/sign-in")
      #expect(try await cody.submit(["identifier": "cody@example.com"]).path == "/sign-in/code")
    }
  }

  @Test(
    "a phone number alone signs in by text, one of the methods in their order (P-factor)",
    arguments: Stage.allCases
  )
  func phone(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.signIn("+1 201 555-0142", "")
      #expect(asked.status == 422)
      #expect(asked.errorCodes(at: "password") == ["required"])
      let methods = try await browser.open("/sign-in/methods")
      #expect(
        methods.forms.map(\.name) == ["phone_code", "reset_password_phone_code", "restart"]
      )
      let code = try await browser.submit(form: "phone_code")
      #expect(code.path == "/sign-in/code")
      #expect(try await browser.submit(["code": "424242"]).page == "account")
    }
  }

  @Test("a method that was turned off since the list was opened is not offered again")
  func turnedOffMeanwhile() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("+12015550142", "")
      try await browser.open("/sign-in/methods")
      _ = try await scene.backstage.call(.patch, "instance", json: #"{"phone":"off"}"#)
      let left = try await browser.submit(form: "phone_code")
      #expect(left.path == "/sign-in/password")
      #expect(left.errorCodes == ["strategy_for_user_invalid"])
      let again = try await browser.open("/sign-in/methods")
      #expect(again.path == "/sign-in/password", "there is nothing to choose from any more")
    }
  }

  @Test(
    "the list of methods marks the one that was used last (P-signin)",
    arguments: Stage.allCases
  )
  func lastUsed(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com", "")
      let first = try await browser.open("/sign-in/methods")
      #expect(first.facts["last_used"] == nil)
      try await browser.submit(form: "email_code")
      let code = try await scene.backstage.latestCode(to: "ada@example.com", purpose: "sign_in")
      #expect(try await browser.submit(["code": code]).page == "account")
      try await browser.signOut()
      try await browser.signIn("ada@example.com", "")
      let second = try await browser.open("/sign-in/methods")
      #expect(second.facts["last_used"] as? String == "email_code")
      let html = try await browser.send(
        .get,
        "/sign-in/methods",
        fields: [.accept: "text/html"]
      )
      let body = String(decoding: html.body, as: UTF8.self)
      #expect(body.components(separatedBy: "Last used").count == 2)
    }
  }

  @Test(
    "bann is blocked, whether the password is right or wrong (P-blocked)",
    arguments: Stage.both
  )
  func banned(stage: Stage) async throws {
    try await stage.play { scene in
      for typed in [password, "not-this-one-42"] {
        let browser = scene.newBrowser()
        let page = try await browser.signIn("bann@example.com", typed)
        #expect(page.redirects == ["/blocked"])
        #expect(page.status == 403)
        #expect(page.errorCodes == ["user_banned"])
        #expect(try await browser.open("/blocked").status == 403)
        #expect(try await browser.open("/sign-in").status == 200)
      }
    }
  }

  @Test(
    "the label says what may be typed",
    arguments: [
      (#"{}"#, "Email address, phone number or username"),
      (#"{"phone": "off"}"#, "Email address or username"),
      (#"{"phone": "off", "username": "off"}"#, "Email address"),
    ]
  )
  func labels(instance: String, label: String) async throws {
    try await Stage.inProcess.play(.init(instance: instance)) { scene in
      let page = try await scene.newBrowser().open("/sign-in?identifier=ada%40example.com")
      #expect(page.form?.field("identifier")?.label == label)
      #expect(page.form?.field("identifier")?.value == "ada@example.com")
    }
  }

  @Test("an instance that hides accounts does not reveal them (E11)", arguments: Stage.allCases)
  func enumeration(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"enumeration_protection": true}"#)) { scene in
      var seen: [[String]] = []
      for name in ["ada", "nobody", "cody", "bann"] {
        let browser = scene.newBrowser()
        let wrong = try await browser.signIn("\(name)@example.com", "not-this-one-42")
        let methods = try await browser.open("/sign-in/methods")
        let reset = try await browser.forgotPassword("\(name)@example.com")
        seen.append([
          "\(wrong.status) \(wrong.path) \(wrong.errorCodes(at: "password"))",
          "\(methods.path) \(methods.forms.map(\.name))",
          "\(reset.status) \(reset.path) \(reset.noticeCodes)",
        ])
      }
      #expect(Set(seen).count == 1, "\(seen)")
      var signedUp: [String] = []
      for address in ["ada@example.com", "noor@example.com"] {
        let page = try await scene.newBrowser().signUp(address)
        signedUp.append("\(page.status) \(page.path) \(page.noticeCodes)")
      }
      #expect(Set(signedUp).count == 1, "\(signedUp)")
    }
  }
}

@Suite("Locks, limits and lost answers", .inTurn)
struct LimitJourneys {
  @Test("wrong passwords warn, then lock, and the lock ends (P-locked)", arguments: Stage.both)
  func lockout(stage: Stage) async throws {
    let setting = Stage.Setting(instance: #"{"lockout_attempts": 3, "lockout_seconds": 1200}"#)
    try await stage.play(setting) { scene in
      let browser = scene.newBrowser()
      for _ in 1...2 {
        let warned = try await browser.signIn("ada@example.com", "not-this-one-42")
        #expect(warned.status == 422)
        #expect(
          warned.errorCodes(at: "password")
            == [stage.either("form_password_incorrect", entra: "invalid_grant")]
        )
        #expect(warned.errorCodes == stage.either(["account_lockout_warning"], entra: []))
      }
      let locked = try await browser.signIn("ada@example.com", "not-this-one-42")
      #expect(locked.redirects == ["/locked"])
      #expect(locked.status == 403)
      #expect(locked.errorCodes == ["user_locked"])
      // Entra does not say until when.
      let until = locked.facts["until"] as? String
      #expect((until != nil) == (stage.api == .clerk))
      let again = try await browser.open("/locked")
      #expect(again.facts["until"] as? String == until)
      // The right password, while it is locked.
      #expect(try await browser.signIn("ada@example.com").path == "/locked")
      guard scene.pagesFollowTheClock else { return }
      try await scene.backstage.advanceClock(by: .seconds(600))
      let later = try await browser.open("/locked")
      #expect(later.status == 403)
      if stage.api == .clerk {
        #expect(later.errors.first?.message.contains("10 minutes") == true)
      }
      try await scene.backstage.advanceClock(by: .seconds(601))
      let over = try await browser.open("/locked")
      #expect(over.status == stage.either(200, entra: 403))
      #expect(over.errorCodes == stage.either([], entra: ["user_locked"]))
      #expect(try await browser.signIn("ada@example.com").page == "account")
    }
  }

  @Test("a lock's end is shown in the reader's time zone, and a lock without one has no time (N2)")
  func lockTimes() async throws {
    let setting = Stage.Setting(instance: #"{"lockout_attempts": 1}"#)
    try await Stage.inProcess.play(setting) { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com", "not-this-one-42")
      let html: HTTPFields = [.accept: "text/html"]
      let utc = try await browser.send(.get, "/locked", fields: html)
      #expect(utc.headerFields[.retryAfter] != nil)
      #expect(String(decoding: utc.body, as: UTF8.self).contains(" UTC"))
      var cookies = await browser.cookies
      cookies["vestibule_time_zone"] = "Asia%2FKolkata"
      await browser.replaceCookies(cookies)
      let local = try await browser.send(.get, "/locked", fields: html)
      let text = String(decoding: local.body, as: UTF8.self)
      #expect(!text.contains(" UTC") && text.contains("<time datetime="))

      let other = scene.newBrowser()
      let lena = try await other.signIn("lena@example.com")
      #expect(lena.path == "/locked")
      #expect(lena.facts["until"] is NSNull)
      let endless = try await other.send(.get, "/locked", fields: html)
      #expect(endless.headerFields[.retryAfter] == nil)
    }
  }

  /// An hour from now, as HTTP writes dates (RFC 9110, section 5.6.7).
  private static var inAnHour: String {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(secondsFromGMT: 0)
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return form.string(from: Date().addingTimeInterval(3_600))
  }

  @Test(
    "a rate limit says when to try again, given seconds or a date, however far ahead",
    arguments: Stage.both
  )
  func rateLimit(stage: Stage) async throws {
    try await stage.play { scene in
      for value in ["30", Self.inAnHour, "Fri, 31 Dec 2100 23:59:59 GMT"] {
        _ = try await scene.backstage.call(
          .post,
          "faults",
          json: """
            {"match": {"method": "POST", "path": "\(stage.firstCall)"}, "times": 1,
             "answer": {"status": 429, "headers": {"Retry-After": "\(value)"},
              "json": \(stage.tooManyRequests)}}
            """
        )
        let browser = scene.newBrowser()
        try await browser.open("/sign-in")
        let (form, body) = try await browser.filled([
          "identifier": "ada@example.com", "password": password,
        ])
        let response = try await browser.send(.post, form.action, body: body)
        #expect(response.status == 429)
        let wait = response.headerFields[.retryAfter].flatMap(Int.init)
        #expect(wait ?? 0 > 0, "\(value)")
        let page = try await browser.follow(response, from: form.action)
        #expect(
          page.errorCodes == [stage.either("too_many_requests", entra: "temporarily_unavailable")]
        )
        #expect(page.errors.first?.until != nil, "\(value)")
      }
    }
  }

  @Test(
    "a person who is no longer known signs in again, and reaches the page they wanted (R3a)",
    arguments: Stage.allCases
  )
  func unknownAgain(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in?redirect_url=/sign-out")
      try await browser.submit(["identifier": "ezra@example.com", "password": password])
      _ = try await scene.backstage.call(
        .post,
        "faults",
        json: """
          {"match": {"method": "POST", "path": "/v1/client/sign_ins/*/attempt_second_factor"},
           "times": 1, "answer": {"status": 401, "json":
             {"errors": [{"code": "authentication_invalid", "message": "m"}]}}}
          """
      )
      let again = try await browser.submit(["code": "123456"])
      #expect(again.redirects == ["/sign-in"])
      #expect(again.noticeCodes == ["sign_in_again"])
      #expect(again.form?.field("identifier")?.value == "ezra@example.com")
      let entered = try await browser.submit([
        "identifier": "ada@example.com", "password": password,
      ])
      #expect(entered.redirects == ["/sign-out"])
    }
  }
}
