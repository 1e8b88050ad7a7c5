import Foundation
import GRDB
import HTTPExchange
import HTTPTypes
import Locking
import Testing

@testable import Emulators

@Suite("Protection against enumeration (S19)")
struct EnumerationTests {
  private func world(
    _ change: (inout InstanceSettings) -> Void = { _ in }
  ) throws -> TestWorld {
    var user = AccountDescription()
    user.emailAddresses = ["known@example.com", "second@example.com"]
    user.phoneNumbers = ["+12015550110"]
    user.password = ScriptedClient.password
    user.firstName = "Known"
    var other = AccountDescription()
    other.emailAddresses = ["other@example.com"]
    other.password = ScriptedClient.password
    return try TestWorld(users: [user, other]) { settings in
      settings.enumerationProtection = true
      change(&settings)
    }
  }

  /// The body without the parts that differ in every answer.
  private func shape(_ answer: Answer, _ identifier: String) -> String {
    var text = String(decoding: answer.json.encoded, as: UTF8.self)
    text = text.replacingOccurrences(of: identifier, with: "IDENTIFIER")
    text = text.replacing(/(client|sia|sua|idn|ver)_[0-9A-Za-z]{27}/) { "\($0.1)_ID" }
    return text.replacing(/"clerk_trace_id":"[0-9a-f]{32}"/, with: "TRACE")
  }

  private static let identifiers = ["known@example.com", "nobody@example.com"]

  @Test("signing in gives the same answers for an account and for an unknown identifier")
  func signIn() async throws {
    let world = try world()
    var shapes: [[String]] = []
    for identifier in Self.identifiers {
      let client = world.client()
      let begun = try await client.begin(identifier)
      #expect(begun.state == "needs_first_factor")
      var answers = [begun]
      for _ in 0..<2 { answers.append(try await client.signIn(identifier, password: "wrong")) }
      let id = try #require(answers.last?.client?["sign_in"]?["id"]?.string)
      answers.append(try await client.prepareFirst(id, "email_code"))
      answers.append(try await client.attemptFirst(id, "email_code", ["code": "x"]))
      answers.append(try await client.prepareFirst(id, "reset_password_email_code"))
      answers.append(try await client.attemptFirst(id, "reset_password_email_code", ["code": "x"]))
      answers.append(try await client.prepareFirst(id, "email_code", ["email_address_id": "idn_x"]))
      answers.append(try await client.prepareFirst(id, "phone_code"))
      shapes.append(answers.map { "\($0.status) \(shape($0, identifier))" })
    }
    #expect(shapes[0] == shapes[1])
    let answer = try await world.client().signIn("known@example.com", password: "wrong")
    #expect(answer.refusal == "422 form_password_or_identifier_incorrect")
    #expect(try await world.client().signIn("known@example.com").state == "complete")
  }

  @Test("an account and an unknown identifier lock alike")
  func locks() async throws {
    let world = try world()
    var codes: [[String]] = []
    for identifier in Self.identifiers {
      let client = world.client()
      var mine: [String] = []
      for _ in 0..<11 {
        mine += try await client.signIn(identifier, password: "wrong").codes
      }
      codes.append(mine)
    }
    #expect(codes[0] == codes[1])
    #expect(codes[0].last == "user_locked")
  }

  /// The statements that are executed for somebody's identifier, then for nobody's.
  private func statements(
    in world: TestWorld,
    of walk: (ScriptedClient, String) async throws -> Void
  ) async throws -> (somebody: [String], nobody: [String]) {
    let log = Locked<[String]>([])
    try await world.world.database.write { database in
      database.trace { event in
        guard case .statement(let statement) = event else { return }
        log.withLock { $0.append(statement.sql) }
      }
    }
    var work: [[String]] = []
    // The first round looks up the layout of the tables, once for all.
    for identifier in Self.identifiers + Self.identifiers {
      let client = world.client()
      log.withLock { $0 = [] }
      try await walk(client, identifier)
      // A message to nobody is rolled back within its savepoint.
      work.append(log.withLock { $0.filter { !$0.hasPrefix("ROLLBACK TRANSACTION TO SAVEPOINT") } })
    }
    return (work[2], work[3])
  }

  private func expect(_ statements: [String], ask tables: [String]) throws {
    for table in tables {
      let word = try Regex("\\b\(table)\\b")
      #expect(statements.contains { $0.contains(word) }, "no statement names \(table)")
    }
  }

