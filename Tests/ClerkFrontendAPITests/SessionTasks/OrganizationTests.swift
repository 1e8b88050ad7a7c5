@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import Testing
import TestSupport

@Suite("The task of choosing an organization")
struct OrganizationTests {
  private static let session = Fixture.mara(tasks: [.chooseOrganization])
  private static let query = "_is_native=1&_clerk_session_id=\(Fixture.sessionID)"
  private static let touch =
    "POST /v1/client/sessions/\(Fixture.sessionID)/touch?_is_native=1 "
    + "active_organization_id=%@&intent=select_org"

  /// As in <doc:ClerkOrganizationCalls#Organization-resources>.
  private static let membership = """
    {"object": "organization_membership", "id": "orgmem_1", "role": "org:admin",
     "role_name": "Admin", "permissions": null, "public_metadata": {},
     "organization": {"object": "organization", "id": "org_1", "name": "Harbour Works",
       "slug": "harbour-works", "has_image": false, "max_allowed_memberships": 5,
       "admin_delete_enabled": true, "public_metadata": {}, "created_at": 1, "updated_at": 1},
     "created_at": 1767225600000, "updated_at": 1767225600000}
    """

  private static func offer(_ kind: String, _ id: String, _ status: String) -> String {
    """
    {"object": "\(kind)", "id": "\(id)", "status": "\(status)",
     "public_organization_data": {"id": "org_2", "name": "North Quay", "slug": "north-quay",
       "has_image": false}, "created_at": 1, "updated_at": 1}
    """
  }

  private static func list(_ elements: String...) -> Response {
    .enveloped(#"{"data": [\#(elements.joined(separator: ","))], "total_count": 1}"#)
  }

  private func options(_ transport: ScriptedTransport) async throws -> OrganizationOptions {
    var memory = memory()
    return try await provider(transport).organizations(for: Self.session, memory: &memory)
  }

  @Test("memberships, invitations and suggestions are asked for, as many as a page may hold")
  func all() async throws {
    let transport = ScriptedTransport(
      .json(Fixture.environment),
      Self.list(Self.membership, #"{"object": "broken"}"#),
      Self.list(
        Self.offer("organization_invitation", "inv_1", "pending"),
        Self.offer("organization_invitation", "inv_2", "accepted"),
        Self.offer("organization_invitation", "inv_3", "revoked")
      ),
      Self.list(
        Self.offer("organization_suggestion", "sug_1", "pending"),
        Self.offer("organization_suggestion", "sug_2", "accepted"),
        Self.offer("organization_suggestion", "sug_3", "completed")
      )
    )
    let options = try await options(transport)
    #expect(
      options
        == OrganizationOptions(
          memberships: [
            .init(
              organization: .init(id: "org_1", name: "Harbour Works", slug: "harbour-works"),
              role: "Admin"
            )
          ],
          invitations: [.init(id: "inv_1", organizationName: "North Quay")],
          suggestions: [
            .init(id: "sug_1", organizationName: "North Quay", isRequested: false),
            .init(id: "sug_2", organizationName: "North Quay", isRequested: true),
          ],
          mayCreate: true,
          hasSlugs: true
        )
    )
    #expect(
      transport.calls.dropFirst() == [
        "GET /v1/me/organization_memberships?\(Self.query)&paginated=true&limit=100",
        "GET /v1/me/organization_invitations?\(Self.query)&status=pending&limit=100",
        "GET /v1/me/organization_suggestions?\(Self.query)&status=pending&status=accepted&limit=100",
      ]
    )
  }

  /// A page of a person's 203 memberships.
  private static func page(_ ids: Range<Int>) -> Response {
    let elements = ids.map { Self.membership.replacing("org_1", with: "org_\($0)") }
    return .enveloped(#"{"data": [\#(elements.joined(separator: ","))], "total_count": 203}"#)
  }

  @Test("more memberships than a page holds are asked for page after page")
  func pages() async throws {
    let transport = ScriptedTransport(
      .json(Fixture.environment),
      Self.page(0..<100),
      Self.page(100..<200),
      Self.page(200..<203),
      Self.list(),
      Self.list()
    )
    let options = try await options(transport)
    #expect(options.memberships.map(\.organization.id) == (0..<203).map { "org_\($0)" })
    let asked = "GET /v1/me/organization_memberships?\(Self.query)&paginated=true&limit=100"
    #expect(
      transport.calls.dropFirst().prefix(3) == [
        asked, "\(asked)&offset=100", "\(asked)&offset=200",
      ]
    )
  }

