import Crypto
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import JWTKit
import Testing
import TestSupport

@Suite("Entra: tokens")
struct EntraTokenTests {
  /// What every token says, as a library reads it.
  private struct Claims: JWTPayload {
    var iss: String
    var aud: String
    var sub: String
    var oid: String
    var tid: String
    var iat: Double
    var nbf: Double
    var exp: Double
    var ver: String
    var nonce: String?
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  @Test("both tokens verify with the published key, and name their issuer, audience and times")
  func verify() async throws {
    let world = try EntraWorld()
    let client = world.client()
    let answer = try await client.signIn("ada@example.com")
    let document = try await client.send(
      .get,
      "/\(EntraTenant.defaultName)/v2.0/.well-known/openid-configuration"
    )
    let published = try await client.send(.get, "/\(EntraTenant.defaultID)/discovery/v2.0/keys")
    let keys = JWTKeyCollection()
    try await keys.add(jwksJSON: String(decoding: published.json.encoded, as: UTF8.self))
    let now = try world.world.clock.now.timeIntervalSince1970
    for (name, audience) in [("id_token", EntraClient.clientID), ("access_token", "api://orders")] {
      let token = try #require(answer.json[name]?.string)
      let claims = try await keys.verify(token, as: Claims.self)
      #expect(claims.iss == document.json["issuer"]?.string)
      #expect(claims.aud == audience)
      #expect(claims.tid == EntraTenant.defaultID)
      #expect(claims.iat == now)
      #expect(claims.nbf == now)
      #expect(claims.exp == now + 3599)
      #expect(claims.ver == "2.0")
      #expect(claims.nonce == nil)
    }
    let tampered = try #require(answer.json["id_token"]?.string) + "x"
    await #expect(throws: (any Error).self) {
      _ = try await keys.verify(tampered, as: Claims.self)
    }
  }

  @Test("the names of a person come with the scope profile, as far as they are known")
  func names() async throws {
    let client = try EntraWorld().client()
    let answer = try await client.signIn("ada@example.com")
    let claims = try answer.claims(of: "id_token")
    #expect(claims["name"] == "Ada")
    #expect(claims["given_name"] == "Ada")
    #expect(claims["family_name"] == nil)
    client.scope = "openid offline_access"
    let bare = try await client.signIn("ada@example.com").claims(of: "id_token")
    #expect(bare["given_name"] == nil)
  }

