import HTTPExchange
import Foundation
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Accounts that do not simply sign in", .inTurn)
struct RefusalJourneys {
  @Test("lou is locked; the page says until when, if the API does", arguments: Stage.both)
  func lockedWithTime(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("lou@example.com")
      #expect(page.redirects == ["/locked"])
      #expect(page.status == 403)
      #expect(page.errorCodes == ["user_locked"])
      let again = try await browser.send(.get, "/locked")
      let seconds = again.headerFields[.retryAfter].flatMap(Int.init)
      if stage.api == .clerk {
        #expect(page.facts["until"] is String)
        #expect((1...1800).contains(try #require(seconds)))
      } else {
        #expect(page.facts["until"] is NSNull)
        #expect(seconds == nil)
      }
      try await scene.backstage.advanceClock(by: .seconds(1801))
      if scene.pagesFollowTheClock, stage.api == .clerk {
        #expect(try await browser.open("/locked").status == 200)
      }
      guard scene.takesTokensOfLater else { return }
      let entered = try await browser.signIn("lou@example.com")
      #expect(entered.page == "account")
    }
  }

  @Test("lena is locked until support unlocks her; the page gives no time", arguments: Stage.both)
  func lockedWithoutTime(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("lena@example.com")
      #expect(page.path == "/locked")
      #expect(page.facts["until"] is NSNull)
      let again = try await browser.send(.get, "/locked")
      #expect(again.headerFields[.retryAfter] == nil)
      #expect(try await browser.signIn("lena@example.com").path == "/locked")
      let lena = try await scene.backstage.userID(of: "lena@example.com")
      _ = try await scene.backstage.call(.patch, "users/\(lena)", json: #"{"locked": null}"#)
      #expect(try await browser.signIn("lena@example.com").page == "account")
    }
  }

  @Test("cora: a code instead of the password, then a new password", arguments: Stage.allCases)
  func compromised(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let methods = try await browser.signIn("cora@example.com")
      #expect(methods.redirects == ["/sign-in/methods"])
      #expect(methods.errorCodes == ["form_password_compromised"])
      #expect(!methods.forms.map(\.name).contains("password"))
      try await browser.submit(form: "email_code")
      let code = try await scene.backstage.latestCode(to: "cora@example.com", purpose: "sign_in")
      let task = try await browser.submit(["code": code])
      #expect(task.path == "/tasks/reset-password")
      // A pending session is never shown as signed in.
      let account = try await browser.open("/account")
      #expect(account.path == "/tasks/reset-password")
      let weak = try await browser.submit(["password": "short"])
      #expect(weak.status == 422)
      #expect(weak.errorCodes(at: "password") == ["form_password_length_too_short"])
      let entered = try await browser.submit(["password": "quite-another-secret-9"])
      #expect(entered.page == "account")
      #expect(entered.noticeCodes == ["password_changed"])
    }
  }

  @Test(
    "kurt, who has no other way, sets a new password after signing in",
    arguments: Stage.allCases
  )
  func compromisedWithoutOtherWay(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let task = try await browser.signIn("kurt")
      #expect(task.path == "/tasks/reset-password")
      let entered = try await browser.submit(["password": "quite-another-secret-9"])
      #expect(entered.page == "account")
    }
  }

  @Test("pia: a leaked password leads to a reset", arguments: Stage.allCases)
  func leaked(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let methods = try await browser.signIn("pia@example.com")
      #expect(methods.path == "/sign-in/methods")
      #expect(methods.errorCodes == ["form_password_pwned"])
      #expect(methods.forms.first?.name == "reset_password_email_code")
      let asked = try await browser.submit(form: "reset_password_email_code")
      #expect(asked.path == "/forgot-password/code")
      #expect(asked.flow == "password-reset")
      let code = try await scene.backstage.latestCode(
        to: "pia@example.com",
        purpose: "reset_password"
      )
      let new = try await browser.submit(["code": code])
      #expect(new.path == "/forgot-password/new")
      let entered = try await browser.submit(["password": "quite-another-secret-9"])
      #expect(entered.page == "account")
    }
  }
}