  @Test("a page without members ends the list, whatever its total says")
  func emptyPage() async throws {
    let options = try await options(
      ScriptedTransport(
        .json(Fixture.environment),
        Self.page(0..<100),
        Self.page(0..<0),
        Self.list(),
        Self.list()
      )
    )
    #expect(options.memberships.count == 100)
  }

  @Test("a bare list is read, too, and an instance without offers still shows memberships")
  func bare() async throws {
    let options = try await options(
      ScriptedTransport(
        .json(Fixture.environment),
        .enveloped("[\(Self.membership)]"),
        .error("organization_not_enabled_in_instance", status: 403),
        .error("feature_not_enabled", status: 403)
      )
    )
    #expect(options.memberships.map(\.organization.id) == ["org_1"])
    #expect(options.invitations.isEmpty && options.suggestions.isEmpty)
  }

  @Test("a session that is over is reported, whichever call finds out")
  func over() async throws {
    for answered in 0..<3 {
      let lists = Array(repeating: Self.list(Self.membership), count: answered)
      let transport = ScriptedTransport(
        ([.json(Fixture.environment)] + lists + [.error("authentication_invalid", status: 401)])
          .map(ScriptedTransport.Answer.success)
      )
      let error = await #expect(throws: AuthError.self) { try await options(transport) }
      #expect(error?.reasons == [.signInAgain])
    }
  }

