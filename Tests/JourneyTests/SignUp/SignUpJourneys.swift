import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Signing up", .inTurn)
struct SignUpJourneys {
  @Test("with a code by email: wrong, too soon, resent, expired, right", arguments: Stage.both)
  func withCode(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.signUp("noor@example.com")
      #expect(asked.path == "/sign-up/verify")
      #expect(asked.noticeCodes == ["code_sent"])
      let first = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      let wrong = try await browser.submit(["code": stage.wrongCode])
      #expect(wrong.status == 422)
      #expect(
        wrong.errorCodes(at: "code")
          == [stage.either("form_code_incorrect", entra: "invalid_grant/invalid_oob_value")]
      )
      let early = try await browser.submit(form: "resend")
      #expect(early.status == 429)
      #expect(early.errorCodes == ["verification_code_too_many_requests"])
      // A reload sends nothing.
      try await browser.open("/sign-up/verify")
      let sent = try await scene.backstage.messages(to: "noor@example.com")
      #expect(sent.count == 1)
      try await scene.backstage.advanceClock(by: .seconds(601))
      let expired = try await browser.submit(["code": first])
      #expect(expired.status == 422)
      #expect(
        expired.errorCodes(at: "code")
          == [stage.either("verification_expired", entra: "expired_token")]
      )
      guard scene.pagesFollowTheClock else { return }
      let resent = try await browser.submit(form: "resend")
      #expect(resent.noticeCodes == ["code_resent"])
      let second = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      var entered = try await browser.submit(["code": second])
      if stage.api == .entra {
        // The attempt began again, and no password is kept: it is asked for once more.
        #expect(entered.path == "/sign-up/continue")
        entered = try await browser.submit(["password": "a-good-new-password-7"])
      }
      #expect(entered.page == "account")
    }
  }

  @Test("an empty field hides no other error; errors are in the order of the page (P-signup)")
  func allAtOnce() async throws {
    let setting = Stage.Setting(instance: #"{"phone":"required","legal_consent":true}"#)
    try await Stage.inProcess.play(setting) { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      let page = try await browser.submit([
        "email_address": "noor", "phone_number": "12", "password": "short",
      ])
      #expect(page.status == 422)
      let told = (page.form?.fields ?? []).flatMap { field in
        (field.errors ?? []).map { "\(field.name) \($0.code)" }
      }
      #expect(
        told == [
          "email_address form_param_format_invalid", "phone_number form_param_format_invalid",
          "password form_password_length_too_short", "legal_accepted required",
        ]
      )
      let well = try await browser.submit([
        "email_address": "noor@example.com", "phone_number": "+12015550123",
        "password": "quiet-harbour-77-lamps",
      ])
      #expect(well.errorCodes(at: "legal_accepted") == ["required"])
      #expect(well.form?.fields.filter { $0.errors?.isEmpty == false }.count == 1, "the box alone")
    }
  }

  @Test("if somebody else took the address meanwhile, sign-up begins again with what was typed")
  func claimed() async throws {
    try await Stage.inProcess.play(.init(instance: #"{"names": "optional"}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      try await browser.submit([
        "first_name": "Noor", "email_address": "noor@example.com", "password": "quiet-harbour-77",
      ])
      let code = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      _ = try await scene.backstage.call(
        .post,
        "users",
        json: #"{"email_addresses": ["noor@example.com"]}"#
      )
      let again = try await browser.submit(["code": code])
      #expect(again.path == "/sign-up")
      #expect(again.errorCodes == ["identification_claimed", "attempt_ended"])
      #expect(again.form?.field("first_name")?.value == "Noor")
      #expect(again.form?.field("email_address")?.value == "noor@example.com")
    }
  }

  @Test("a taken address and a weak password are named at their fields", arguments: Stage.both)
  func refused(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let taken = try await browser.signUp("ada@example.com")
      #expect(taken.status == 422)
      #expect(
        taken.errorCodes(at: "email_address")
          == [stage.either("form_identifier_exists", entra: "user_already_exists")]
      )
      let weak = try await browser.signUp("noor@example.com", "short")
      #expect(
        weak.errorCodes(at: "password")
          == [
            stage.either(
              "form_password_length_too_short",
              entra: "invalid_grant/password_too_short"
            )
          ]
      )
      #expect(weak.form?.field("email_address")?.value == "noor@example.com")
      let empty = try await browser.signUp("", "")
      #expect(empty.errorCodes(at: "email_address") == ["required"])
      // Entra says only after the code whether it wants a password at all.
      #expect(empty.errorCodes(at: "password") == stage.either(["required"], entra: []))
    }
  }

  @Test(
    "a name that is too long is refused in our words, with the field's label",
    arguments: Stage.allCases
  )
  func longName(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"names":"required"}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      let refused = try await browser.submit([
        "first_name": "Noor", "last_name": String(repeating: "l", count: 257),
        "email_address": "noor@example.com", "password": "a-good-new-password-7",
      ])
      #expect(
        refused.form?.field("last_name")?.errors?.map(\.message)
          == ["Last name must be 256 characters or fewer"]
      )
    }
  }

  @Test("with a phone and names if the instance asks for them", arguments: Stage.allCases)
  func withPhone(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"phone":"required","names":"required"}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      let first = try await browser.submit([
        "first_name": "Noor", "last_name": "Haddad", "email_address": "noor@example.com",
        "phone_number": "+1 (201) 555-0177", "password": "a-good-new-password-7",
      ])
      #expect(first.path == "/sign-up/verify")
      let mail = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      let second = try await browser.submit(["code": mail])
      #expect(second.path == "/sign-up/verify")
      let text = try await scene.backstage.latestCode(to: "+12015550177", purpose: "sign_up")
      let entered = try await browser.submit(["code": text])
      #expect(entered.page == "account")
    }
  }
}
