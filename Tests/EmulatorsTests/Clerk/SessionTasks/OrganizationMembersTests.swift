@testable import Emulators
import Foundation
import GRDB
import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport

@Suite("Clerk: an organization, its members and its invitations")
struct OrganizationMembersTests {
  private let world: TestWorld

  init() throws { world = try TestWorld() }

  /// Ada and the organization that she has founded.
  private func founded() async throws -> (ada: ScriptedClient, path: String) {
    let ada = world.client()
    try await ada.signIn("ada@example.com")
    let made = try await ada.post("/v1/organizations", ["name": "Quay Works"])
    return (ada, "/v1/organizations/\(made.id)")
  }

  private func names(_ answer: Answer) -> [String?] {
    (answer.resource?["data"]?.array ?? answer.resource?.array ?? [])
      .map { $0["public_user_data"]?["user_id"]?.string ?? $0["email_address"]?.string }
  }

  @Test("members read it, administrators change it, strangers do not see it")
  func profile() async throws {
    let (ada, path) = try await founded()
    #expect(try await ada.get(path).resource?["name"] == "Quay Works")
    let changed = try await ada.send(.patch, path, ["name": "Quay & Co", "slug": "quay"])
    #expect(changed.resource?["slug"] == "quay")
    let stranger = world.client()
    try await stranger.signIn("otto@example.com")
    #expect(
      try await stranger.get(path).refusal == "404 organization_not_found_or_unauthorized"
    )
    #expect(try await world.client().get(path).status == 401)
  }

  @Test("members are added, found, given another role and removed")
  func members() async throws {
    let (ada, path) = try await founded()
    let added = try await ada.post(
      "\(path)/memberships",
      ["user_id": "user_otto", "role": "org:member"]
    )
    #expect(added.resource?["role"] == "org:member")
    #expect(names(try await ada.get("\(path)/memberships")) == ["user_ada", "user_otto"])
    let found = try await ada.get("\(path)/memberships?query=OTTO&paginated=true")
    #expect(names(found) == ["user_otto"])
    #expect(found.resource?["total_count"] == 1)
    #expect(found.resource?["has_role_set_migration"] == false)
    let otto = world.client()
    try await otto.signIn("otto@example.com")
    let forbidden = try await otto.send(
      .patch,
      "\(path)/memberships/user_ada",
      ["role": "org:member"]
    )
    #expect(forbidden.refusal == "403 missing_organization_permission")
    let promoted = try await ada.send(
      .patch,
      "\(path)/memberships/user_otto",
      ["role": "org:admin"]
    )
    #expect(promoted.resource?["role"] == "org:admin")
    let left = try await otto.send(.delete, "\(path)/memberships/user_otto")
    #expect(left.status == 200)
    #expect(names(try await ada.get("\(path)/memberships")) == ["user_ada"])
  }

  @Test("a page of members costs no more in a large organization than in a small one")
  func manyMembers() async throws {
    let (ada, path) = try await founded()
    let organizationID = try #require(path.split(separator: "/").last).description
    let log = Locked(0)
    try await world.world.database.write { db in
      db.trace { event in
        if case .statement = event { log.withLock { $0 += 1 } }
      }
    }
    func statements() async throws -> Int {
      log.withLock { $0 = 0 }
      #expect(names(try await ada.get("\(path)/memberships?limit=1")) == ["user_ada"])
      return log.withLock { $0 }
    }
    _ = try await statements()
    let small = try await statements()
    try await world.world.database.write { db in
      let now = EpochMilliseconds(world.clock.now)
      for index in 0..<300 {
        var user = AccountDescription()
        user.id = "user_\(index)"
        try user.insert(password: nil, at: now, random: .system, db)
        try Membership(
          id: "orgmem_\(index)",
          organizationID: organizationID,
          accountID: "user_\(index)",
          role: "org:member",
          createdAt: now
        ).insert(db)
      }
    }
    #expect(try await statements() == small)
  }

  @Test("an account that is given an invited address has the invitation")
  func addressGiven() async throws {
    let (ada, path) = try await founded()
    let form: FormData = ["email_address": "fresh@example.com", "role": "org:member"]
    try await ada.post("\(path)/invitations", form)
    _ = try await world.world.change(
      "user_otto",
      ["email_addresses": ["otto@example.com", "fresh@example.com"]]
    )
    let otto = try await world.world.account("user_otto")
    #expect(otto?.json["organization_invitations"]?.array?.count == 1)
    #expect(try await ada.post("\(path)/invitations", form).code == "duplicate_record")
  }

  @Test("the last administrator stays one")
  func lastAdministrator() async throws {
    let (ada, path) = try await founded()
    for answer in [
      try await ada.send(.delete, "\(path)/memberships/user_ada"),
      try await ada.send(.patch, "\(path)/memberships/user_ada", ["role": "org:member"]),
    ] {
      #expect(answer.refusal == "400 organization_minimum_permissions_needed")
    }
  }

  @Test("an invited person accepts the invitation, or finds it revoked")
  func invitations() async throws {
    let (ada, path) = try await founded()
    let form: FormData = ["email_address": "otto@example.com", "role": "org:member"]
    let invited = try await ada.post("\(path)/invitations", form)
    #expect(invited.state == "pending")
    #expect(try await ada.post("\(path)/invitations", form).code == "duplicate_record")
    #expect(names(try await ada.get("\(path)/invitations/pending")) == ["otto@example.com"])
    let revoked = try await ada.post("\(path)/invitations/\(invited.id)/revoke")
    #expect(revoked.state == "revoked")
    #expect(names(try await ada.get("\(path)/invitations?status=revoked")) == ["otto@example.com"])
    let again = try await ada.post("\(path)/invitations", form)
    let otto = world.client()
    try await otto.signIn("otto@example.com")
    let late = try await otto.post("/v1/me/organization_invitations/\(invited.id)/accept")
    #expect(late.refusal == "400 organization_invitation_revoked_code")
    let accepted = try await otto.post("/v1/me/organization_invitations/\(again.id)/accept")
    #expect(accepted.state == "accepted")
    #expect(names(try await ada.get("\(path)/invitations?status=accepted")) == ["otto@example.com"])
    #expect(names(try await ada.get("\(path)/memberships")) == ["user_ada", "user_otto"])
  }

  @Test("an address without an account is invited by mail, and joins once it signs up")
  func stranger() async throws {
    let (ada, path) = try await founded()
    let form: FormData = ["email_address": "Zoe@example.com", "role": "org:admin"]
    let invited = try await ada.post("\(path)/invitations", form)
    #expect(invited.state == "pending")
    #expect(try await ada.post("\(path)/invitations", form).code == "duplicate_record")
    #expect(names(try await ada.get("\(path)/invitations/pending")) == ["zoe@example.com"])
    #expect(try await ada.get(path).resource?["pending_invitations_count"] == 1)
    let mail = try await world.world.outbox.latest(.init(to: "zoe@example.com"))
    #expect(mail?.purpose == .invitation)
    #expect(mail?.link == nil)

    let zoe = world.client()
    let signUp = try await zoe.post(
      "/v1/client/sign_ups",
      ["email_address": "zoe@example.com", "password": "a-long-new-password-7"]
    )
    try await zoe.prepareSignUp(signUp.id)
    try await zoe.attemptSignUp(signUp.id, code: try await world.code(to: "zoe@example.com"))
    let waiting = try await zoe.get("/v1/me/organization_invitations")
    #expect(names(waiting) == ["zoe@example.com"])
    let accepted = try await zoe.post("/v1/me/organization_invitations/\(invited.id)/accept")
    #expect(accepted.state == "accepted")
    let members = try await ada.get("\(path)/memberships")
    #expect(members.resource?.array?.map { $0["role"] } == ["org:admin", "org:admin"])
  }

  @Test("an invitation to an address without an account can be revoked, or sent without a mail")
  func revokedStranger() async throws {
    let (ada, path) = try await founded()
    let invited = try await ada.post(
      "\(path)/invitations",
      ["email_address": "zoe@example.com", "role": "org:member", "notify": "false"]
    )
    #expect(try await world.world.outbox.latest(.init(to: "zoe@example.com")) == nil)
    let revoked = try await ada.post("\(path)/invitations/\(invited.id)/revoke")
    #expect(revoked.state == "revoked")
    #expect(names(try await ada.get("\(path)/invitations?status=pending")) == [])
    #expect(names(try await ada.get("\(path)/invitations?status=revoked")) == ["zoe@example.com"])
    #expect(try await ada.get(path).resource?["pending_invitations_count"] == 0)
    let twice = try await ada.post("\(path)/invitations/\(invited.id)/revoke")
    #expect(twice.refusal == "404 organization_invitation_not_pending")
    let again = try await ada.post(
      "\(path)/invitations",
      ["email_address": "zoe@example.com", "role": "org:member"]
    )
    #expect(again.state == "pending" && again.id != invited.id)
    _ = try await world.world.change("user_otto", ["email_addresses": ["zoe@example.com"]])
    let otto = world.client()
    try await otto.signIn("zoe@example.com")
    let own = try await otto.get("/v1/me/organization_invitations")
    #expect(own.resource?["data"]?.array?.map { $0["id"]?.string } == [again.id])
  }

  @Test("members and invitations together are limited")
  func quota() async throws {
    let (ada, path) = try await founded()
    #expect(try await ada.get(path).resource?["max_allowed_memberships"] == 5)
    let exceeded = "403 organization_membership_quota_exceeded"
    func invite(_ name: String) async throws -> Answer {
      try await ada.post(
        "\(path)/invitations",
        ["email_address": "\(name)@example.com", "role": "org:member"]
      )
    }
    func add(_ name: String) async throws -> Answer {
      try await ada.post(
        "\(path)/memberships",
        ["user_id": "user_\(name)", "role": "org:member"]
      )
    }
    #expect(try await add("otto").status == 200)
    let invited = try await invite("mia")
    #expect(try await invite("zoe").status == 200)
    let last = try await invite("nobody")
    #expect(last.status == 200)
    for answer in [try await invite("ezra"), try await invite("nemo"), try await add("nia")] {
      #expect(answer.refusal == exceeded)
    }
    // A revoked invitation frees its place, and an accepted one takes its own.
    try await ada.post("\(path)/invitations/\(last.id)/revoke")
    #expect(try await add("nia").status == 200)
    let mia = world.client()
    let signIn = try await mia.signIn("mia@example.com")
    try await mia.attemptSecond(signIn.id, "backup_code", code: "mia-0000-0001")
    let accepted = try await mia.post("/v1/me/organization_invitations/\(invited.id)/accept")
    #expect(accepted.state == "accepted")
    #expect(try await add("ezra").refusal == exceeded)
  }

  @Test("an invited person who joins another way has accepted, and takes only one place")
  func onePlace() async throws {
    let (ada, path) = try await founded()
    for name in ["otto", "nia", "zoe", "fresh"] {
      try await ada.post(
        "\(path)/invitations",
        ["email_address": "\(name)@example.com", "role": "org:member"]
      )
    }
    // The organization is full, except for the invited person's own place.
    let added = try await ada.post(
      "\(path)/memberships",
      ["user_id": "user_otto", "role": "org:member"]
    )
    #expect(added.status == 200)
    #expect(names(try await ada.get("\(path)/invitations?status=accepted")) == ["otto@example.com"])
    #expect(try await ada.get(path).resource?["pending_invitations_count"] == 3)
    let membership: JSON = ["name": "Quay Works", "slug": "quay-works", "role": "org:member"]
    let nia = try await world.world.change("user_nia", ["organizations": [membership]])
    #expect(nia?.organizationInvitations == [])
    #expect(try await ada.get(path).resource?["pending_invitations_count"] == 2)
    #expect(try await ada.get(path).resource?["members_count"] == 3)
  }

  @Test("a new address does not invite an account twice, or invite a member at all")
  func invitedOnce() async throws {
    let (ada, path) = try await founded()
    for name in ["otto", "fresh", "more"] {
      try await ada.post(
        "\(path)/invitations",
        ["email_address": "\(name)@example.com", "role": "org:member"]
      )
    }
    func give(_ addresses: [String]) async throws -> AccountDescription? {
      try await world.world.change("user_otto", ["email_addresses": .strings(addresses)])
    }
    let invited = try await give(["otto@example.com", "fresh@example.com"])
    #expect(invited?.organizationInvitations.count == 1)
    #expect(try await ada.get(path).resource?["pending_invitations_count"] == 2)
    try await ada.post("\(path)/memberships", ["user_id": "user_otto", "role": "org:member"])
    let member = try await give(["otto@example.com", "fresh@example.com", "more@example.com"])
    #expect(member?.organizationInvitations == [])
    #expect(try await ada.get(path).resource?["pending_invitations_count"] == 0)
    #expect(try await ada.get(path).resource?["members_count"] == 2)
  }

  @Test("an invitation to an organization that has become full meanwhile cannot be accepted")
  func fullMeanwhile() async throws {
    let (ada, path) = try await founded()
    let invited = try await ada.post(
      "\(path)/invitations",
      ["email_address": "otto@example.com", "role": "org:member"]
    )
    for name in ["ezra", "nia", "lou", "cody"] {
      let membership: JSON = ["name": "Quay Works", "slug": "quay-works", "role": "org:member"]
      _ = try await world.world.change("user_\(name)", ["organizations": [membership]])
    }
    let otto = world.client()
    try await otto.signIn("otto@example.com")
    let refused = try await otto.post("/v1/me/organization_invitations/\(invited.id)/accept")
    #expect(refused.refusal == "403 organization_membership_quota_exceeded")
    let waiting = try await otto.get("/v1/me/organization_invitations?status=pending")
    #expect(waiting.resource?["total_count"] == 1)
  }

  @Test("it has the roles of an administrator and of a member")
  func roles() async throws {
    let (ada, path) = try await founded()
    let roles = try await ada.get("\(path)/roles")
    #expect(roles.resource?["data"]?.array?.map { $0["key"] } == ["org:admin", "org:member"])
  }

  @Test("once it is deleted, no session is in it")
  func deletion() async throws {
    let (ada, path) = try await founded()
    let id = String(path.split(separator: "/").last ?? "")
    let session = try #require(
      try await ada.get("/v1/client").resource?["last_active_session_id"]?.string
    )
    try await ada.post("/v1/client/sessions/\(session)/touch", ["active_organization_id": id])
    #expect(try await ada.send(.delete, path).resource?["deleted"] == true)
    let after = try await ada.get("/v1/client/sessions/\(session)")
    #expect(after.resource?["last_active_organization_id"] == .null)
  }

  @Test("an administrator removes other members, and nobody else does")
  func removal() async throws {
    let (ada, path) = try await founded()
    for name in ["otto", "olga"] {
      try await ada.post(
        "\(path)/memberships",
        ["user_id": "user_\(name)", "role": "org:member"]
      )
    }
    let otto = world.client()
    try await otto.signIn("otto@example.com")
    for name in ["olga", "ada"] {
      let refused = try await otto.send(.delete, "\(path)/memberships/user_\(name)")
      #expect(refused.refusal == "403 missing_organization_permission")
    }
    #expect(try await ada.send(.delete, "\(path)/memberships/user_olga").status == 200)
    #expect(names(try await ada.get("\(path)/memberships")) == ["user_ada", "user_otto"])
  }

  @Test("the last administrator may be given the role that they have")
  func sameRole() async throws {
    let (ada, path) = try await founded()
    let kept = try await ada.send(
      .patch,
      "\(path)/memberships/user_ada",
      ["role": "org:admin"]
    )
    #expect(kept.resource?["role"] == "org:admin")
  }

  @Test("an organization may be given the slug that it has, but not another one's")
  func sameSlug() async throws {
    let (ada, path) = try await founded()
    let kept = try await ada.send(.patch, path, ["name": "Quay", "slug": "quay-works"])
    #expect(kept.resource?["name"] == "Quay")
    #expect(kept.resource?["slug"] == "quay-works")
    let taken = try await ada.send(.patch, path, ["slug": "harbour-books"])
    #expect(taken.refusal == "422 form_identifier_exists slug")
  }

  @Test(
    "an administrator revokes only open invitations, and those of their own organization",
    arguments: ["otto@example.com", "zoe@example.com"]
  )
  func foreignInvitation(address: String) async throws {
    let (ada, path) = try await founded()
    let olga = world.client()
    try await olga.signIn("olga@example.com")
    let made = try await olga.post("/v1/organizations", ["name": "Pier"])
    let other = "/v1/organizations/\(made.id)"
    let invited = try await ada.post(
      "\(path)/invitations",
      ["email_address": address, "role": "org:member"]
    )
    let foreign = try await olga.post("\(other)/invitations/\(invited.id)/revoke")
    #expect(foreign.refusal == "404 organization_invitation_not_found")
    #expect(names(try await ada.get("\(path)/invitations/pending")) == [address])
    world.clock.advance(60)
    let revoked = try await ada.post("\(path)/invitations/\(invited.id)/revoke")
    #expect(revoked.state == "revoked")
    // Alike for both, so that it does not reveal which address has an account (S19).
    #expect(revoked.resource?["updated_at"] == 1_767_225_660_000)
    let twice = try await ada.post("\(path)/invitations/\(invited.id)/revoke")
    #expect(twice.refusal == "404 organization_invitation_not_pending")
  }

  @Test("an invitation is accepted only by the person whom it invites")
  func foreignAcceptance() async throws {
    let (ada, path) = try await founded()
    let invited = try await ada.post(
      "\(path)/invitations",
      ["email_address": "otto@example.com", "role": "org:admin"]
    )
    let olga = world.client()
    try await olga.signIn("olga@example.com")
    let foreign = try await olga.post("/v1/me/organization_invitations/\(invited.id)/accept")
    #expect(foreign.refusal == "404 organization_invitation_not_found")
    #expect(names(try await ada.get("\(path)/memberships")) == ["user_ada"])
  }

  @Test("a suggestion is no invitation: nobody joins by it, and no administrator revokes it")
  func suggestionIsNoInvitation() async throws {
    let (ada, path) = try await founded()
    _ = try await world.world.change(
      "user_otto",
      ["organization_suggestions": [["name": "Quay Works", "slug": "quay-works"]]]
    )
    let otto = world.client()
    try await otto.signIn("otto@example.com")
    let list = try await otto.get("/v1/me/organization_suggestions")
    let id = try #require(list.resource?["data"]?[0]?["id"]?.string)
    let accepted = try await otto.post("/v1/me/organization_invitations/\(id)/accept")
    #expect(accepted.refusal == "404 organization_invitation_not_found")
    let revoked = try await ada.post("\(path)/invitations/\(id)/revoke")
    #expect(revoked.refusal == "404 organization_invitation_not_found")
    #expect(names(try await ada.get("\(path)/memberships")) == ["user_ada"])
    #expect(
      try await otto.post("/v1/me/organization_suggestions/\(id)/accept").state == "accepted"
    )
  }
}