  @Test(
    "the API says who may create one, with a slug, and who may do without",
    arguments: [
      (#""create_organization": true"#, #""create_organization": false"#),
      (#""slug": {"disabled": false}"#, #""slug": {"disabled": true}"#),
      (
        #""slug": {"disabled": false}"#,
        #""slug": {"disabled": false}, "force_organization_selection": false"#
      ),
    ]
  )
  func rules(was: String, becomes: String) async throws {
    let environment = Fixture.environment.replacing(was, with: becomes)
    #expect(environment != Fixture.environment)
    let empty = Self.list()
    let options = try await options(
      ScriptedTransport(.json(environment), empty, empty, empty)
    )
    #expect(options.mayCreate == !becomes.contains("organization\": false"))
    #expect(options.hasSlugs == !becomes.contains("true}"))
    #expect(options.offersPersonalAccount == becomes.contains("force_organization_selection"))
  }

  @Test("the user resource says whether this person may create one")
  func userRule() async throws {
    let user = #""user": {"id": "user_1", "create_organization_enabled": false},"#
    let client = Fixture.client(sessions: [Fixture.session(status: "pending", extra: user)])
    let options = try await options(
      ScriptedTransport(
        .json(Fixture.environment),
        .enveloped(#"{"data": [], "total_count": 0}"#, client: client),
        Self.list(),
        Self.list()
      )
    )
    #expect(!options.mayCreate)
  }

  private func choose(
    _ choice: OrganizationChoice,
    _ transport: ScriptedTransport
  ) async -> Outcome<Session> {
    var memory = memory()
    return await provider(transport).choose(choice, for: Self.session, memory: &memory)
  }

  @Test("choosing touches the session; what is left to do comes next")
  func chooses() async throws {
    let left = Fixture.session(status: "pending", tasks: #"[{"key": "setup-mfa"}]"#)
    let transport = ScriptedTransport(.enveloped(left))
    let outcome = await choose(.organization(id: "org_1"), transport)
    #expect(outcome == .moved(to: Fixture.mara(tasks: [.setUpSecondFactor])))
    #expect(transport.calls == [Self.touch.replacing("%@", with: "org_1")])
  }

  @Test("the personal account is sent as an empty value, and refused if it changes nothing")
  func personal() async throws {
    let done = ScriptedTransport(.enveloped(Fixture.session()))
    #expect(await choose(.personalAccount, done) == .moved(to: Fixture.mara()))
    #expect(done.calls == [Self.touch.replacing("%@", with: "")])
    let kept = Fixture.session(status: "pending", tasks: #"[{"key": "choose-organization"}]"#)
    let outcome = await choose(.personalAccount, ScriptedTransport(.enveloped(kept)))
    #expect(outcome.error?.problems.map(\.code) == ["personal_accounts_not_allowed"])
    #expect(outcome.error?.problems.map(\.field) == [.organization])
  }

  @Test(
    "an organization that is not the person's is reported at the field",
    arguments: [
      ("not_a_member_in_organization", 403), ("organization_not_found_or_unauthorized", 404),
    ]
  )
  func foreign(code: String, status: Int) async throws {
    let outcome = await choose(
      .organization(id: "org_1"),
      ScriptedTransport(.error(code, status: status))
    )
    #expect(outcome.error?.reasons == [.notAMember])
    #expect(outcome.error?.problems.map(\.field) == [.organization])
  }

  @Test(
    "a resource that is not found while choosing ends the attempt, not the session",
    arguments: ["resource_not_found", "resource_forbidden"]
  )
  func notFound(code: String) async throws {
    let transport = ScriptedTransport(.error(code, status: 404))
    let outcome = await choose(.organization(id: "org_1"), transport)
    #expect(outcome.error?.reasons == [.attemptEnded])
  }

  private func create(
    _ transport: ScriptedTransport,
    slug: String? = nil
  ) async -> Outcome<Session> {
    var memory = memory()
    return await provider(transport).createOrganization(
      named: "Harbour & Co",
      slug: slug,
      for: Self.session,
      memory: &memory
    )
  }

  @Test("a new organization is chosen at once")
  func creates() async throws {
    let made = #"{"object": "organization", "id": "org_9", "name": "Harbour & Co", "slug": "h"}"#
    for slug in [nil, "harbour"] {
      let transport = ScriptedTransport(.enveloped(made), .enveloped(Fixture.session()))
      #expect(await create(transport, slug: slug) == .moved(to: Fixture.mara()))
      let form = "name=Harbour+%26+Co" + (slug.map { "&slug=\($0)" } ?? "")
      #expect(
        transport.calls == [
          "POST /v1/organizations?\(Self.query) \(form)",
          Self.touch.replacing("%@", with: "org_9"),
        ]
      )
    }
  }

  @Test(
    "an error in it is shown at its field, and a quota in the banner",
    arguments: [
      ("form_identifier_exists", "slug", .organizationSlugTaken, .organizationSlug),
      ("form_param_format_invalid", "slug", .formatInvalid, .organizationSlug),
      ("form_param_nil", "name", .missing, .organizationName),
      ("organization_quota_exceeded", nil, .quotaExceeded, nil),
    ] as [(String, String?, Reason, Field?)]
  )
  func refused(code: String, parameter: String?, reason: Reason, field: Field?) async throws {
    let outcome = await create(ScriptedTransport(.error(code, parameter)), slug: "taken")
    #expect(outcome.error?.reasons == [reason])
    #expect(outcome.error?.problems.map(\.field) == [field])
  }

  @Test("joining and asking to join are one call each; one that was done before counts as done")
  func joins() async throws {
    for answer: Response in [
      .enveloped(#"{"id": "x"}"#),
      .error("organization_invitation_already_accepted", status: 400),
    ] {
      let transport = ScriptedTransport(answer)
      var memory = memory()
      try await provider(transport).acceptInvitation("inv_1", for: Self.session, memory: &memory)
      #expect(
        transport.calls == ["POST /v1/me/organization_invitations/inv_1/accept?\(Self.query)"]
      )
    }
    let transport = ScriptedTransport(
      .error("organization_suggestion_already_accepted", status: 400)
    )
    var memory = memory()
    try await provider(transport).requestMembership(
      suggestedBy: "sug_1",
      for: Self.session,
      memory: &memory
    )
    #expect(
      transport.calls == ["POST /v1/me/organization_suggestions/sug_1/accept?\(Self.query)"]
    )
  }

  @Test("an invitation that is gone ends neither the task nor the session")
  func gone() async throws {
    var memory = memory()
    let transport = ScriptedTransport(.error("organization_invitation_not_found", status: 404))
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).acceptInvitation("x", for: Self.session, memory: &memory)
    }
    #expect(error?.reasons == [.unrecognised])
    #expect(memory.clientToken == "token-1")
  }
}
