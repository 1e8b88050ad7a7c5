import Foundation
import HTTPExchange
import HTTPTypes
import Synchronization
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("Tokens and silent acquisition")
struct TokenTests {
  private let stage = SignedInStage()
  private var clock: MovableClock { stage.clock }

  // MARK: Cache and renewal

  @Test("a token that is good for five minutes more is not asked for again")
  func cached() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(try await stage.tokens())
    var memory = start
    clock.advance(3_299)
    let current = try await provider.currentSession(try stage.session(outcome), memory: &memory)
    #expect(current.access?.expiresAt == Fixture.now.addingTimeInterval(3_600))
    #expect(transport.requests.count == 3)
  }

  @Test("a token that ends soon is renewed silently, and the refresh token changes")
  func renewed() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(
          .json(
            #"{"token_type":"Bearer","expires_in":3600,"access_token":"a2","refresh_token":"r2"}"#
          )
        )
      ]
    )
    var memory = start
    clock.advance(3_301)
    let current = try await provider.currentSession(try stage.session(outcome), memory: &memory)
    #expect(current.access?.expiresAt == clock.now.addingTimeInterval(3_600))
    #expect(current.expiresAt == clock.now.addingTimeInterval(AppPolicy().sessionLifetime))
    #expect(transport.forms.last?["grant_type"] == "refresh_token")
    #expect(transport.forms.last?["refresh_token"] == "rt")
    #expect(memory.tokens?.refreshToken == "r2")
    #expect(memory.tokens?.accessTokens.map(\.secret) == ["a2"])
  }

  @Test("a token whose renewal is due and fails is used while it is good")
  func outage() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(#","refresh_in":60"#),
      then: [.failure(.connectionLost), .failure(.connectionLost)]
    )
    var memory = start
    clock.advance(61)
    let current = try await provider.currentSession(try stage.session(outcome), memory: &memory)
    #expect(current.access?.expiresAt == Fixture.now.addingTimeInterval(3_600))
    #expect(transport.isDone)
  }

  @Test(
    "a renewal is due from its very second on, however long the token is still good",
    arguments: [(59.0, "at"), (60, "a2")]
  )
  func due(seconds: Double, secret: String) async throws {
    let (outcome, provider, _, start) = try await stage.signedIn(
      try await stage.tokens(#","refresh_in":60"#),
      then: [
        .success(.json(#"{"token_type":"Bearer","expires_in":3600,"access_token":"a2"}"#))
      ]
    )
    var memory = start
    clock.advance(seconds)
    _ = try await provider.currentSession(try stage.session(outcome), memory: &memory)
    #expect(memory.tokens?.accessTokens.map(\.secret) == [secret])
  }

  @Test("a renewal that is due and says that the session is over ends it, whatever is still good")
  func overWhenDue() async throws {
    let (outcome, provider, _, start) = try await stage.signedIn(
      try await stage.tokens(#","refresh_in":60"#),
      then: [.success(.error(Fixture.badToken))]
    )
    var memory = start
    let session = try stage.session(outcome)
    clock.advance(61)
    let error = await #expect(throws: AuthError.self) {
      try await provider.currentSession(session, memory: &memory)
    }
    #expect(error?.problems.map(\.reason) == [.signInAgain])
  }

  @Test(
    "a renewal that brings another person's id token is refused, and changes nothing",
    arguments: ["another", nil] as [String?]
  )
  func anothersToken(objectID: String?) async throws {
    var claims = SigningTenant.claims()
    claims.objectID = objectID
    let tenant = try await SigningTenant.shared.value
    let (outcome, provider, _, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(try await tenant.tokens(claims: claims))]
    )
    var memory = start
    let refused = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: nil,
      memory: &memory
    )
    #expect(refused.error?.problems.map(\.code) == ["service_answered_nonsense"])
    #expect(memory.tokens == start.tokens)
  }

  @Test("empty tokens in the answer to a renewal count as none")
  func emptyTokens() async throws {
    let empty =
      #"{"token_type":"Bearer","expires_in":3600,"access_token":"a2","refresh_token":"","#
      + #""id_token":""}"#
    let (outcome, provider, _, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(.json(empty))]
    )
    var memory = start
    let session = try stage.session(outcome)
    clock.advance(3_301)
    let current = try await provider.currentSession(session, memory: &memory)
    #expect(current.user == session.user)
    #expect(memory.tokens?.accessTokens.map(\.secret) == ["a2"])
    #expect(memory.tokens?.refreshToken == "rt")
  }

  @Test(
    "a refused renewal has its reason, and drops the tokens that are no longer good",
    arguments: [
      (Fixture.badToken, Reason.signInAgain, false, 0),
      (Fixture.interactionRequired, .extraVerificationRequired, true, 0),
      (Fixture.protectionPolicy, .protectionPolicyRequired, true, 1),
      (Fixture.nativeOff, .unrecognised, true, 1),
      (#"{"error":"invalid_scope","error_codes":[70011]}"#, .unrecognised, true, 1),
      (#"{"error":"invalid_grant","suberror":"consent_required"}"#, .consentRequired, true, 0),
      (
        #"{"error":"invalid_grant","suberror":"user_password_expired"}"#, .passwordResetRequired,
        true, 0
      ),
      (#"{"error":"invalid_request","error_codes":[50142]}"#, .passwordResetRequired, true, 0),
      (
        #"{"error":"invalid_grant","suberror":"additional_action"}"#, .deviceRequirementUnmet, true,
        0
      ),
      (#"{"error":"never_heard_of"}"#, .signInAgain, true, 0),
    ]
  )
  func refused(body: String, reason: Reason, keepsRefresh: Bool, accessCount: Int) async throws {
    let (outcome, provider, _, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(.error(body))]
    )
    var memory = start
    let refused = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: nil,
      memory: &memory
    )
    #expect(refused.error?.problems.map(\.reason) == [reason])
    #expect((memory.tokens?.refreshToken != nil) == keepsRefresh)
    #expect(memory.tokens?.accessTokens.count == accessCount)
    #expect(refused.error?.diagnosis?.contains("MSAL") == true)
  }

  // MARK: Scopes

  @Test("declined scopes need a decision, and going on without them makes no call")
  func declined() async throws {
    let tenant = try await SigningTenant.shared.value
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await tenant.tokens(scope: "openid profile offline_access API://orders/read")
    )
    var memory = start
    guard case .permissionsRequired(let prompt)? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.granted == ["API://orders/read"])
    #expect(prompt.declined == ["api://orders/Write"])
    let accepted = await provider.acceptGranted(prompt, memory: &memory)
    #expect(try stage.session(accepted).access?.scopes.last == "API://orders/read")
    #expect(transport.requests.count == 3)
  }

  @Test("a scope that a silent renewal loses needs a decision, and is asked for until then")
  func withdrawn() async throws {
    let tenant = try await SigningTenant.shared.value
    let less =
      #"{"token_type":"Bearer","scope":"openid api://orders/Read","expires_in":3600,"#
      + #""access_token":"a2"}"#
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await tenant.tokens(),
      then: Array(repeating: .success(.json(less)), count: 3)
    )
    var memory = start
    clock.advance(3_400)
    let first = try await provider.currentSession(try stage.session(outcome), memory: &memory)
    let prompt = try #require(provider.permissionsPrompt(of: first))
    #expect(prompt.granted == ["api://orders/Read"])
    #expect(prompt.declined == ["api://orders/Write"])
    // Opened again meanwhile, nothing is asked and nothing is forgotten.
    let second = try await provider.currentSession(first, memory: &memory)
    #expect(provider.permissionsPrompt(of: second) == prompt)
    #expect(transport.requests.count == 4)
    clock.advance(3_400)
    _ = try await provider.currentSession(second, memory: &memory)
    #expect(transport.forms.last?["scope"]?.hasSuffix(" api://orders/Write") == true)
    // Once it is made, only what was granted is asked for.
    let accepted = await provider.acceptGranted(prompt, memory: &memory)
    let session = try stage.session(accepted)
    #expect(provider.permissionsPrompt(of: session) == nil)
    clock.advance(3_400)
    let third = try await provider.currentSession(session, memory: &memory)
    #expect(provider.permissionsPrompt(of: third) == nil)
    #expect(transport.forms.last?["scope"]?.contains("api://orders/Write") == false)
    #expect(transport.isDone)
  }

  @Test("asking for other scopes, none of which is granted, loses nothing")
  func refusedMore() async throws {
    let tenant = try await SigningTenant.shared.value
    let nothing =
      #"{"token_type":"Bearer","scope":"openid profile offline_access","expires_in":60,"#
      + #""access_token":"a2","refresh_token":"r2"}"#
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await tenant.tokens(scope: "openid profile offline_access api://orders/Read"),
      then: [.success(.json(nothing))]
    )
    var memory = start
    guard case .permissionsRequired(let first)? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    let session = try stage.session(await provider.acceptGranted(first, memory: &memory))
    let asked = await provider.renewAccess(
      of: session,
      scopes: ["API://orders/Write"],
      claims: nil,
      memory: &memory
    )
    guard case .permissionsRequired(let prompt)? = asked.moved else {
      Issue.record("\(asked)")
      return
    }
    #expect(prompt.granted == ["api://orders/Read"])
    #expect(prompt.declined == ["API://orders/Write"])
    #expect(prompt.session.access == session.access)
    #expect(memory.tokens?.accessTokens.map(\.secret) == ["at"])
    #expect(memory.tokens?.refreshToken == "r2")
    let accepted = await provider.acceptGranted(prompt, memory: &memory)
    #expect(try stage.session(accepted).access?.scopes.last == "api://orders/Read")
    #expect(transport.isDone)
  }

  // MARK: Claims

  @Test("demanded claims go with the next sign-in, merged, and are forgotten after it")
  func claims() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(.error(Fixture.interactionRequired)),
        .success(.json(Fixture.begun)), .success(.json(Fixture.password)),
        .success(try await stage.tokens()),
      ]
    )
    var memory = start
    let refused = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: nil,
      memory: &memory
    )
    #expect(refused.error != nil)
    let again = await provider.beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    #expect(again.moved != nil)
    #expect(
      transport.forms.last?["claims"]
        == #"{"access_token":{"capolids":{"essential":true,"values":["5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911"]},"xms_cc":{"values":["cp1"]}}}"#
    )
    #expect(memory.claimsDemand == nil)
  }

  @Test("a token that lacks what was demanded since is renewed with the demand, good as it may be")
  func demandedSince() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(try await stage.tokens())]
    )
    var memory = start
    memory.claimsDemand = ClaimsDemand(Self.ownClaims, of: ["mara@example.com"])
    _ = try await provider.currentSession(try stage.session(outcome), memory: &memory)
    #expect(transport.forms.last?["grant_type"] == "refresh_token")
    #expect(transport.forms.last?["claims"]?.contains("acrs") == true)
    #expect(memory.claimsDemand == nil)
  }

  @Test("a token that was requested with other claims leaves a demand as it is")
  func otherClaims() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(try await stage.tokens())]
    )
    var memory = start
    let demand = ClaimsDemand(#"{"access_token":{"c9":null}}"#, of: ["mara@example.com"])
    memory.claimsDemand = demand
    let renewed = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: Self.ownClaims,
      memory: &memory
    )
    #expect(renewed.moved != nil && memory.claimsDemand == demand)
    #expect(transport.forms.last?["claims"]?.contains("c9") == false)
  }

  @Test("claims demanded of one person are not requested for another who signs in")
  func anothersClaims() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(.error(Fixture.interactionRequired)),
        .success(.json(Fixture.begun)), .success(.json(Fixture.password)),
        .success(try await stage.tokens()),
      ]
    )
    var memory = start
    _ = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: nil,
      memory: &memory
    )
    #expect(memory.claimsDemand != nil)
    _ = await provider.beginSignIn(
      identifier: try .typed("another@example.com"),
      password: try .typed(),
      memory: &memory
    )
    #expect(transport.forms.last?["claims"] == Self.capabilities)
    #expect(transport.isDone)
  }

  @Test(
    "a demand counts for the account's own name and for the one that was typed",
    arguments: ["mara@example.com", "MARA@fernwood.example"]
  )
  func claimsByEitherName(name: String) async throws {
    let tenant = try await SigningTenant.shared.value
    var identity = SigningTenant.claims()
    identity.preferredUsername = "mara@fernwood.example"
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await tenant.tokens(claims: identity),
      then: [
        .success(.error(Fixture.interactionRequired)),
        .success(.json(Fixture.begun)), .success(.json(Fixture.password)),
        .success(try await stage.tokens()),
      ]
    )
    var memory = start
    _ = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: nil,
      memory: &memory
    )
    _ = await provider.beginSignIn(
      identifier: try .typed(name),
      password: try .typed(),
      memory: &memory
    )
    #expect(transport.forms.last?["claims"]?.contains("capolids") == true)
    #expect(transport.isDone)
  }

  private static let capabilities = #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#
  private static let ownClaims = #"{"access_token":{"acrs":{"value":"c2"}}}"#

  @Test(
    "a caller's own claims become a demand only if the person has to satisfy them",
    arguments: [
      (#"{"error":"invalid_request","error_codes":[9002313]}"#, nil),
      (#"{"error":"invalid_scope","error_codes":[70011]}"#, nil),
      (Fixture.badToken, nil),
      (#"{"error":"interaction_required","error_codes":[50076]}"#, ownClaims),
      (#"{"error":"invalid_grant","suberror":"basic_action"}"#, ownClaims),
    ] as [(String, String?)]
  )
  func ownClaimsRefused(body: String, demand: String?) async throws {
    let (outcome, provider, _, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(.error(body))]
    )
    var memory = start
    let refused = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: Self.ownClaims,
      memory: &memory
    )
    #expect(refused.error != nil)
    #expect(memory.demandedClaims(of: "mara@example.com") == demand)
  }

  @Test("a demand that the service refuses is sent once, and locks nobody out")
  func refusedDemand() async throws {
    let tenant = try await SigningTenant.shared.value
    let answers: [Response] = [
      .json(Fixture.begun), .json(Fixture.password),
      .error(#"{"error":"invalid_request","error_codes":[9002313]}"#),
      .json(Fixture.begun), .json(Fixture.password), try await stage.tokens(),
    ]
    let transport = ScriptedTransport(
      answers.map(ScriptedTransport.Answer.success),
      documents: tenant.documents
    )
    let provider = provider(transport)
    var memory = ProviderMemory()
    memory.claimsDemand = ClaimsDemand(Self.ownClaims, of: ["mara@example.com"])
    for isIn in [false, true] {
      let outcome = await provider.beginSignIn(
        identifier: try .typed(),
        password: try .typed(),
        memory: &memory
      )
      #expect((outcome.moved != nil) == isIn)
    }
    #expect(transport.forms[2]["claims"]?.contains("acrs") == true)
    #expect(transport.forms.last?["claims"] == Self.capabilities)
    #expect(transport.isDone)
  }

  @Test("a demand in WWW-Authenticate counts like one in the body", arguments: [400, 401])
  func header(status: Int) async throws {
    let challenge =
      #"Bearer realm="", error="insufficient_claims", claims="eyJhY2Nlc3NfdG9rZW4iOnt9fQ""#
    let (outcome, provider, _, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(
          .json(
            #"{"error":"invalid_token"}"#,
            status: .init(code: status),
            headerFields: [.wwwAuthenticate: challenge]
          )
        )
      ]
    )
    var memory = start
    let refused = await provider.renewAccess(
      of: try stage.session(outcome),
      scopes: [],
      claims: nil,
      memory: &memory
    )
    #expect(refused.error?.problems.map(\.reason) == [.extraVerificationRequired])
    #expect(memory.claimsDemand?.claims == #"{"access_token":{}}"#)
    #expect(memory.tokens?.accessTokens.isEmpty == true)
  }

  @Test("without capabilities, a demand is echoed as it came; without a demand, nothing is sent")
  func echoed() {
    let odd = #"{ "access_token" : null }"#
    #expect(ClaimsChallenge.parameter(demanding: odd, capabilities: []) == odd)
    #expect(ClaimsChallenge.parameter(demanding: nil, capabilities: []) == nil)
    #expect(ClaimsChallenge.parameter(demanding: "no JSON", capabilities: ["cp1"]) == "no JSON")
  }

  @Test("a challenge in WWW-Authenticate is read, whatever the order and the alphabet")
  func challenge() {
    let encoded =
      "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzIifX19"
    let wanted = #"{"access_token":{"acrs":{"essential":true,"value":"c2"}}}"#
    func read(_ headers: String...) -> String? {
      var fields = HTTPFields()
      for header in headers { fields.append(HTTPField(name: .wwwAuthenticate, value: header)) }
      return ClaimsChallenge(in: fields)?.claims
    }
    #expect(
      read(
        #"Bearer realm="", authorization_uri="https://x/authorize", error="insufficient_claims", claims="\#(encoded)""#
      ) == wanted
    )
    #expect(
      read("Basic realm=\"x\"", "bearer claims=\(encoded)==,error=insufficient_claims") == wanted
    )
    #expect(read(#"Bearer error="invalid_token", claims="\#(encoded)""#) == nil)
    #expect(read(#"Digest error="insufficient_claims", claims="\#(encoded)""#) == nil)
    #expect(read(#"Bearer error="insufficient_claims", claims="???""#) == nil)
    #expect(read(#"Bearer error="insufficient_claims", claims="#) == nil)
    #expect(read() == nil)
  }

  @Test("of a challenge's parameter that is there twice, the first counts")
  func repeatedParameter() {
    let first = Data(Self.ownClaims.utf8).base64EncodedString()
    let second = Data(#"{"access_token":{}}"#.utf8).base64EncodedString()
    let header =
      #"Bearer error="insufficient_claims", claims="\#(first)", error="x", claims="\#(second)""#
    #expect(ClaimsChallenge(in: [.wwwAuthenticate: header])?.claims == Self.ownClaims)
  }

  @Test(
    "a challenge's claims are read up to 8,192 bytes",
    arguments: [(8_192, true), (8_193, false)]
  )
  func longChallenge(size: Int, isRead: Bool) {
    let claims = #"{"a":""# + String(repeating: "x", count: size - 8) + #""}"#
    #expect(claims.utf8.count == size)
    let encoded = Data(claims.utf8).base64EncodedString()
    let header = #"Bearer error="insufficient_claims", claims="\#(encoded)""#
    #expect((ClaimsChallenge(in: [.wwwAuthenticate: header]) != nil) == isRead)
  }

  @Test("what is kept fits into the visit's cookies")
  func size() throws {
    let long = String(repeating: "x", count: 3_900)
    let text = #"""
      {"token_type":"Bearer","expires_in":3600,"access_token":"\#(long)","refresh_token":"\#(long)","id_token":"\#(long)"}
      """#
    let answer = try #require(JSONBody.decode(TokenAnswer.self, from: Array(text.utf8)))
    var cache = TokenCache()
    for scope in ["a", "b", "c"] { cache.keep(answer, grantedTo: [scope], at: Fixture.now) }
    #expect(cache.accessTokens.map(\.scopes) == [["c"]])
    #expect(cache.refreshToken == long)
    #expect(cache.idToken == nil)
  }

  @Test("secrets do not print")
  func secrets() async throws {
    let (_, _, _, memory) = try await stage.signedIn(try await stage.tokens())
    #expect(memory.tokens != nil)
    #expect("\(memory)" == "<memory>")
  }
}
