import Emulators
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Entra: continuation tokens")
struct EntraContinuationTests {
  /// Every endpoint that takes a token, with the error by which it refuses one.
  static let endpoints: [(path: String, error: String)] = [
    ("oauth2/v2.0/challenge", "invalid_grant"), ("oauth2/v2.0/introspect", "invalid_request"),
    ("oauth2/v2.0/token", "invalid_grant"), ("signup/v1.0/challenge", "invalid_grant"),
    ("signup/v1.0/continue", "invalid_request"),
    ("resetpassword/v1.0/challenge", "invalid_request"),
    ("resetpassword/v1.0/continue", "invalid_request"),
    ("resetpassword/v1.0/submit", "invalid_request"),
    ("resetpassword/v1.0/poll_completion", "invalid_request"),
    ("register/v1.0/introspect", "invalid_request"),
    ("register/v1.0/challenge", "invalid_request"),
    ("register/v1.0/continue", "invalid_request"),
  ]

  private static let fields: FormData = [
    "grant_type": "oob", "oob": "12345678", "scope": "openid", "new_password": "a-Password-77",
    "challenge_type": "oob", "challenge_target": "x@example.com",
  ]

  @Test("a made-up token is refused with the endpoint's own error", arguments: endpoints)
  func madeUp(_ endpoint: (path: String, error: String)) async throws {
    let client = try EntraWorld().client()
    client.continuation = "made-up"
    let answer = try await client.go(endpoint.path, Self.fields)
    #expect(answer.refusal == "400 \(endpoint.error) 55200")
  }

  @Test("a missing token is named in the error", arguments: endpoints)
  func missing(_ endpoint: (path: String, error: String)) async throws {
    let answer = try await EntraWorld().client().post(endpoint.path, Self.fields)
    #expect(answer.refusal == "400 invalid_request 900144")
    let text = answer.json["error_description"]?.string ?? ""
    #expect(text.contains("continuation_token"))
  }

  @Test(
    "a token is refused at another step, and stays valid for its own",
    // The first one is its own.
    arguments: endpoints.dropFirst()
  )
  func wrongStep(_ endpoint: (path: String, error: String)) async throws {
    let client = try EntraWorld().client()
    try await client.initiate("ada@example.com")
    let answer = try await client.go(endpoint.path, Self.fields)
    #expect(answer.refusal == "400 \(endpoint.error) 55200")
    #expect(try await client.challenge().status == 200)
  }

  @Test("a token is used up by the step it leads to")
  func spent() async throws {
    let client = try EntraWorld().client()
    try await client.initiate("ada@example.com")
    let first = client.continuation
    try await client.challenge()
    let second = client.continuation
    client.continuation = first
    #expect(try await client.challenge().refusal == "400 invalid_grant 55200")
    client.continuation = second
    let form: FormData = ["password": EntraClient.password]
    #expect(try await client.token("password", form).status == 200)
    #expect(try await client.token("password", form).refusal == "400 invalid_grant 55200")
  }

  @Test("a token that is sent twice at once works once (S16)")
  func twice() async throws {
    let world = try EntraWorld()
    let first = world.client()
    try await first.initiate("ada@example.com")
    try await first.challenge()
    let second = world.client()
    second.continuation = first.continuation
    async let one = first.token("password", ["password": EntraClient.password])
    async let other = second.token("password", ["password": EntraClient.password])
    let answers = try await [one, other].map(\.refusal).sorted()
    #expect(answers == ["200 -", "400 invalid_grant 55200"])
  }

  @Test("simultaneous guesses use up the tries, and then the right code is refused (S20)")
  func guesses() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.initiate("cody@example.com")
    try await client.challenge()
    let token = client.continuation
    try await withThrowingTaskGroup(of: Void.self) { group in
      for guess in 0..<5 {
        group.addTask {
          let guesser = world.client()
          guesser.continuation = token
          let answer = try await guesser.token("oob", ["oob": "0000000\(guess)"])
          #expect(answer.code == 50181)
        }
      }
      try await group.waitForAll()
    }
    let code = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": code]).code == 50181)
  }

  @Test("an error that carries the next token uses up the last one")
  func spentByError() async throws {
    let client = try EntraWorld().client()
    try await client.initiate("ezra@example.com")
    try await client.challenge()
    let old = client.continuation
    let form: FormData = ["password": EntraClient.password]
    #expect(try await client.token("password", form).json["suberror"] == "mfa_required")
    client.continuation = old
    #expect(try await client.token("password", form).refusal == "400 invalid_grant 55200")
  }

  @Test("a token lasts ten minutes of the world's time, counted again from each step")
  func expires() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.initiate("ada@example.com")
    try world.world.clock.advance(599)
    #expect(try await client.challenge().status == 200)
    try world.world.clock.advance(599)
    #expect(try await client.token("password", ["password": "wrong"]).code == 50126)
    try world.world.clock.advance(1)
    let late = try await client.token("password", ["password": EntraClient.password])
    #expect(late.refusal == "400 expired_token 552003")
  }

  @Test("a token is refused for another app and in another world")
  func foreign() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.initiate("ada@example.com")
    let token = client.continuation
    client.clientID = "11111111-2222-3333-4444-555555555555"
    #expect(try await client.challenge().refusal == "400 invalid_grant 55200")
    let name = try #require(WorldName("elsewhere"))
    let other = EntraClient(emulator: world.emulator, world: name)
    other.continuation = token
    #expect(try await other.challenge().refusal == "400 invalid_grant 55200")
  }

  @Test("a reset of the world ends flows and sessions")
  func reset() async throws {
    let world = try EntraWorld()
    let client = world.client()
    let refresh = try await client.signIn("ada@example.com").json["refresh_token"]?.string ?? ""
    try await client.initiate("ada@example.com")
    try await world.world.reset()
    #expect(try await client.challenge().refusal == "400 invalid_grant 55200")
    #expect(try await client.refresh(refresh).code == 70000)
  }

  @Test("flows, sessions and the signing key on disk are there when the folder is opened again")
  func durable() async throws {
    try await withTemporaryFolder { folder in
      func keys(_ client: EntraClient) async throws -> JSON? {
        try await client.send(.get, "/\(EntraTenant.defaultName)/discovery/v2.0/keys").json["keys"]
      }
      let before = try EntraWorld(storage: .folder(folder))
      let first = before.client()
      let answer = try await first.signIn("ada@example.com")
      try await first.initiate("ada@example.com")
      let published = try #require(try await keys(first))
      before.worlds.close()
      let after = try EntraWorld(storage: .folder(folder))
      let second = after.client()
      second.continuation = first.continuation
      #expect(try await second.challenge().challengeType == "password")
      #expect(
        try await second.refresh(answer.json["refresh_token"]?.string ?? "").status == 200
      )
      #expect(try await keys(second) == published)
      after.worlds.close()
      let clerk = try Worlds(storage: .folder(folder))
      #expect(try await clerk.world(.main).account(identifiedBy: "nia@example.com") != nil)
    }
  }
}