  @Test("the same statements run for an unknown identifier as for an account")
  func work() async throws {
    let work = try await statements(in: world()) { client, identifier in
      _ = try await client.begin(identifier)
      _ = try await client.signIn(identifier, password: "wrong")
      _ = try await client.begin(identifier, ["strategy": "reset_password_email_code"])
      let id = try await client.begin(identifier).id
      _ = try await client.attemptFirst(id, "password", ["password": "wrong"])
      for strategy in ["email_code", "reset_password_email_code"] {
        _ = try await client.prepareFirst(id, strategy)
        _ = try await client.attemptFirst(id, strategy, ["code": "x"])
      }
    }
    #expect(work.somebody == work.nobody)
    try expect(
      work.somebody,
      ask: ["account", "contact", "device", "lockout", "message", "signIn"]
    )
  }

  @Test("signing up runs the same statements for a taken address as for a free one")
  func workOfSignUp() async throws {
    let work = try await statements(in: world { $0.emailLink = true }) { client, identifier in
      let form: FormData = ["email_address": identifier, "password": "walk-right-in-42"]
      let id = try await client.post("/v1/client/sign_ups", form).id
      try await client.prepareSignUp(id)
      try await client.prepareSignUp(id)
      try await client.attemptSignUp(id, code: "x")
      try await client.post(
        "/v1/client/sign_ups/\(id)/prepare_verification",
        ["strategy": "email_link", "redirect_url": "http://localhost:3000/"]
      )
      try await client.send(.patch, "/v1/client/sign_ups/\(id)", ["email_address": identifier])
      try await client.get("/v1/client")
      try await client.post(
        "/v1/client/sign_ups",
        ["email_address": identifier, "strategy": "email_code"]
      )
    }
    #expect(work.somebody == work.nobody)
    try expect(work.somebody, ask: ["contact", "message", "signUp"])
  }

  @Test(
    "adding an address gives the same answers and work for a taken one as for a free one"
  )
  func addedAddress() async throws {
    let world = try world()
    var shapes: [String: [String]] = [:]
    let work = try await statements(in: world) { client, identifier in
      try await client.signIn("other@example.com")
      let added = try await client.post("/v1/me/email_addresses", ["email_address": identifier])
      let path = "/v1/me/email_addresses/\(added.id)"
      let answers = [
        added, try await client.post("\(path)/prepare_verification", ["strategy": "email_code"]),
        try await client.post("\(path)/attempt_verification", ["code": "x"]),
      ]
      #expect(answers.map(\.status) == [200, 200, 422])
      shapes[identifier] = answers.map { answer in
        // Each round has a session of its own.
        let told = answer.resource ?? answer.json["errors"] ?? .null
        return shape(Answer(status: answer.status, json: told, fields: [:]), identifier)
      }
      try await client.send(.delete, path)
    }
    #expect(work.somebody == work.nobody)
    #expect(shapes[Self.identifiers[0]] == shapes[Self.identifiers[1]])
    let reached = Set(try await world.world.outbox.messages().map(\.to))
    #expect(reached == ["nobody@example.com"])
    let own = world.client()
    try await own.signIn("other@example.com")
    let again = try await own.post(
      "/v1/me/email_addresses",
      ["email_address": "other@example.com"]
    )
    #expect(again.refusal == "422 form_identifier_exists email_address")
  }