  @Test("an account whose id is a GUID has it as its object ID, and is found by it")
  func objectID() async throws {
    let id = "1B2C3D4E-2222-4333-8444-555555555555"
    let user = try AccountDescription(
      json: jsonText(
        #"{"id":"\#(id)","email_addresses":["ida@example.com"],"password":"walk-right-in-42"}"#
      )
    )
    let world = try EntraWorld(users: [user])
    let answer = try await world.client().signIn("ida@example.com")
    for token in ["id_token", "access_token"] {
      #expect(try answer.claims(of: token)["oid"]?.string == id.lowercased())
    }
    #expect(try await world.world.accountID(ofObject: id.lowercased()) == id)
    let error = await #expect(throws: DocumentError.self) {
      var other = AccountDescription()
      other.id = id.lowercased()
      _ = try await world.world.add(other)
    }
    #expect(error?.description == "'id': '\(id.lowercased())' is taken")
  }

  @Test("an object ID finds its account in either case, and an account's own id takes precedence")
  func spelledObjectID() async throws {
    let upper = "1B2C3D4E-2222-4333-8444-555555555555"
    // A file of an older version may have both.
    let users = [upper, upper.lowercased()].map { id in
      var user = AccountDescription()
      user.id = id
      return user
    }
    let world = try EntraWorld(users: users + AccountDescription.entraDemoUsers)
    #expect(try await world.world.accountID(ofObject: upper) == upper)
    #expect(try await world.world.accountID(ofObject: upper.lowercased()) == upper.lowercased())
    let token = try await world.client().signIn("ada@example.com").claims(of: "id_token")
    let objectID = try #require(token["oid"]?.string)
    #expect(try await world.world.accountID(ofObject: objectID.uppercased()) == "user_ada")
  }

  @Test("a users file may have a GUID only once, whatever the case")
  func listedObjectID() throws {
    let id = "1B2C3D4E-2222-4333-8444-555555555555"
    let list = #"[{"id":"\#(id)"},{"id":"\#(id.lowercased())"}]"#
    let error = #expect(throws: DocumentError.self) {
      _ = try AccountDescription.list(json: Data(list.utf8))
    }
    #expect(error?.description == "'[1].id': '\(id.lowercased())' is taken")
  }

  @Test("the access token names its API's scopes, the app and the session")
  func accessToken() async throws {
    let answer = try await EntraWorld().client().signIn("ada@example.com")
    let access = try answer.claims(of: "access_token")
    #expect(access["scp"] == "Read Write")
    #expect(access["azp"]?.string == EntraClient.clientID)
    #expect(access["acrs"] == nil)
    #expect(try answer.claims(of: "id_token")["sid"] == access["sid"])
    #expect(try answer.claims(of: "id_token")["name"] == "Ada")
    #expect(answer.json["expires_in"] == 3599)
    #expect(answer.json["ext_expires_in"] == 3599)
  }

  @Test("client_info says whose account it is, if it is asked for", arguments: ["true", "1"])
  func clientInfo(value: String) async throws {
    let client = try EntraWorld().client()
    try await client.initiate("ada@example.com")
    try await client.challenge()
    let answer = try await client.go(
      "oauth2/v2.0/token",
      [
        "grant_type": "password", "password": EntraClient.password,
        "scope": EntraClient.everything, "client_info": value,
      ]
    )
    let text = try #require(answer.json["client_info"]?.string)
    let bytes = try #require(Base64URL.bytes(of: text))
    let info = try #require(JSON(decoding: bytes))
    #expect(info["utid"]?.string == EntraTenant.defaultID)
    #expect(info["uid"] == (try answer.claims(of: "id_token")["oid"]))
    try await client.initiate("ada@example.com")
    try await client.challenge()
    let without = try await client.go(
      "oauth2/v2.0/token",
      ["grant_type": "password", "password": EntraClient.password, "scope": "openid"]
    )
    #expect(without.status == 200)
    #expect(without.json["client_info"] == nil)
  }

  @Test("sub differs between apps, oid does not")
  func pairwise() async throws {
    let world = try EntraWorld()
    let first = try await world.client().signIn("ada@example.com").claims(of: "id_token")
    let other = world.client()
    other.clientID = "11111111-2222-3333-4444-555555555555"
    let second = try await other.signIn("ada@example.com").claims(of: "id_token")
    #expect(first["oid"] == second["oid"])
    #expect(first["sub"] != second["sub"])
  }

  @Test("ID and refresh tokens come only with their scopes, and the address with email")
  func openIDScopes() async throws {
    let client = try EntraWorld().client()
    client.scope = "api://orders/Read"
    let bare = try await client.signIn("ada@example.com")
    #expect(bare.status == 200)
    #expect(bare.json["id_token"] == nil)
    #expect(bare.json["refresh_token"] == nil)
    client.scope = "openid email"
    let mail = try await client.signIn("ada@example.com")
    #expect(try mail.claims(of: "id_token")["email"] == "ada@example.com")
    #expect(try mail.claims(of: "access_token")["aud"] == "https://graph.microsoft.com")
  }

  @Test(
    "malformed scopes and scopes of two APIs are refused",
    arguments: ["api://a/Read api://b/Read", "api://a/Read User.Read", "a\"b", "openid a\\b"]
  )
  func invalidScopes(scope: String) async throws {
    let client = try EntraWorld().client()
    client.scope = scope
    #expect(try await client.signIn("ada@example.com").refusal == "400 invalid_scope 70011")
  }

  @Test(
    "a scope without a permission, such as an API's address alone, is refused",
    arguments: [
      "api://orders", "api://orders/", "https://graph.microsoft.com", "api://", "/", "//x",
      "/Read", "api:///Read", "openid api://orders",
    ]
  )
  func scopeWithoutPermission(scope: String) async throws {
    let client = try EntraWorld().client()
    client.scope = scope
    #expect(try await client.signIn("ada@example.com").refusal == "400 invalid_scope 70011")
  }

  @Test("the address of an API may end in a slash")
  func addressWithSlash() async throws {
    let client = try EntraWorld().client()
    client.scope = "https://graph.microsoft.com//User.Read"
    let claims = try await client.signIn("ada@example.com").claims(of: "access_token")
    #expect(claims["aud"] == "https://graph.microsoft.com/")
    #expect(claims["scp"] == "User.Read")
  }

  @Test("a scope has to be asked for")
  func missingScope() async throws {
    let client = try EntraWorld().client()
    client.scope = ""
    #expect(try await client.signIn("ada@example.com").refusal == "400 invalid_request 900144")
  }

  @Test("dina is granted all but one scope; the answer says so by a shorter list")
  func declined() async throws {
    let answer = try await EntraWorld().client().signIn("dina@example.com")
    #expect(answer.json["scope"] == "openid profile offline_access api://orders/Read")
    #expect(try answer.claims(of: "access_token")["scp"] == "Read")
  }

  @Test("a token is for the API that was asked for, even if no scope of it is granted")
  func nothingGranted() async throws {
    let client = try EntraWorld { $0.entraScopesGranted = [] }.client()
    let some = try await client.signIn("ada@example.com")
    #expect(try some.claims(of: "access_token")["aud"] == "api://orders")
    #expect(try some.claims(of: "access_token")["scp"] == "openid profile")
    client.scope = "api://orders/Read"
    let none = try await client.signIn("ada@example.com")
    // An answer without a scope would mean that all is granted (RFC 6749, section 5.1).
    #expect(none.json["scope"] == "")
    #expect(try none.claims(of: "access_token")["aud"] == "api://orders")
    #expect(try none.claims(of: "access_token")["scp"] == nil)
  }

  @Test("the setting limits what is granted, but never OpenID Connect's own scopes")
  func grantedSetting() async throws {
    let world = try EntraWorld { $0.entraScopesGranted = ["API://orders/write"] }
    let answer = try await world.client().signIn("ada@example.com")
    #expect(answer.json["scope"] == "openid profile offline_access api://orders/Write")
    let none = try EntraWorld { $0.entraScopesGranted = [] }
    let empty = try await none.client().signIn("ada@example.com")
    #expect(empty.json["scope"] == "openid profile offline_access")
  }
}

