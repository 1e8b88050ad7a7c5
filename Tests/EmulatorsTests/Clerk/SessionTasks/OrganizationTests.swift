import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Organizations")
struct OrganizationTests {
  private func signedIn(_ name: String, _ world: TestWorld) async throws -> (ScriptedClient, JSON) {
    let client = world.client()
    let answer = try await client.signIn("\(name)@example.com")
    #expect(answer.state == "complete")
    return (client, try #require(answer.client?["sessions"]?[0]))
  }

  @discardableResult
  private func touch(
    _ client: ScriptedClient,
    _ session: JSON,
    _ organization: String
  ) async throws -> Answer {
    try await client.post(
      "/v1/client/sessions/\(session["id"]?.string ?? "")/touch",
      ["active_organization_id": organization, "intent": "select_org"]
    )
  }

  private func tasks(_ session: JSON?) -> [String?]? {
    session?["tasks"]?.array?.map { $0["key"]?.string }
  }

  @Test("the demo user otto is pending until he has chosen one of his two")
  func otto() async throws {
    let world = try TestWorld()
    let (client, session) = try await signedIn("otto", world)
    #expect(session["status"] == "pending")
    #expect(tasks(session) == ["choose-organization"])
    let memberships = try await client.get("/v1/me/organization_memberships?paginated=true")
    #expect(memberships.resource?["total_count"] == 2)
    let first = memberships.resource?["data"]?[0]
    #expect(first?["organization"]?["name"] == "Harbour Books")
    #expect(first?["role"] == "org:member")
    #expect(first?["role_name"] == "Member")
    let id = try #require(first?["organization"]?["id"]?.string)
    let chosen = try await touch(client, session, id)
    #expect(chosen.state == "active")
    #expect(chosen.resource?["last_active_organization_id"]?.string == id)
    #expect(chosen.resource?["tasks"] == .null)
    #expect(chosen.client?["sessions"]?[0]?["status"] == "active")
  }

  @Test("a slug names an organization as well as its id does")
  func slug() async throws {
    let (client, session) = try await signedIn("otto", try TestWorld())
    let chosen = try await touch(client, session, "pine-street")
    #expect(chosen.state == "active")
  }

  @Test("if an organization is needed, choosing none keeps the one chosen before")
  func empty() async throws {
    let (client, session) = try await signedIn("otto", try TestWorld())
    #expect(try await touch(client, session, "").state == "pending")
    try await touch(client, session, "pine-street")
    let kept = try await touch(client, session, "")
    #expect(kept.resource?["last_active_organization_id"] != .null)
  }

  @Test("if no organization is needed, choosing none means the personal account")
  func personal() async throws {
    var ada = AccountDescription()
    ada.emailAddresses = ["ada@example.com"]
    ada.password = ScriptedClient.password
    ada.organizations = [.init(name: "Harbour Books", slug: "harbour-books", role: "org:admin")]
    let (client, session) = try await signedIn("ada", try TestWorld(users: [ada]))
    #expect(session["status"] == "active")
    let chosen = try await touch(client, session, "harbour-books")
    #expect(chosen.resource?["last_active_organization_id"] != .null)
    let none = try await touch(client, session, "")
    #expect(none.resource?["last_active_organization_id"] == .null)
  }

  @Test("another's organization and one that does not exist are refused differently")
  func foreign() async throws {
    let world = try TestWorld()
    let (client, session) = try await signedIn("olga", world)
    let foreign = try await touch(client, session, "harbour-books")
    #expect(foreign.refusal == "403 not_a_member_in_organization")
    let unknown = try await touch(client, session, "org_unknown")
    #expect(unknown.refusal == "404 organization_not_found_or_unauthorized")
  }

  @Test("the creator of an organization is its administrator; a slug is derived if none is sent")
  func create() async throws {
    let world = try TestWorld()
    let (client, session) = try await signedIn("olga", world)
    let made = try await client.post("/v1/organizations", ["name": "Böök & Co. 7"])
    #expect(made.status == 200)
    #expect(made.resource?["slug"] == "book-co-7")
    #expect(made.resource?["members_count"] == 1)
    let memberships = try await client.get("/v1/me/organization_memberships")
    #expect(memberships.resource?[0]?["role"] == "org:admin")
    #expect(memberships.resource?[0]?["role_name"] == "Admin")
    #expect(try await touch(client, session, made.id).state == "active")
    let user = try await client.get("/v1/me")
    let listed = user.resource?["organization_memberships"]?[0]?["organization"]?["id"]?.string
    #expect(listed == made.id)
    let again = try await client.post("/v1/organizations", ["name": "Böök & Co. 7"])
    #expect(again.resource?["slug"] == "book-co-7-2")
  }

  @Test(
    "an error in a new organization is reported at its parameter",
    arguments: [
      (["slug": "x"], "422 form_param_missing name"),
      (["name": ""], "422 form_param_nil name"),
      (["name": "  "], "422 form_param_nil name"),
      (["name": "A", "slug": "Not A Slug"], "422 form_param_format_invalid slug"),
      (["name": "A", "slug": "a--b"], "422 form_param_format_invalid slug"),
      (["name": "A", "slug": "harbour-books"], "422 form_identifier_exists slug"),
      (["name": "A", "colour": "red"], "422 form_param_unknown colour"),
      (
        ["name": String(repeating: "x", count: 257)],
        "422 form_param_max_length_exceeded name"
      ),
    ]
  )
  func refused(_ form: [String: String], _ refusal: String) async throws {
    let (client, _) = try await signedIn("olga", try TestWorld())
    let fields = form.sorted { $0.key < $1.key }.map {
      FormData.Field(name: $0.key, value: $0.value)
    }
    let answer = try await client.post("/v1/organizations", FormData(fields))
    #expect(answer.refusal == refusal)
  }

  @Test("an instance may forbid new organizations")
  func forbidden() async throws {
    let world = try TestWorld { $0.organizationCreation = false }
    let (client, session) = try await signedIn("olga", world)
    #expect(session["user"]?["create_organization_enabled"] == false)
    let answer = try await client.post("/v1/organizations", ["name": "A"])
    #expect(answer.refusal == "403 user_create_organization_not_enabled")
  }

  @Test("an instance may require an organization of everyone")
  func required() async throws {
    let world = try TestWorld { $0.organizationsRequired = true }
    let (_, session) = try await signedIn("ada", world)
    #expect(tasks(session) == ["choose-organization"])
  }

  private func invited() throws -> TestWorld {
    var ivy = AccountDescription()
    ivy.emailAddresses = ["ivy@example.com"]
    ivy.password = ScriptedClient.password
    ivy.tasks = [.chooseOrganization]
    ivy.organizationInvitations = [.init(name: "Pine Street", slug: "pine-street")]
    ivy.organizationSuggestions = [.init(name: "Harbour Books", slug: "harbour-books")]
    return try TestWorld(users: [ivy])
  }

  @Test("an invitation that is accepted makes a member, once")
  func invitation() async throws {
    let world = try invited()
    let (client, session) = try await signedIn("ivy", world)
    let list = try await client.get("/v1/me/organization_invitations?status=pending")
    #expect(list.resource?["total_count"] == 1)
    let invitation = try #require(list.resource?["data"]?[0])
    #expect(invitation["public_organization_data"]?["name"] == "Pine Street")
    #expect(invitation["email_address"] == "ivy@example.com")
    let path = "/v1/me/organization_invitations/\(invitation["id"]?.string ?? "")/accept"
    let accepted = try await client.post(path)
    #expect(accepted.state == "accepted")
    #expect(accepted.client?["sessions"]?[0]?["status"] == "pending", "accepting chooses nothing")
    let twice = try await client.post(path)
    #expect(twice.refusal == "400 organization_invitation_already_accepted")
    let left = try await client.get("/v1/me/organization_invitations?status=pending")
    #expect(left.resource?["total_count"] == 0)
    #expect(try await touch(client, session, "pine-street").state == "active")
    let unknown = try await client.post("/v1/me/organization_invitations/orginv_x/accept")
    #expect(unknown.refusal == "404 organization_invitation_not_found")
  }

  @Test("a suggestion that is accepted waits for an administrator")
  func suggestion() async throws {
    let (client, session) = try await signedIn("ivy", try invited())
    let list = try await client.get("/v1/me/organization_suggestions")
    let id = try #require(list.resource?["data"]?[0]?["id"]?.string)
    let path = "/v1/me/organization_suggestions/\(id)/accept"
    #expect(try await client.post(path).state == "accepted")
    let twice = try await client.post(path)
    #expect(twice.refusal == "400 organization_suggestion_already_accepted")
    let foreign = try await touch(client, session, "harbour-books")
    #expect(foreign.refusal == "403 not_a_member_in_organization")
  }

  @Test("an account shows an invitation and a suggestion until each is accepted")
  func told() async throws {
    let world = try invited()
    let (client, _) = try await signedIn("ivy", world)
    let before = try await world.world.account(identifiedBy: "ivy@example.com")
    #expect(before?.json["organization_invitations"]?[0]?["slug"] == "pine-street")
    #expect(before?.json["organization_suggestions"]?[0]?["slug"] == "harbour-books")
    #expect(before?.json["organizations"] == [])
    let list = try await client.get("/v1/me/organization_invitations")
    let id = list.resource?["data"]?[0]?["id"]?.string ?? ""
    try await client.post("/v1/me/organization_invitations/\(id)/accept")
    let after = try await world.world.account(identifiedBy: "ivy@example.com")
    #expect(after?.json["organization_invitations"] == nil)
    #expect(after?.json["organization_suggestions"]?[0]?["slug"] == "harbour-books")
    #expect(after?.json["organizations"]?[0]?["slug"] == "pine-street")
    let suggested = try await client.get("/v1/me/organization_suggestions")
    let suggestion = suggested.resource?["data"]?[0]?["id"]?.string ?? ""
    try await client.post("/v1/me/organization_suggestions/\(suggestion)/accept")
    let last = try await world.world.account(identifiedBy: "ivy@example.com")
    #expect(last?.json["organization_suggestions"] == nil)
    #expect(last?.json["organizations"]?.array?.count == 1)
  }

  @Test("a user who is removed from an organization has to choose again")
  func takenOut() async throws {
    let world = try TestWorld()
    let (client, session) = try await signedIn("otto", world)
    try await touch(client, session, "pine-street")
    _ = try await world.world.change(
      "user_otto",
      ["organizations": [["name": "Harbour Books", "slug": "harbour-books"]]]
    )
    let now = try await client.get("/v1/client")
    #expect(now.resource?["sessions"]?[0]?["status"] == "pending")
  }

  @Test("lists come in pages, and pages that make no sense are refused")
  func pages() async throws {
    let (client, _) = try await signedIn("otto", try TestWorld())
    let path = "/v1/me/organization_memberships?paginated=true"
    let second = try await client.get("\(path)&limit=1&offset=1")
    #expect(second.resource?["data"]?.array?.count == 1)
    #expect(second.resource?["data"]?[0]?["organization"]?["slug"] == "pine-street")
    #expect(second.resource?["total_count"] == 2)
    for wrong in ["limit=0", "limit=501", "limit=x", "offset=-1", "paginated=maybe"] {
      let answer = try await client.get("/v1/me/organization_memberships?\(wrong)")
      #expect(answer.refusal == "422 invalid_query_parameter_value")
    }
  }

  @Test("a name is suggested for a new organization")
  func defaults() async throws {
    let (client, _) = try await signedIn("olga", try TestWorld())
    let answer = try await client.get("/v1/me/organization_creation_defaults")
    #expect(answer.resource?["form"]?["name"] == "Olga's organization")
  }

  @Test("calls without a session are refused")
  func signedOut() async throws {
    let client = try TestWorld().client()
    let read = try await client.get("/v1/me/organization_memberships")
    #expect(read.refusal == "401 authentication_invalid")
    let made = try await client.post("/v1/organizations", ["name": "A"])
    #expect(made.refusal == "401 authentication_invalid")
  }

  @Test("if everyone needs an organization, choosing none keeps the one chosen before")
  func requiredOfEveryone() async throws {
    var ada = AccountDescription()
    ada.emailAddresses = ["ada@example.com"]
    ada.password = ScriptedClient.password
    ada.organizations = [.init(name: "Harbour Books", slug: "harbour-books", role: "org:admin")]
    let world = try TestWorld(users: [ada]) { $0.organizationsRequired = true }
    let client = world.client()
    let answer = try await client.signIn("ada@example.com")
    let session = try #require(answer.client?["sessions"]?[0])
    #expect(session["status"] == "pending")
    let chosen = try await touch(client, session, "harbour-books")
    #expect(chosen.state == "active")
    let kept = try await touch(client, session, "")
    #expect(kept.state == "active")
    #expect(
      kept.resource?["last_active_organization_id"]
        == chosen.resource?["last_active_organization_id"]
    )
  }

  @Test(
    "a slug spells letters with marks, and others of Latin script, in plain ones",
    arguments: [
      ("Café Zoë", "cafe-zoe"), ("Straße", "strasse"), ("Ünï", "uni"), ("Ærø & Łódź", "aero-lodz"),
      ("Cafe\u{301}", "cafe"), ("港", "organization"),
    ]
  )
  func plainSlug(name: String, slug: String) async throws {
    let (client, _) = try await signedIn("olga", try TestWorld())
    let made = try await client.post("/v1/organizations", ["name": name])
    #expect(made.resource?["slug"]?.string == slug)
  }

  @Test("a slug that is cut from a long name does not end in a dash", arguments: [62, 63, 64])
  func cutSlug(count: Int) async throws {
    let (client, _) = try await signedIn("olga", try TestWorld())
    let word = String(repeating: "x", count: count)
    let made = try await client.post("/v1/organizations", ["name": "\(word) yz"])
    #expect(made.resource?["slug"]?.string == (count == 62 ? "\(word)-y" : word))
  }
}