  @Test("an invitation to an organization is the same for an address with and without an account")
  func invitations() async throws {
    let world = try world()
    let client = world.client()
    try await client.signIn("other@example.com")
    let organization = try await client.post("/v1/organizations", ["name": "Quay Works"]).id
    let path = "/v1/organizations/\(organization)/invitations"
    var shapes: [String] = []
    for identifier in ["nobody@example.com", "second@example.com"] {
      let form: FormData = ["email_address": identifier, "role": "org:member"]
      let invited = try await client.post(path, form)
      #expect(invited.resource?["email_address"]?.string == identifier)
      let text = String(decoding: (invited.resource ?? .null).encoded, as: UTF8.self)
      shapes.append(
        text.replacing(invited.id, with: "ID").replacing(identifier, with: "IDENTIFIER")
          .replacing(/_at":[0-9]+/, with: "_at\":TIME")
      )
      try world.world.clock.advance(1)
    }
    #expect(shapes[0] == shapes[1])
    let listed = try await client.get(path).resource?["data"]?.array
    #expect(
      listed?.map { $0["email_address"]?.string } == ["nobody@example.com", "second@example.com"]
    )
  }

  @Test("no message is sent for an unknown identifier")
  func noMessage() async throws {
    let world = try world()
    _ = try await world.client().begin("nobody@example.com", ["strategy": "email_code"])
    #expect(try await world.world.outbox.messages().isEmpty)
  }

  @Test("no code is right for an unknown identifier, not even that of a test address")
  func noRightCode() async throws {
    let world = try world()
    let client = world.client()
    let begun = try await client.begin(
      "nobody+clerk_test@example.com",
      ["strategy": "email_code"]
    )
    for _ in 0..<2 {
      let answer = try await client.attemptFirst(begun.id, "email_code", ["code": "424242"])
      #expect(answer.refusal == "422 form_code_incorrect code")
      let proof = answer.client?["sign_in"]?["first_factor_verification"]
      #expect(proof?["status"] == "unverified")
    }
  }

  @Test("signing up gives the same answers for a taken address as for a free one")
  func signUp() async throws {
    let world = try world()
    var shapes: [[String]] = []
    for identifier in Self.identifiers {
      let client = world.client()
      let begun = try await client.post(
        "/v1/client/sign_ups",
        ["email_address": identifier, "password": "walk-right-in-42"]
      )
      let answers = [
        begun, try await client.prepareSignUp(begun.id),
        try await client.attemptSignUp(begun.id, code: "x"),
      ]
      shapes.append(answers.map { "\($0.status) \(shape($0, identifier))" })
    }
    #expect(shapes[0] == shapes[1])
    #expect(try await world.world.outbox.messages().map(\.to) == ["nobody@example.com"])
  }

  private func strategies(_ answer: Answer) -> [String] {
    (answer.resource?["supported_first_factors"]?.array ?? [])
      .compactMap { $0["strategy"]?.string }
  }

  @Test("an organization's account signs in there alone, as without the protection")
  func enterprise() async throws {
    var member = AccountDescription()
    member.emailAddresses = ["member@corp.example"]
    member.password = ScriptedClient.password
    member.enterprise = true
    let world = try TestWorld(users: [member]) { $0.enumerationProtection = true }
    let client = world.client()
    let begun = try await client.begin("member@corp.example")
    #expect(strategies(begun) == ["enterprise_sso"])
    for strategy in ["email_code", "reset_password_email_code"] {
      let sent = try await client.prepareFirst(begun.id, strategy)
      #expect(sent.refusal == "400 strategy_for_user_invalid")
    }
    let typed = try await client.attemptFirst(
      begun.id,
      "password",
      ["password": ScriptedClient.password]
    )
    #expect(typed.refusal == "400 strategy_for_user_invalid")
    let atOnce = try await client.signIn("member@corp.example")
    #expect(atOnce.refusal == "400 strategy_for_user_invalid")
    #expect(try await world.messageCount() == 0)
    let led = try await client.begin(
      "member@corp.example",
      ["strategy": "enterprise_sso", "redirect_url": "app://open"]
    )
    let verification = led.resource?["first_factor_verification"]
    #expect(verification?["external_verification_redirect_url"]?.string != nil)
    let nobody = try await client.begin("nobody@corp.example")
    #expect(strategies(nobody).contains("password"))
  }

  @Test("identifiers of a kind that is off are refused, whoever has them")
  func kindsOff() async throws {
    let world = try world {
      $0.phone = .off
      $0.username = .off
    }
    for identifier in ["+12015550110", "+12015550199", "somebody"] {
      let answer = try await world.client().begin(identifier)
      #expect(answer.code == "form_identifier_not_found")
    }
  }

  @Test("an attempt by phone offers no more texts once phone numbers are off")
  func phonesTurnedOff() async throws {
    let world = try world()
    for identifier in ["+12015550110", "+12015550199"] {
      try world.world.settings.phone = .signIn
      let client = world.client()
      let begun = try await client.begin(identifier)
      #expect(strategies(begun) == ["password", "phone_code", "reset_password_phone_code"])
      try world.world.settings.phone = .off
      let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
      #expect(strategies(read) == ["password"])
      let sent = try await client.prepareFirst(begun.id, "phone_code")
      #expect(sent.refusal == "400 strategy_for_user_invalid")
    }
  }

  @Test("links by email are offered for any address, with the same answers and work")
  func links() async throws {
    let world = try world { $0.emailLink = true }
    var shapes: [String: [String]] = [:]
    let work = try await statements(in: world) { client, identifier in
      let begun = try await client.begin(identifier)
      #expect(
        strategies(begun) == ["password", "email_code", "email_link", "reset_password_email_code"]
      )
      let sent = try await client.prepareFirst(
        begun.id,
        "email_link",
        ["redirect_url": "http://localhost:3000/"]
      )
      #expect(sent.resource?["first_factor_verification"]?["strategy"] == "email_link")
      let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
      shapes[identifier] = [begun, sent, read].map { "\($0.status) \(shape($0, identifier))" }
    }
    #expect(work.somebody == work.nobody)
    #expect(shapes[Self.identifiers[0]] == shapes[Self.identifiers[1]])
    let reached = Set(try await world.world.outbox.messages().map(\.to))
    #expect(reached == ["known@example.com"])
  }

  @Test("an attempt of nobody still offers its factors once the protection is switched off")
  func switchedOff() async throws {
    let world = try world()
    let client = world.client()
    let begun = try await client.begin("nobody@example.com")
    #expect(!strategies(begun).isEmpty)
    try world.world.settings.enumerationProtection = false
    let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(strategies(read) == strategies(begun))
  }
}