@Suite("Entra: renewing silently")
struct EntraRefreshTests {
  private func signedIn(
    _ world: EntraWorld,
    _ username: String = "ada@example.com",
    _ more: FormData = [:]
  ) async throws -> (client: EntraClient, token: String) {
    let client = world.client()
    let answer = try await client.signIn(username, more)
    return (client, try #require(answer.json["refresh_token"]?.string, "\(answer)"))
  }

  @Test("each renewal brings a new refresh token, and the old ones stay good")
  func rotates() async throws {
    let world = try EntraWorld()
    let (client, token) = try await signedIn(world)
    let first = try await client.refresh(token)
    #expect(first.status == 200)
    let newer = try #require(first.json["refresh_token"]?.string)
    #expect(newer != token)
    #expect(try await client.refresh(newer).status == 200)
    #expect(try await client.refresh(token).status == 200)
  }

  @Test("a renewal may ask for fewer scopes; without any it brings the same again")
  func scopes() async throws {
    let (client, token) = try await signedIn(EntraWorld())
    let fewer = try await client.refresh(token, ["scope": "openid api://orders/Read"])
    #expect(fewer.json["scope"] == "openid api://orders/Read")
    let same = try await client.post(
      "oauth2/v2.0/token",
      ["grant_type": "refresh_token", "refresh_token": token]
    )
    #expect(same.json["scope"]?.string == EntraClient.everything)
  }

  @Test(
    "a narrower renewal replaces the refresh token by one for the same scopes as before",
    arguments: ["api://orders/Read", "openid offline_access api://orders/Read"]
  )
  func keepsScopes(narrower: String) async throws {
    let (client, token) = try await signedIn(EntraWorld())
    let newer = try #require(
      try await client.refresh(token, ["scope": narrower]).json["refresh_token"]?.string
    )
    let all = try await client.post(
      "oauth2/v2.0/token",
      ["grant_type": "refresh_token", "refresh_token": newer]
    )
    #expect(all.json["scope"]?.string == EntraClient.everything)
    #expect(all.json["refresh_token"] != nil)
  }

