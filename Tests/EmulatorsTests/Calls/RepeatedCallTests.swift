import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@testable import Emulators

@Suite("Calls that are repeated with their key")
struct RepeatedCallTests {
  private static let details: FormData = [
    "email_address": "new@example.com", "password": "walk-right-in-42",
  ]
  private static let prepared: FormData = ["strategy": "email_code"]

  /// Begins a sign-up and has its code sent, both under keys that begin with `key`.
  private func signUp(
    by client: ScriptedClient,
    _ details: FormData = Self.details,
    under key: String
  ) async throws -> (begun: Answer, prepared: Answer) {
    let begun = try await client.send(
      .post,
      "/v1/client/sign_ups",
      details,
      fields: [.idempotencyKey: "\"\(key)-1\""]
    )
    let prepared = try await client.send(
      .post,
      "/v1/client/sign_ups/\(begun.id)/prepare_verification",
      Self.prepared,
      fields: [.idempotencyKey: "\"\(key)-2\""]
    )
    return (begun, prepared)
  }

  private func isReplayed(_ answer: Answer) -> Bool { isReplayed(answer.fields) }

  private func isReplayed(_ fields: HTTPFields) -> Bool {
    fields.contains { $0.name.rawName == "Idempotent-Replayed" && $0.value == "true" }
  }

  /// How a world begins anew.
  enum Beginning: CaseIterable {
    case reset, imported, dropped

    func make<Emulator: Sendable>(
      in world: EmulatedWorld<Emulator>,
      of api: EmulatedAPI
    ) async throws {
      switch self {
      case .reset:
        try await world.world.reset()
      case .imported:
        let pieces = try await world.world
          .export(behind: api, faults: { _ in [] }, traces: { _ in [] }).pieces
        var bytes: [UInt8] = []
        while let piece = try await pieces.next() { bytes += piece }
        let document = try WorldDocument(.whole(bytes))
        try await world.world.replace(with: document, faults: [], traces: [])
      case .dropped:
        #expect(world.worlds.drop(world.name))
      }
    }
  }

  @Test(
    "a call that comes again once its world has begun anew is a new call",
    arguments: Beginning.allCases
  )
  func begunAnew(by beginning: Beginning) async throws {
    let world = try TestWorld()
    let first = try await signUp(by: world.client(), under: "a").begun
    try await beginning.make(in: world, of: .clerk)
    let second = try await signUp(by: world.client(), under: "a").begun
    #expect(second.state == "missing_requirements")
    #expect(!isReplayed(second) && second.id != first.id)
    let third = try await signUp(by: world.client(), under: "a").begun
    #expect(isReplayed(third) && third.id == second.id)
  }

  @Test(
    "a call of Entra's that comes again once its world has begun anew is a new call",
    arguments: Beginning.allCases
  )
  func begunAnewOverEntra(by beginning: Beginning) async throws {
    let world = try EntraWorld()
    func begin() async throws -> EntraAnswerRead {
      let client = world.client()
      return try await client.send(
        .post,
        "/\(client.tenant)/signup/v1.0/start",
        [
          "client_id": EntraClient.clientID, "challenge_type": client.challengeTypes,
          "username": "new@example.com", "password": EntraClient.password,
        ],
        fields: [.idempotencyKey: "\"a\""]
      )
    }
    let first = try await begin()
    try await beginning.make(in: world, of: .entra)
    let second = try await begin()
    #expect(second.status == 200)
    #expect(!isReplayed(second.fields) && second.continuation != first.continuation)
    let third = try await begin()
    #expect(isReplayed(third.fields) && third.continuation == second.continuation)
  }

  @Test("a call for another API version is another call, even with the same key")
  func another() async throws {
    let world = try TestWorld()
    let key: HTTPFields = [.idempotencyKey: "\"a\""]
    let path = "/v1/client/sign_ins"
    let form: FormData = ["identifier": "ada@example.com"]
    let name = try #require(HTTPField.Name("Clerk-API-Version"))
    let first = try await world.client().send(.post, path, form, fields: key)
    #expect(first.status == 200)
    let repeated = try await world.client().send(.post, path, form, fields: key)
    #expect(isReplayed(repeated))
    var fields = key
    fields[name] = "1999-01-01"
    let other = try await world.client().send(.post, path, form, fields: fields)
    #expect(other.refusal == "400 api_version_invalid" && !isReplayed(other))
  }

