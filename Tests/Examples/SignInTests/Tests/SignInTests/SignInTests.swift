import Testing
import VestibuleTesting

@Suite("Signing in")
struct SignInTests {
  let vestibule: TestVestibule

  init() throws { vestibule = try TestVestibule() }

  @Test("the right password leads to the account")
  func rightPassword() async throws {
    let ada = vestibule.session(world: "right-password")
    try await ada.open("/sign-in")
    let account = try await ada.submit([
      "identifier": "ada@example.com", "password": "walk-right-in-42",
    ])
    #expect(account.page == "account")
  }

  @Test("a wrong password is reported at its field, and the name that was typed stays")
  func wrongPassword() async throws {
    let ada = vestibule.session(world: "wrong-password")
    try await ada.open("/sign-in")
    let page = try await ada.submit(["identifier": "ada@example.com", "password": "a-wrong-one"])
    #expect(page.status == 422)
    #expect(page.errorCodes(at: "password") == ["form_password_incorrect"])
    #expect(page.form?.field("identifier")?.value == "ada@example.com")
  }

  @Test("cody, who has no password, signs in with the code from the inbox")
  func codeFromInbox() async throws {
    let cody = vestibule.session(world: "code")
    try await cody.open("/sign-in")
    let codePage = try await cody.submit(["identifier": "cody@example.com"])
    #expect(codePage.page == "sign-in-code")

    let code = try await vestibule.backstage(world: "code").latestCode(to: "cody@example.com")
    let account = try await cody.submit(["code": code])
    #expect(account.page == "account")
  }

  @Test("a code is of no use after eleven minutes")
  func expiredCode() async throws {
    let backstage = vestibule.backstage(world: "expired-code")
    let cody = vestibule.session(world: "expired-code")
    try await cody.open("/sign-in")
    try await cody.submit(["identifier": "cody@example.com"])
    let code = try await backstage.latestCode(to: "cody@example.com")

    try await backstage.advanceClock(by: .seconds(11 * 60))
    let page = try await cody.submit(["code": code])
    #expect(page.page == "sign-in-code")
    #expect(page.status == 422)
  }

  @Test("when the API cannot be reached, the page says so, and the next try works")
  func fault() async throws {
    let backstage = vestibule.backstage(world: "fault")
    let ada = vestibule.session(world: "fault")
    try await ada.open("/sign-in")
    _ = try await backstage.call(
      .post,
      "faults",
      json: #"{"match": {"method": "POST"}, "times": 1, "fault": "refused"}"#
    )
    let typed = ["identifier": "ada@example.com", "password": "walk-right-in-42"]
    let refused = try await ada.submit(typed)
    #expect(refused.status == 503)
    let account = try await ada.submit(typed)
    #expect(account.page == "account")
  }

  @Test("a wrong password over Entra is reported at its field, too")
  func entra() async throws {
    var configuration = TestVestibule.Configuration()
    configuration.service = .pages(at: .init(port: 8080), over: .emulated(.entra))
    let ada = try TestVestibule(configuration).session(world: "entra")
    try await ada.open("/sign-in")
    let page = try await ada.submit(["identifier": "ada@example.com", "password": "a-wrong-one"])
    #expect(page.errorCodes(at: "password") == ["invalid_grant"])
  }

  @Test("a built-in story can be played through")
  func story() async throws {
    let stories = try Story.builtIn()
    let story = try #require(stories.first { $0.name == "locked-out-on-a-friday" })
    try await vestibule.player(world: "friday").playThrough(story)
  }

  @Test("a test can have settings and accounts of its own")
  func settings() async throws {
    var configuration = TestVestibule.Configuration()
    configuration.instance.passwordMinLength = 12
    configuration.users = [.init()]
    configuration.users?[0].emailAddresses = ["freya@example.com"]
    configuration.users?[0].password = "walk-right-in-42"
    let freya = try TestVestibule(configuration).session(world: "settings")
    try await freya.open("/sign-in")
    let account = try await freya.submit([
      "identifier": "freya@example.com", "password": "walk-right-in-42",
    ])
    #expect(account.page == "account")
  }
}
