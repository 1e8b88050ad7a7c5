import Crypto
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import JWTKit
import Testing
import TestSupport

@Suite("Clients and sessions")
struct SessionTests {
  private func signedIn(_ world: TestWorld) async throws -> (ScriptedClient, String) {
    let client = world.client()
    let answer = try await client.signIn("ada@example.com")
    return (client, try #require(answer.resource?["created_session_id"]?.string))
  }

  @Test("without a token there is no client; a caller with a stale token is told to forget it")
  func noClient() async throws {
    let client = try TestWorld().client()
    let answer = try await client.get("/v1/client")
    #expect(answer.json == ["response": .null, "client": .null])
    #expect(answer.fields[.authorization] == nil)
    client.token = "stale"
    let stale = try await client.get("/v1/client")
    #expect(stale.json == ["response": .null, "client": .null])
    #expect(stale.fields[.authorization] == "Bearer")
  }

  @Test("a client can be made beforehand", arguments: [HTTPRequest.Method.put, .post])
  func creates(method: HTTPRequest.Method) async throws {
    let client = try TestWorld().client()
    let made = try await client.send(method, "/v1/client")
    #expect(made.resource?["object"] == "client")
    #expect(client.token != nil)
    #expect(try await client.get("/v1/client").id == made.id)
  }

  @Test("the token changes on signing in, and the old one is good for nothing")
  func rotates() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("ada@example.com")
    let old = client.twin()
    let first = client.token
    #expect(try await client.get("/v1/client/sign_ins/\(begun.id)").fields[.authorization] == nil)
    try await client.attemptFirst(begun.id, "password", ["password": ScriptedClient.password])
    #expect(client.token != first)
    #expect(
      try await old.get("/v1/client/sign_ins/\(begun.id)").refusal == "401 authentication_invalid"
    )
    #expect(try await old.get("/v1/me").refusal == "401 authentication_invalid")
    let none = world.client()
    #expect(try await none.get("/v1/client/sign_ins/\(begun.id)").refusal == "400 client_not_found")
    #expect(try await none.get("/v1/me").refusal == "401 authentication_invalid")
    #expect(try await none.send(.delete, "/v1/client").refusal == "404 resource_not_found")
    #expect(
      try await none.send(.delete, "/v1/client/sessions").refusal == "401 authentication_invalid"
    )
  }

  @Test("a stale token starts a fresh client when signing in")
  func freshClient() async throws {
    let client = try TestWorld().client()
    client.token = "stale"
    let answer = try await client.begin("ada@example.com")
    #expect(answer.status == 200)
    #expect(client.token != "stale")
  }

  @Test("another client's attempt and session are not found")
  func foreign() async throws {
    let world = try TestWorld()
    let (_, sessionID) = try await signedIn(world)
    let begun = try await world.client().begin("ada@example.com")
    let other = world.client()
    try await other.begin("mia@example.com")
    #expect(
      try await other.get("/v1/client/sign_ins/\(begun.id)").refusal == "404 resource_not_found"
    )
    #expect(
      try await other.get("/v1/client/sessions/\(sessionID)").refusal == "404 resource_not_found"
    )
    #expect(
      try await other.get("/v1/me?_clerk_session_id=\(sessionID)").refusal
        == "401 authentication_invalid"
    )
  }

  @Test("a session is touched, ended and still listed")
  func ends() async throws {
    let world = try TestWorld()
    let (client, id) = try await signedIn(world)
    try world.world.clock.advance(120)
    let touched = try await client.post("/v1/client/sessions/\(id)/touch", ["intent": "focus"])
    #expect(touched.state == "active")
    #expect(touched.resource?["factor_verification_age"] == [2, -1])
    let token = client.token
    let ended = try await client.post("/v1/client/sessions/\(id)/end")
    #expect(ended.state == "ended")
    #expect(ended.client?["sessions"]?[0]?["status"] == "ended")
    #expect(ended.client?["last_active_session_id"] == .null)
    #expect(client.token != token)
    #expect(try await client.signIn("ada@example.com").state == "complete")
  }

  @Test("a removed session is gone from the client")
  func removes() async throws {
    let (client, id) = try await signedIn(TestWorld())
    let removed = try await client.post("/v1/client/sessions/\(id)/remove")
    #expect(removed.state == "removed")
    #expect(removed.client?["sessions"] == [])
    #expect(try await client.get("/v1/client/sessions/\(id)").refusal == "404 resource_not_found")
  }

  @Test("signing out everywhere keeps the client, deleting it does not")
  func signsOut() async throws {
    let (client, _) = try await signedIn(TestWorld())
    let before = try await client.get("/v1/client").id
    let token = client.token
    let answer = try await client.send(.post, "/v1/client/sessions?_method=DELETE")
    #expect(answer.resource?["sessions"] == [])
    #expect(answer.resource?["id"]?.string == before)
    #expect(client.token != token)
    let gone = try await client.send(.delete, "/v1/client")
    #expect(gone.json == ["response": .null, "client": .null])
    #expect(gone.fields[.authorization] == "Bearer")
    #expect(client.token == nil)
  }

  @Test("a session ends with its lifetime")
  func expires() async throws {
    let world = try TestWorld()
    let (client, _) = try await signedIn(world)
    try world.world.clock.advance(604_800)
    let answer = try await client.get("/v1/client")
    #expect(answer.client?["sessions"]?[0]?["status"] == "expired")
    #expect(answer.client?["last_active_session_id"] == .null)
    #expect(try await client.get("/v1/me").status == 401)
    #expect(try await client.signIn("ada@example.com").state == "complete")
  }

  @Test("the active sessions of all clients are listed, and another client's can be revoked")
  func revokes() async throws {
    let world = try TestWorld()
    let (here, hereID) = try await signedIn(world)
    let (there, thereID) = try await signedIn(world)
    let active = try await here.get("/v1/me/sessions/active?_clerk_session_id=\(hereID)")
    #expect(Set(active.json.array?.compactMap { $0["id"]?.string } ?? []) == [hereID, thereID])
    #expect(try await here.post("/v1/me/sessions/\(hereID)/revoke").status == 400)
    #expect(try await here.post("/v1/me/sessions/\(thereID)/revoke").state == "revoked")
    #expect(try await there.get("/v1/me").status == 401)
  }

  @Test("the session token verifies with the published key, in any world")
  func token() async throws {
    var world = try TestWorld()
    world.name = try #require(WorldName("a"))
    let (client, id) = try await signedIn(world)
    let answer = try await client.post("/v1/client/sessions/\(id)/tokens")
    let jwt = try #require(answer.json["jwt"]?.string)
    let keys = try await client.get("/.well-known/jwks.json")
    let collection = JWTKeyCollection()
    try await collection.add(jwksJSON: String(decoding: keys.json.encoded, as: UTF8.self))
    let payload = try await collection.verify(jwt, as: SessionClaims.self)
    #expect(payload.sub == "user_ada")
    #expect(payload.sid == id)
    #expect(payload.iss == "http://127.0.0.1:4010")
    #expect(payload.exp - payload.iat == 60)
    #expect(payload.sts == "active")
    #expect(payload.fva == [0, -1])
  }

  @Test("a new signing key signs at once, and the one before is published until the next one")
  func rotatedKey() async throws {
    let world = try TestWorld()
    let (client, id) = try await signedIn(world)
    func token() async throws -> String {
      let answer = try await client.get("/v1/client")
      let session = answer.resource?["sessions"]?[0]
      return try #require(session?["last_active_token"]?["jwt"]?.string)
    }
    func keyID(of token: String) throws -> String? {
      let header = try #require(token.split(separator: ".").first)
      let bytes = try #require(Base64URL.bytes(of: String(header)))
      return JSON(decoding: bytes)?["kid"]?.string
    }
    func publishedKeys() async throws -> JSON {
      try await client.get("/.well-known/jwks.json").json
    }
    func publishedIDs() async throws -> [String] {
      try await publishedKeys()["keys"]?.array?.compactMap { $0["kid"]?.string } ?? []
    }
    let first = try await token()
    let firstID = try #require(try keyID(of: first))
    #expect(try await publishedIDs() == [firstID])
    let rotated = try await world.worlds.rotateSigningKey()
    #expect(rotated.count == 2 && rotated.last == firstID)
    #expect(try await publishedIDs() == rotated)
    let second = try await token()
    #expect(try keyID(of: second) == rotated.first)
    let collection = JWTKeyCollection()
    let keys = String(decoding: try await publishedKeys().encoded, as: UTF8.self)
    try await collection.add(jwksJSON: keys)
    for token in [first, second] {
      #expect(try await collection.verify(token, as: SessionClaims.self).sid == id)
    }
    let again = try await world.worlds.rotateSigningKey()
    #expect(again.count == 2 && again.last == rotated.first)
    #expect(try await publishedIDs() == again)
    // The client's own token is older than both.
    #expect(try await client.get("/v1/me").status == 200)
  }

  @Test("a stored signing key stays after a restart, and so do the sign-ins before it")
  func storedKey() async throws {
    try await withTemporaryFolder { folder in
      let world = try TestWorld(storage: .folder(folder))
      let (client, _) = try await signedIn(world)
      for _ in 0..<2 { _ = try await world.worlds.rotateSigningKey() }
      let last = try await world.worlds.rotateSigningKey()
      world.worlds.close()
      let reopened = try TestWorld(storage: .folder(folder))
      let keys = try await reopened.client().get("/.well-known/jwks.json").json["keys"]?.array
      #expect(keys?.compactMap { $0["kid"]?.string } == last)
      let same = reopened.client()
      same.token = client.token
      #expect(try await same.get("/v1/me").status == 200)
      reopened.worlds.close()
    }
  }

  @Test("a client's token is a JWT that names the client and changes with each rotation")
  func clientToken() async throws {
    let world = try TestWorld()
    let client = world.client()
    let made = try await client.post("/v1/client")
    // Its holder cannot check it, and need not: only the service reads it again.
    let collection = JWTKeyCollection()
    let first = try #require(client.token)
    let before = try await collection.unverified(first, as: ClientClaims.self)
    #expect(before.id == made.id)
    try await client.signIn("ada@example.com")
    let second = try #require(client.token)
    let after = try await collection.unverified(second, as: ClientClaims.self)
    #expect(after.id == made.id)
    #expect(after.rotating_token != before.rotating_token)
    // A token with another token's signature is refused.
    let forged = world.client()
    forged.token = first.prefix { $0 != "." } + second.drop { $0 != "." }.dropLast(2) + "AA"
    #expect(try await forged.get("/v1/me").status == 401)
  }

  @Test("a client's sessions carry a token for the application, while they live")
  func lastActiveToken() async throws {
    let (client, id) = try await signedIn(TestWorld())
    let session = try #require(try await client.get("/v1/client").client?["sessions"]?[0])
    #expect(session["last_active_token"]?["object"] == "token")
    let jwt = try #require(session["last_active_token"]?["jwt"]?.string)
    let keys = try await client.get("/.well-known/jwks.json")
    let collection = JWTKeyCollection()
    try await collection.add(jwksJSON: String(decoding: keys.json.encoded, as: UTF8.self))
    #expect(try await collection.verify(jwt, as: SessionClaims.self).sid == id)
    let ended = try await client.post("/v1/client/sessions/\(id)/end")
    #expect(ended.resource?["last_active_token"] == .null)
  }

  @Test("a client that is read again at once has the same token, and later another one")
  func freshToken() async throws {
    let world = try TestWorld()
    let (client, id) = try await signedIn(world)
    try world.world.clock.freeze(true)
    func told() async throws -> String? {
      try await client.get("/v1/client").client?["sessions"]?[0]?["last_active_token"]?["jwt"]?
        .string
    }
    let first = try #require(try await told())
    #expect(try await told() == first)
    let asked = try await client.post("/v1/client/sessions/\(id)/tokens")
    #expect(asked.json["jwt"]?.string != first)
    try world.world.clock.advance(21)
    let later = try #require(try await told())
    #expect(later != first)
    // Nor is a token from the future repeated once the clock goes back.
    try world.world.clock.advance(-21)
    #expect(try await told() != later)
  }

  @Test(
    "a client can be read, whatever obstructs a sign-in that was approved elsewhere",
    arguments: [
      ("banned", "403 user_banned"), ("locked", "403 user_locked"),
      ("signed up", "400 session_exists"),
    ]
  )
  func approvedInVain(obstacle: String, refusal: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": "app://open"]
    )
    let verification = begun.resource?["first_factor_verification"]
    let page = try #require(verification?["external_verification_redirect_url"]?.string)
    let target = String(page.dropFirst("http://127.0.0.1:4010".count))
    _ = await world.emulator.respond(to: Request(.post, target, form: ["decision": "approve"]))
    switch obstacle {
    case "banned": _ = try await world.world.change("user_sven", ["banned": true])
    case "locked": _ = try await world.world.change("user_sven", ["locked": [:]])
    default:
      let signUp = try await client.post(
        "/v1/client/sign_ups",
        ["email_address": "new@example.com", "password": "a good new password"]
      )
      try await client.prepareSignUp(signUp.id)
      let code = try await world.code(to: "new@example.com")
      #expect(try await client.attemptSignUp(signUp.id, code: code).state == "complete")
    }
    let read = try await client.get("/v1/client")
    #expect(read.status == 200)
    #expect(read.client?["sign_in"]?["status"] == "needs_first_factor")
    #expect(read.client?["sessions"]?.array?.count == (obstacle == "signed up" ? 1 : 0))
    let attempt = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(attempt.refusal == refusal)
  }

  @Test("a client that is read again has another token once its session's claims have changed")
  func changedToken() async throws {
    let world = try TestWorld()
    let (client, id) = try await signedIn(world)
    try world.world.clock.freeze(true)
    func told() async throws -> String? {
      try await client.get("/v1/client").client?["sessions"]?[0]?["last_active_token"]?["jwt"]?
        .string
    }
    let made = try await client.post("/v1/organizations", ["name": "Quay Works"])
    let first = try #require(try await told())
    let chosen = try await client.post(
      "/v1/client/sessions/\(id)/touch",
      ["active_organization_id": made.id, "intent": "select_org"]
    )
    #expect(chosen.resource?["last_active_organization_id"]?.string == made.id)
    let changed = try #require(try await told())
    #expect(changed != first)
    #expect(try await told() == changed)
  }

  @Test("a session's user can be read, and the names can be changed")
  func me() async throws {
    let (client, id) = try await signedIn(TestWorld())
    let user = try await client.get("/v1/me?_clerk_session_id=\(id)")
    #expect(user.resource?["id"] == "user_ada")
    #expect(user.resource?["email_addresses"]?[0]?["email_address"] == "ada@example.com")
    let changed = try await client.send(
      .patch,
      "/v1/me",
      ["first_name": "Augusta", "last_name": ""]
    )
    #expect(changed.resource?["first_name"] == "Augusta")
    #expect(changed.client?["sessions"]?[0]?["public_user_data"]?["first_name"] == "Augusta")
    #expect(
      try await client.send(.patch, "/v1/me", ["password": "x"]).refusal
        == "403 updating_user_password_deprecated"
    )
    #expect(try await client.send(.patch, "/v1/me", ["first_name": "a\u{1}"]).status == 422)
  }

  @Test("changing a password requires the current one, but not within ten minutes of signing in")
  func changesPassword() async throws {
    let world = try TestWorld()
    let (client, _) = try await signedIn(world)
    let (other, _) = try await signedIn(world)
    let path = "/v1/me/change_password"
    let wrong = try await client.post(
      path,
      ["current_password": "x", "new_password": "a better one"]
    )
    #expect(wrong.refusal == "422 form_password_validation_failed current_password")
    // As often as would lock an account: an empty password is not counted as a try.
    for _ in 0..<(try world.world.settings.lockoutAttempts) {
      let empty = try await client.post(
        path,
        ["current_password": "", "new_password": "a better one"]
      )
      #expect(empty.refusal == "422 form_param_nil current_password")
    }
    try world.world.clock.advance(601)
    let late = try await client.post(path, ["new_password": "a better one"])
    #expect(late.refusal == "422 form_param_missing current_password")
    // Nor is the sign-in recent if the clock is set back to before it.
    try world.world.clock.advance(-1_201)
    let early = try await client.post(path, ["new_password": "a better one"])
    #expect(early.refusal == "422 form_param_missing current_password")
    let right = try await client.post(
      path,
      [
        "current_password": ScriptedClient.password, "new_password": "a better one",
        "sign_out_of_other_sessions": "true",
      ]
    )
    #expect(right.status == 200)
    #expect(try await client.get("/v1/me").status == 200)
    #expect(try await other.get("/v1/me").status == 401)
    let recent = world.client()
    #expect(
      try await recent.signIn("ada@example.com", password: "a better one").state == "complete"
    )
    try world.world.clock.advance(600)
    #expect(try await recent.post(path, ["new_password": "one better than that"]).status == 200)
    #expect(
      try await world.client().signIn("ada@example.com", password: "one better than that").state
        == "complete"
    )
  }

  @Test("another person's session cannot be revoked")
  func revokesOnlyOwn() async throws {
    let world = try TestWorld()
    let (ada, adaID) = try await signedIn(world)
    let otto = world.client()
    try await otto.signIn("otto@example.com")
    let foreign = try await otto.post("/v1/me/sessions/\(adaID)/revoke")
    #expect(foreign.refusal == "404 resource_not_found")
    #expect(try await ada.get("/v1/me").status == 200)
  }

  @Test("a session that has ended takes no touch, token or second end, and can be removed")
  func endedSession() async throws {
    let (client, id) = try await signedIn(TestWorld())
    let path = "/v1/client/sessions/\(id)"
    try await client.post("\(path)/end")
    for step in ["touch", "tokens", "end"] {
      #expect(try await client.post("\(path)/\(step)").refusal == "404 resource_not_found")
    }
    #expect(try await client.post("\(path)/remove").state == "removed")
  }

  @Test("a touch takes only the known intents")
  func intents() async throws {
    let (client, id) = try await signedIn(TestWorld())
    let path = "/v1/client/sessions/\(id)/touch"
    let refused = try await client.post(path, ["intent": "browse"])
    #expect(refused.refusal == "422 form_param_value_invalid intent")
    for intent in ["focus", "select_session", "select_org", ""] {
      #expect(try await client.post(path, ["intent": intent]).status == 200)
    }
  }
}

private struct ClientClaims: JWTPayload {
  var id: String
  // swift-format-ignore: AlwaysUseLowerCamelCase
  var rotating_token: String

  func verify(using algorithm: some JWTAlgorithm) async throws {}
}

private struct SessionClaims: JWTPayload {
  var iss: String
  var sub: String
  var sid: String
  var iat: Int
  var exp: Int
  var sts: String
  var fva: [Int]

  func verify(using algorithm: some JWTAlgorithm) async throws {}
}