  @Test("two callers with one key get one sign-up and one message, at once or not (S16, S33)")
  func once() async throws {
    let world = try TestWorld()
    async let one = signUp(by: world.client(), under: "a")
    async let other = signUp(by: world.client(), under: "a")
    let (first, second) = try await (one, other)
    #expect(first.begun.state == "missing_requirements")
    #expect(second.begun.json == first.begun.json)
    #expect(second.prepared.json == first.prepared.json)
    #expect([first.begun, second.begun].filter(isReplayed).count == 1)
    #expect([first.prepared, second.prepared].filter(isReplayed).count == 1)

    let late = world.client()
    let third = try await signUp(by: late, under: "a")
    #expect(third.prepared.json == first.prepared.json)
    #expect(isReplayed(third.begun) && isReplayed(third.prepared))
    #expect(try await world.messageCount() == 1)

    // The answer brought the client's token, too.
    let code = try await world.code(to: "new@example.com")
    #expect(try await late.attemptSignUp(third.begun.id, code: code).state == "complete")
  }

  @Test("a call with another key, body or caller, or without a key, is a new call")
  func others() async throws {
    let world = try TestWorld()
    let client = world.client()
    let first = try await signUp(by: client, under: "a").begun
    var ids: Set = [first.id]
    func expectNew(_ answer: Answer, _ what: Comment) {
      #expect(answer.state == "missing_requirements", what)
      #expect(!isReplayed(answer), what)
      #expect(ids.insert(answer.id).inserted, what)
    }
    expectNew(try await signUp(by: world.client(), under: "b").begun, "key")
    let other: FormData = ["email_address": "other@example.com", "password": "walk-right-in-42"]
    expectNew(try await signUp(by: world.client(), other, under: "a").begun, "body")
    // With the token of the client that the first call made.
    expectNew(try await signUp(by: client, under: "a").begun, "caller")
    expectNew(try await world.client().post("/v1/client/sign_ups", Self.details), "no key")
    expectNew(try await world.client().post("/v1/client/sign_ups", Self.details), "no key again")
  }

  @Test("worlds have keys of their own")
  func worlds() async throws {
    let world = try TestWorld()
    let elsewhere = ScriptedClient(
      emulator: world.emulator,
      world: try #require(WorldName("elsewhere"))
    )
    let first = try await signUp(by: world.client(), under: "a")
    let second = try await signUp(by: elsewhere, under: "a")
    #expect(second.begun.id != first.begun.id)
    #expect(!isReplayed(second.begun))
  }

  @Test("a repeated refusal is answered unchanged")
  func refusal() async throws {
    let world = try TestWorld()
    let first = try await signUp(by: world.client(), ["email_address": "x"], under: "a").begun
    let second = try await signUp(by: world.client(), ["email_address": "x"], under: "a").begun
    #expect(first.status == 422)
    // With the trace id of the call that was answered.
    #expect(second.json == first.json)
    #expect(isReplayed(second))
  }

  @Test("Entra's calls with the same key also send one message")
  func entra() async throws {
    let world = try EntraWorld()
    func challenge() async throws -> EntraAnswerRead {
      let client = world.client()
      func call(_ endpoint: String, _ form: FormData, key: String) async throws -> EntraAnswerRead {
        let own: FormData = [
          "client_id": EntraClient.clientID, "challenge_type": client.challengeTypes,
        ]
        return try await client.send(
          .post,
          "/\(client.tenant)/signup/v1.0/\(endpoint)",
          FormData(own.fields + form.fields),
          fields: [.idempotencyKey: "\"\(key)\""]
        )
      }
      let details: FormData = ["username": "new@example.com", "password": EntraClient.password]
      let begun = try await call("start", details, key: "a-1")
      let token = try #require(begun.continuation)
      return try await call("challenge", ["continuation_token": token], key: "a-2")
    }
    let first = try await challenge()
    let second = try await challenge()
    #expect(first.challengeType == "oob")
    #expect(second.json == first.json)
    #expect(try await world.messageCount() == 1)
  }
}
