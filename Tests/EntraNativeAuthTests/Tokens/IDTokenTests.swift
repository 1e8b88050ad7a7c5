import Foundation
import HTTPExchange
import HTTPTypes
import JWTKit
import Locking
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("The id token")
struct IDTokenTests {
  private let stage = SignedInStage()

  @Test("a token with a wrong issuer, audience, nonce or time is refused", arguments: 0..<7)
  func verified(fault: Int) async throws {
    var claims = SigningTenant.claims()
    let seconds = Fixture.now.timeIntervalSince1970
    switch fault {
    case 0: claims.issuer = "https://elsewhere/v2.0"
    case 1: claims.audience = .init("another")
    case 2: claims.nonce = "of-another-flow"
    case 3: claims.expiresAt = seconds - 121
    case 4: claims.issuedAt = seconds + 121
    case 5: claims.notBefore = seconds + 121
    default: claims.issuer += "/"
    }
    let tenant = try await SigningTenant.shared.value
    let (outcome, _, _, memory) = try await stage.signedIn(try await tenant.tokens(claims: claims))
    #expect(outcome.error?.problems.map(\.code) == ["service_answered_nonsense"])
    #expect(memory.tokens == nil)
  }

  @Test(
    "the audience is one app, whether it is written as its id or as a list (RFC 7519, 4.1.3)",
    arguments: [
      (#""\#(Fixture.clientID)""#, true), (#"["\#(Fixture.clientID)"]"#, true),
      (#"["another"]"#, false), (#"["another", "\#(Fixture.clientID)"]"#, false), ("[]", false),
    ]
  )
  func audience(_ text: String, isOurs: Bool) throws {
    var claims = SigningTenant.claims()
    claims.audience = try JSONDecoder().decode(IDToken.Audience.self, from: Data(text.utf8))
    let expected = IDToken.Expectation(
      issuer: Fixture.issuer,
      audience: Fixture.clientID,
      now: Fixture.now
    )
    #expect(claims.fault(against: expected) == (isOurs ? nil : "aud"))
  }

  @Test("a token for several apps is reported differently from one that is badly signed")
  func severalApps() async throws {
    var claims = SigningTenant.claims()
    claims.audience = .init(Fixture.clientID, "another")
    let tenant = try await SigningTenant.shared.value
    let (outcome, _, _, _) = try await stage.signedIn(try await tenant.tokens(claims: claims))
    #expect(outcome.error?.diagnosis?.contains("id-token-aud") == true)
  }

  @Test("times may differ by two minutes")
  func skew() async throws {
    var claims = SigningTenant.claims()
    claims.issuedAt += 119
    claims.notBefore = claims.issuedAt
    claims.expiresAt = Fixture.now.timeIntervalSince1970 - 119
    let tenant = try await SigningTenant.shared.value
    let (outcome, _, _, _) = try await stage.signedIn(try await tenant.tokens(claims: claims))
    #expect(outcome.moved != nil)
  }

  @Test("a signature by another key, or none, is refused")
  func signature() async throws {
    let stranger = try await SigningTenant()
    let (forged, _, _, _) = try await stage.signedIn(try await stranger.tokens())
    #expect(forged.error != nil)
    let token = try await SigningTenant.shared.value.sign(SigningTenant.claims())
    let payload = token.split(separator: ".")[1]
    let header = Data(#"{"alg":"none","typ":"JWT","kid":"k1"}"#.utf8).base64EncodedString()
      .replacing("=", with: "")
    for bad in ["\(header).\(payload).", "\(header).\(payload).x", "a.b.c", "eyJ…", ""] {
      let answer = Response.json(
        #"{"token_type":"Bearer","expires_in":60,"access_token":"a","id_token":"\#(bad)"}"#
      )
      let (outcome, _, _, memory) = try await stage.signedIn(answer)
      #expect(outcome.error?.problems.map(\.code) == ["service_answered_nonsense"])
      #expect(memory.tokens == nil)
    }
  }

  private func answer(idToken: String) -> Response {
    .json(
      #"""
      {"token_type":"Bearer","expires_in":60,"access_token":"a","id_token":"\#(idToken)"}
      """#
    )
  }

  @Test("a token that is signed with the public key, as if it were a shared secret, is refused")
  func confusion() async throws {
    let tenant = try await SigningTenant.shared.value
    let keys = tenant.documents["/94d1/discovery/v2.0/keys"]?.body ?? []
    let published = try JSONDecoder().decode(JWKS.self, from: Data(keys))
    let modulus = try #require(published.keys.last?.modulus)
    for secret in [modulus, tenant.publicPEM] {
      let forgery = JWTKeyCollection()
      await forgery.add(
        hmac: HMACKey(from: secret),
        digestAlgorithm: .sha256,
        kid: JWKIdentifier(string: SigningTenant.keyID)
      )
      let token = try await forgery.sign(
        SigningTenant.claims(),
        kid: JWKIdentifier(string: SigningTenant.keyID)
      )
      let (outcome, _, _, memory) = try await stage.signedIn(answer(idToken: token))
      #expect(outcome.error?.problems.map(\.code) == ["service_answered_nonsense"])
      #expect(outcome.error?.diagnosis?.contains("id-token-algorithm") == true)
      #expect(memory.tokens == nil)
    }
  }

  @Test("a token whose payload was changed after signing is refused")
  func tampered() async throws {
    let token = try await SigningTenant.shared.value.sign(SigningTenant.claims())
    var other = SigningTenant.claims()
    other.objectID = "someone-else"
    let stranger = try await SigningTenant.shared.value.sign(other)
    let parts = token.split(separator: ".")
    let mixed = [parts[0], stranger.split(separator: ".")[1], parts[2]].joined(separator: ".")
    let (outcome, _, _, _) = try await stage.signedIn(answer(idToken: mixed))
    #expect(outcome.error?.diagnosis?.contains("id-token-signature") == true)
  }

  // MARK: Keys that change

  /// Publishes the documents of one tenant, then of another; counts how often keys are asked for.
  private final class Publisher: HTTPTransport {
    private let state: Locked<(documents: [String: Response], askedCount: Int, keysAskedCount: Int)>
    private let answers: ScriptedTransport
    private let hold = Locked<(@Sendable () async -> Void)?>(nil)

    init(_ tenant: SigningTenant, _ answers: [Response]) {
      state = Locked((tenant.documents, 0, 0))
      self.answers = ScriptedTransport(answers.map { .success($0) })
    }

    var askedCount: Int { state.withLock(\.askedCount) }
    var keysAskedCount: Int { state.withLock(\.keysAskedCount) }

    /// Nil publishes none: a request for them gets no answer.
    func publish(_ tenant: SigningTenant?) {
      state.withLock { $0.documents = tenant?.documents ?? [:] }
    }

    /// Waits before anything is published.
    func holdUp(by hold: @escaping @Sendable () async -> Void) {
      self.hold.withLock { $0 = hold }
    }

    /// Whether every answer of the script was asked for.
    var isDone: Bool { answers.isDone }

    func send(_ request: Request) async throws(TransportError) -> Response {
      guard request.method == .get else { return try await answers.send(request) }
      if let hold = hold.withLock({ $0 }) { await hold() }
      let answer = state.withLock { state in
        if request.path.hasSuffix("/keys") { state.keysAskedCount += 1 }
        if request.path.hasSuffix("/openid-configuration") { state.askedCount += 1 }
        return state.documents[request.target]
      }
      guard let answer else { throw .malformedAnswer }
      return answer
    }
  }

  private func signIn(_ provider: EntraProvider) async throws -> Outcome<SignInState> {
    var memory = ProviderMemory()
    return await provider.beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
  }

  @Test("a key that is not known is looked up once, and not again for five minutes")
  func rotation() async throws {
    let old = try await SigningTenant.shared.value
    let new = try await SigningTenant(keyID: "k2")
    let unknown = try await SigningTenant(keyID: "k3")
    func begun(_ tokens: Response) -> [Response] {
      [.json(Fixture.begun), .json(Fixture.password), tokens]
    }
    let publisher = Publisher(
      old,
      begun(try await old.tokens()) + begun(try await new.tokens(claims: claims(after: 301)))
        + begun(try await unknown.tokens(claims: claims(after: 301)))
        + begun(try await unknown.tokens(claims: claims(after: 602)))
    )
    let provider = Self.provider(over: publisher, clock: stage.clock)
    #expect(try await signIn(provider).moved != nil)
    #expect(publisher.keysAskedCount == 1)
    publisher.publish(new)
    stage.clock.advance(301)
    #expect(try await signIn(provider).moved != nil)
    #expect(publisher.keysAskedCount == 2)
    // The key is unknown, and the keys have just been asked for.
    #expect(try await signIn(provider).error?.diagnosis?.contains("signature") == true)
    #expect(publisher.keysAskedCount == 2)
    stage.clock.advance(301)
    #expect(try await signIn(provider).error?.diagnosis?.contains("signature") == true)
    #expect(publisher.keysAskedCount == 3)
  }

  @Test("a token that is signed with a known key is verified without asking for the keys again")
  func knownKey() async throws {
    let tenant = try await SigningTenant.shared.value
    var answers: [Response] = []
    for time in [0.0, 301] {
      answers += [
        .json(Fixture.begun), .json(Fixture.password),
        try await tenant.tokens(claims: claims(after: time)),
      ]
    }
    let publisher = Publisher(tenant, answers)
    let provider = Self.provider(over: publisher, clock: stage.clock)
    #expect(try await signIn(provider).moved != nil)
    stage.clock.advance(301)
    #expect(try await signIn(provider).moved != nil)
    #expect(publisher.askedCount == 1 && publisher.keysAskedCount == 1)
  }

  @Test("yesterday's keys are used for a while if the tenant does not publish today's")
  func overdue() async throws {
    let tenant = try await SigningTenant.shared.value
    let day: TimeInterval = 86_400
    var answers: [Response] = []
    for time in [0, day, day + 299, day + 300, day + 600, 3 * day + 600] {
      answers += [
        .json(Fixture.begun), .json(Fixture.password),
        try await tenant.tokens(claims: claims(after: time)),
      ]
    }
    let publisher = Publisher(tenant, answers)
    let provider = Self.provider(over: publisher, clock: stage.clock)
    func signInAndCount() async throws -> Int? {
      try await signIn(provider).moved.map { _ in publisher.askedCount }
    }
    #expect(try await signInAndCount() == 1)
    publisher.publish(nil)
    stage.clock.advance(day)
    #expect(try await signInAndCount() == 2)
    stage.clock.advance(299)
    #expect(try await signInAndCount() == 2)
    stage.clock.advance(1)
    #expect(try await signInAndCount() == 3)
    publisher.publish(tenant)
    stage.clock.advance(300)
    #expect(try await signInAndCount() == 4)
    #expect(publisher.keysAskedCount == 2)
    publisher.publish(nil)
    stage.clock.advance(2 * day)
    #expect(try await signInAndCount() == nil)
  }

  @Test(
    "documents that are missing for an unknown key are asked for once in five minutes"
  )
  func unknownAndOut() async throws {
    let old = try await SigningTenant.shared.value
    let new = try await SigningTenant(keyID: "k2")
    var answers: [Response] = []
    for (tenant, time) in [(old, 0.0), (new, 301), (new, 302), (new, 601)] {
      answers += [
        .json(Fixture.begun), .json(Fixture.password),
        try await tenant.tokens(claims: claims(after: time)),
      ]
    }
    let publisher = Publisher(old, answers)
    let provider = Self.provider(over: publisher, clock: stage.clock)
    #expect(try await signIn(provider).moved != nil)
    publisher.publish(nil)
    for (seconds, count) in [(301.0, 2), (1, 2), (299, 3)] {
      stage.clock.advance(seconds)
      #expect(try await signIn(provider).error != nil)
      #expect(publisher.askedCount == count)
    }
  }

  @Test("checks that come during a lookup of keys wait for it, and keys are asked for only once")
  func atOnce() async throws {
    let old = try await SigningTenant.shared.value
    let new = try await SigningTenant(keyID: "k2")
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let (opened, open) = AsyncStream<Void>.makeStream()
    let publisher = Publisher(old, [])
    let documents = Self.provider(over: publisher, clock: stage.clock).documents
    try await documents.prepare()
    publisher.publish(new)
    publisher.holdUp {
      reach.finish()
      for await _ in opened {}
    }
    stage.clock.advance(301)
    let token = try await new.sign(claims(after: 301))
    async let first = documents.verified(token)
    for await _ in reached {}
    async let second = documents.verified(token)
    async let third = documents.verified(token)
    // Meanwhile both read the token with the old keys, as far as the machine gets to it.
    for _ in 0..<1_000 { _ = try await documents.issuer() }
    open.finish()
    let read = try await [first, second, third]
    #expect(read.map(\.subject) == Array(repeating: "sub-1", count: 3))
    #expect(publisher.askedCount == 2 && publisher.keysAskedCount == 2)
  }

  @Test("a token is not renewed while the new one cannot be verified, and is once it can")
  func renewalWithoutDocuments() async throws {
    let tenant = try await SigningTenant.shared.value
    let publisher = Publisher(
      tenant,
      [
        .json(Fixture.begun), .json(Fixture.password), try await tenant.tokens(),
        try await tenant.tokens(claims: claims(after: 2 * 86_400)),
      ]
    )
    let provider = Self.provider(over: publisher, clock: stage.clock)
    var memory = ProviderMemory()
    let entered = await provider.beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    let session = try stage.session(entered)
    let tokens = memory.tokens
    publisher.publish(nil)
    stage.clock.advance(2 * 86_400)
    let refused = await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory)
    #expect(refused.error?.problems.map(\.code) == ["service_answered_nonsense"])
    #expect(memory.tokens == tokens && !publisher.isDone)
    publisher.publish(tenant)
    let renewed = await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory)
    #expect(renewed.moved != nil && publisher.isDone)
  }

  @Test(
    "a document at a published address counts only with status 200, and a fault is told as such",
    arguments: [
      (.created, .serviceAnsweredNonsense), (.notFound, .serviceAnsweredNonsense),
      (.serviceUnavailable, .serviceUnavailable),
    ] as [(HTTPResponse.Status, Reason)]
  )
  func notPublished(status: HTTPResponse.Status, reason: Reason) async {
    let address = Fixture.tenant + "/v2.0/.well-known/openid-configuration"
    let transport = ScriptedTransport(
      [],
      documents: [address: .json(Fixture.configuration, status: status)]
    )
    let documents = EntraNativeAuthTests.provider(transport).documents
    let error = await #expect(throws: AuthError.self) { try await documents.issuer() }
    #expect(error?.problems.map(\.reason) == [reason])
  }

  private static func provider(over publisher: Publisher, clock: MovableClock) -> EntraProvider {
    EntraProvider(
      transport: publisher,
      tenant: NativeTenant(path: Fixture.tenant, clientID: Fixture.clientID),
      clock: clock.wallClock,
      keyRefetchInterval: 300
    )
  }

  private func claims(after seconds: TimeInterval) -> IDToken {
    SigningTenant.claims(at: Fixture.now.addingTimeInterval(seconds))
  }
}