  @Test("a token that is made up, another app's, or too old is refused")
  func bad() async throws {
    let world = try EntraWorld { $0.sessionSeconds = 1000 }
    let (client, token) = try await signedIn(world)
    #expect(try await client.refresh("1.x").refusal == "400 invalid_grant bad_token 70000")
    let other = world.client()
    other.clientID = "11111111-2222-3333-4444-555555555555"
    #expect(try await other.refresh(token).refusal == "400 invalid_grant bad_token 70000")
    try world.world.clock.advance(900)
    let renewed = try #require(try await client.refresh(token).json["refresh_token"]?.string)
    try world.world.clock.advance(101)
    #expect(try await client.refresh(token).refusal == "400 invalid_grant bad_token 70008")
    // Each new one lasts as long as the first did.
    try world.world.clock.advance(898)
    #expect(try await client.refresh(renewed).status == 200)
    try world.world.clock.advance(2)
    #expect(try await client.refresh(renewed).refusal == "400 invalid_grant bad_token 70008")
  }

  @Test("renewal is refused after a new password, and for a deleted or disabled account")
  func revoked() async throws {
    let world = try EntraWorld()
    let (client, token) = try await signedIn(world)
    _ = try await world.world.change("user_ada", ["banned": true])
    #expect(try await client.refresh(token).refusal == "400 invalid_grant 50057")
    _ = try await world.world.change(
      "user_ada",
      ["banned": false, "password_state": "compromised"]
    )
    #expect(try await client.refresh(token).refusal == "400 invalid_request 50142")
    try world.world.clock.advance(1)
    _ = try await world.world.change(
      "user_ada",
      ["password_state": "ok", "password": "another-Password-77"]
    )
    #expect(try await client.refresh(token).refusal == "400 invalid_grant bad_token 50173")
    _ = try await world.world.remove("user_ada")
    #expect(
      try await client.refresh(token).refusal == "400 invalid_grant user_account_deleted 50034"
    )
  }

  @Test("each new password ends the sessions of the former one, even if the clock stands still")
  func frozenPassword() async throws {
    let world = try EntraWorld()
    _ = try world.world.clock.freeze(true)
    let (client, first) = try await signedIn(world)
    var token = first
    for password in ["another-Password-77", "a-third-Password-77", EntraClient.password] {
      _ = try await world.world.change("user_ada", ["password": .string(password)])
      #expect(try await client.refresh(token).refusal == "400 invalid_grant bad_token 50173")
      let answer = try await client.signIn("ada@example.com", password: password)
      token = try #require(answer.json["refresh_token"]?.string)
      #expect(try await client.refresh(token).status == 200)
    }
    try await client.startReset("ada@example.com")
    try await client.go("resetpassword/v1.0/challenge")
    let code = try await world.code(to: "ada@example.com")
    try await client.go("resetpassword/v1.0/continue", ["grant_type": "oob", "oob": code])
    try await client.go("resetpassword/v1.0/submit", ["new_password": EntraClient.newPassword])
    #expect(try await client.refresh(token).refusal == "400 invalid_grant bad_token 50173")
  }

  @Test("iris has to sign in with the claims of the refusal; then renewal works")
  func interaction() async throws {
    let world = try EntraWorld()
    let (client, token) = try await signedIn(world, "iris@example.com")
    let refused = try await client.refresh(token)
    #expect(refused.refusal == "400 interaction_required basic_action 50076")
    let claims = try #require(refused.json["claims"]?.string)
    #expect(try jsonText(claims)["access_token"]?["capolids"]?["essential"] == true)
    #expect(try await client.refresh(token, ["claims": claims]).error == "interaction_required")
    let (again, carried) = try await signedIn(world, "iris@example.com", ["claims": claims])
    #expect(try await again.refresh(carried).status == 200)
    #expect(try await again.refresh(token).error == "interaction_required")
  }

  @Test("claims that were merged with the app's capabilities count as carried")
  func merged() async throws {
    let world = try EntraWorld()
    let (client, token) = try await signedIn(world, "iris@example.com")
    let text = try #require(try await client.refresh(token).json["claims"]?.string)
    var claims = try jsonText(text)
    var access = try #require(claims["access_token"])
    access["xms_cc"] = ["values": ["cp1"]]
    claims["access_token"] = access
    let sent = String(decoding: claims.encoded, as: UTF8.self)
    let answer = try await client.signIn("iris@example.com", ["claims": sent])
    #expect(try answer.claims(of: "access_token")["xms_cc"] == ["cp1"])
    let carried = try #require(answer.json["refresh_token"]?.string)
    #expect(try await client.refresh(carried).status == 200)
  }

  @Test("claims that are not an object are malformed", arguments: ["[]", "x", "1"])
  func malformedClaims(text: String) async throws {
    let client = try EntraWorld().client()
    let answer = try await client.signIn("ada@example.com", ["claims": text])
    #expect(answer.refusal == "400 invalid_request 9002313")
  }

  @Test("a policy that comes later stops the renewal")
  func policy() async throws {
    let world = try EntraWorld()
    let (client, token) = try await signedIn(world)
    _ = try await world.world.change(
      "user_ada",
      jsonText(#"{"entra":{"protection_policy":true}}"#)
    )
    #expect(
      try await client.refresh(token).refusal
        == "400 unauthorized_client protection_policy_required 53005"
    )
  }

  @Test("a scope of blanks alone is none", arguments: [" ", "  "])
  func blankScope(scope: String) async throws {
    let (client, token) = try await signedIn(EntraWorld())
    let answer = try await client.refresh(token, ["scope": scope])
    #expect(answer.refusal == "400 invalid_scope 70011")
  }

  @Test("an account without a password renews its session, whatever the state of passwords")
  func withoutPassword() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.initiate("cody@example.com")
    try await client.challenge()
    let code = try await world.code(to: "cody@example.com")
    let answer = try await client.token("oob", ["oob": code])
    let token = try #require(answer.json["refresh_token"]?.string)
    _ = try await world.world.change("user_cody", ["password_state": "compromised"])
    #expect(try await client.refresh(token).status == 200)
  }
}

