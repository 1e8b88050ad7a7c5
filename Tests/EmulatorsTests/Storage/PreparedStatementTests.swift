import GRDB
import GRDBSQLite
import HTTPExchange
import HTTPTypes
import Locking
import Testing

@testable import Emulators

@Suite("Statements are prepared once per connection")
struct PreparedStatementTests {
  /// The statements that a connection runs for the first time.
  private final class FirstRuns: Sendable {
    private let texts = Locked<[String: Int]>([:])

    /// Those that were prepared more than once, except those with which GRDB undoes something.
    var preparedAgain: [String] {
      texts.withLock { $0.filter { $0.value > 1 }.map { "\($0.value) \($0.key)" }.sorted() }
    }

    func note(_ text: String) {
      guard !["SAVEPOINT", "RELEASE", "ROLLBACK"].contains(where: text.hasPrefix) else { return }
      texts.withLock { $0[text, default: 0] += 1 }
    }
  }

  private func preparedAgain<Emulator>(
    in world: EmulatedWorld<Emulator>,
    by walk: () async throws -> Void
  ) async throws -> [String] {
    // The first round makes the signing key and looks up each table.
    try await walk()
    let runs = FirstRuns()
    try await world.world.database.write { database in
      _ = sqlite3_trace_v2(
        database.sqliteConnection,
        UInt32(SQLITE_TRACE_STMT),
        { _, runs, statement, _ in
          let statement = OpaquePointer(statement)
          guard let runs, sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0) == 0,
            let text = sqlite3_sql(statement)
          else { return 0 }
          Unmanaged<FirstRuns>.fromOpaque(runs).takeUnretainedValue().note(String(cString: text))
          return 0
        },
        // Retained for good: the connection may outlive a walk that goes wrong.
        Unmanaged.passRetained(runs).toOpaque()
      )
    }
    for _ in 0..<3 { try await walk() }
    return runs.preparedAgain
  }

  @Test("when signing in, up and out over Clerk, resetting a password and showing an account")
  func clerk() async throws {
    let world = try TestWorld()
    var round = 0
    let again = try await preparedAgain(in: world) {
      round += 1
      let ada = world.client()
      try await ada.get("/v1/environment")
      try await ada.signIn("ada@example.com", password: "wrong")
      let signIn = try await ada.signIn("ada@example.com")
      #expect(signIn.state == "complete")
      for path in ["client", "me", "me/sessions/active", "me/organization_memberships"] {
        try await ada.get("/v1/\(path)")
      }
      let session = try #require(signIn.resource?["created_session_id"]?.string)
      try await ada.post("/v1/client/sessions/\(session)/touch")
      try await ada.post("/v1/client/sessions/\(session)/tokens")
      try await ada.send(.patch, "/v1/me", ["first_name": "Ada \(round)"])
      try await ada.post("/v1/client/sessions/\(session)/remove")

      let code = world.client()
      let begun = try await code.begin("ada@example.com")
      try await code.prepareFirst(begun.id, "email_code")
      try await code.attemptFirst(begun.id, "email_code", ["code": "x"])
      let sent = try await world.code(to: "ada@example.com")
      #expect(try await code.attemptFirst(begun.id, "email_code", ["code": sent]).status == 200)
      try await code.send(.delete, "/v1/client")

      let nobody = world.client()
      try await nobody.begin("nobody@example.com")

      let new = world.client()
      let address = "new\(round)@example.com"
      let form: FormData = ["email_address": address, "password": ScriptedClient.password]
      let signUp = try await new.post("/v1/client/sign_ups", form)
      try await new.prepareSignUp(signUp.id)
      let proof = try await world.code(to: address)
      #expect(try await new.attemptSignUp(signUp.id, code: proof).state == "complete")

      let lost = world.client()
      let forgotten = try await lost.begin(address)
      try await lost.prepareFirst(forgotten.id, "reset_password_email_code")
      let key = try await world.code(to: address)
      try await lost.attemptFirst(forgotten.id, "reset_password_email_code", ["code": key])
      let reset = try await lost.post(
        "/v1/client/sign_ins/\(forgotten.id)/reset_password",
        ["password": "another-good-one-\(round)"]
      )
      #expect(reset.state == "complete")

      let mia = world.client()
      let first = try await mia.signIn("mia@example.com")
      try await mia.attemptSecond(first.id, "totp", code: "000000")
      try await mia.prepareSecond(first.id, "phone_code")
      try world.world.clock.advance(61)
    }
    #expect(again == [])
  }

  @Test("when signing in and up over Entra, renewing tokens and resetting a password")
  func entra() async throws {
    let world = try EntraWorld()
    var round = 0
    let again = try await preparedAgain(in: world) {
      round += 1
      let ada = world.client()
      try await ada.signIn("ada@example.com", password: "wrong")
      let tokens = try await ada.signIn("ada@example.com")
      #expect(tokens.status == 200)
      try await ada.refresh(tokens.json["refresh_token"]?.string ?? "")
      try await world.client().signIn("nobody@example.com")

      let mia = world.client()
      try await mia.signIn("mia@example.com")
      let methods = try await mia.go("oauth2/v2.0/introspect").json["methods"]?.array ?? []
      try await mia.challenge(["id": methods[0]["id"]?.string ?? ""])
      try await mia.token("mfa_oob", ["oob": "1"])
      let code = try await world.code(to: "mia@example.com", for: .secondFactor)
      #expect(try await mia.token("mfa_oob", ["oob": code]).status == 200)

      let address = "new\(round)@example.com"
      let new = world.client()
      try await new.startSignUp(address, ["password": EntraClient.password])
      try await new.go("signup/v1.0/challenge")
      let proof: FormData = ["grant_type": "oob", "oob": try await world.code(to: address)]
      #expect(try await new.go("signup/v1.0/continue", proof).status == 200)

      let lost = world.client()
      try await lost.startReset(address)
      try await lost.go("resetpassword/v1.0/challenge")
      let key: FormData = ["grant_type": "oob", "oob": try await world.code(to: address)]
      try await lost.go("resetpassword/v1.0/continue", key)
      let password: FormData = ["new_password": EntraClient.newPassword]
      #expect(try await lost.go("resetpassword/v1.0/submit", password).status == 200)
      try await lost.go("resetpassword/v1.0/poll_completion")
      try world.world.clock.advance(61)
    }
    #expect(again == [])
  }
}
