import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Backstage

@Suite("Backstage over the emulated Entra")
struct EntraWorldsTests {
  private struct Stage {
    let worlds: Worlds
    let backstage: BackstageAPI
    let emulator: EntraEmulator

    init() throws {
      worlds = try Worlds(storage: .memory, behind: .entra)
      backstage = BackstageAPI(worlds: worlds)
      emulator = EntraEmulator(worlds: worlds, address: "http://127.0.0.1:4010")
    }

    func backstage(
      _ method: HTTPRequest.Method,
      _ path: String,
      _ body: String? = nil
    ) async throws -> Answer {
      var fields: HTTPFields = [.host: "localhost:4010", .mark: "1"]
      if body != nil { fields[.contentType] = "application/json" }
      return try await read(
        InProcessTransport(to: backstage).send(
          Request(
            method: method,
            target: "/backstage/api/\(path)",
            headerFields: fields,
            body: Array((body ?? "").utf8)
          )
        )
      )
    }

    /// Asks for the first factor of a name.
    func challenge(_ username: String) async throws -> Answer {
      let begun = try await post(
        "initiate",
        ["username": username, "challenge_type": "oob password redirect"]
      )
      guard let token = begun.json["continuation_token"]?.string else { return begun }
      return try await post("challenge", ["continuation_token": token])
    }

    /// Tries a code for the first factor of a name.
    ///
    /// - Returns: The token to send with the next try.
    func tryCode(_ code: String, continuing token: String?) async throws -> String? {
      let form: FormData = [
        "continuation_token": token ?? "", "grant_type": "oob", "oob": code, "scope": "openid",
      ]
      return try await post("token", form).json["continuation_token"]?.string ?? token
    }

    private func post(_ endpoint: String, _ form: FormData) async throws -> Answer {
      var form = form
      form.append("client_id", EntraApp.demoID)
      return try await read(
        emulator.respond(
          to: Request(
            method: .post,
            target: "/\(EntraTenant.defaultName)/oauth2/v2.0/\(endpoint)",
            headerFields: [.contentType: "application/x-www-form-urlencoded"],
            body: form.encoded
          )
        )
      )
    }

    private func read(_ response: Response) throws -> Answer {
      let json =
        try response.read(by: JSON.init(decoding:), empty: .null)
      return Answer(status: response.status.code, json: json, fields: response.headerFields)
    }
  }

  @Test("the code of a sign-in is in the inbox")
  func message() async throws {
    let stage = try Stage()
    #expect(try await stage.challenge("cody@example.com").json["challenge_type"] == "oob")
    let message = try await stage.backstage(.get, "messages/latest?to=cody@example.com")
    #expect(message.json["purpose"] == "sign_in")
    #expect(message.json["code"]?.string?.count == 8)
  }