@Suite("Entra: a protected API and its claims challenge")
struct EntraOrdersTests {
  private func call(
    _ world: EntraWorld,
    _ method: HTTPRequest.Method = .get,
    token: String?
  ) async throws -> EntraAnswerRead {
    var fields: HTTPFields = [:]
    if let token { fields[.authorization] = "Bearer \(token)" }
    return try await world.client().send(method, "/api/orders", fields: fields)
  }

  @Test("reading takes a token for the API that has the scope and has not expired")
  func reads() async throws {
    let world = try EntraWorld()
    let client = world.client()
    #expect(try await call(world, token: nil).status == 401)
    #expect(try await call(world, token: "x.y.z").status == 401)
    let answer = try await client.signIn("ada@example.com")
    let token = try #require(answer.json["access_token"]?.string)
    #expect(try await call(world, token: token).status == 200)
    #expect(try await call(world, token: answer.json["id_token"]?.string).status == 401)
    client.scope = "api://orders/Write"
    let write = try await client.signIn("ada@example.com").json["access_token"]?.string
    #expect(try await call(world, token: write).status == 403)
    try world.world.clock.advance(3600)
    let late = try await call(world, token: token)
    #expect(late.status == 401)
    #expect(late.fields[.wwwAuthenticate]?.contains(#"error="invalid_token""#) == true)
  }

