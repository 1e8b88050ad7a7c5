import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// One journey for each row: the service answers with it once, at the call behind a page.
@Suite("Errors of Entra on the pages (E1, E2)", .inTurn)
struct EntraCatalogueJourneys {
  private func check(_ row: EntraErrorRow, _ page: PageSnapshot) {
    #expect(page.status == row.status)
    #expect(page.path == row.path)
    let inFields = page.form?.fields.flatMap { $0.errors?.map(\.code) ?? [] } ?? []
    switch row.place {
    case .field(let name, let code):
      #expect(page.errorCodes(at: name) == [code])
      #expect(inFields == [code])
      #expect(page.errorCodes.isEmpty)
    case .banner(let code):
      #expect(page.errorCodes == [code])
      #expect(inFields.isEmpty)
      #expect(page.errors.first?.reference?.isEmpty == false)
    case .notice(let code):
      #expect(page.noticeCodes == [code])
      #expect(page.errorCodes.isEmpty && inFields.isEmpty)
    case .nothing:
      #expect(page.errorCodes.isEmpty && inFields.isEmpty)
    }
    // An error's own prose is for developers.
    #expect(!String(decoding: page.body, as: UTF8.self).contains("AADSTS"))
  }

  private func play(
    _ row: EntraErrorRow,
    _ submit: (FormSession, Scene, () async throws -> Void) async throws -> PageSnapshot
  ) async throws {
    try await Stage(place: .inProcess, api: .entra).play { scene in
      let browser = scene.newBrowser()
      let page = try await submit(browser, scene) {
        let isRedirect = row.body.contains("redirect")
        _ = try await scene.backstage.call(
          .post,
          "faults",
          json: """
            {"match": {"method": "POST", "path": "/*\(row.call)"}, "times": 1,
             "answer": {"status": \(isRedirect ? 200 : 400), "json": \(row.body)}}
            """
        )
      }
      check(row, page)
    }
  }

  // MARK: Sign-in

  @Test("at sign-in", arguments: EntraErrorRow.atSignIn)
  func signIn(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.open("/sign-in")
      try await rehearse()
      return try await browser.submit(["identifier": "ada@example.com", "password": password])
    }
  }

  // MARK: The second factor, and registering one

  @Test(
    "at the choice of a second factor; one that is blocked is not offered again",
    arguments: EntraErrorRow.atChoice
  )
  func choice(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.signIn("mia@example.com")
      try await rehearse()
      let page = try await browser.submit(form: "phone_code")
      if page.page == "sign-in-second-factor-methods" {
        #expect(page.forms.map(\.name) == ["email_code", "restart"])
      }
      return page
    }
  }

  @Test("at the code of a second factor", arguments: EntraErrorRow.atCode)
  func code(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.signIn("ezra@example.com")
      try await rehearse()
      return try await browser.submit(["code": "12345678"])
    }
  }

  @Test("the code page says that there are no more codes, and its box stays usable (F6)")
  func noMoreCodes() async throws {
    let row = EntraErrorRow(
      EntraErrorRow.challenge,
      EntraErrorRow.error("invalid_request", 701_014),
      429,
      "/sign-in/second-factor/resend",
      .banner("invalid_request")
    )
    try await play(row) { browser, scene, rehearse in
      try await browser.signIn("ezra@example.com")
      try await scene.backstage.advanceClock(by: .seconds(31))
      try await rehearse()
      let page = try await browser.submit(form: "resend")
      #expect(page.form?.field("code") != nil)
      return page
    }
  }

  @Test("at the contact of an enrolment", arguments: EntraErrorRow.atContact)
  func contact(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.signIn("rita@example.com")
      try await rehearse()
      return try await browser.submit(["method": "phone", "contact": "+12015550177"])
    }
  }

  // MARK: Sign-up

  @Test("at sign-up", arguments: EntraErrorRow.atSignUp)
  func signUp(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.open("/sign-up")
      try await rehearse()
      return try await browser.submit([
        "email_address": "noor@example.com", "password": "A-good-new-password-7",
      ])
    }
  }

  @Test("at the verification of an address", arguments: EntraErrorRow.atVerification)
  func verification(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.signUp("noor@example.com")
      try await rehearse()
      return try await browser.submit(["code": "12345678"])
    }
  }

  // MARK: Password reset

  @Test("at a forgotten password", arguments: EntraErrorRow.atForgotten)
  func forgotten(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.open("/forgot-password")
      try await rehearse()
      return try await browser.submit(["identifier": "ada@example.com"])
    }
  }

  @Test("at a new password", arguments: EntraErrorRow.atNewPassword)
  func newPassword(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, scene, rehearse in
      try await browser.forgotPassword("ada@example.com")
      let code = try await scene.backstage.latestCode(
        to: "ada@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
      try await rehearse()
      return try await browser.submit(["password": "Quite-another-secret-9"])
    }
  }

  // MARK: Tokens

  @Test("at a token for other services", arguments: EntraErrorRow.atRenewal)
  func renewal(_ row: EntraErrorRow) async throws {
    try await play(row) { browser, _, rehearse in
      try await browser.signIn("ada@example.com")
      try await rehearse()
      let page = try await browser.submit(form: "get-token")
      // If people have to sign in again, their address is filled in.
      if row.path != "/blocked", row.path != "/account/token" {
        #expect(page.form?.field("identifier")?.value == "ada@example.com")
      }
      return page
    }
  }

  @Test(
    "backstage's list has the words and the page of a lock and of a ban",
    arguments: [("50053", "locked"), ("50057", "blocked")]
  )
  func listed(number: String, page: String) async throws {
    struct Listed: Decodable {
      struct Placement: Decodable { var page: String }
      var long_message: String?
      var words: String?
      var placement: Placement?
    }
    try await Stage(place: .inProcess, api: .entra).play { scene in
      let list = try JSONDecoder().decode(
        [Listed].self,
        from: try await scene.backstage.call(.get, "errors")
      )
      let error = try #require(list.first { $0.long_message?.hasPrefix("AADSTS\(number)") == true })
      #expect(error.words?.isEmpty == false)
      #expect(error.placement?.page == page)
    }
  }
}
