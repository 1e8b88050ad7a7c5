import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Signing up in the order that the service asks", .inTurn)
struct AttributeJourneys {
  private static let instance = #"""
    {"entra_required_attributes":[
      {"name":"displayName","type":"string","required":true},
      {"name":"postalCode","type":"string","required":true,"options":{"regex":"^[0-9]{4,6}$"}}]}
    """#

  @Test("code, password, then attributes, each refusal at its field", arguments: Stage.entra)
  func stepByStep(stage: Stage) async throws {
    try await stage.play(.init(instance: Self.instance)) { scene in
      let browser = scene.newBrowser()
      let start = try await browser.open("/sign-up")
      #expect(start.form?.field("password")?.required == false)
      let html = try await browser.send(.get, "/sign-up", fields: [.accept: "text/html"])
      #expect(String(decoding: html.body, as: UTF8.self).contains("Mix at least 3 of these"))
      let asked = try await browser.submit(["email_address": "noor@example.com"])
      #expect(asked.path == "/sign-up/verify")
      let code = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      let password = try await browser.submit(["code": code])
      #expect(password.path == "/sign-up/continue")
      #expect(password.form?.fields.map(\.name) == ["identifier_hint", "password"])
      let short = try await browser.submit(["password": "short"])
      #expect(short.errorCodes(at: "password") == ["invalid_grant/password_too_short"])
      let details = try await browser.submit(["password": "A-good-new-password-7"])
      #expect(details.path == "/sign-up/continue")
      #expect(details.form?.fields.map(\.name) == ["displayName", "postalCode"])
      #expect(details.form?.fields.map(\.label) == ["Display name", "Postal code"])
      let empty = try await browser.submit(["displayName": " ", "postalCode": ""])
      #expect(empty.errorCodes(at: "displayName") == ["required"])
      #expect(empty.errorCodes(at: "postalCode") == ["required"])
      let bad = try await browser.submit(["displayName": "Noor", "postalCode": "x"])
      #expect(bad.status == 422)
      let code2 = ["invalid_grant/attribute_validation_failed"]
      #expect(bad.errorCodes(at: "postalCode") == code2)
      #expect(bad.form?.field("displayName")?.value == "Noor")
      let entered = try await browser.submit(["displayName": "Noor", "postalCode": "12345"])
      #expect(entered.page == "account")
      let user = entered.facts["user"] as? [String: Any]
      #expect(user?["identifier"] as? String == "noor@example.com")
    }
  }

  @Test(
    "a whole number is said to be wanted, before one is typed and when another value is refused",
    arguments: Stage.entra
  )
  func wholeNumber(stage: Stage) async throws {
    let instance = #"""
      {"entra_required_attributes":[
        {"name":"extension_Age","type":"integer","options":{"regex":"^[0-9]{1,3}$"}}]}
      """#
    try await stage.play(.init(instance: instance)) { scene in
      let browser = scene.newBrowser()
      try await browser.signUp("noor@example.com")
      let code = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      let details = try await browser.submit(["code": code])
      let field = try details.requireField("extension_Age")
      #expect(field.label == "Age")
      #expect(field.hint != nil)
      #expect(field.inputmode == "numeric")
      var messages: [String] = []
      for value in ["12.5", "1234"] {
        let bad = try await browser.submit(["extension_Age": value])
        #expect(bad.status == 422)
        let refused = try bad.requireField("extension_Age")
        #expect(refused.errorCodes == ["invalid_grant/attribute_validation_failed"])
        #expect(refused.value == value)
        messages += (refused.errors ?? []).map(\.message)
      }
      // The second is a whole number, with which something else is wrong.
      #expect(messages.count == 2 && Set(messages).count == 2)
      #expect(try await browser.submit(["extension_Age": "41"]).page == "account")
    }
  }

  @Test("further rules that the settings have for a password are shown before it is typed")
  func requiredClasses() async throws {
    let stage = Stage(place: .inProcess, api: .entra)
    let rule = #"{"password_require": ["upper", "special"]}"#
    try await stage.play(.init(instance: rule)) { scene in
      let browser = scene.newBrowser()
      let html = try await browser.send(.get, "/sign-up", fields: [.accept: "text/html"])
      let text = String(decoding: html.body, as: UTF8.self)
      #expect(text.contains("an upper-case letter and a special character such as ! or #"))
      #expect(text.contains("Mix at least 3 of these"))
    }
  }

  @Test("with the password typed at once, there is one step fewer", arguments: Stage.entra)
  func atOnce(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signUp("noor@example.com")
      let code = try await scene.backstage.latestCode(to: "noor@example.com", purpose: "sign_up")
      #expect(try await browser.submit(["code": code]).redirects == ["/account"])
      try await browser.signOut()
      let back = try await browser.signIn("noor@example.com", "a-good-new-password-7")
      #expect(back.page == "account")
    }
  }
}