  @Test("the bar offers a code and its end, but none that was tried too often or has expired")
  func offeredCode() async throws {
    let stage = try Stage()
    let sought = SoughtCode.sent(to: "c***@example.com")
    var token = try await stage.challenge("cody@example.com").json["continuation_token"]?.string
    let world = try await stage.worlds.world(.main)
    let sent = try #require(try await world.outbox.messages().first)
    let offered = try #require(await world.news(seeking: sought).code)
    #expect(offered.digits == sent.code)
    #expect(offered.worksUntil == sent.createdAt.addingTimeInterval(600))
    for count in 1...5 {
      #expect(await world.news(seeking: sought).code?.digits == sent.code, "try \(count)")
      token = try await stage.tryCode("00000000", continuing: token)
    }
    #expect(await world.news(seeking: sought).code == nil)
    _ = try await stage.challenge("cody@example.com")
    #expect(await world.news(seeking: sought).code != nil)
    _ = try await stage.backstage(.post, "clock", #"{"advance_seconds":600}"#)
    #expect(await world.news(seeking: sought).code == nil)
  }

  @Test("the bar offers no code whose attempt is over, even if codes are valid for longer")
  func codeOfAnEndedAttempt() async throws {
    let stage = try Stage()
    _ = try await stage.backstage(.patch, "instance", #"{"code_lifetime_seconds":3600}"#)
    _ = try await stage.backstage(.post, "clock", #"{"freeze":true}"#)
    let sought = SoughtCode.sent(to: "c***@example.com")
    _ = try await stage.challenge("cody@example.com")
    let world = try await stage.worlds.world(.main)
    #expect(await world.news(seeking: sought).code != nil)
    _ = try await stage.backstage(.post, "clock", #"{"advance_seconds":601}"#)
    #expect(await world.news(seeking: sought).code == nil)
  }

  @Test("accounts are made and changed while the world runs")
  func accounts() async throws {
    let stage = try Stage()
    let made = try await stage.backstage(
      .post,
      "users",
      #"{"email_addresses":["eve@example.com"],"password":"walk-right-in-42"}"#
    )
    let id = try #require(made.json["id"]?.string)
    #expect(try await stage.challenge("eve@example.com").json["challenge_type"] == "password")
    let changed = try await stage.backstage(
      .patch,
      "users/\(id)",
      #"{"enterprise":true,"entra":{"silent":"interaction_required"}}"#
    )
    #expect(changed.json["entra"]?["silent"] == "interaction_required")
    #expect(try await stage.challenge("eve@example.com").json["challenge_type"] == "redirect")
    #expect(try await stage.backstage(.delete, "users/\(id)").status == 204)
    #expect(try await stage.challenge("eve@example.com").json["error"] == "user_not_found")
  }

  @Test("an account is found by its object ID in either case, and no other can have that ID")
  func objectIDs() async throws {
    let stage = try Stage()
    let id = "0F6D1A2B-1111-4222-8333-944444444444"
    let body = #"{"id":"\#(id)","email_addresses":["gus@example.com"]}"#
    #expect(try await stage.backstage(.post, "users", body).status == 200)
    for spelling in [id, id.lowercased()] {
      let named = try await stage.backstage(.get, "users/\(spelling)")
      #expect(named.json["id"] == .string(id), "\(spelling)")
    }
    let second = #"{"id":"\#(id.lowercased())","email_addresses":["fay@example.com"]}"#
    let refused = try await stage.backstage(.post, "users", second)
    #expect(refused.status == 422)
    let message = refused.json["errors"]?[0]?["message"]?.string
    #expect(message == "'id': '\(id.lowercased())' is taken")
  }

  @Test("the settings and a reset work as for the other API")
  func settings() async throws {
    let stage = try Stage()
    let changes = #"{"entra_challenge_types":["redirect"],"entra_reset_polls":3}"#
    let changed = try await stage.backstage(.patch, "instance", changes)
    #expect(changed.json["entra_reset_polls"] == 3)
    #expect(try await stage.challenge("ada@example.com").json["challenge_type"] == "redirect")
    let bad = try await stage.backstage(.patch, "instance", #"{"entra_challenge_types":["x"]}"#)
    #expect(bad.status == 422)
    // A setting that this API never uses is accepted, too: one document of settings serves both.
    let unasked = try await stage.backstage(.patch, "instance", #"{"test_mode":false}"#)
    #expect(unasked.status == 200 && unasked.json["test_mode"] == false)
    #expect(try await stage.backstage(.delete, "users/user_ada").status == 204)
    #expect(try await stage.backstage(.post, "reset").status == 200)
    #expect(try await stage.challenge("ada@example.com").json["challenge_type"] == "password")
    let users = try await stage.backstage(.get, "users").json.array ?? []
    #expect(users.count == AccountDescription.entraDemoUsers.count)
  }

  @Test("the world's clock is the emulator's")
  func clock() async throws {
    let stage = try Stage()
    _ = try await stage.backstage(.post, "clock", #"{"set":"2031-04-02T09:15:07Z"}"#)
    _ = try await stage.backstage(.post, "clock", #"{"freeze":true}"#)
    let answer = try await stage.challenge("nobody@example.com")
    #expect(answer.json["timestamp"]?.string?.hasPrefix("2031-04-02 09:15:0") == true)
  }

  @Test(
    "a fault's path begins with a tenant, as calls do, or is that of the orders API",
    arguments: [
      ("/*/oauth2/v2.0/token", 200), ("/contoso.onmicrosoft.com/signup/v1.0/start", 200),
      ("/\(EntraTenant.defaultID)/oauth2/v2.0/token", 200), ("/api/orders", 200), ("/api/*", 200),
      ("/oauth2/v2.0/token", 422), ("/v1/client/sign_ins", 422), ("/api/users", 422),
      ("/*/oauth2/v2.0/initate", 422),
    ]
  )
  func faultPaths(path: String, status: Int) async throws {
    let body = #"{"match":{"path":"\#(path)"},"fault":"reset"}"#
    #expect(try await Stage().backstage(.post, "faults", body).status == status)
  }

  @Test("a world of the other API is refused, and changes nothing")
  func otherAPI() async throws {
    let stage = try Stage()
    // A lock says how long it still lasts.
    _ = try await stage.backstage(.post, "clock", #"{"freeze":true}"#)
    let before = try await stage.backstage(.get, "users").json
    let clerk = try BackstageClient()
    let fault = #"{"match":{"path":"/v1/environment"},"fault":"empty"}"#
    _ = try await clerk.send(.post, "faults", body: fault)
    let exported = try await clerk.send(.get, "export").json
    let refused = try await stage.backstage(
      .post,
      "import",
      String(decoding: exported.encoded, as: UTF8.self)
    )
    #expect(refused.status == 422)
    let message = refused.json["errors"]?[0]?["message"]?.string
    #expect(message == "This world was exported with another API: clerk.")
    #expect(try await stage.backstage(.get, "users").json == before)
    #expect(try await stage.backstage(.get, "faults").json == [])
    let own = try await stage.backstage(.get, "export").json
    #expect(own["api"] == "entra")
    let taken = String(decoding: own.encoded, as: UTF8.self)
    #expect(try await stage.backstage(.post, "import", taken).status == 200)
  }

  @Test("nobody can be invited, since a mailed link would lead nowhere")
  func noInvitations() async throws {
    let stage = try Stage()
    let body = #"{"email_address":"new@example.com"}"#
    #expect(try await stage.backstage(.post, "invitations", body).status == 422)
    #expect(try await stage.backstage(.get, "messages").json == [])
  }
}
