import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("The task choose-organization (P-org)", .inTurn)
struct OrganizationJourneys {
  private static let path = "/tasks/choose-organization"

  private func organization(_ account: PageSnapshot) -> String? {
    (account.facts["organization"] as? [String: Any])?["name"] as? String
  }

  @Test("otto chooses one of his two organizations", arguments: Stage.allCases)
  func otto(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("otto@example.com")
      #expect(page.path == Self.path)
      #expect(page.page == "tasks-choose-organization")
      #expect(page.step == "choose" && page.flow == "task")
      let field = try #require(page.form?.field("organization_id"))
      #expect(field.type == "radio" && field.value == nil)
      #expect(field.options?.map(\.label) == ["Harbour Books (Member)", "Pine Street (Member)"])
      #expect(page.form("sign-out") != nil)

      let none = try await browser.submit()
      #expect(none.status == 422)
      #expect(none.title.hasPrefix("Error: "))
      #expect(none.errorCodes(at: "organization_id") == ["none_chosen"])

      let pine = try #require(field.options?.last?.value)
      let account = try await browser.submit(["organization_id": pine])
      #expect(account.path == "/account")
      #expect(organization(account) == "Pine Street")
      #expect((account.facts["tasks"] as? [Any])?.isEmpty == true)
      let again = try await browser.open(Self.path)
      #expect(again.path == "/account")
      #expect(again.noticeCodes == ["moved_on"])
    }
  }

  @Test(
    "if nobody has to choose, the personal account is offered and is enough",
    arguments: Stage.allCases
  )
  func personalAccount(stage: Stage) async throws {
    let setting = Stage.Setting(
      instance: #"{"organizations_required": true, "force_organization_selection": false}"#
    )
    try await stage.play(setting) { scene in
      let browser = scene.newBrowser()
      for name in ["otto", "ada"] {
        let page = try await browser.signIn("\(name)@example.com")
        #expect(page.path == Self.path)
        #expect(page.step == "choose")
        let options = try #require(page.form?.field("organization_id")?.options)
        #expect(options.last?.value == "personal")
        let account = try await browser.submit(["organization_id": "personal"])
        #expect(account.path == "/account")
        #expect(organization(account) == nil)
        // The choice lasts: nothing is asked again.
        #expect(try await browser.open("/account").page == "account")
        try await browser.signOut()
      }
    }
  }

  @Test(
    "otto creates a third: name missing, slug taken, slug malformed, then no slug",
    arguments: Stage.allCases
  )
  func ottoCreates(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("otto@example.com")
      let link = try #require(await browser.page?.links.first { $0.name == "create" })
      let create = try await browser.open(link.href)
      #expect(create.step == "create")
      #expect(create.form?.field("organization_name")?.autocomplete == "organization")
      #expect(create.form?.field("organization_slug")?.required == false)
      #expect(create.links.contains { $0.name == "back" && $0.href == Self.path })

      let empty = try await browser.submit(["organization_slug": "acme"])
      #expect(empty.status == 422)
      #expect(empty.errorCodes(at: "organization_name") == ["required"])
      #expect(empty.form?.field("organization_slug")?.value == "acme")

      let taken = try await browser.submit([
        "organization_name": "Acme", "organization_slug": "pine-street",
      ])
      #expect(taken.status == 422)
      #expect(taken.step == "create")
      #expect(taken.errorCodes(at: "organization_slug") == ["form_identifier_exists"])
      #expect(taken.form?.field("organization_name")?.value == "Acme")

      let malformed = try await browser.submit(["organization_slug": "Not A Slug"])
      #expect(malformed.errorCodes(at: "organization_slug") == ["form_param_format_invalid"])

      let account = try await browser.submit(["organization_slug": ""])
      #expect(account.path == "/account")
      let made = account.facts["organization"] as? [String: Any]
      #expect(made?["name"] as? String == "Acme")
      #expect(made?["slug"] as? String == "acme")
    }
  }

  @Test("olga has none and goes straight to creating one", arguments: Stage.allCases)
  func olga(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("olga@example.com")
      #expect(page.path == Self.path)
      #expect(page.step == "create")
      #expect(page.form("sign-out") != nil)
      let nothing = try await browser.submit()
      #expect(nothing.errorCodes(at: "organization_name") == ["required"])
      let bare = try await browser.send(
        .post,
        Self.path,
        body: ["form_token": try #require(nothing.form?.token)]
      )
      let asked = try await browser.follow(bare, from: Self.path)
      #expect(asked.errorCodes(at: "organization_name") == ["required"])
      let account = try await browser.submit([
        "organization_name": "Olga & Sons", "organization_slug": "olga",
      ])
      #expect(organization(account) == "Olga & Sons")
      // Next time there is something to choose.
      try await browser.signOut()
      let next = try await browser.signIn("olga@example.com")
      #expect(next.step == "choose")
      #expect(next.form?.field("organization_id")?.options?.map(\.label) == ["Olga & Sons (Admin)"])
    }
  }

  @Test("olga may create none, and is offered only the way out", arguments: Stage.allCases)
  func forbidden(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"organization_creation":false}"#)) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("olga@example.com")
      #expect(page.path == Self.path)
      #expect(page.step == "choose")
      #expect(page.forms.map(\.name) == ["sign-out"])
      #expect(!page.links.contains { $0.name == "create" })
      // The address of the other step does not open it.
      #expect(try await browser.open("\(Self.path)?create").step == "choose")
      let out = try await browser.submit(form: "sign-out")
      #expect(out.noticeCodes == ["signed_out"])
      #expect(try await browser.open("/account").page == "sign-in")
    }
  }

  @Test(
    "a form to create an organization creates none if that was forbidden while it was open",
    arguments: Stage.allCases
  )
  func forbiddenMeanwhile(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      #expect(try await browser.signIn("olga@example.com").step == "create")
      _ = try await scene.backstage.call(
        .patch,
        "instance",
        json: #"{"organization_creation": false}"#
      )
      let refused = try await browser.submit(["organization_name": "Olga & Sons"])
      #expect(refused.status == 403)
      #expect(refused.errorCodes == ["user_create_organization_not_enabled"])
      #expect(try await browser.open("/account").path == Self.path)
    }
  }

  private static let ivy = """
    [{"id":"user_ivy","email_addresses":["ivy@example.com"],"password":"\(password)",
      "tasks":["choose-organization"],
      "organization_invitations":[{"name":"North Quay","slug":"north-quay","role":"org:admin"}],
      "organization_suggestions":[{"name":"Lighthouse","slug":"lighthouse"}]}]
    """

  @Test("an invitation is joined, a suggestion waits for approval", arguments: Stage.allCases)
  func invited(stage: Stage) async throws {
    try await stage.play(.init(users: Self.ivy)) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("ivy@example.com")
      #expect(page.step == "choose")
      #expect(page.forms.map(\.name) == ["join", "ask-to-join", "sign-out"])
      let asked = try await browser.submit(form: "ask-to-join")
      #expect(asked.path == Self.path)
      #expect(asked.form("ask-to-join") == nil)
      let suggestions = asked.facts["suggestions"] as? [[String: Any]]
      #expect(suggestions?.first?["status"] as? String == "requested")

      let joined = try await browser.submit(form: "join")
      #expect(joined.form("join") == nil)
      let options = joined.form?.field("organization_id")?.options
      #expect(options?.map(\.label) == ["North Quay (Admin)"])
      #expect(try await browser.open("/account").path == Self.path, "joining is not choosing")
      let account = try await browser.submit([
        "organization_id": try #require(options?.first?.value)
      ])
      #expect(organization(account) == "North Quay")
    }
  }

  @Test("a lost membership is said at the field, and not offered again", arguments: Stage.allCases)
  func left(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("otto@example.com")
      let pine = try #require(page.form?.field("organization_id")?.options?.last?.value)
      _ = try await scene.backstage.call(
        .patch,
        "users/user_otto",
        json: #"{"organizations":[{"name":"Harbour Books","slug":"harbour-books"}]}"#
      )
      let refused = try await browser.submit(["organization_id": pine])
      #expect(refused.status == 422)
      #expect(refused.errorCodes(at: "organization_id") == ["not_a_member_in_organization"])
      let left = refused.form?.field("organization_id")?.options
      #expect(left?.map(\.label) == ["Harbour Books (Member)"])
    }
  }

  @Test("an instance that requires an organization asks everyone", arguments: Stage.allCases)
  func required(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"organizations_required":true}"#)) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("ada@example.com")
      #expect(page.path == Self.path)
      let account = try await browser.open("/account")
      #expect(account.path == Self.path)
    }
  }
}