  @Test("a token of the signing key before is taken, and one of an earlier key is not")
  func rotatedKey() async throws {
    let world = try EntraWorld()
    let token = try await world.client().signIn("ada@example.com").json["access_token"]?.string
    _ = try await world.worlds.rotateSigningKey()
    #expect(try await call(world, token: token).status == 200)
    _ = try await world.worlds.rotateSigningKey()
    #expect(try await call(world, token: token).status == 401)
    let newer = try await world.client().signIn("ada@example.com").json["access_token"]?.string
    #expect(try await call(world, token: newer).status == 200)
  }

  @Test("the API takes a scope in upper or lower case, as the tenant does")
  func anyCase() async throws {
    let world = try EntraWorld()
    let client = world.client()
    for scope in ["api://orders/read", "API://Orders/READ"] {
      client.scope = scope
      let token = try await client.signIn("ada@example.com").json["access_token"]?.string
      #expect(try await call(world, token: token).status == 200, "\(scope)")
      #expect(try await call(world, .post, token: token).status == 403, "\(scope)")
    }
  }

  @Test(
    "an API is the same one whatever the case of the requested scopes",
    arguments: [
      "API://ORDERS/.default", "API://orders/Read api://orders/Write",
      "openid api://orders/Write API://Orders/read",
    ]
  )
  func oneAPI(scope: String) async throws {
    let world = try EntraWorld()
    let client = world.client()
    client.scope = scope
    let answer = try await client.signIn("ada@example.com")
    #expect(answer.status == 200)
    let token = answer.json["access_token"]?.string
    #expect(try await call(world, token: token).status == 200)
    // The scope is enough; the authentication context is missing.
    #expect(try await call(world, .post, token: token).status == 401)
  }

  @Test("ordering is answered with a challenge, whose claims lead to a sufficient token")
  func challenge() async throws {
    let world = try EntraWorld()
    let client = world.client()
    let answer = try await client.signIn("ada@example.com")
    let refused = try await call(world, .post, token: answer.json["access_token"]?.string)
    #expect(refused.status == 401)
    let field = try #require(refused.fields[.wwwAuthenticate])
    #expect(field.hasPrefix(#"Bearer realm="", authorization_uri="http://127.0.0.1:4010/"#))
    #expect(field.contains(#"error="insufficient_claims""#))
    let match = try #require(field.firstMatch(of: /claims="([^"]+)"/))
    let claims = String(decoding: try #require(Base64URL.bytes(of: String(match.1))), as: UTF8.self)
    #expect(try jsonText(claims)["access_token"]?["acrs"]?["value"] == "c2")
    let refresh = try #require(answer.json["refresh_token"]?.string)
    let silent = try await client.refresh(refresh, ["claims": claims])
    #expect(silent.refusal == "400 interaction_required basic_action 50076")
    #expect(silent.json["claims"]?.string == claims)
    let again = try await client.signIn("ada@example.com", ["claims": claims])
    #expect(try again.claims(of: "access_token")["acrs"] == ["c2"])
    #expect(try await call(world, .post, token: again.json["access_token"]?.string).status == 200)
    let newer = try #require(again.json["refresh_token"]?.string)
    #expect(try await client.refresh(newer, ["claims": claims]).status == 200)
  }

  @Test("a token comes once, as a bearer's in any case")
  func bearer() async throws {
    let world = try EntraWorld()
    let answer = try await world.client().signIn("ada@example.com")
    let token = try #require(answer.json["access_token"]?.string)
    func status(_ values: [String]) async -> Int {
      var fields: HTTPFields = [:]
      fields[values: .authorization] = values
      return await world.emulator.respond(
        to: Request(method: .get, target: "/api/orders", headerFields: fields)
      ).status.code
    }
    #expect(await status(["bearer \(token)"]) == 200)
    #expect(await status([token]) == 401)
    #expect(await status(["Basic  \(token)"]) == 401)
    #expect(await status(["Bearer \(token)", "Bearer \(token)"]) == 401)
  }

  @Test("a method that the API does not have is refused, though it belongs to no tenant")
  func methods() async throws {
    let answer = try await EntraWorld().client().send(.delete, "/api/orders")
    #expect(answer.status == 405)
    #expect(answer.fields[.allow]?.contains("POST") == true)
  }
}
